package io.chargefence.mysql;

import io.chargefence.ChargeStage;
import io.chargefence.ChargeView;
import io.chargefence.Invariant;
import io.chargefence.OrderStep;
import io.chargefence.flow.ChargeLog.Requested;
import io.chargefence.flow.ChargeViews;
import io.chargefence.mysql.ChargeRow.Fence;
import io.chargefence.saga.Attempt;
import io.chargefence.saga.ChargeSaga;
import io.chargefence.saga.ChargeSaga.LastCall;
import io.chargefence.saga.ChargeSaga.Outcome;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;

/** Reading the two tables. The fence's row, where there is one, is the state; the request's only before the claim. */
public final class MysqlChargeViews implements ChargeViews {

    private final JdbcTemplate jdbc;
    private final Transactions transactions;
    private final ChargeRows rows = new ChargeRows(new Unreadable());

    public MysqlChargeViews(DataSource dataSource, PlatformTransactionManager transactionManager) {
        this.jdbc = new JdbcTemplate(dataSource);
        this.transactions = new Transactions(dataSource, transactionManager);
    }

    @Override
    public Optional<ChargeView> find(OrderStep orderStep) {
        List<OrderStep> key = List.of(orderStep);
        return read(orderStep.toString(), ChargeRows.byKeys(key), RequestSql.args(key)).stream()
                .findFirst();
    }

    @Override
    public List<ChargeView> findByOrder(String orderId) {
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(orderId)) {
            return List.of(); // a lone surrogate would be asked for as '?', which is another order
        }
        return read(
                "order " + orderId,
                ChargeRows.BY_ORDER,
                new Args().bytes(orderId).bytes(orderId));
    }

    private List<ChargeView> read(String what, String select, Args args) {
        List<ChargeRow> found = transactions.read("read of " + what, () -> jdbc.query(select, args, rows));
        return found.stream()
                .filter(Objects::nonNull)
                .map(MysqlChargeViews::view)
                .filter(Objects::nonNull)
                .sorted(Comparator.comparing(view -> view.orderStep().step()))
                .toList();
    }

    private static @Nullable ChargeView view(ChargeRow row) {
        if (row.fence() != null) {
            return view(row.fence());
        }
        return row.request() == null ? null : view(row, row.request());
    }

    private static ChargeView view(ChargeRow row, Requested request) {
        return new ChargeView(
                request.orderStep(),
                null,
                ChargeStage.UNCLAIMED,
                request.intent(),
                0,
                0,
                null,
                null,
                null,
                null,
                null,
                null,
                row.requestDue(),
                request.conflict() == null ? 0 : 1,
                request.requestedAt(),
                request.requestedAt());
    }

    private static ChargeView view(Fence fence) {
        ChargeSaga saga = fence.saga();
        Attempt attempt = saga.attempt();
        LastCall call = attempt.lastCall();
        Outcome outcome = saga.outcome();
        return new ChargeView(
                saga.orderStep(),
                saga.chargeId().toString(),
                saga.stage(),
                saga.intent(),
                attempt.number(),
                attempt.calls(),
                call == null ? null : call.idempotencyKey(),
                outcome.reference(),
                outcome.declineCode(),
                outcome.parkedReason() == null ? null : outcome.parkedReason().name(),
                call == null ? null : call.deadline(),
                call == null ? null : call.resendSafeUntil(),
                fence.dueAt(),
                saga.conflicts(),
                fence.requestedAt(),
                fence.updatedAt());
    }

    @Override
    public Ledger ledger() {
        LedgerSum sum = new LedgerSum();
        transactions.read("ledger", () -> {
            jdbc.query(LedgerSum.SELECT, sum);
            return sum;
        });
        return new Ledger(sum.steps(), new Invariant(sum.seen(), sum.charged(), sum.fences()), sum.oldestDoubt());
    }
}
