package io.chargefence.mysql;

import io.chargefence.Intent;
import io.chargefence.OrderStep;
import io.chargefence.flow.Outbox;
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
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The door in MySQL or MariaDB: a row of {@code charge_request}, written on the connection of the caller's transaction. */
public final class MysqlOutbox implements Outbox {

    private static final Logger log = LoggerFactory.getLogger(MysqlOutbox.class);
    private static final int TRIES_MAX = 3;
    private static final int TRACEPARENT_MAX = 64;

    private static final String INSERT = "INSERT INTO charge_request (order_id, step, "
            + String.join(", ", FenceColumns.INTENT)
            + ", traceparent, due_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, utc_timestamp(6) + INTERVAL ? MICROSECOND)";
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
        Intent claimed = intentOf(CLAIMED, orderStep);
        for (int round = 1; claimed == null; round++) {
            try {
                insert(orderStep, intent);
                return null;
            } catch (DataAccessException failure) {
                if (!isAboutTheRow(failure) || round == TRIES_MAX) {
                    throw Transactions.unavailable("request of " + orderStep, failure);
                }
                claimed = recorded(orderStep);
            }
        }
        return claimed;
    }

    private void insert(OrderStep orderStep, Intent intent) {
        Args args = new Args().step(orderStep);
        FenceColumns.bindIntent(args, intent);
        jdbc.update(INSERT, args.add((Object) traceparent()).add(grace.toNanos() / 1_000));
    }

    /** The server undid the statement, and only that: the caller's transaction goes on. */
    private static boolean isAboutTheRow(DataAccessException failure) {
        return SqlFailure.hasCode(failure, SqlFailure.DUPLICATE_KEY)
                || SqlFailure.hasCode(failure, SqlFailure.CHANGED_SINCE_READ);
    }

    /**
     * By a locking read, since a plain one in a repeatable-read transaction does not see the winner. Where the server refuses
     * that one too (snapshot isolation), by a read beside the transaction. Null when the winner is gone again.
     */
    private @Nullable Intent recorded(OrderStep orderStep) {
        try {
            return intentOf(WAITING + LOCKED, orderStep);
        } catch (DataAccessException failure) {
            if (!SqlFailure.hasCode(failure, SqlFailure.CHANGED_SINCE_READ)) {
                throw failure;
            }
            return own.read("request of " + orderStep, () -> {
                Intent waiting = intentOf(WAITING, orderStep);
                return waiting != null ? waiting : intentOf(CLAIMED, orderStep);
            });
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
                        "UPDATE charge_request SET conflict = ? WHERE order_id = ? AND step = ?",
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
