package io.chargefence.mysql;

import io.chargefence.OrderStep;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import org.axonframework.eventhandling.DomainEventMessage;
import org.axonframework.eventhandling.EventMessage;
import org.axonframework.eventsourcing.eventstore.jdbc.EventSchema;
import org.axonframework.eventsourcing.eventstore.jdbc.statements.AppendEventsStatementBuilder;
import org.axonframework.eventsourcing.eventstore.jdbc.statements.TimestampWriter;
import org.axonframework.serialization.SerializedObject;
import org.axonframework.serialization.Serializer;

/** The events of a batch as one INSERT of many rows, each with the order it is about. */
final class EventInsert implements AppendEventsStatementBuilder {

    /** In the metadata, so that a listener knows what an event is about without a second read. */
    static final String ORDER_ID = "orderId";

    static final String STEP = "step";

    private static final String ROW =
            "(?, ?, ?, ?, ?, ?, ?, " + FenceColumns.JSON + ", " + FenceColumns.JSON + ", ?, ?)";

    @Override
    public PreparedStatement build(
            Connection connection,
            EventSchema schema,
            Class<?> dataType,
            List<? extends EventMessage<?>> events,
            Serializer serializer,
            TimestampWriter timestampWriter)
            throws SQLException {
        PreparedStatement statement = connection.prepareStatement("INSERT INTO " + schema.domainEventTable() + " ("
                + schema.domainEventFields() + ", order_id, step) VALUES "
                + String.join(", ", Collections.nCopies(events.size(), ROW)));
        try {
            int index = 1;
            for (EventMessage<?> event : events) {
                index = bind(statement, index, (DomainEventMessage<?>) event, serializer, timestampWriter);
            }
            statement.addBatch();
            return statement;
        } catch (SQLException | RuntimeException failed) {
            statement.close();
            throw failed;
        }
    }

    private static int bind(
            PreparedStatement statement,
            int first,
            DomainEventMessage<?> event,
            Serializer serializer,
            TimestampWriter timestampWriter)
            throws SQLException {
        SerializedObject<String> payload = event.serializePayload(serializer, String.class);
        SerializedObject<String> metadata = event.serializeMetaData(serializer, String.class);
        int index = first;
        statement.setString(index++, event.getIdentifier());
        statement.setString(index++, event.getAggregateIdentifier());
        statement.setLong(index++, event.getSequenceNumber());
        statement.setString(index++, event.getType());
        timestampWriter.writeTimestamp(statement, index++, event.getTimestamp());
        statement.setString(index++, payload.getType().getName());
        statement.setString(index++, payload.getType().getRevision());
        statement.setString(index++, payload.getData());
        statement.setString(index++, metadata.getData());
        statement.setBytes(index++, text(event, ORDER_ID).getBytes(StandardCharsets.UTF_8));
        statement.setString(index++, text(event, STEP));
        return index;
    }

    private static String text(DomainEventMessage<?> event, String key) {
        Object value = event.getMetaData().get(key);
        if (value == null) {
            throw new IllegalStateException(
                    "event %s of charge %s does not say which %s it is about: only AxonEventLog may append"
                            .formatted(event.getIdentifier(), event.getAggregateIdentifier(), OrderStep.class));
        }
        return value.toString();
    }
}
