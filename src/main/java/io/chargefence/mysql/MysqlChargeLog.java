package io.chargefence.mysql;

import io.chargefence.OrderStep;
import io.chargefence.flow.ChargeLog;
import io.chargefence.flow.StoreUnavailableException;
import io.chargefence.saga.ChargeSaga;
import io.chargefence.saga.RecordedEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.axonframework.common.AxonException;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The fence and the log in MySQL. What decides is the insert itself: no read before it, no INSERT IGNORE, no ON DUPLICATE KEY,
 * and after a refusal a look at what is there, by our own ids and in a new transaction.
 */
public final class MysqlChargeLog implements ChargeLog {

    private static final int TRIES_MAX = 10;
    private static final Duration READ_BACK_PATIENCE = Duration.ofSeconds(10);

    private final JdbcTemplate jdbc;
    private final TransactionTemplate transaction;
    private final ChargeLoader loader;
    private final ChargeWriter writer;
    private final DueRows dueRows;

    public MysqlChargeLog(DataSource dataSource, PlatformTransactionManager transactions, AxonEventLog events) {
        jdbc = new JdbcTemplate(dataSource);
        transaction = new TransactionTemplate(transactions);
        transaction.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        loader = new ChargeLoader(jdbc);
        writer = new ChargeWriter(jdbc, events);
        dueRows = new DueRows(jdbc, transaction);
    }

    @Override
    public Snapshot load(Collection<OrderStep> orderSteps) {
        return available("reading charges", () -> transaction.execute(status -> loader.load(orderSteps)));
    }

    @Override
    public Set<OrderStep> append(List<Entry> entries) {
        Set<OrderStep> lost = new HashSet<>();
        List<Entry> open = new ArrayList<>(entries);
        open.sort(Comparator.comparing(Entry::orderStep)); // every worker locks in the same order
        while (!open.isEmpty() && !store(open)) {
            refuse(open, lost);
        }
        return lost;
    }

    @Override
    public List<OrderStep> takeDue(int max, Duration reservation) {
        return available("taking due charges", () -> dueRows.take("charge_fence", max, reservation));
    }

    @Override
    public List<OrderStep> takeUnclaimed(int max, Duration reservation) {
        return available("taking unclaimed requests", () -> dueRows.take("charge_request", max, reservation));
    }

    /**
     * One transaction for all of them.
     *
     * @return false when a unique key refused one: then nothing is stored
     */
    private boolean store(List<Entry> entries) {
        for (int tries = 1; ; tries++) {
            try {
                transaction.executeWithoutResult(status -> writer.write(entries));
                return true;
            } catch (DataAccessException | TransactionException | AxonException failed) {
                if (isRecorded(failed, entries)) {
                    return true;
                }
                if (SqlTrouble.of(failed) == SqlTrouble.DUPLICATE) {
                    return false;
                }
                mayTryAgain(failed, tries);
            }
        }
    }

    /** After a commit whose answer was lost, and after a 1062 that may be our own row's. */
    private boolean isRecorded(RuntimeException failed, List<Entry> entries) {
        return switch (SqlTrouble.of(failed)) {
            case UNKNOWN, DUPLICATE -> readBack(entries);
            case AGAIN, AWAY, OTHER -> false;
        };
    }

    private static void mayTryAgain(RuntimeException failed, int tries) {
        switch (SqlTrouble.of(failed)) {
            case AGAIN, UNKNOWN -> {
                if (tries >= TRIES_MAX) {
                    throw new StoreUnavailableException("a transaction failed " + tries + " times", failed);
                }
            }
            case AWAY -> throw new StoreUnavailableException("MySQL takes no transaction right now", failed);
            case DUPLICATE, OTHER -> throw failed;
        }
    }

    /**
     * Whether our own transaction is in the log. The batch is one transaction, so one of its events tells; the events' ids were
     * drawn before, so nobody else's event can be taken for ours.
     */
    private boolean readBack(List<Entry> entries) {
        Entry witness = entries.stream()
                .filter(entry -> !entry.events().isEmpty())
                .findFirst()
                .orElse(null);
        return witness != null && untilAnswered(() -> isThere(witness));
    }

    private boolean isThere(Entry entry) {
        RecordedEvent last = entry.events().get(entry.events().size() - 1);
        List<String> found = transaction.execute(status -> jdbc.queryForList(
                "select event_id from charge_event where charge_id = ? and sequence = ?",
                String.class,
                entry.after().chargeId().toString(),
                last.sequence()));
        return found.contains(last.id().toString());
    }

    /** Takes out those whose row is not as it was when they were decided on. */
    private void refuse(List<Entry> open, Set<OrderStep> lost) {
        Snapshot current = load(open.stream().map(Entry::orderStep).toList());
        List<Entry> stale = open.stream()
                .filter(entry ->
                        !isAsBefore(entry, current.of(entry.orderStep()).saga()))
                .toList();
        if (stale.isEmpty()) {
            throw new IllegalStateException(
                    "the log refuses an event although the fence row stands as before; the two disagree for one of "
                            + open.stream().map(Entry::orderStep).toList());
        }
        open.removeAll(stale);
        stale.forEach(entry -> lost.add(entry.orderStep()));
    }

    private static boolean isAsBefore(Entry entry, ChargeSaga current) {
        return entry.before() == null
                ? current == null
                : current != null
                        && Objects.equals(current.sequence(), entry.before().sequence());
    }

    /** A question that is worth waiting for. */
    private <T> T untilAnswered(Question<T> question) {
        long until = System.nanoTime() + READ_BACK_PATIENCE.toNanos();
        while (true) {
            try {
                return question.ask();
            } catch (DataAccessException | TransactionException noAnswer) {
                if (System.nanoTime() > until) {
                    throw new StoreUnavailableException(
                            "the answer to a commit was lost and MySQL does not tell what became of it", noAnswer);
                }
                pause();
            }
        }
    }

    private static <T> T available(String what, Question<T> question) {
        for (int tries = 1; ; tries++) {
            try {
                return question.ask();
            } catch (DataAccessException | TransactionException failed) {
                SqlTrouble trouble = SqlTrouble.of(failed);
                if (trouble == SqlTrouble.OTHER) {
                    throw failed;
                }
                if (trouble != SqlTrouble.AGAIN || tries >= TRIES_MAX) {
                    throw new StoreUnavailableException("MySQL did not answer while " + what, failed);
                }
            }
        }
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(100);
        } catch (InterruptedException stopNow) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailableException("stopped while MySQL did not answer", stopNow);
        }
    }

    @FunctionalInterface
    private interface Question<T> {
        T ask();
    }
}
