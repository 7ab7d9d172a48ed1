package io.chargefence.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedStoresIT {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    Path folder;

    @Test
    void a_committed_row_survives_a_killed_database_and_an_open_transaction_does_not() throws SQLException {
        try (EmbeddedMariaDb database = EmbeddedMariaDb.start();
                Connection committing = connect(database, "shop")) {
            // Not closed: its server is gone by then, and closing would try to roll back.
            Connection dying = connect(database, "shop");
            execute(committing, "create table t (id int primary key)");
            execute(committing, "insert into t values (1)");
            dying.setAutoCommit(false);
            execute(dying, "insert into t values (2)");
            long firstPid = database.pid();

            database.kill();
            assertThat(ProcessHandle.of(firstPid)).isEmpty();
            assertThat(database.isRunning()).isFalse();
            database.restart();

            assertThat(database.pid()).isNotEqualTo(firstPid);
            assertThat(query(database, "shop", "select group_concat(id) from t"))
                    .isEqualTo("1");
        }
    }

    @Test
    void the_database_is_durable_strict_and_on_loopback_only() throws SQLException {
        try (EmbeddedMariaDb database = EmbeddedMariaDb.start()) {
            String settings = query(
                    database,
                    "",
                    "select concat_ws(' ', @@innodb_flush_log_at_trx_commit, @@sync_binlog, @@log_bin, @@bind_address)");
            assertThat(settings).isEqualTo("1 1 ON 127.0.0.1");
            assertThat(query(database, "", "select @@global.sql_mode")).contains("STRICT_TRANS_TABLES");
            assertThat(query(database, "", "select version()")).startsWith("11.4.5-MariaDB");
        }
    }

    @Test
    void two_databases_run_side_by_side_and_leave_nothing_behind() {
        long first;
        long second;
        try (EmbeddedMariaDb one = EmbeddedMariaDb.start();
                EmbeddedMariaDb other = EmbeddedMariaDb.start()) {
            first = one.pid();
            second = other.pid();
            assertThat(one.port()).isNotEqualTo(other.port());
        }
        assertThat(ProcessHandle.of(first)).isEmpty();
        assertThat(ProcessHandle.of(second)).isEmpty();
    }

    @Test
    void a_given_folder_keeps_its_data_for_the_next_start() throws SQLException {
        try (EmbeddedMariaDb database = EmbeddedMariaDb.startIn(folder);
                Connection connection = connect(database, "shop")) {
            execute(connection, "create table t (id int primary key)");
            execute(connection, "insert into t values (7)");
        }
        try (EmbeddedMariaDb database = EmbeddedMariaDb.startIn(folder)) {
            assertThat(query(database, "shop", "select id from t")).isEqualTo("7");
        }
    }

    @Test
    void a_database_that_cannot_start_says_why_and_is_not_left_behind() {
        assertThatThrownBy(() -> EmbeddedMariaDb.startIn(folder, "--no-such-option"))
                .isInstanceOf(ServerStartException.class)
                .hasMessageContaining("MariaDB ended with exit code")
                .hasMessageContaining("unknown option '--no-such-option'");
    }

    @Test
    void a_server_that_never_gets_ready_is_killed_after_the_time_out() {
        ServerProcess sleeper =
                new ServerProcess("Sleeper", List.of("sleep", "600"), Map.of(), ServerFolder.given(folder));
        assertThatThrownBy(() -> sleeper.start(Duration.ofMillis(200), pid -> false))
                .isInstanceOf(ServerStartException.class)
                .hasMessageContaining("Sleeper was not ready within");
        assertThat(sleeper.isRunning()).isFalse();
    }

    @Test
    void a_killed_redis_comes_back_empty_on_the_same_address() {
        try (EmbeddedRedis redis = EmbeddedRedis.start()) {
            String address = redis.uri();
            inRedis(address, commands -> commands.set("k", "v"));
            redis.kill();
            assertThat(redis.isRunning()).isFalse();
            redis.restart();
            assertThat(redis.uri()).isEqualTo(address);
            inRedis(address, commands -> assertThat(commands.dbsize()).isZero());
        }
    }

    @Test
    void a_redis_with_an_append_only_file_keeps_its_data_through_a_kill() {
        try (EmbeddedRedis redis = EmbeddedRedis.start("appendonly yes", "appendfsync always")) {
            inRedis(redis.uri(), commands -> commands.set("k", "v"));
            redis.kill();
            redis.restart();
            inRedis(redis.uri(), commands -> assertThat(commands.get("k")).isEqualTo("v"));
        }
    }

    @Test
    void redis_evicts_nothing_and_is_the_version_that_we_ship_with() {
        try (EmbeddedRedis redis = EmbeddedRedis.start()) {
            inRedis(redis.uri(), commands -> {
                assertThat(commands.configGet("maxmemory-policy")).containsEntry("maxmemory-policy", "noeviction");
                assertThat(commands.info("server")).contains("redis_version:6.2.");
            });
        }
    }

    @Test
    void where_the_embedded_redis_does_not_run_the_machines_own_is_taken() {
        assertThat(RedisProgram.choose("/nowhere/redis-server", "true")).isEqualTo("true");
        assertThatThrownBy(() -> RedisProgram.choose("/nowhere/redis-server", "/nowhere/either"))
                .isInstanceOf(ServerStartException.class)
                .hasMessageContaining("libssl3");
    }

    @Test
    void no_server_outlives_a_jvm_that_ends() throws Exception {
        assertServersEndWith(Process::destroy);
    }

    @Test
    void no_server_outlives_a_jvm_that_is_killed() throws Exception {
        assertServersEndWith(Process::destroyForcibly);
    }

    @Test
    void test_stores_give_every_caller_a_schema_and_a_prefix_of_its_own() throws SQLException {
        try (HikariDataSource one = TestStores.dataSource();
                HikariDataSource other = TestStores.dataSource();
                Connection inOne = one.getConnection();
                Connection inOther = other.getConnection()) {
            execute(inOne, "create table t (id int primary key)");
            execute(inOther, "create table t (id int primary key)");
            assertThat(inOne.getCatalog()).isNotEqualTo(inOther.getCatalog());
        }
        assertThat(TestStores.uniquePrefix()).isNotEqualTo(TestStores.uniquePrefix());
        inRedis(TestStores.redisUri(), commands -> assertThat(commands.ping()).isEqualTo("PONG"));
    }

    private void assertServersEndWith(Consumer<Process> ending) throws Exception {
        Path pids = folder.resolve("pids");
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process jvm = new ProcessBuilder(
                        java,
                        "-cp",
                        System.getProperty("java.class.path"),
                        TwoServersMain.class.getName(),
                        pids.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("jvm.log").toFile())
                .start();
        try {
            await().atMost(PATIENCE.multipliedBy(4)).until(() -> Files.exists(pids));
            String[] line = Files.readString(pids).split(" ");
            assertThat(ProcessHandle.of(Long.parseLong(line[0]))).isPresent();
            ending.accept(jvm);
            for (String pid : line) {
                await().atMost(PATIENCE)
                        .until(() -> ProcessHandle.of(Long.parseLong(pid)).isEmpty());
            }
        } finally {
            jvm.destroyForcibly();
        }
    }

    private static Connection connect(EmbeddedMariaDb database, String schema) throws SQLException {
        return DriverManager.getConnection(database.jdbcUrl(schema), database.username(), database.password());
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String query(EmbeddedMariaDb database, String schema, String sql) throws SQLException {
        try (Connection connection = connect(database, schema);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }

    private static void inRedis(String uri, Consumer<RedisCommands<String, String>> use) {
        RedisClient client = RedisClient.create(uri);
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            use.accept(connection.sync());
        } finally {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        }
    }
}
