package io.chargefence.mysql;

import io.chargefence.OrderStep;
import io.chargefence.saga.ChargeEvent;
import io.chargefence.saga.RecordedEvent;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.axonframework.config.Configuration;
import org.axonframework.config.DefaultConfigurer;
import org.axonframework.eventhandling.DomainEventMessage;
import org.axonframework.eventhandling.EventMessage;
import org.axonframework.eventhandling.GenericDomainEventMessage;
import org.axonframework.eventhandling.GenericEventMessage;
import org.axonframework.eventsourcing.eventstore.jdbc.EventSchema;
import org.axonframework.eventsourcing.eventstore.jdbc.JdbcEventStorageEngine;
import org.axonframework.eventsourcing.eventstore.jdbc.JdbcSQLErrorCodesResolver;
import org.axonframework.eventsourcing.eventstore.jdbc.statements.TimestampWriter;
import org.axonframework.messaging.GenericMessage;
import org.axonframework.messaging.MetaData;
import org.axonframework.serialization.Serializer;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * The event log, on Axon's JDBC event store under a private Axon configuration: none of its parts are beans, so a host that uses
 * Axon itself keeps its own. Built without Axon's service-loaded modules, among them the one that reports usage home.
 */
public final class AxonEventLog {

    private static final String STREAM_TYPE = "charge";
    private static final String ORDER_ID = "orderId";
    private static final String STEP = "step";

    private final JdbcEventStorageEngine engine;
    private final Configuration axon;

    public AxonEventLog(DataSource dataSource, PlatformTransactionManager transactions) {
        SpringTransactions joined = new SpringTransactions(transactions);
        EventSerializer serializer = new EventSerializer();
        TransactionAwareDataSourceProxy connections = new TransactionAwareDataSourceProxy(dataSource);
        engine = new Engine(JdbcEventStorageEngine.builder()
                .connectionProvider(connections::getConnection)
                .transactionManager(joined)
                .persistenceExceptionResolver(new JdbcSQLErrorCodesResolver())
                .eventSerializer(serializer)
                .snapshotSerializer(serializer)
                .dataType(String.class)
                .schema(schema())
                .appendEvents(AxonEventLog::appendStatement));
        axon = DefaultConfigurer.defaultConfiguration(false)
                .configureSerializer(c -> serializer)
                .configureEventSerializer(c -> serializer)
                .configureMessageSerializer(c -> serializer)
                .configureTransactionManager(c -> joined)
                .configureEmbeddedEventStore(c -> engine)
                .buildConfiguration();
    }

    /** Axon's own view of the log, for replays and projections. */
    Configuration axon() {
        return axon;
    }

    /** Appends in the transaction that is open. */
    void append(List<Appended> events) {
        engine.appendEvents(events.stream().map(AxonEventLog::message).toList());
    }

    /**
     * The whole stream of a charge, in order.
     *
     * @throws IllegalStateException when an event is of no known type or revision
     */
    public List<RecordedEvent> read(UUID chargeId) {
        return engine.readEvents(chargeId.toString())
                .asStream()
                .map(AxonEventLog::recorded)
                .toList();
    }

    /** An event with where it belongs. */
    record Appended(UUID chargeId, OrderStep orderStep, RecordedEvent event, Map<String, String> metadata) {}

    private static DomainEventMessage<ChargeEvent> message(Appended appended) {
        RecordedEvent recorded = appended.event();
        Map<String, Object> metadata = new LinkedHashMap<>(appended.metadata());
        metadata.put(ORDER_ID, appended.orderStep().orderId());
        metadata.put(STEP, appended.orderStep().step());
        GenericMessage<ChargeEvent> payload =
                new GenericMessage<>(recorded.id().toString(), recorded.event(), MetaData.from(metadata));
        EventMessage<ChargeEvent> event = new GenericEventMessage<>(payload, recorded::at);
        return new GenericDomainEventMessage<>(
                STREAM_TYPE, appended.chargeId().toString(), recorded.sequence(), event, recorded.at());
    }

    private static RecordedEvent recorded(DomainEventMessage<?> message) {
        if (!(message.getPayload() instanceof ChargeEvent event)) {
            throw new IllegalStateException("charge %s: event %d is of no known type: %s"
                    .formatted(message.getAggregateIdentifier(), message.getSequenceNumber(), message.getPayload()));
        }
        return new RecordedEvent(
                UUID.fromString(message.getIdentifier()), message.getSequenceNumber(), message.getTimestamp(), event);
    }

    private static EventSchema schema() {
        return EventSchema.builder()
                .eventTable("charge_event")
                .globalIndexColumn("global_index")
                .aggregateIdentifierColumn("charge_id")
                .sequenceNumberColumn("sequence")
                .eventIdentifierColumn("event_id")
                .typeColumn("stream_type")
                .payloadTypeColumn("payload_type")
                .payloadRevisionColumn("payload_revision")
                .payloadColumn("payload")
                .metaDataColumn("metadata")
                .timestampColumn("recorded_at")
                .build();
    }

    /** All events of a batch in one statement, each with its order step beside it. */
    private static PreparedStatement appendStatement(
            Connection connection,
            EventSchema schema,
            Class<?> dataType,
            List<? extends EventMessage<?>> events,
            Serializer serializer,
            TimestampWriter timestamps)
            throws SQLException {
        String row = "(" + String.join(", ", Collections.nCopies(11, "?")) + ")";
        PreparedStatement statement = connection.prepareStatement(
                "insert into charge_event (charge_id, sequence, event_id, stream_type, payload_type, payload_revision,"
                        + " payload, metadata, recorded_at, order_id, step) values "
                        + String.join(", ", Collections.nCopies(events.size(), row)));
        int at = 0;
        for (EventMessage<?> event : events) {
            bind(statement, at, (DomainEventMessage<?>) event, serializer);
            at += 11;
        }
        statement.addBatch(); // the engine executes a batch: this is one
        return statement;
    }

    private static void bind(PreparedStatement statement, int at, DomainEventMessage<?> event, Serializer serializer)
            throws SQLException {
        var payload = event.serializePayload(serializer, String.class);
        var metadata = event.serializeMetaData(serializer, String.class);
        String orderId = (String) event.getMetaData().get(ORDER_ID);
        statement.setString(at + 1, event.getAggregateIdentifier());
        statement.setLong(at + 2, event.getSequenceNumber());
        statement.setString(at + 3, event.getIdentifier());
        statement.setString(at + 4, event.getType());
        statement.setString(at + 5, payload.getType().getName());
        statement.setString(at + 6, payload.getType().getRevision());
        statement.setString(at + 7, payload.getData());
        statement.setString(at + 8, metadata.getData());
        statement.setObject(at + 9, LocalDateTime.ofInstant(event.getTimestamp(), ZoneOffset.UTC));
        statement.setBytes(at + 10, orderId.getBytes(StandardCharsets.UTF_8));
        statement.setString(at + 11, (String) event.getMetaData().get(STEP));
    }

    /** Reads our DATETIME(6) column. */
    private static final class Engine extends JdbcEventStorageEngine {

        Engine(Builder builder) {
            super(builder);
        }

        @Override
        protected Object readTimeStamp(ResultSet row, String column) throws SQLException {
            Instant at = row.getObject(column, LocalDateTime.class).toInstant(ZoneOffset.UTC);
            return at.toString();
        }
    }
}
