package io.chargefence.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A JVM of our own that runs one main class, is started again when it was killed, and never outlives us. */
final class ChildProcess implements AutoCloseable {

    private static final int KILLED = 128 + 9;

    private final String name;
    private final List<String> command;
    private final Path log;
    private Process process;

    ChildProcess(String name, Path log, Class<?> main, List<String> arguments) {
        this.name = name;
        this.log = log;
        this.command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xshare:auto",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(arguments);
        Runtime.getRuntime().addShutdownHook(new Thread(this::close, name + "-stop"));
    }

    ChildProcess start() {
        try {
            process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
            return this;
        } catch (IOException failed) {
            throw new UncheckedIOException(name + " could not be started", failed);
        }
    }

    /** Starts it again if somebody killed it. An end of its own is an error: it could not start, or it is broken. */
    void keepAlive() {
        if (process.isAlive()) {
            return;
        }
        if (process.exitValue() != KILLED) {
            throw new IllegalStateException(
                    "%s ended by itself (%d); see %s".formatted(name, process.exitValue(), log));
        }
        start();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public void close() {
        if (process == null) {
            return;
        }
        process.destroy();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException stopNow) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
