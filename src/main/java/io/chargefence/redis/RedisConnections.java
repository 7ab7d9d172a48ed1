package io.chargefence.redis;

import io.chargefence.flow.TransportUnavailableException;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Two connections of our own client, made when they are first needed: one for commands, one for blocking reads, which would
 * hold up the others. The host's client, its resources and its tracing are not touched.
 */
final class RedisConnections implements AutoCloseable {

    private static final long RECONNECT_AFTER_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final ClientResources resources;
    private final RedisClient client;
    private @Nullable StatefulRedisConnection<String, byte[]> commands;
    private @Nullable StatefulRedisConnection<String, byte[]> blocking;
    private @Nullable RedisException lastFailure;
    private long lastFailureNanos;

    RedisConnections(RedisURI uri, Duration commandTimeout) {
        resources = ClientResources.builder()
                .ioThreadPoolSize(2)
                .computationThreadPoolSize(2)
                .build();
        RedisURI redis = RedisURI.builder(uri).build();
        redis.setTimeout(commandTimeout);
        client = RedisClient.create(resources, redis);
        client.setOptions(ClientOptions.builder()
                .autoReconnect(true)
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .socketOptions(
                        SocketOptions.builder().connectTimeout(commandTimeout).build())
                .timeoutOptions(TimeoutOptions.enabled(commandTimeout))
                .build());
    }

    synchronized StatefulRedisConnection<String, byte[]> commands() {
        if (commands == null) {
            commands = connect();
        }
        return commands;
    }

    synchronized StatefulRedisConnection<String, byte[]> blocking() {
        if (blocking == null) {
            blocking = connect();
        }
        return blocking;
    }

    /** A Redis that is away at the start must not hold up every order by a connect time-out: one try a second. */
    private StatefulRedisConnection<String, byte[]> connect() {
        if (lastFailure != null && System.nanoTime() - lastFailureNanos < RECONNECT_AFTER_NANOS) {
            throw unavailable(lastFailure);
        }
        try {
            lastFailure = null;
            return client.connect(RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE));
        } catch (RedisException failed) {
            lastFailure = failed;
            lastFailureNanos = System.nanoTime();
            throw unavailable(failed);
        }
    }

    static TransportUnavailableException unavailable(Throwable cause) {
        return new TransportUnavailableException(
                "Redis did not answer (%s); charges wait in MySQL and nothing is lost".formatted(cause.getMessage()),
                cause);
    }

    @Override
    public void close() {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        resources.shutdown(0, 2, TimeUnit.SECONDS);
    }
}
