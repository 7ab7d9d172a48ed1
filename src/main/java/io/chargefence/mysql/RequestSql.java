package io.chargefence.mysql;

import io.chargefence.OrderStep;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowCallbackHandler;

/** Statements about several rows by key. */
final class RequestSql {

    private final JdbcTemplate jdbc;

    RequestSql(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    /** {@code (order_id = ? AND step = ?) OR …}: both servers answer it by ranges of the primary key. */
    static String where(Collection<?> keys) {
        return String.join(" OR ", Collections.nCopies(keys.size(), "(order_id = ? AND step = ?)"));
    }

    static Args args(Collection<OrderStep> keys) {
        Args args = new Args();
        keys.forEach(args::step);
        return args;
    }

    /** When the steps were requested. Decides nothing, so a plain read will do. */
    Map<OrderStep, Instant> requestedAt(List<OrderStep> keys) {
        Map<OrderStep, Instant> found = new HashMap<>();
        jdbc.query(
                "SELECT order_id, step, requested_at FROM charge_request WHERE " + where(keys),
                args(keys),
                (RowCallbackHandler) resultSet -> {
                    Row row = new Row(resultSet, "");
                    found.put(new OrderStep(row.orderId("order_id"), row.text("step")), row.instant("requested_at"));
                });
        return found;
    }

    void delete(List<OrderStep> keys) {
        jdbc.update("DELETE FROM charge_request WHERE " + where(keys), args(keys));
    }

    /**
     * Deletes those beside which no conflict is noted.
     *
     * @return whether all of them are gone now
     */
    boolean deleteUncontested(List<OrderStep> keys) {
        int deleted =
                jdbc.update("DELETE FROM charge_request WHERE conflict IS NULL AND (" + where(keys) + ")", args(keys));
        return deleted == keys.size()
                || jdbc.query(
                                "SELECT 1 FROM charge_request WHERE (" + where(keys) + ") FOR UPDATE",
                                args(keys),
                                (resultSet, number) -> true)
                        .isEmpty();
    }
}
