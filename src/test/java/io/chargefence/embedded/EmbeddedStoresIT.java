package io.chargefence.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.RedisClient;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedStoresIT {

    @TempDir
    Path home;

    @Test
    void a_committed_row_survives_a_sigkill_of_the_database() throws Exception {
        try (EmbeddedMariaDb mariaDb = EmbeddedMariaDb.start(home)) {
            try (Connection connection = connect(mariaDb);
                    Statement statement = connection.createStatement()) {
                statement.execute("create table t (id int primary key)");
                statement.execute("insert into t values (1)");
            }
            mariaDb.kill();
            mariaDb.restart();
            try (Connection connection = connect(mariaDb);
                    ResultSet rows = connection.createStatement().executeQuery("select count(*) from t")) {
                rows.next();
                assertThat(rows.getInt(1)).isEqualTo(1);
            }
        }
    }

    @Test
    void the_database_is_durable_and_speaks_utf8() throws Exception {
        try (EmbeddedMariaDb mariaDb = EmbeddedMariaDb.start(home);
                Connection connection = connect(mariaDb);
                ResultSet row = connection
                        .createStatement()
                        .executeQuery("select @@innodb_flush_log_at_trx_commit, @@sync_binlog, @@log_bin")) {
            row.next();
            assertThat(row.getInt(1) + row.getInt(2) + row.getInt(3)).isEqualTo(3);
        }
    }

    @Test
    void a_killed_redis_comes_back_empty_on_the_same_port() {
        try (EmbeddedRedis redis = EmbeddedRedis.start(home);
                RedisClient client = RedisClient.create(redis.uri())) {
            client.connect().sync().set("k", "v");
            redis.kill();
            redis.restart();
            await().atMost(Duration.ofSeconds(60))
                    .ignoreExceptions()
                    .untilAsserted(
                            () -> assertThat(client.connect().sync().get("k")).isNull());
        }
    }

    private static Connection connect(EmbeddedMariaDb mariaDb) throws Exception {
        return DriverManager.getConnection(mariaDb.jdbcUrl("cf"), "root", "");
    }
}
