package io.chargefence.embedded;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** A JVM of its own with both servers, for the tests that end it. Writes the pids to the file of its first argument. */
final class TwoServersMain {

    private TwoServersMain() {}

    public static void main(String[] args) throws Exception {
        EmbeddedMariaDb database = EmbeddedMariaDb.start();
        EmbeddedRedis redis = EmbeddedRedis.start();
        Path file = Path.of(args[0]);
        Path side = file.resolveSibling("pids.part");
        Files.writeString(side, database.pid() + " " + redis.pid());
        Files.move(side, file, StandardCopyOption.ATOMIC_MOVE);
        Thread.currentThread().join();
    }
}
