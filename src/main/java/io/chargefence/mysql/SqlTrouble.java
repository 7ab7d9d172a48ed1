package io.chargefence.mysql;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.transaction.CannotCreateTransactionException;

/** What an exception of the database means. Decided by error code and SQL state, never by message text. */
enum SqlTrouble {
    /** A unique key refused the row. */
    DUPLICATE,
    /** The transaction was rolled back and may be done again. */
    AGAIN,
    /** No connection was to be had: nothing was done. */
    AWAY,
    /** The connection broke: it is not known what was done. */
    UNKNOWN,
    /** Anything else. */
    OTHER;

    private static final int DUPLICATE_KEY = 1062;
    /** Deadlock; lock wait time-out; record changed since it was read (MariaDB 11.8 and later). */
    private static final Set<Integer> TRY_AGAIN = Set.of(1213, 1205, 1020);
    /** Read-only; too many connections; server is shutting down; disk full: nothing of the statement was kept. */
    private static final Set<Integer> NOT_NOW = Set.of(1290, 1792, 1836, 1040, 1053, 1021, 1114);

    static SqlTrouble of(Throwable thrown) {
        if (thrown instanceof CannotCreateTransactionException || thrown instanceof CannotGetJdbcConnectionException) {
            return AWAY;
        }
        SQLException cause = sqlException(thrown);
        if (cause == null) {
            return OTHER;
        }
        if (cause.getErrorCode() == DUPLICATE_KEY) {
            return DUPLICATE;
        }
        if (TRY_AGAIN.contains(cause.getErrorCode())) {
            return AGAIN;
        }
        if (NOT_NOW.contains(cause.getErrorCode()) || cause instanceof SQLTransientConnectionException) {
            return AWAY;
        }
        return isConnectionLost(cause) ? UNKNOWN : OTHER;
    }

    private static boolean isConnectionLost(SQLException cause) {
        return cause.getSQLState() != null && cause.getSQLState().startsWith("08");
    }

    private static SQLException sqlException(Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException found) {
                return found;
            }
        }
        return null;
    }
}
