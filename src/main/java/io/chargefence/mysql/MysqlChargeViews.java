package io.chargefence.mysql;

import io.chargefence.ChargeStage;
import io.chargefence.ChargeView;
import io.chargefence.Invariant;
import io.chargefence.OrderStep;
import io.chargefence.flow.ChargeViews;
import io.chargefence.saga.ChargeSaga;
import io.chargefence.saga.ChargeSaga.LastCall;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;

/** Reading charges: one row by its primary key, or counts over the table. */
public final class MysqlChargeViews implements ChargeViews {

    private static final String FENCE = "select * from charge_fence where order_id = ?";
    private static final String REQUEST = "select * from charge_request where order_id = ?";
    private static final String STEP = " and step = ?";
    private static final String LEDGER = "select stage, count(*) as steps, sum(charges_seen) as seen,"
            + " sum(provider_reference is not null) as charged,"
            + " coalesce(max(timestampdiff(microsecond, updated_at, utc_timestamp(6))), 0) as age"
            + " from charge_fence group by stage"
            + " union all select 'UNCLAIMED', count(*), 0, 0, 0 from charge_request";

    private final JdbcTemplate jdbc;

    public MysqlChargeViews(DataSource dataSource) {
        this.jdbc = new JdbcTemplate(dataSource);
    }

    /** A claim moves a step from the outbox to the fence; one that happens between two reads must not make it vanish. */
    @Override
    public Optional<ChargeView> find(OrderStep orderStep) {
        return fenced(orderStep).or(() -> requested(orderStep)).or(() -> fenced(orderStep));
    }

    private Optional<ChargeView> fenced(OrderStep orderStep) {
        return jdbc
                .query(FENCE + STEP, (row, n) -> fenced(row), Rows.bytes(orderStep.orderId()), orderStep.step())
                .stream()
                .findFirst();
    }

    private Optional<ChargeView> requested(OrderStep orderStep) {
        return jdbc
                .query(REQUEST + STEP, (row, n) -> requested(row), Rows.bytes(orderStep.orderId()), orderStep.step())
                .stream()
                .findFirst();
    }

    /** The outbox first: what leaves it meanwhile is behind the fence by then. */
    @Override
    public List<ChargeView> findByOrder(String orderId) {
        Map<OrderStep, ChargeView> views = new TreeMap<>();
        jdbc.query(REQUEST, (row, n) -> requested(row), Rows.bytes(orderId))
                .forEach(view -> views.put(view.orderStep(), view));
        jdbc.query(FENCE, (row, n) -> fenced(row), Rows.bytes(orderId))
                .forEach(view -> views.put(view.orderStep(), view));
        return List.copyOf(views.values());
    }

    @Override
    public Ledger ledger() {
        Map<ChargeStage, Long> steps = new EnumMap<>(ChargeStage.class);
        for (ChargeStage stage : ChargeStage.values()) {
            steps.put(stage, 0L);
        }
        long[] sums = new long[4]; // seen, charged, fences, age of the oldest doubt
        jdbc.query(LEDGER, row -> {
            ChargeStage stage = ChargeStage.valueOf(row.getString("stage"));
            steps.put(stage, row.getLong("steps"));
            sums[0] += row.getLong("seen");
            sums[1] += row.getLong("charged");
            sums[2] += stage == ChargeStage.UNCLAIMED ? 0 : row.getLong("steps");
            sums[3] = stage == ChargeStage.IN_DOUBT ? row.getLong("age") : sums[3];
        });
        return new Ledger(steps, new Invariant(sums[0], sums[1], sums[2]), Duration.ofNanos(sums[3] * 1000));
    }

    private static ChargeView fenced(ResultSet row) throws SQLException {
        ChargeSaga saga = FenceRows.saga(row);
        LastCall last = saga.attempt().lastCall();
        return new ChargeView(
                saga.orderStep(),
                saga.chargeId().toString(),
                saga.stage(),
                saga.intent(),
                saga.attempt().number(),
                saga.attempt().calls(),
                last == null ? null : last.idempotencyKey(),
                saga.outcome().reference(),
                saga.outcome().declineCode(),
                Rows.name(saga.outcome().parkedReason()),
                last == null ? null : last.deadline(),
                last == null ? null : last.resendSafeUntil(),
                Rows.instantOrNull(row, "due_at"),
                saga.conflicts(),
                saga.claimedAt(),
                Rows.instant(row, "updated_at"));
    }

    private static ChargeView requested(ResultSet row) throws SQLException {
        return new ChargeView(
                Rows.orderStep(row),
                null,
                ChargeStage.UNCLAIMED,
                Rows.intent(row),
                0,
                0,
                null,
                null,
                null,
                null,
                null,
                null,
                Rows.instant(row, "due_at"),
                row.getString("conflict") == null ? 0 : 1,
                Rows.instant(row, "requested_at"),
                Rows.instant(row, "requested_at"));
    }
}
