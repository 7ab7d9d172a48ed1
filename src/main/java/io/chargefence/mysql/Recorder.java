package io.chargefence.mysql;

import io.chargefence.flow.ChargeLog.Entry;
import io.chargefence.flow.StoreUnavailableException;
import io.chargefence.saga.RecordedEvent;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.axonframework.common.AxonException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/**
 * Does a transaction until its end is known.
 *
 * <p>A commit whose answer is lost may have happened. Taken for a failure it would leave a charge that nobody acts on; done
 * again blindly it would meet its own row and take it for somebody else's. So the log is asked for the entries' own event
 * ids, on a new connection, until it answers.
 */
final class Recorder {

    private static final Logger log = LoggerFactory.getLogger(Recorder.class);
    private static final int TRIES_MAX = 12;

    private final Transactions transactions;
    private final AppendTransaction transaction;
    private final BooleanSupplier stopping;

    /** It cannot be known whether the batch was recorded, and nobody is left to find out. */
    static final class UnknownOutcomeException extends StoreUnavailableException {

        private static final long serialVersionUID = 1L;

        UnknownOutcomeException(Throwable cause) {
            super(
                    "The answer to a commit was lost and the process is stopping, so it is not known whether it happened."
                            + " Nothing was called for it; the next process finds out.",
                    cause);
        }
    }

    Recorder(Transactions transactions, AppendTransaction transaction, BooleanSupplier stopping) {
        this.transactions = transactions;
        this.transaction = transaction;
        this.stopping = stopping;
    }

    /**
     * @return false when the race for one of the entries is lost, and nothing was recorded
     * @throws StoreUnavailableException when nothing was recorded, or ({@link UnknownOutcomeException}) it is not known
     */
    boolean record(List<Entry> entries) {
        boolean inDoubt = false;
        for (int round = 1; ; round++) {
            RuntimeException failure = tryOnce(entries);
            if (failure == null) {
                return true;
            }
            SqlFailure meaning = SqlFailure.of(failure);
            inDoubt |= meaning == SqlFailure.UNKNOWN;
            if ((inDoubt || meaning == SqlFailure.LOST_RACE) && isRecorded(entries, failure)) {
                return true; // 1062 on our own row is no lost race
            }
            if (meaning == SqlFailure.LOST_RACE) {
                return false;
            }
            waitOrThrow(meaning, inDoubt, round, failure);
        }
    }

    private @Nullable RuntimeException tryOnce(List<Entry> entries) {
        try {
            transactions.once(() -> transaction.write(entries));
            return null;
        } catch (RuntimeException failure) {
            return failure;
        }
    }

    /** In doubt, only a statement that the server refused ends it: an earlier commit may still be on its way. */
    private void waitOrThrow(SqlFailure meaning, boolean inDoubt, int round, RuntimeException failure) {
        switch (meaning) {
            case REFUSED -> throw asUnavailable(failure);
            case AWAY, TRY_AGAIN, UNKNOWN, LOST_RACE -> {
                boolean waits = inDoubt || (meaning == SqlFailure.TRY_AGAIN && round < TRIES_MAX);
                if (!waits) {
                    throw asUnavailable(failure);
                }
            }
        }
        Backoff pause = meaning == SqlFailure.TRY_AGAIN ? Backoff.SHORT : Backoff.LONG;
        boolean paused = pause.pause(round);
        if (inDoubt && (!paused || stopping.getAsBoolean())) {
            throw new UnknownOutcomeException(failure);
        }
    }

    /** Entries without events may be done twice. */
    private boolean isRecorded(List<Entry> entries, RuntimeException failure) {
        List<Entry> telling =
                entries.stream().filter(entry -> !entry.events().isEmpty()).toList();
        if (telling.isEmpty()) {
            return false;
        }
        Set<UUID> recorded = askUntilAnswered(telling, failure);
        return telling.stream().map(Recorder::lastEvent).allMatch(recorded::contains);
    }

    private Set<UUID> askUntilAnswered(List<Entry> entries, RuntimeException failure) {
        for (int round = 1; ; round++) {
            try {
                return transactions.read(
                        "check of a commit whose answer was lost", () -> transaction.recorded(entries));
            } catch (StoreUnavailableException away) {
                log.warn("the answer to a commit was lost, asking until it is known: {}", away.getMessage());
                if (stopping.getAsBoolean() || !Backoff.LONG.pause(round)) {
                    throw new UnknownOutcomeException(failure);
                }
            }
        }
    }

    private static UUID lastEvent(Entry entry) {
        List<RecordedEvent> events = entry.events();
        return events.get(events.size() - 1).id();
    }

    private static RuntimeException asUnavailable(RuntimeException failure) {
        boolean ofTheStore = failure instanceof DataAccessException
                || failure instanceof TransactionException
                || failure instanceof AxonException;
        return ofTheStore ? Transactions.unavailable("record of a batch", failure) : failure;
    }
}
