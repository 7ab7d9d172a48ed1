package io.chargefence.mysql;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.chargefence.Intent;
import io.chargefence.OrderStep;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** How values stand in columns: ids as bytes, times as UTC without any zone's help, attributes as JSON. */
final class Rows {

    private static final ObjectMapper JSON = EventSerializer.mapper();

    private Rows() {}

    static byte[] bytes(String orderId) {
        return orderId.getBytes(StandardCharsets.UTF_8);
    }

    static @Nullable LocalDateTime utc(@Nullable Instant at) {
        return at == null ? null : LocalDateTime.ofInstant(at, ZoneOffset.UTC);
    }

    static OrderStep orderStep(ResultSet row) throws SQLException {
        return new OrderStep(new String(row.getBytes("order_id"), StandardCharsets.UTF_8), row.getString("step"));
    }

    static Instant instant(ResultSet row, String column) throws SQLException {
        return row.getObject(column, LocalDateTime.class).toInstant(ZoneOffset.UTC);
    }

    static @Nullable Instant instantOrNull(ResultSet row, String column) throws SQLException {
        LocalDateTime at = row.getObject(column, LocalDateTime.class);
        return at == null ? null : at.toInstant(ZoneOffset.UTC);
    }

    static <E extends Enum<E>> @Nullable E enumOrNull(Class<E> type, @Nullable String name) {
        return name == null ? null : Enum.valueOf(type, name);
    }

    static @Nullable String name(@Nullable Enum<?> value) {
        return value == null ? null : value.name();
    }

    static Intent intent(ResultSet row) throws SQLException {
        return new Intent(
                row.getLong("amount_minor"),
                row.getString("currency"),
                row.getString("source"),
                row.getString("provider"),
                attributes(row.getString("attributes")));
    }

    static @Nullable String attributes(Intent intent) {
        return intent.attributes().isEmpty() ? null : json(intent.attributes());
    }

    static String json(Object value) {
        try {
            return JSON.writeValueAsString(value);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    static @Nullable Intent intentOrNull(@Nullable String json) {
        return json == null ? null : read(json, new TypeReference<Intent>() {});
    }

    private static SortedMap<String, String> attributes(@Nullable String json) {
        return json == null ? new TreeMap<>() : read(json, new TypeReference<TreeMap<String, String>>() {});
    }

    private static <T> T read(String json, TypeReference<T> type) {
        try {
            return JSON.readValue(json, type);
        } catch (JsonProcessingException unreadable) {
            throw new IllegalStateException("a JSON column does not fit: " + unreadable.getOriginalMessage());
        }
    }
}
