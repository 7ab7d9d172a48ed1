package io.chargefence.campaign;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process of the campaign as the campaign sees it: killed, frozen, thawed, and started again when it is gone. */
final class Node implements AutoCloseable {

    /** Begins every line that is meant for the campaign; the rest is log. */
    static final String MARK = "@@";

    private final String name;
    private final List<String> command;
    private final Path log;
    private final Listener listener;
    private volatile Process process;
    private volatile boolean ready;
    private volatile boolean closed;

    /** Told of everything the process says. */
    interface Listener {
        void said(Node node, String[] words);
    }

    Node(String name, List<String> command, Path log, Listener listener) {
        this.name = name;
        this.command = command;
        this.log = log;
        this.listener = listener;
    }

    Node start() {
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException failed) {
            throw new UncheckedIOException(name + " could not be started", failed);
        }
        Thread reader = new Thread(this::listen, name + "-output");
        reader.setDaemon(true);
        reader.start();
        return this;
    }

    private void listen() {
        Process mine = process;
        try (BufferedReader lines = mine.inputReader(StandardCharsets.UTF_8);
                Writer file = Files.newBufferedWriter(log, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(MARK)) {
                    hear(line.substring(MARK.length() + 1).split(" "));
                } else {
                    file.write(line + "\n");
                    file.flush();
                }
            }
        } catch (IOException gone) {
            // it was killed in the middle of a line
        }
        ready = false;
        if (!closed) {
            start();
        }
    }

    private void hear(String[] words) {
        if (words[0].equals("READY")) {
            ready = true;
        }
        listener.said(this, words);
    }

    boolean isReady() {
        return ready;
    }

    long pid() {
        return process.pid();
    }

    /** False when it is gone: then the command is given again, to another one. */
    boolean tell(String line) {
        try {
            OutputStream input = process.getOutputStream();
            synchronized (input) {
                input.write((line + "\n").getBytes(StandardCharsets.UTF_8));
                input.flush();
            }
            return true;
        } catch (IOException gone) {
            return false;
        }
    }

    /** SIGKILL. */
    void kill() {
        ready = false;
        process.destroyForcibly();
    }

    void freeze() {
        ready = false;
        signal("-STOP");
    }

    void thaw() {
        signal("-CONT");
        ready = true;
    }

    private void signal(String which) {
        try {
            new ProcessBuilder("kill", which, Long.toString(pid())).start().waitFor();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException stopNow) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed = true;
        process.destroyForcibly();
        try {
            process.waitFor(10, TimeUnit.SECONDS);
        } catch (InterruptedException stopNow) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
