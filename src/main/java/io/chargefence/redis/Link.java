package io.chargefence.redis;

import io.chargefence.flow.TransportUnavailableException;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One connection that is opened when needed and given up when in doubt.
 *
 * <p>Lettuce's own reconnect is off: it keeps commands and runs them later, after the caller was told that they failed. And a
 * connection whose peer has vanished without a word looks open for ever; so every time-out gives it up.
 */
final class Link implements AutoCloseable {

    /** Between two attempts to connect, so that a thousand requests do not make a thousand attempts while Redis is away. */
    private static final Duration HOLD_OFF = Duration.ofMillis(300);

    private final RedisClient client;
    private final RedisURI uri;
    private final RedisSettings settings;
    private final Troubles troubles;
    private @Nullable CompletableFuture<StatefulRedisConnection<byte[], byte[]>> current;
    private @Nullable Throwable refusal;
    private long refusedAtNanos;
    private boolean closed;

    Link(RedisClient client, RedisURI uri, RedisSettings settings) {
        this.client = client;
        this.uri = uri;
        this.settings = settings;
        this.troubles = new Troubles(uri);
    }

    /** A pipeline: the commands that it issues leave in one write, whoever else uses this connection. */
    interface Pipeline<T> extends Function<RedisAsyncCommands<byte[], byte[]>, CompletionStage<T>> {}

    <T> T call(String doing, Pipeline<T> pipeline) {
        return call(doing, Duration.ZERO, pipeline);
    }

    /**
     * Sends and waits.
     *
     * @param blocking how long the server may hold back its answer, on top of the command time-out
     */
    <T> T call(String doing, Duration blocking, Pipeline<T> pipeline) {
        try {
            return start(doing, blocking, pipeline).get(longest(blocking).toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof TransportUnavailableException told ? told : troubles.of(doing, failed);
        } catch (TimeoutException late) {
            throw troubles.of(doing, late);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw troubles.because(doing, "interrupted");
        }
    }

    /** Sends and returns at once, even while Redis is away. Fails with {@link TransportUnavailableException} only. */
    <T> CompletableFuture<T> start(String doing, Duration blocking, Pipeline<T> pipeline) {
        CompletableFuture<T> result = new CompletableFuture<>();
        connection().thenCompose(open -> send(open, blocking, pipeline)).whenComplete((value, failed) -> {
            if (failed == null) {
                result.complete(value);
            } else {
                result.completeExceptionally(troubles.of(doing, failed));
            }
        });
        return result;
    }

    private <T> CompletableFuture<T> send(
            StatefulRedisConnection<byte[], byte[]> open, Duration blocking, Pipeline<T> pipeline) {
        CompletableFuture<T> answer;
        synchronized (open) { // nobody else may flush, or be held back, between our first and last command
            open.setAutoFlushCommands(false);
            try {
                answer = pipeline.apply(open.async()).toCompletableFuture().copy();
            } finally {
                open.flushCommands();
                open.setAutoFlushCommands(true);
            }
        }
        long timeout = settings.commandTimeout().plus(blocking).toMillis();
        return answer.orTimeout(timeout, TimeUnit.MILLISECONDS).whenComplete((value, failed) -> {
            if (failed != null && !Troubles.answered(failed)) {
                giveUp(open);
            }
        });
    }

    private synchronized CompletableFuture<StatefulRedisConnection<byte[], byte[]>> connection() {
        if (closed) {
            return CompletableFuture.failedFuture(new IllegalStateException("closed"));
        }
        if (current != null && usable(current)) {
            return current;
        }
        if (refusal != null && System.nanoTime() - refusedAtNanos < HOLD_OFF.toNanos()) {
            return CompletableFuture.failedFuture(refusal);
        }
        discard(current);
        current = connect();
        return current;
    }

    private CompletableFuture<StatefulRedisConnection<byte[], byte[]>> connect() {
        CompletableFuture<StatefulRedisConnection<byte[], byte[]>> connecting =
                client.connectAsync(ByteArrayCodec.INSTANCE, uri).toCompletableFuture();
        connecting.whenComplete((open, failed) -> connected(failed));
        return connecting;
    }

    private synchronized void connected(@Nullable Throwable failed) {
        refusal = failed;
        refusedAtNanos = System.nanoTime();
    }

    private static boolean usable(CompletableFuture<StatefulRedisConnection<byte[], byte[]>> connection) {
        StatefulRedisConnection<byte[], byte[]> open = opened(connection);
        return !connection.isDone() || open != null && open.isOpen();
    }

    private synchronized void giveUp(StatefulRedisConnection<byte[], byte[]> broken) {
        if (!closed && current != null && opened(current) == broken) {
            discard(current);
            current = null;
        }
    }

    private static void discard(@Nullable CompletableFuture<StatefulRedisConnection<byte[], byte[]>> connection) {
        StatefulRedisConnection<byte[], byte[]> open = connection == null ? null : opened(connection);
        if (open != null) {
            open.closeAsync();
        }
    }

    private static @Nullable StatefulRedisConnection<byte[], byte[]> opened(
            CompletableFuture<StatefulRedisConnection<byte[], byte[]>> connection) {
        return connection.isCompletedExceptionally() ? null : connection.getNow(null);
    }

    /** A belt: connecting and answering have their own time-outs, and this one is never the first. */
    private Duration longest(Duration blocking) {
        return settings.connectTimeout()
                .plus(settings.commandTimeout().multipliedBy(3))
                .plus(blocking);
    }

    /** The connection itself goes down with its client. */
    @Override
    public synchronized void close() {
        closed = true;
    }

    /** All answers in the order of the questions, or the first failure. */
    static <T> CompletableFuture<List<T>> all(List<? extends CompletionStage<T>> answers) {
        List<CompletableFuture<T>> futures = new ArrayList<>();
        answers.forEach(answer -> futures.add(answer.toCompletableFuture()));
        return CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new))
                .thenApply(done -> futures.stream().map(CompletableFuture::join).toList());
    }

    /** The answer, or this value when the server's error begins with this code. */
    static <T> CompletableFuture<T> unless(String errorCode, CompletionStage<T> answer, T instead) {
        return answer.toCompletableFuture().copy().exceptionally(failed -> {
            if (Troubles.says(failed, errorCode)) {
                return instead;
            }
            throw new CompletionException(failed);
        });
    }
}
