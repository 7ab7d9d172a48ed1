package io.chargefence.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A real server process on a loopback port, that can be really killed and started again on the same data. */
final class EmbeddedProcess {

    private static final Duration START_PATIENCE = Duration.ofSeconds(120);

    private final String name;
    private final List<String> command;
    private final Path log;
    private final int port;
    private Process process;

    EmbeddedProcess(String name, List<String> command, Path log, int port) {
        this.name = name;
        this.command = command;
        this.log = log;
        this.port = port;
        Runtime.getRuntime().addShutdownHook(new Thread(this::killQuietly, name + "-stop"));
    }

    void start() {
        try {
            process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
            awaitPort();
        } catch (IOException failed) {
            throw new UncheckedIOException(name + " could not be started", failed);
        }
    }

    /** SIGKILL: nothing is flushed or said goodbye to. */
    void kill() {
        process.destroyForcibly();
        awaitExit();
    }

    /** SIGTERM, and SIGKILL when that takes too long. */
    void stop() {
        process.destroy();
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException stopNow) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    long pid() {
        return process.pid();
    }

    static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException none) {
            throw new UncheckedIOException(none);
        }
    }

    private void awaitPort() throws IOException {
        long until = System.nanoTime() + START_PATIENCE.toNanos();
        while (!accepts()) {
            if (!process.isAlive() || System.nanoTime() > until) {
                process.destroyForcibly();
                throw new IOException("%s did not open port %d; its log says: %s".formatted(name, port, tail()));
            }
            pause();
        }
    }

    private boolean accepts() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 200);
            return true;
        } catch (IOException notYet) {
            return false;
        }
    }

    private String tail() throws IOException {
        List<String> lines = Files.readAllLines(log);
        return String.join(" | ", lines.subList(Math.max(0, lines.size() - 8), lines.size()));
    }

    private void awaitExit() {
        try {
            process.waitFor();
        } catch (InterruptedException stopNow) {
            Thread.currentThread().interrupt();
        }
    }

    private void killQuietly() {
        if (process != null) {
            process.destroyForcibly();
        }
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(20);
        } catch (InterruptedException stopNow) {
            Thread.currentThread().interrupt();
        }
    }
}
