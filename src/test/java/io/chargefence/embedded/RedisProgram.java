package io.chargefence.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import redis.embedded.core.ExecutableProvider;

/** The redis-server to run: the one in the embedded-redis jar, or the machine's own where that one does not run. */
final class RedisProgram {

    private static final String CACHED = "embedded-redis-1.4.4";
    private static final String ON_PATH = "redis-server";
    private static final int PROBE_SECONDS = 20;
    private static final int READ_MILLIS = 2_000;

    private RedisProgram() {}

    static String get() {
        Path folder = MachineCache.once(
                CACHED,
                side -> ExecutableProvider.newJarResourceProvider(side.toFile()).get());
        return choose(programIn(folder), ON_PATH);
    }

    static String choose(String embedded, String fallback) {
        if (runs(embedded)) {
            return embedded;
        }
        if (runs(fallback)) {
            System.out.println("The embedded Redis does not run here (it needs OpenSSL 3); using the machine's own "
                    + fallback + ".");
            return fallback;
        }
        throw new ServerStartException("The embedded Redis does not run here (it needs OpenSSL 3, Debian: libssl3),"
                + " and there is no " + fallback + " on the PATH either");
    }

    /** True when the server on this port is the process with this pid. */
    static boolean answers(int port, long pid) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(READ_MILLIS);
            socket.getOutputStream().write("INFO server\r\nQUIT\r\n".getBytes(StandardCharsets.US_ASCII));
            String reply = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            return reply.contains("process_id:" + pid + "\r\n");
        } catch (IOException notYet) {
            return false;
        }
    }

    private static String programIn(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.findFirst()
                    .orElseThrow(() -> new ServerStartException("No Redis program in " + folder + "; remove it"))
                    .toString();
        } catch (IOException e) {
            throw new ServerStartException("Cannot read " + folder, e);
        }
    }

    private static boolean runs(String program) {
        try {
            Process process = new ProcessBuilder(program, "--version")
                    .redirectErrorStream(true)
                    .start();
            try (InputStream output = process.getInputStream()) {
                output.readAllBytes();
            }
            return process.waitFor(PROBE_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException notThere) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
