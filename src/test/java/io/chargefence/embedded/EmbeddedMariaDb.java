package io.chargefence.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A real MariaDB with the durable settings that Chargefence asks of its database, on loopback, with a free port and a
 * data folder of its own. It goes when it is closed or when this JVM goes, whichever way that happens.
 *
 * <p>The first start on a machine unpacks and installs; every later one copies what was installed.
 */
public final class EmbeddedMariaDb implements AutoCloseable {

    static final Duration START_TIMEOUT = Duration.ofSeconds(90);

    private final ServerFolder folder;
    private final int port;
    private final ServerProcess server;
    private final ClosedAtExit atExit;

    private EmbeddedMariaDb(ServerFolder folder, int port, ServerProcess server) {
        this.folder = folder;
        this.port = port;
        this.server = server;
        this.atExit = new ClosedAtExit("mariadb", this::shutDown);
    }

    /** On empty data in a temporary folder, which goes with the server. */
    public static EmbeddedMariaDb start(String... extraArguments) {
        return start(ServerFolder.temporary("mariadb"), extraArguments);
    }

    /** On the data that the folder holds; an empty folder gets new data. The folder stays when the server goes. */
    public static EmbeddedMariaDb startIn(Path folder, String... extraArguments) {
        return start(ServerFolder.given(folder), extraArguments);
    }

    private static EmbeddedMariaDb start(ServerFolder folder, String... extraArguments) {
        MariaDbInstallation installation = MariaDbInstallation.get();
        putData(installation, folder);
        return FreePort.tryOn(port -> {
            ServerProcess server = installation.server(folder, port, extraArguments);
            startServer(server, folder, port);
            return new EmbeddedMariaDb(folder, port, server);
        });
    }

    private static void putData(MariaDbInstallation installation, ServerFolder folder) {
        Path data = folder.path().resolve("data");
        if (Files.isDirectory(data)) {
            return;
        }
        try {
            ServerFolder.copyWhole(installation.emptyData(), data);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot make a data folder for MariaDB in " + data, e);
        }
    }

    private static void startServer(ServerProcess server, ServerFolder folder, int port) {
        server.start(
                START_TIMEOUT, pid -> MariaDbProbe.answers(port, folder.path().resolve("data")));
    }

    /** Creates the schema with the first connection. An empty name gives the server itself. */
    public String jdbcUrl(String schema) {
        return jdbcUrl(port, schema);
    }

    static String jdbcUrl(int port, String schema) {
        return JdbcUrls.of("jdbc:mysql://127.0.0.1:" + port + "/", schema);
    }

    public String username() {
        return "root";
    }

    /** Empty: the server listens on loopback only and holds nothing worth a secret. */
    public String password() {
        return "";
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

    /** SIGKILL, with nothing flushed or told to anybody: what was committed is there after {@link #restart()}. */
    public void kill() {
        server.kill();
    }

    /** Comes up again on the same data and port; a running server is shut down in good order first. */
    public void restart() {
        server.stop();
        startServer(server, folder, port);
    }

    @Override
    public void close() {
        atExit.closeNow();
    }

    private void shutDown() {
        if (folder.isTemporary()) {
            server.kill();
        } else {
            server.stop();
        }
        folder.discard();
    }
}
