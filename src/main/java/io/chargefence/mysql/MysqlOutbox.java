package io.chargefence.mysql;

import io.chargefence.Intent;
import io.chargefence.OrderStep;
import io.chargefence.flow.Outbox;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Requests, written in the caller's own transaction. */
public final class MysqlOutbox implements Outbox {

    private static final String INSERT =
            "insert into charge_request (order_id, step, amount_minor, currency, source, provider,"
                    + " attributes, requested_at, due_at) values (?, ?, ?, ?, ?, ?, ?, utc_timestamp(6),"
                    + " utc_timestamp(6) + interval ? microsecond)";
    private static final String INTENT = "select amount_minor, currency, source, provider, attributes from ";
    private static final String KEY = " where order_id = ? and step = ?";

    private final DataSource dataSource;
    private final JdbcTemplate jdbc;
    private final TransactionTemplate ownTransaction;
    private final Duration publishGrace;

    /** @param publishGrace how long the sweeper leaves a new request to the publication after the commit */
    public MysqlOutbox(DataSource dataSource, PlatformTransactionManager transactions, Duration publishGrace) {
        this.dataSource = dataSource;
        this.jdbc = new JdbcTemplate(dataSource);
        this.ownTransaction = new TransactionTemplate(transactions);
        this.ownTransaction.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        this.publishGrace = publishGrace;
    }

    @Override
    public boolean inTransaction() {
        return TransactionSynchronizationManager.isActualTransactionActive()
                && TransactionSynchronizationManager.hasResource(dataSource);
    }

    @Override
    public @Nullable Intent file(OrderStep orderStep, Intent intent) {
        // A plain read: the caller's snapshot may be older than a claim. Then the row goes in beside the fence, and the
        // worker
        // settles it there: same intent, nothing more; other intent, a recorded conflict.
        Intent fenced = read("charge_fence" + KEY, orderStep);
        if (fenced != null) {
            return fenced;
        }
        try {
            insert(orderStep, intent);
            return null;
        } catch (DuplicateKeyException taken) {
            // A locking read, since a plain one does not see the row that refused ours.
            return read("charge_request" + KEY + " lock in share mode", orderStep);
        }
    }

    private void insert(OrderStep orderStep, Intent intent) {
        jdbc.update(
                INSERT,
                Rows.bytes(orderStep.orderId()),
                orderStep.step(),
                intent.amountMinor(),
                intent.currency(),
                intent.source(),
                intent.provider(),
                Rows.attributes(intent),
                publishGrace.toNanos() / 1000);
    }

    private @Nullable Intent read(String from, OrderStep orderStep) {
        List<Intent> found = jdbc.query(
                INTENT + from, (row, n) -> Rows.intent(row), Rows.bytes(orderStep.orderId()), orderStep.step());
        return found.isEmpty() ? null : found.get(0);
    }

    @Override
    public boolean noteConflict(OrderStep orderStep, Intent refused) {
        Integer noted = ownTransaction.execute(status -> jdbc.update(
                "update charge_request set conflict = ?" + KEY,
                Rows.json(refused),
                Rows.bytes(orderStep.orderId()),
                orderStep.step()));
        return noted != null && noted > 0;
    }

    @Override
    public void afterCommit(Runnable action) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCommit() {
                action.run();
            }
        });
    }

    @Override
    public void afterCompletion(Runnable action) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCompletion(int status) {
                action.run();
            }
        });
    }
}
