package io.chargefence.mysql;

import java.sql.SQLException;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.TransactionException;

/**
 * What a failed transaction means. Told by the server's error codes, which both servers share, never by message texts, which
 * they do not.
 */
enum SqlFailure {
    /** Somebody else wrote first: 1062 on a unique key, or a row that no longer stands where the decision saw it. */
    LOST_RACE,
    /** Rolled back by the server for reasons of its own; the same transaction may succeed. */
    TRY_AGAIN,
    /** The answer was lost. It may be committed. */
    UNKNOWN,
    /** Nothing was begun. */
    AWAY,
    /** The server said no to a statement, so the transaction was rolled back. */
    REFUSED;

    static final int DUPLICATE_KEY = 1062;

    /** Deadlock, lock wait time-out, record changed since last read (snapshot isolation, MariaDB 11.8 and later). */
    private static final Set<Integer> TRY_AGAIN_CODES = Set.of(1213, 1205, 1020);

    /** Server shutdown, query interrupted, connection killed, and the client's own words for a broken connection. */
    private static final Set<Integer> BROKEN_CODES = Set.of(1053, 1317, 1927, 2006, 2013, 1158, 1159, 1160, 1161);

    private static final String CONNECTION_CLASS = "08";

    static SqlFailure of(RuntimeException failure) {
        if (failure instanceof LostRaceException) {
            return LOST_RACE;
        }
        if (failure instanceof CannotCreateTransactionException) {
            return AWAY;
        }
        SQLException cause = sqlCause(failure);
        if (cause == null) {
            return failure instanceof TransactionException ? UNKNOWN : REFUSED;
        }
        if (isBroken(cause)) {
            return UNKNOWN;
        }
        if (TRY_AGAIN_CODES.contains(cause.getErrorCode())) {
            return TRY_AGAIN;
        }
        if (failure instanceof TransactionException) {
            return UNKNOWN; // it failed in the commit, and only the codes above say that it is rolled back
        }
        return cause.getErrorCode() == DUPLICATE_KEY ? LOST_RACE : REFUSED;
    }

    static boolean hasCode(Throwable failure, int code) {
        SQLException cause = sqlCause(failure);
        return cause != null && cause.getErrorCode() == code;
    }

    private static boolean isBroken(SQLException cause) {
        String state = cause.getSQLState();
        return (state != null && state.startsWith(CONNECTION_CLASS)) || BROKEN_CODES.contains(cause.getErrorCode());
    }

    /** The first SQL exception with a code or a state, through Spring's and Axon's wrappers. */
    private static @Nullable SQLException sqlCause(Throwable failure) {
        Set<Throwable> seen = new HashSet<>();
        for (Throwable cause = failure; cause != null && seen.add(cause); cause = cause.getCause()) {
            if (cause instanceof SQLException sql) {
                return telling(sql);
            }
        }
        return null;
    }

    private static SQLException telling(SQLException sql) {
        for (Iterator<Throwable> all = sql.iterator(); all.hasNext(); ) {
            if (all.next() instanceof SQLException one && (one.getErrorCode() != 0 || one.getSQLState() != null)) {
                return one;
            }
        }
        return sql;
    }
}
