package io.chargefence.mysql;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The way back of {@link Args}: the columns of one table in a joined row, told apart by their prefix. */
record Row(ResultSet resultSet, String prefix) {

    String text(String column) throws SQLException {
        return required(column, textOrNull(column));
    }

    @Nullable
    String textOrNull(String column) throws SQLException {
        return resultSet.getString(prefix + column);
    }

    long number(String column) throws SQLException {
        return resultSet.getLong(prefix + column);
    }

    int count(String column) throws SQLException {
        return resultSet.getInt(prefix + column);
    }

    Instant instant(String column) throws SQLException {
        return required(column, instantOrNull(column));
    }

    /** As the date-time that is stored; a timestamp would go through the session's and the machine's time zone. */
    @Nullable
    Instant instantOrNull(String column) throws SQLException {
        LocalDateTime utc = resultSet.getObject(prefix + column, LocalDateTime.class);
        return utc == null ? null : utc.toInstant(ZoneOffset.UTC);
    }

    <E extends Enum<E>> E constant(String column, Class<E> type) throws SQLException {
        return required(column, constantOrNull(column, type));
    }

    <E extends Enum<E>> @Nullable E constantOrNull(String column, Class<E> type) throws SQLException {
        String name = textOrNull(column);
        return name == null ? null : Enum.valueOf(type, name);
    }

    boolean isThere(String column) throws SQLException {
        return resultSet.getObject(prefix + column) != null;
    }

    byte[] bytes(String column) throws SQLException {
        return required(column, resultSet.getBytes(prefix + column));
    }

    UUID uuid(String column) throws SQLException {
        ByteBuffer bytes = ByteBuffer.wrap(bytes(column));
        return new UUID(bytes.getLong(), bytes.getLong());
    }

    /** @throws IllegalArgumentException when the bytes are no UTF-8: replacing them would make two orders one */
    String orderId(String column) throws SQLException {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes(column)))
                    .toString();
        } catch (CharacterCodingException foreign) {
            throw new IllegalArgumentException("the order id is not UTF-8", foreign);
        }
    }

    private static <T> T required(String column, @Nullable T value) {
        if (value == null) {
            throw new IllegalArgumentException(column + " is null");
        }
        return value;
    }
}
