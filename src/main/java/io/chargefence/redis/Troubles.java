package io.chargefence.redis;

import io.chargefence.flow.TransportUnavailableException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisReadOnlyException;
import io.lettuce.core.RedisURI;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Turns what Lettuce throws into one exception with one sentence. Passwords of the URI never get into it. */
final class Troubles {

    private static final String CONSEQUENCE =
            "No charge is changed by this: what is due stands in MySQL, and the sweeper sends it again once Redis is back.";

    private final String where;

    Troubles(RedisURI uri) {
        this.where = uri.getSentinelMasterId() != null
                ? "Redis (sentinel master " + uri.getSentinelMasterId() + ")"
                : "Redis at " + (uri.getSocket() != null ? uri.getSocket() : uri.getHost() + ":" + uri.getPort());
    }

    TransportUnavailableException of(String doing, Throwable thrown) {
        Throwable cause = unwrapped(thrown);
        String message = "%s: could not %s (%s). %s".formatted(where, doing, seen(cause), CONSEQUENCE);
        return groupIsGone(cause)
                ? new GroupGoneException(message, cause)
                : new TransportUnavailableException(message, cause);
    }

    TransportUnavailableException because(String doing, String reason) {
        return of(doing, new IllegalStateException(reason));
    }

    /**
     * Whether the server itself answered, so that the connection is good. A read-only answer comes from a demoted primary: the
     * connection is given up, since the next one may find the new primary.
     */
    static boolean answered(Throwable thrown) {
        Throwable cause = unwrapped(thrown);
        return cause instanceof RedisCommandExecutionException && !(cause instanceof RedisReadOnlyException);
    }

    static boolean says(Throwable thrown, String errorCode) {
        Throwable cause = unwrapped(thrown);
        return cause instanceof RedisCommandExecutionException
                && String.valueOf(cause.getMessage()).startsWith(errorCode);
    }

    /** A read that was blocked while its stream was deleted gets UNBLOCKED instead of NOGROUP from newer servers. */
    private static boolean groupIsGone(Throwable cause) {
        return says(cause, "NOGROUP") || says(cause, "UNBLOCKED");
    }

    private static String seen(Throwable cause) {
        if (cause instanceof TimeoutException) {
            return "no answer in time";
        }
        Throwable root = cause;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return describe(cause) + (root == cause ? "" : ": " + describe(root));
    }

    private static String describe(Throwable cause) {
        String message = cause.getMessage();
        return message == null || message.isBlank() ? cause.getClass().getSimpleName() : message;
    }

    private static Throwable unwrapped(Throwable thrown) {
        Throwable at = thrown;
        @Nullable Throwable inner = at.getCause();
        while (inner != null && (at instanceof CompletionException || at instanceof ExecutionException)) {
            at = inner;
            inner = at.getCause();
        }
        return at;
    }
}
