package io.chargefence.mysql;

import io.chargefence.OrderStep;
import io.chargefence.flow.ChargeLog.Entry;
import io.chargefence.saga.ChargeSaga;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.JdbcTemplate;

/** Writes to {@code charge_fence}: one statement for all claims of a batch, one for all its steps. */
final class FenceSql {

    private static final Set<String> TIMES = Set.of("retry_at", "opened_at", "call_deadline", "resend_safe_until");

    private static final String INSERT = "INSERT INTO charge_fence (order_id, step, charge_id, "
            + String.join(", ", FenceColumns.INTENT) + ", " + String.join(", ", FenceColumns.STATE)
            + ", requested_at, created_at, due_at) VALUES ";

    private static final String INSERTED = "(?, ?, ?, " + FenceColumns.INTENT_VALUES + ", "
            + String.join(", ", Collections.nCopies(FenceColumns.STATE.size() + 2, "?"));

    /**
     * The steps as a table. Spelled types, since a bare parameter has whatever type the driver and its settings give it; the
     * key columns in the type of the fence's own, so that the primary key is used and no collation decides what is equal.
     */
    private static final String STEP =
            "SELECT CAST(? AS BINARY) AS k_order, CONVERT(? USING ascii) COLLATE ascii_bin AS k_step,"
                    + " CAST(? AS BINARY) AS k_charge, CAST(? AS SIGNED) AS k_seq, CAST(? AS SIGNED) AS changed,"
                    + " CAST(? AS SIGNED) AS at_rest, CAST(? AS DATETIME(6)) AS due_at, "
                    + FenceColumns.STATE.stream()
                            .map(column -> (TIMES.contains(column) ? "CAST(? AS DATETIME(6))" : "?") + " AS " + column)
                            .collect(Collectors.joining(", "));

    /**
     * STRAIGHT_JOIN: rows are locked in the order of the steps, each by its primary key, and no other row is touched. A row
     * that is not at rest always has a due time, or it would never be looked at again.
     */
    private static final String UPDATE_HEAD = "UPDATE (";

    private static final String UPDATE_TAIL =
            ") v STRAIGHT_JOIN charge_fence f ON f.order_id = v.k_order AND f.step = v.k_step"
                    + " AND f.charge_id = v.k_charge AND f.stream_seq = v.k_seq SET "
                    + FenceColumns.STATE.stream()
                            .map(column -> "f." + column + " = v." + column)
                            .collect(Collectors.joining(", "))
                    + ", f.updated_at = CASE WHEN v.changed = 1 THEN utc_timestamp(6) ELSE f.updated_at END"
                    + ", f.due_at = CASE WHEN v.at_rest = 1 THEN NULL"
                    + " ELSE COALESCE(v.due_at, f.due_at, utc_timestamp(6)) END";

    private final JdbcTemplate jdbc;

    FenceSql(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * <b>The fence.</b> A plain INSERT: 1062 means that another worker holds one of the steps, and only that. No IGNORE (it
     * hides other errors too), no ON DUPLICATE KEY (it writes into the winner's row), no locking read first (it deadlocks).
     */
    void insert(List<Entry> claims, Map<OrderStep, Instant> requestedAt) {
        String values = claims.stream().map(FenceSql::placeholders).collect(Collectors.joining(", "));
        Args args = new Args();
        for (Entry claim : claims) {
            ChargeSaga saga = claim.after();
            args.step(saga.orderStep()).add(saga.chargeId());
            FenceColumns.bindIntent(args, saga.intent());
            FenceColumns.bindState(args, saga);
            args.add(requestedAt.getOrDefault(saga.orderStep(), saga.claimedAt()))
                    .add(saga.claimedAt())
                    .add(saga.stage().isAtRest() ? null : claim.dueAt());
        }
        jdbc.update(INSERT + values, args);
    }

    private static String placeholders(Entry claim) {
        String due = claim.after().stage().isAtRest() ? ", ?" : ", COALESCE(?, utc_timestamp(6))";
        return INSERTED + due + ")";
    }

    /** @return how many rows still stood where the entry's decision saw them */
    int update(List<Entry> steps) {
        String table = steps.stream().map(step -> STEP).collect(Collectors.joining(" UNION ALL "));
        Args args = new Args();
        for (Entry step : steps) {
            ChargeSaga before = step.before();
            ChargeSaga after = step.after();
            args.step(after.orderStep())
                    .add(before.chargeId())
                    .add(before.sequence())
                    .add(step.events().isEmpty() ? 0 : 1)
                    .add(after.stage().isAtRest() ? 1 : 0)
                    .add(step.dueAt());
            FenceColumns.bindState(args, after);
        }
        return jdbc.update(UPDATE_HEAD + table + UPDATE_TAIL, args);
    }
}
