package io.chargefence.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.springframework.util.FileSystemUtils;
import redis.embedded.core.ExecutableProvider;

/**
 * A real Redis server of the test's own, which can be killed and paused. The system property {@code chargefence.test.redis}
 * names another server program than the one in the embedded jar (6.2).
 */
final class LocalRedis implements AutoCloseable {

    private static final Path PROGRAM = program();

    private final int port;
    private final Path folder;
    private final RedisClient client = RedisClient.create();
    private Process process;
    private StatefulRedisConnection<String, String> admin;

    LocalRedis() {
        try {
            this.port = freePort();
            this.folder = Files.createTempDirectory("chargefence-redis");
        } catch (IOException cannot) {
            throw new UncheckedIOException(cannot);
        }
        start();
    }

    RedisURI uri() {
        return RedisURI.create("127.0.0.1", port);
    }

    void start() {
        try {
            List<String> command = List.of(
                    PROGRAM.toString(),
                    "--port",
                    String.valueOf(port),
                    "--bind",
                    "127.0.0.1",
                    "--dir",
                    folder.toString(),
                    "--save",
                    "",
                    "--appendonly",
                    "no");
            process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("log").toFile())
                    .start();
        } catch (IOException cannot) {
            throw new UncheckedIOException(cannot);
        }
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(this::accepts);
    }

    /** SIGKILL. What was in memory is gone. */
    void kill() {
        process.destroyForcibly();
        process.onExit().join();
        admin = null;
    }

    void pause() {
        signal("STOP");
    }

    void resume() {
        signal("CONT");
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
        process.destroyForcibly();
        process.onExit().join();
        FileSystemUtils.deleteRecursively(folder.toFile());
    }

    private void signal(String name) {
        try {
            new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
                    .start()
                    .onExit()
                    .join();
        } catch (IOException cannot) {
            throw new UncheckedIOException(cannot);
        }
    }

    private boolean accepts() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static Path program() {
        String other = System.getProperty("chargefence.test.redis");
        try {
            return other != null
                    ? Path.of(other)
                    : ExecutableProvider.newJarResourceProvider().get().toPath();
        } catch (IOException cannot) {
            throw new UncheckedIOException(cannot);
        }
    }
}
