package io.chargefence.mysql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.axonframework.common.transaction.TransactionManager;
import org.axonframework.eventhandling.DomainEventData;
import org.axonframework.eventsourcing.eventstore.jdbc.EventSchema;
import org.axonframework.eventsourcing.eventstore.jdbc.JdbcEventStorageEngine;
import org.axonframework.eventsourcing.eventstore.jdbc.JdbcSQLErrorCodesResolver;
import org.axonframework.serialization.Serializer;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;

/** Axon's JDBC event storage on {@code charge_event}: our columns, times as DATETIME(6) in UTC, no snapshots. */
final class EventEngine extends JdbcEventStorageEngine {

    private static final EventSchema SCHEMA = EventSchema.builder()
            .eventTable("charge_event")
            .globalIndexColumn("global_index")
            .eventIdentifierColumn("event_id")
            .aggregateIdentifierColumn("charge_id")
            .sequenceNumberColumn("sequence")
            .typeColumn("type")
            .timestampColumn("recorded_at")
            .payloadTypeColumn("payload_type")
            .payloadRevisionColumn("payload_revision")
            .payloadColumn("payload")
            .metaDataColumn("metadata")
            .build();

    private EventEngine(Builder builder) {
        super(builder);
    }

    static EventEngine on(DataSource dataSource, TransactionManager transactions, Serializer codec) {
        // Axon closes what it is given; the proxy leaves the transaction's connection open.
        DataSource joining = new TransactionAwareDataSourceProxy(dataSource);
        return new EventEngine(builder()
                .connectionProvider(joining::getConnection)
                .transactionManager(transactions)
                .eventSerializer(codec)
                .snapshotSerializer(codec)
                .persistenceExceptionResolver(new JdbcSQLErrorCodesResolver())
                .schema(SCHEMA)
                .dataType(String.class)
                .appendEvents(new EventInsert())
                .createTokenAt(EventEngine::createTokenAt));
    }

    private static PreparedStatement createTokenAt(Connection connection, EventSchema schema, Instant at)
            throws SQLException {
        PreparedStatement statement = connection.prepareStatement("SELECT min(" + schema.globalIndexColumn()
                + ") - 1 FROM " + schema.domainEventTable() + " WHERE " + schema.timestampColumn() + " >= ?");
        statement.setObject(1, Args.utc(at));
        return statement;
    }

    @Override
    protected void writeTimestamp(PreparedStatement statement, int index, Instant at) throws SQLException {
        statement.setObject(index, Args.utc(at));
    }

    /** As text: Axon's own formatter would cut it to milliseconds. */
    @Override
    protected Object readTimeStamp(ResultSet resultSet, String column) throws SQLException {
        return resultSet
                .getObject(column, LocalDateTime.class)
                .toInstant(ZoneOffset.UTC)
                .toString();
    }

    @Override
    protected Stream<? extends DomainEventData<?>> readSnapshotData(String chargeId) {
        return Stream.empty();
    }
}
