package io.chargefence.embedded;

import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One database and one Redis for all tests of a JVM. The database is an embedded MariaDB, or the server that
 * {@code chargefence.test.mysql-url} names, for example {@code jdbc:mysql://127.0.0.1:3399/}.
 */
public final class TestStores {

    private static final String MYSQL_URL = System.getProperty("chargefence.test.mysql-url", "");
    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final Path HOME =
            Path.of("target", "stores", "jvm-" + ProcessHandle.current().pid());

    private TestStores() {}

    private static final class Database {
        static final EmbeddedMariaDb EMBEDDED = EmbeddedMariaDb.start(HOME.resolve("mariadb"));
    }

    private static final class Transport {
        static final EmbeddedRedis EMBEDDED = EmbeddedRedis.start(HOME.resolve("redis"));
    }

    /** A pool on a new, empty schema; the caller closes it. */
    public static HikariDataSource dataSource() {
        return dataSource(newSchema());
    }

    public static HikariDataSource dataSource(String schema) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(jdbcUrl(schema));
        pool.setUsername("root");
        pool.setPassword("");
        pool.setMaximumPoolSize(12);
        pool.setMinimumIdle(1);
        pool.setConnectionTimeout(60_000);
        announceOnce(pool);
        return pool;
    }

    public static String newSchema() {
        return "t%d_%d".formatted(ProcessHandle.current().pid(), COUNT.incrementAndGet());
    }

    public static String jdbcUrl(String schema) {
        return MYSQL_URL.isEmpty()
                ? Database.EMBEDDED.jdbcUrl(schema)
                : MYSQL_URL + schema + "?createDatabaseIfNotExist=true&sslMode=DISABLED"
                        + "&allowPublicKeyRetrieval=true&connectionTimeZone=UTC";
    }

    /** Whether the tests run against a server that was given, and not the embedded MariaDB. */
    public static boolean isGivenServer() {
        return !MYSQL_URL.isEmpty();
    }

    public static String redisUri() {
        return Transport.EMBEDDED.uri();
    }

    /** A prefix for Redis keys that no other test has. */
    public static String uniquePrefix() {
        return "t%d:".formatted(COUNT.incrementAndGet());
    }

    private static boolean announced;

    private static synchronized void announceOnce(HikariDataSource pool) {
        if (announced) {
            return;
        }
        announced = true;
        try (Connection connection = pool.getConnection()) {
            System.out.printf(
                    "tests run against %s %s%n",
                    connection.getMetaData().getDatabaseProductName(),
                    connection.getMetaData().getDatabaseProductVersion());
        } catch (SQLException failed) {
            throw new IllegalStateException("no database to test against", failed);
        }
    }
}
