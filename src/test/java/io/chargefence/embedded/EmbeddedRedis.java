package io.chargefence.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import redis.embedded.core.ExecutableProvider;

/** A real Redis 6.2 for tests and the demo: no eviction, nothing saved to disk, so that a kill loses everything. */
public final class EmbeddedRedis implements AutoCloseable {

    private final EmbeddedProcess process;
    private final int port;

    private EmbeddedRedis(EmbeddedProcess process, int port) {
        this.process = process;
        this.port = port;
    }

    /** @param settings further settings, for example {@code --maxmemory 20mb} as two strings */
    public static EmbeddedRedis start(Path home, String... settings) {
        try {
            Files.createDirectories(home);
            int port = EmbeddedProcess.freePort();
            List<String> command = new ArrayList<>(List.of(
                    executable(),
                    "--port",
                    "" + port,
                    "--bind",
                    "127.0.0.1",
                    "--save",
                    "",
                    "--appendonly",
                    "no",
                    "--dir",
                    home.toAbsolutePath().toString(),
                    "--maxmemory-policy",
                    "noeviction"));
            command.addAll(List.of(settings));
            Path log = home.resolve("redis.log").toAbsolutePath();
            EmbeddedProcess process = new EmbeddedProcess("redis-server", command, log, port);
            process.start();
            return new EmbeddedRedis(process, port);
        } catch (IOException failed) {
            throw new UncheckedIOException("the embedded Redis could not be started", failed);
        }
    }

    private static String executable() throws IOException {
        return ExecutableProvider.newJarResourceProvider().get().getAbsolutePath();
    }

    public String uri() {
        return "redis://127.0.0.1:" + port;
    }

    public int port() {
        return port;
    }

    public long pid() {
        return process.pid();
    }

    /** SIGKILL. */
    public void kill() {
        process.kill();
    }

    public void restart() {
        process.start();
    }

    @Override
    public void close() {
        process.stop();
    }
}
