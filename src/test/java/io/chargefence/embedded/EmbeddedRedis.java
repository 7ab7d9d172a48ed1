package io.chargefence.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A real Redis on loopback, with a free port and {@code maxmemory-policy noeviction}. It keeps nothing on disk unless a
 * configuration line says so: after {@link #kill()} and {@link #restart()} it is empty, as a lost Redis would be.
 */
public final class EmbeddedRedis implements AutoCloseable {

    private static final Duration START_TIMEOUT = Duration.ofSeconds(60);

    private final ServerFolder folder;
    private final int port;
    private final ServerProcess server;
    private final ClosedAtExit atExit;

    private EmbeddedRedis(ServerFolder folder, int port, ServerProcess server) {
        this.folder = folder;
        this.port = port;
        this.server = server;
        this.atExit = new ClosedAtExit("redis", this::shutDown);
    }

    /** Extra lines of {@code redis.conf} come last and win, for example {@code appendonly yes}. */
    public static EmbeddedRedis start(String... extraConfiguration) {
        String program = RedisProgram.get();
        ServerFolder folder = ServerFolder.temporary("redis");
        return FreePort.tryOn(port -> {
            Path file = writeConfiguration(folder.path(), port, extraConfiguration);
            ServerProcess server = new ServerProcess("Redis", List.of(program, file.toString()), Map.of(), folder);
            startServer(server, port);
            return new EmbeddedRedis(folder, port, server);
        });
    }

    private static Path writeConfiguration(Path folder, int port, String... extra) {
        List<String> lines = new ArrayList<>(List.of(
                "port " + port,
                "bind 127.0.0.1",
                "dir \"" + folder + "\"",
                "daemonize no",
                "save \"\"",
                "appendonly no",
                "maxmemory-policy noeviction"));
        lines.addAll(List.of(extra));
        try {
            return Files.write(folder.resolve("redis.conf"), lines);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot write redis.conf", e);
        }
    }

    private static void startServer(ServerProcess server, int port) {
        server.start(START_TIMEOUT, pid -> RedisProgram.answers(port, pid));
    }

    public String uri() {
        return "redis://127.0.0.1:" + port;
    }

    public int port() {
        return port;
    }

    public long pid() {
        return server.pid();
    }

    public boolean isRunning() {
        return server.isRunning();
    }

    /** SIGKILL. Without {@code appendonly yes} everything in it is lost. */
    public void kill() {
        server.kill();
    }

    /** Comes up again on the same port; a running server is shut down first. */
    public void restart() {
        server.stop();
        startServer(server, port);
    }

    @Override
    public void close() {
        atExit.closeNow();
    }

    private void shutDown() {
        server.kill();
        folder.discard();
    }
}
