package io.chargefence.mysql;

import io.chargefence.OrderStep;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/** What is due. Taking a row moves its due time on, so a sweep cannot flood the stream; held rows are skipped. */
final class DueRows {

    private static final Logger log = LoggerFactory.getLogger(DueRows.class);

    private final JdbcTemplate jdbc;
    private final TransactionTemplate transaction;

    DueRows(JdbcTemplate jdbc, TransactionTemplate transaction) {
        this.jdbc = jdbc;
        this.transaction = transaction;
    }

    List<OrderStep> take(String table, int max, Duration reservation) {
        return transaction.execute(status -> {
            List<byte[][]> keys = jdbc.query(
                    "select order_id, step from " + table
                            + " where due_at <= utc_timestamp(6) order by due_at limit ? for update skip locked",
                    (row, n) -> new byte[][] {row.getBytes(1), row.getBytes(2)},
                    max);
            if (keys.isEmpty()) {
                return List.of();
            }
            moveOn(table, keys, reservation);
            return orderSteps(keys);
        });
    }

    private void moveOn(String table, List<byte[][]> keys, Duration reservation) {
        List<Object> parameters = new ArrayList<>();
        parameters.add(reservation.toNanos() / 1000);
        for (byte[][] key : keys) {
            parameters.add(key[0]);
            parameters.add(text(key[1]));
        }
        jdbc.update(
                "update " + table + " set due_at = utc_timestamp(6) + interval ? microsecond where "
                        + ChargeLoader.keys(keys.size()),
                parameters.toArray());
    }

    /** An id that another program wrote and that is no order step is passed over here; the loader reports its row. */
    private static List<OrderStep> orderSteps(List<byte[][]> keys) {
        List<OrderStep> orderSteps = new ArrayList<>();
        for (byte[][] key : keys) {
            try {
                orderSteps.add(new OrderStep(text(key[0]), text(key[1])));
            } catch (RuntimeException invalid) {
                log.error("a due row has no valid order step and is passed over: {}", invalid.getMessage());
            }
        }
        return orderSteps;
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
