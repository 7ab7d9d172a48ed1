package io.chargefence.mysql;

import io.chargefence.ChargefenceException;
import io.chargefence.flow.StoreUnavailableException;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.axonframework.eventsourcing.eventstore.EventStoreException;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The transactions of this adapter, all of its own making: none joins a caller's. */
final class Transactions {

    private static final int TRIES_MAX = 10;

    private final DataSource dataSource;
    private final TransactionTemplate writing;
    private final TransactionTemplate reading;

    Transactions(DataSource dataSource, PlatformTransactionManager manager) {
        this.dataSource = resourceOf(dataSource);
        this.writing = new TransactionTemplate(manager);
        // Read committed: the unique keys decide, and gap locks would only make neighbours wait for each other.
        writing.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
        writing.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        this.reading = new TransactionTemplate(manager);
        // Outside any transaction: one statement, one fresh snapshot, no commit to wait for.
        reading.setPropagationBehavior(TransactionDefinition.PROPAGATION_NOT_SUPPORTED);
    }

    /** What Spring binds a transaction's connection under. */
    static DataSource resourceOf(DataSource dataSource) {
        if (dataSource instanceof TransactionAwareDataSourceProxy proxy && proxy.getTargetDataSource() != null) {
            return proxy.getTargetDataSource();
        }
        return dataSource;
    }

    /** @throws ChargefenceException when the manager's transactions are none on this data source */
    void requireReal() {
        write("check of the transaction manager", () -> {
            requireGoverned();
            return true;
        });
    }

    /** One transaction, as it fails: the caller knows what a failure means. */
    void once(Runnable work) {
        writing.executeWithoutResult(status -> {
            requireGoverned();
            work.run();
        });
    }

    /** A transaction that may be done again when the server rolled it back. */
    <T> T write(String what, Supplier<T> work) {
        for (int round = 1; ; round++) {
            try {
                return writing.execute(status -> work.get());
            } catch (DataAccessException | TransactionException failure) {
                if (SqlFailure.of(failure) != SqlFailure.TRY_AGAIN || round == TRIES_MAX) {
                    throw unavailable(what, failure);
                }
                Backoff.SHORT.pause(round);
            }
        }
    }

    <T> T read(String what, Supplier<T> work) {
        try {
            return reading.execute(status -> work.get());
        } catch (DataAccessException | TransactionException | EventStoreException failure) {
            throw unavailable(what, failure);
        }
    }

    static StoreUnavailableException unavailable(String what, RuntimeException failure) {
        Throwable root = failure;
        while (root.getCause() != null && root.getCause() != root) {
            root = root.getCause();
        }
        String reason = String.valueOf(root.getMessage()).replaceFirst("\\.+$", "");
        return new StoreUnavailableException(
                "The database did not do it (%s): %s. No provider was called for it; it is tried again."
                        .formatted(what, reason),
                failure);
    }

    private void requireGoverned() {
        if (!TransactionSynchronizationManager.isActualTransactionActive()
                || !TransactionSynchronizationManager.hasResource(dataSource)) {
            throw new ChargefenceException(
                    "The transaction manager opens no transaction on Chargefence's data source, so a"
                            + " fence and its events would not commit together, and a charge could be made without its fence. Give"
                            + " Chargefence the data source and the transaction manager that belong together.");
        }
    }
}
