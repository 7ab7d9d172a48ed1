package io.chargefence.redis;

import io.chargefence.embedded.EmbeddedRedis;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;

/** A real Redis server of the test's own, with a client to look behind the transport's back, which can also stand still. */
final class LocalRedis implements AutoCloseable {

    private final EmbeddedRedis server = EmbeddedRedis.start();
    private final RedisClient client = RedisClient.create();
    private StatefulRedisConnection<String, String> admin;

    RedisURI uri() {
        return RedisURI.create("127.0.0.1", server.port());
    }

    /** SIGKILL. What was in memory is gone. */
    void kill() {
        server.kill();
    }

    void start() {
        server.restart();
    }

    void pause() {
        signal("STOP");
    }

    void resume() {
        if (server.isRunning()) {
            signal("CONT");
        }
    }

    RedisCommands<String, String> admin() {
        if (admin == null || !admin.isOpen()) {
            admin = client.connect(uri());
        }
        return admin.sync();
    }

    @Override
    public void close() {
        client.shutdown(0, 1, TimeUnit.SECONDS);
        server.close();
    }

    private void signal(String name) {
        try {
            new ProcessBuilder("kill", "-" + name, String.valueOf(server.pid()))
                    .start()
                    .onExit()
                    .join();
        } catch (IOException cannot) {
            throw new UncheckedIOException(cannot);
        }
    }
}
