package io.chargefence.mysql;

import io.chargefence.ChargefenceException;
import io.chargefence.OrderStep;
import io.chargefence.flow.ChargeLog.Requested;
import io.chargefence.mysql.ChargeRow.Fence;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.RowMapper;

/** Reads what both tables hold about some steps, in one statement and therefore as of one moment. */
final class ChargeRows implements RowMapper<@Nullable ChargeRow> {

    static final String BY_ORDER = select("SELECT order_id, step FROM charge_fence WHERE order_id = ?"
            + " UNION SELECT order_id, step FROM charge_request WHERE order_id = ?");

    /** In the types of the tables' own keys: so the primary keys are used, and no collation decides what is equal. */
    private static final String KEY =
            "SELECT CAST(? AS BINARY) AS order_id, CONVERT(? USING ascii) COLLATE ascii_bin AS step";

    private final Unreadable unreadable;

    ChargeRows(Unreadable unreadable) {
        this.unreadable = unreadable;
    }

    static String byKeys(Collection<OrderStep> keys) {
        return select(String.join(" UNION ALL ", Collections.nCopies(keys.size(), KEY)));
    }

    private static String select(String keys) {
        return "SELECT k.order_id AS k_order_id, k.step AS k_step, utc_timestamp(6) AS k_now, "
                + columns("r", List.of("conflict", "traceparent", "requested_at", "due_at"))
                + ", "
                + columns("f", fenceColumns())
                + " FROM (" + keys + ") k"
                + " LEFT JOIN charge_request r ON r.order_id = k.order_id AND r.step = k.step"
                + " LEFT JOIN charge_fence f ON f.order_id = k.order_id AND f.step = k.step";
    }

    private static List<String> fenceColumns() {
        return Stream.concat(
                        FenceColumns.STATE.stream(),
                        Stream.of("charge_id", "created_at", "requested_at", "updated_at", "due_at"))
                .toList();
    }

    private static String columns(String table, List<String> names) {
        return Stream.concat(FenceColumns.INTENT.stream(), names.stream())
                .map(name -> table + "." + name + " AS " + table + "_" + name)
                .collect(Collectors.joining(", "));
    }

    /** Null when the key itself cannot be read; without the parts that cannot be. */
    @Override
    public @Nullable ChargeRow mapRow(ResultSet resultSet, int number) throws SQLException {
        OrderStep orderStep = orderStep(new Row(resultSet, "k_"));
        if (orderStep == null) {
            return null;
        }
        Row fenceRow = new Row(resultSet, "f_");
        Fence fence = fenceRow.isThere("stage") ? fence(orderStep, fenceRow) : null;
        if (fence == null && fenceRow.isThere("stage")) {
            return new ChargeRow(
                    orderStep, null, null, null); // not even its request: the step is claimed, by whatever row
        }
        Row requestRow = new Row(resultSet, "r_");
        Requested request = requestRow.isThere("amount_minor") ? request(orderStep, requestRow) : null;
        return new ChargeRow(orderStep, request, requestRow.instantOrNull("due_at"), fence);
    }

    private @Nullable OrderStep orderStep(Row key) throws SQLException {
        try {
            return new OrderStep(key.orderId("order_id"), key.text("step"));
        } catch (IllegalArgumentException | ChargefenceException broken) {
            unreadable.report("charge_request", Unreadable.name(key.bytes("order_id"), key.textOrNull("step")), broken);
            return null;
        }
    }

    private @Nullable Fence fence(OrderStep orderStep, Row row) throws SQLException {
        try {
            return new Fence(
                    FenceColumns.saga(orderStep, row),
                    row.instant("requested_at"),
                    row.instant("updated_at"),
                    row.instantOrNull("due_at"));
        } catch (IllegalArgumentException | ChargefenceException broken) {
            unreadable.report("charge_fence", orderStep, broken);
            return null;
        }
    }

    private @Nullable Requested request(OrderStep orderStep, Row row) throws SQLException {
        try {
            String conflict = row.textOrNull("conflict");
            return new Requested(
                    orderStep,
                    FenceColumns.intent(row),
                    conflict == null ? null : Json.intent(conflict),
                    row.instant("requested_at"),
                    row.textOrNull("traceparent"));
        } catch (IllegalArgumentException | ChargefenceException broken) {
            unreadable.report("charge_request", orderStep, broken);
            return null;
        }
    }
}
