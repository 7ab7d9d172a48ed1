package io.chargefence.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;

/** One server as a direct child of this JVM, so that its pid is known and a kill hits the server and not a wrapper. */
final class ServerProcess {

    private static final Duration POLL = Duration.ofMillis(20);
    private static final Duration DEATH = Duration.ofSeconds(20);
    private static final int LOG_LINES = 12;

    private final String name;
    private final List<String> command;
    private final Map<String, String> environment;
    private final ServerFolder folder;

    private Process server;
    private Process guard;

    ServerProcess(String name, List<String> command, Map<String, String> environment, ServerFolder folder) {
        this.name = name;
        this.command = command;
        this.environment = environment;
        this.folder = folder;
    }

    /** Returns once {@code ready} holds for the pid of the new server; kills it when that takes too long. */
    synchronized void start(Duration timeout, LongPredicate ready) {
        if (isRunning()) {
            throw new IllegalStateException(name + " runs already, pid " + server.pid());
        }
        try {
            server = launch();
            guard = guard(server.pid());
        } catch (IOException e) {
            kill();
            throw new ServerStartException("Cannot run " + command.get(0), e);
        }
        awaitReady(timeout, ready);
    }

    synchronized boolean isRunning() {
        return server != null && server.isAlive();
    }

    synchronized long pid() {
        return server.pid();
    }

    /** SIGKILL: nothing is flushed, nobody is told. */
    synchronized void kill() {
        dismissGuard();
        if (server != null) {
            server.destroyForcibly();
            awaitDeath(DEATH);
        }
    }

    /** SIGTERM, and SIGKILL for a server that does not go. */
    synchronized void stop() {
        dismissGuard();
        if (server != null) {
            server.destroy();
            if (!awaitDeath(DEATH)) {
                kill();
            }
        }
    }

    private Process launch() throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.path().toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()));
        builder.environment().putAll(environment);
        return builder.start();
    }

    /**
     * A JVM that is killed runs no shutdown hook. This shell reads from a pipe that only we hold open, so it wakes up
     * when we die, however we die, and takes the server and its throw-away folder with it.
     */
    private Process guard(long pid) throws IOException {
        String script = "read -r _; kill -KILL \"$1\" 2>/dev/null; [ -z \"$2\" ] || rm -rf -- \"$2\"";
        String rubbish = folder.isTemporary() ? folder.path().toString() : "";
        return new ProcessBuilder("/bin/sh", "-c", script, "chargefence-guard", Long.toString(pid), rubbish)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** Before the server goes, and killed: a guard that merely lost its pipe would kill a pid that is no longer ours. */
    private void dismissGuard() {
        if (guard != null) {
            guard.destroyForcibly();
            guard = null;
        }
    }

    private void awaitReady(Duration timeout, LongPredicate ready) {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (!ready.test(server.pid())) {
            if (!server.isAlive()) {
                dismissGuard();
                throw new ServerStartException(name + " ended with exit code " + server.exitValue() + logTail());
            }
            if (System.nanoTime() - deadline > 0) {
                kill();
                throw new ServerStartException(
                        name + " was not ready within " + timeout.toSeconds() + " s" + logTail());
            }
            sleep();
        }
    }

    private boolean awaitDeath(Duration patience) {
        try {
            return server.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            server.destroyForcibly();
            return true;
        }
    }

    private void sleep() {
        try {
            Thread.sleep(POLL.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            kill();
            throw new ServerStartException("Interrupted while " + name + " started", e);
        }
    }

    private Path log() {
        return folder.path().resolve("server.log");
    }

    private String logTail() {
        try {
            List<String> lines = Files.readAllLines(log(), StandardCharsets.ISO_8859_1);
            List<String> last = lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size());
            return "; " + log() + " ends with:\n  " + String.join("\n  ", last);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
