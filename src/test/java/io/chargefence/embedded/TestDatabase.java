package io.chargefence.embedded;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The server behind {@link TestStores}: an embedded MariaDB, or the one that a system property names. */
final class TestDatabase {

    static final String URL_PROPERTY = "chargefence.test.mysql-url";

    static final TestDatabase SHARED = open();

    private final String server;
    private final String username;
    private final String password;
    private final Set<String> schemas = ConcurrentHashMap.newKeySet();

    private TestDatabase(String server, String username, String password) {
        this.server = server;
        this.username = username;
        this.password = password;
    }

    private static TestDatabase open() {
        String url = System.getProperty(URL_PROPERTY, "");
        TestDatabase database = url.isBlank() ? embedded() : given(url);
        System.out.println("Tests run against " + database.productAndVersion() + " at " + database.server);
        return database;
    }

    private static TestDatabase embedded() {
        // Never closed by a test; its own shutdown hook stops it with this JVM.
        EmbeddedMariaDb mariaDb = EmbeddedMariaDb.start();
        return new TestDatabase(
                "jdbc:mysql://127.0.0.1:" + mariaDb.port() + "/", mariaDb.username(), mariaDb.password());
    }

    /** Somebody else's server: what we leave there stays there, so the schemas are dropped in the end. */
    private static TestDatabase given(String url) {
        TestDatabase database = new TestDatabase(
                url,
                System.getProperty("chargefence.test.mysql-user", "root"),
                System.getProperty("chargefence.test.mysql-password", ""));
        Runtime.getRuntime().addShutdownHook(new Thread(database::dropSchemas, "chargefence-drop-schemas"));
        return database;
    }

    String newSchema() {
        String name = "cf_" + TestStores.unique();
        schemas.add(name);
        return name;
    }

    String jdbcUrl(String schema) {
        return JdbcUrls.of(server, schema);
    }

    String username() {
        return username;
    }

    String password() {
        return password;
    }

    String productAndVersion() {
        // Not the driver's metadata: it calls every server MySQL.
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select version()")) {
            row.next();
            String version = row.getString(1);
            return (version.contains("MariaDB") ? "MariaDB " : "MySQL ") + version;
        } catch (SQLException e) {
            throw new ServerStartException("No database answers at " + server, e);
        }
    }

    private void dropSchemas() {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            for (String schema : schemas) {
                statement.execute("drop database if exists `" + schema + "`");
            }
        } catch (SQLException e) {
            System.out.println("Left on " + server + ": " + schemas + " (" + e.getMessage() + ")");
        }
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(jdbcUrl(""), username, password);
    }
}
