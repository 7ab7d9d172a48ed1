package io.chargefence.mysql;

import io.chargefence.Intent;
import io.chargefence.OrderStep;
import io.chargefence.flow.Outbox;
import io.chargefence.flow.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.ResourceHolderSupport;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The door in MySQL or MariaDB: a row of {@code charge_request}, written on the connection of the caller's transaction. */
public final class MysqlOutbox implements Outbox {

    private static final Logger log = LoggerFactory.getLogger(MysqlOutbox.class);
    private static final int TRIES_MAX = 3;
    private static final int TRACEPARENT_MAX = 64;

    private static final String INSERT = "INSERT INTO charge_request (order_id, step, "
            + String.join(", ", FenceColumns.INTENT)
            + ", traceparent, due_at) VALUES (?, ?, " + FenceColumns.INTENT_VALUES
            + ", ?, utc_timestamp(6) + INTERVAL ? MICROSECOND)";
    private static final String SELECT =
            "SELECT " + String.join(", ", FenceColumns.INTENT) + " FROM %s" + " WHERE order_id = ? AND step = ?";
    private static final String CLAIMED = SELECT.formatted("charge_fence");
    private static final String WAITING = SELECT.formatted("charge_request");
    private static final String LOCKED = " LOCK IN SHARE MODE";

    private final JdbcTemplate jdbc;
    private final DataSource resource;
    private final Transactions own;
    private final Duration grace;
    private final Supplier<@Nullable String> traceparent;

    /**
     * @param grace how long the publish after the commit has before the sweeper publishes too
     * @param traceparent the W3C trace context of the running thread, or null
     */
    public MysqlOutbox(
            DataSource dataSource,
            PlatformTransactionManager transactionManager,
            Duration grace,
            Supplier<@Nullable String> traceparent) {
        this.jdbc = new JdbcTemplate(dataSource);
        this.resource = Transactions.resourceOf(dataSource);
        this.own = new Transactions(dataSource, transactionManager);
        this.grace = grace;
        this.traceparent = traceparent;
    }

    /** JPA's transaction manager binds the data source as well. */
    @Override
    public boolean inTransaction() {
        return TransactionSynchronizationManager.isActualTransactionActive()
                && TransactionSynchronizationManager.hasResource(resource);
    }

    /**
     * The fence is asked by a plain read, which may be of an older snapshot and miss a claim: then the request goes in beside
     * its fence, and the worker that meets both settles it, a conflict included.
     */
    @Override
    public @Nullable Intent file(OrderStep orderStep, Intent intent) {
        try {
            Intent claimed = intentOf(CLAIMED, orderStep);
            return claimed != null ? claimed : insertOrMeet(orderStep, intent);
        } catch (DataAccessException failure) {
            endIfServerDid(failure);
            throw new StoreUnavailableException(
                    "%s: the request was not stored: %s. No money moved. Roll the order's transaction back and do it again."
                            .formatted(orderStep, failure.getMostSpecificCause().getMessage()),
                    failure);
        }
    }

    /**
     * After 1062 the server has undone the statement and only that, so the caller's transaction goes on. The winner is read
     * by a locking read: a plain one in a repeatable-read transaction does not see it.
     */
    private @Nullable Intent insertOrMeet(OrderStep orderStep, Intent intent) {
        for (int round = 1; ; round++) {
            try {
                insert(orderStep, intent);
                return null;
            } catch (DataAccessException failure) {
                if (!SqlFailure.hasCode(failure, SqlFailure.DUPLICATE_KEY) || round == TRIES_MAX) {
                    throw failure;
                }
            }
            Intent waiting = intentOf(WAITING + LOCKED, orderStep);
            if (waiting != null) {
                return waiting;
            }
        }
    }

    private void insert(OrderStep orderStep, Intent intent) {
        Args args = new Args().step(orderStep);
        FenceColumns.bindIntent(args, intent);
        jdbc.update(INSERT, args.add((Object) traceparent()).add(grace.toNanos() / 1_000));
    }

    /**
     * At a deadlock, and under MariaDB's snapshot isolation also at a record that changed, the server rolls the whole
     * transaction back and begins a new one unasked. A caller that caught our exception and committed would commit half of its
     * work: what came after, without its order. So the transaction can only be rolled back from here on.
     */
    private void endIfServerDid(DataAccessException failure) {
        if (SqlFailure.of(failure) == SqlFailure.TRY_AGAIN
                && TransactionSynchronizationManager.getResource(resource) instanceof ResourceHolderSupport holder) {
            holder.setRollbackOnly();
        }
    }

    private @Nullable Intent intentOf(String select, OrderStep orderStep) {
        List<Intent> found = jdbc.query(
                select, new Args().step(orderStep), (resultSet, number) -> FenceColumns.intent(new Row(resultSet, "")));
        return found.isEmpty() ? null : found.get(0);
    }

    @Override
    public boolean noteConflict(OrderStep orderStep, Intent refused) {
        return own.write("conflict of " + orderStep, () -> {
            // First a look, since the driver can be told to count only rows whose values change.
            boolean waits = !jdbc.query(
                            "SELECT 1 FROM charge_request WHERE order_id = ? AND step = ? FOR UPDATE",
                            new Args().step(orderStep),
                            (resultSet, number) -> true)
                    .isEmpty();
            if (waits) {
                jdbc.update(
                        "UPDATE charge_request SET conflict = " + FenceColumns.JSON
                                + " WHERE order_id = ? AND step = ?",
                        new Args().add((Object) Json.of(refused)).step(orderStep));
            }
            return waits;
        });
    }

    @Override
    public void afterCommit(Runnable action) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCommit() {
                run(action);
            }
        });
    }

    @Override
    public void afterCompletion(Runnable action) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCompletion(int status) {
                run(action);
            }
        });
    }

    /** The caller's transaction is over: nothing that fails here may look to it as if it had failed. */
    private static void run(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException failed) {
            log.error("after a transaction that requested a charge; the sweeper makes up for it", failed);
        }
    }

    private @Nullable String traceparent() {
        String context = traceparent.get();
        return context == null || context.length() > TRACEPARENT_MAX ? null : context;
    }
}
