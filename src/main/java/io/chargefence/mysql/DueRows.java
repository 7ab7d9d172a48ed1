package io.chargefence.mysql;

import io.chargefence.ChargefenceException;
import io.chargefence.OrderStep;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

/** Takes due rows of one table: each by one sweeper, each once per reservation. */
final class DueRows {

    private final JdbcTemplate jdbc;
    private final Transactions transactions;
    private final Unreadable unreadable;
    private final String table;

    /** A key as it stands in the table, readable or not. */
    private record Key(
            byte[] orderId, String step, @Nullable OrderStep orderStep) {}

    DueRows(JdbcTemplate jdbc, Transactions transactions, Unreadable unreadable, String table) {
        this.jdbc = jdbc;
        this.transactions = transactions;
        this.unreadable = unreadable;
        this.table = table;
    }

    List<OrderStep> take(int max, Duration reservation) {
        List<Key> taken = transactions.write("sweep of " + table, () -> takeKeys(max, reservation));
        List<OrderStep> readable = new ArrayList<>();
        for (Key key : taken) {
            if (key.orderStep() != null) {
                readable.add(key.orderStep());
            }
        }
        return readable;
    }

    /** Rows that another sweeper holds are skipped, not waited for; updated_at stays, since nothing happened to the charge. */
    private List<Key> takeKeys(int max, Duration reservation) {
        List<Key> due = jdbc.query(
                "SELECT order_id, step FROM " + table
                        + " WHERE due_at <= utc_timestamp(6) ORDER BY due_at LIMIT ? FOR UPDATE SKIP LOCKED",
                new Args().add(max),
                (resultSet, number) -> key(resultSet));
        if (!due.isEmpty()) {
            Args args = new Args().add(reservation.toNanos() / 1_000);
            due.forEach(key -> args.add((Object) key.orderId()).add(key.step()));
            jdbc.update(
                    "UPDATE " + table + " SET due_at = utc_timestamp(6) + INTERVAL ? MICROSECOND WHERE "
                            + RequestSql.where(due),
                    args);
        }
        return due;
    }

    private Key key(ResultSet resultSet) throws SQLException {
        Row row = new Row(resultSet, "");
        return new Key(row.bytes("order_id"), row.text("step"), orderStep(row));
    }

    private @Nullable OrderStep orderStep(Row row) throws SQLException {
        try {
            return new OrderStep(row.orderId("order_id"), row.text("step"));
        } catch (IllegalArgumentException | ChargefenceException broken) {
            unreadable.report(table, Unreadable.name(row.bytes("order_id"), row.textOrNull("step")), broken);
            return null;
        }
    }
}
