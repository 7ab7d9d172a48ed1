package io.chargefence.embedded;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.util.UUID;

/**
 * One database and one Redis for all tests of this JVM, started when first asked for. Tests stay apart by schema and by
 * key prefix.
 *
 * <p>With {@code -Dchargefence.test.mysql-url=jdbc:mysql://host:port/} (and {@code …mysql-user}, {@code …mysql-password};
 * default root without a password) the tests run against that server instead of the embedded MariaDB. Either way one
 * line on stdout says which product and version it is.
 */
public final class TestStores {

    private static final int POOL_SIZE = 10;

    private TestStores() {}

    /** A pool on a new, empty schema. The caller closes it. */
    public static HikariDataSource dataSource() {
        return dataSource(newSchema());
    }

    /** A pool on the named schema, for a second process-like client of the same data. The caller closes it. */
    public static HikariDataSource dataSource(String schema) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(jdbcUrl(schema));
        config.setUsername(username());
        config.setPassword(password());
        config.setPoolName(schema);
        config.setMaximumPoolSize(POOL_SIZE);
        config.setMinimumIdle(1);
        return new HikariDataSource(config);
    }

    /** A name that no other test uses. The schema comes with the first connection and goes with this JVM. */
    public static String newSchema() {
        return TestDatabase.SHARED.newSchema();
    }

    public static String jdbcUrl(String schema) {
        return TestDatabase.SHARED.jdbcUrl(schema);
    }

    public static String username() {
        return TestDatabase.SHARED.username();
    }

    public static String password() {
        return TestDatabase.SHARED.password();
    }

    public static String redisUri() {
        return SharedRedis.REDIS.uri();
    }

    /** For Redis keys, with a colon at its end. */
    public static String uniquePrefix() {
        return "cf-test-" + unique() + ":";
    }

    static String unique() {
        return UUID.randomUUID().toString().replace("-", "").substring(0, 16);
    }

    private static final class SharedRedis {
        // Never closed by a test; its own shutdown hook stops it with this JVM.
        static final EmbeddedRedis REDIS = EmbeddedRedis.start();
    }
}
