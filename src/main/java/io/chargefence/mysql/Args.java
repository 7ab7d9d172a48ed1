package io.chargefence.mysql;

import io.chargefence.OrderStep;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.PreparedStatementSetter;

/**
 * The values of a statement, in the one form each kind has in our tables: order ids as bytes, instants as UTC date-times that
 * no session time zone touches, enums by name.
 */
final class Args implements PreparedStatementSetter {

    private final List<@Nullable Object> values = new ArrayList<>();

    Args step(OrderStep orderStep) {
        return bytes(orderStep.orderId()).add(orderStep.step());
    }

    Args bytes(String orderId) {
        values.add(orderId.getBytes(StandardCharsets.UTF_8));
        return this;
    }

    Args add(@Nullable Object value) {
        values.add(value);
        return this;
    }

    Args add(@Nullable Instant instant) {
        values.add(instant == null ? null : utc(instant));
        return this;
    }

    Args add(@Nullable Enum<?> constant) {
        values.add(constant == null ? null : constant.name());
        return this;
    }

    Args add(UUID id) {
        values.add(ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(id.getMostSignificantBits())
                .putLong(id.getLeastSignificantBits())
                .array());
        return this;
    }

    static LocalDateTime utc(Instant instant) {
        return LocalDateTime.ofInstant(instant, ZoneOffset.UTC);
    }

    @Override
    public void setValues(PreparedStatement statement) throws SQLException {
        int index = 1;
        for (Object value : values) {
            statement.setObject(index++, value);
        }
    }
}
