package io.chargefence.mysql;

import io.chargefence.flow.StoreUnavailableException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * What the server and our session are set to, and what the tables really look like. Values only; what they mean for the
 * promises is decided elsewhere.
 *
 * @param product {@code MySQL} or {@code MariaDB}
 * @param logBin null where the server does not say
 * @param sqlMode of a session from this data source
 * @param keyColumns the columns that decide what is the same order step, by {@code table.column}
 * @param missingTables those of our tables that are not there
 */
public record MysqlFacts(
        String product,
        String version,
        @Nullable Integer innodbFlushLogAtTrxCommit,
        @Nullable Integer syncBinlog,
        @Nullable Boolean logBin,
        @Nullable String binlogFormat,
        @Nullable Boolean readOnly,
        String sqlMode,
        String timeZone,
        String transactionIsolation,
        Map<String, Column> keyColumns,
        List<String> missingTables) {

    /**
     * A column as information_schema tells it.
     *
     * @param type for example {@code varbinary(255)}
     * @param collation null for a binary type
     */
    public record Column(String type, @Nullable String collation) {}

    private static final List<String> TABLES = List.of("charge_event", "charge_fence", "charge_request");

    /** MariaDB before 11.1 calls the isolation tx_isolation; a name that a server does not know is merely absent here. */
    private static final String VARIABLES =
            "SHOW SESSION VARIABLES WHERE Variable_name IN ('version', 'version_comment',"
                    + " 'innodb_flush_log_at_trx_commit', 'sync_binlog', 'log_bin', 'binlog_format', 'read_only', 'sql_mode',"
                    + " 'time_zone', 'transaction_isolation', 'tx_isolation')";

    private static final String COLUMNS =
            "SELECT table_name AS t, column_name AS c, column_type AS type, collation_name AS collation"
                    + " FROM information_schema.columns WHERE table_schema = database()"
                    + " AND table_name IN ('charge_event', 'charge_fence', 'charge_request')"
                    + " AND column_name IN ('order_id', 'step', 'charge_id')";

    /** @throws StoreUnavailableException when the server cannot be asked */
    public static MysqlFacts read(DataSource dataSource) {
        JdbcTemplate jdbc = new JdbcTemplate(dataSource);
        try {
            return of(variables(jdbc), columns(jdbc));
        } catch (DataAccessException failure) {
            throw Transactions.unavailable("read of the server's settings", failure);
        }
    }

    private static MysqlFacts of(Map<String, String> set, Map<String, Column> columns) {
        String version = set.getOrDefault("version", "");
        boolean mariaDb =
                (version + set.get("version_comment")).toLowerCase(Locale.ROOT).contains("mariadb");
        return new MysqlFacts(
                mariaDb ? "MariaDB" : "MySQL",
                version,
                number(set.get("innodb_flush_log_at_trx_commit")),
                number(set.get("sync_binlog")),
                flag(set.get("log_bin")),
                set.get("binlog_format"),
                flag(set.get("read_only")),
                set.getOrDefault("sql_mode", ""),
                set.getOrDefault("time_zone", ""),
                set.getOrDefault("transaction_isolation", set.getOrDefault("tx_isolation", "")),
                columns,
                TABLES.stream()
                        .filter(table -> columns.keySet().stream().noneMatch(name -> name.startsWith(table + ".")))
                        .toList());
    }

    private static Map<String, String> variables(JdbcTemplate jdbc) {
        Map<String, String> set = new TreeMap<>();
        jdbc.query(VARIABLES, resultSet -> {
            set.put(resultSet.getString(1), resultSet.getString(2));
        });
        return set;
    }

    private static Map<String, Column> columns(JdbcTemplate jdbc) {
        Map<String, Column> columns = new TreeMap<>();
        jdbc.query(COLUMNS, resultSet -> {
            columns.put(
                    resultSet.getString("t") + "." + resultSet.getString("c"),
                    new Column(resultSet.getString("type"), resultSet.getString("collation")));
        });
        return columns;
    }

    private static @Nullable Integer number(@Nullable String value) {
        return value == null ? null : Integer.valueOf(value);
    }

    private static @Nullable Boolean flag(@Nullable String value) {
        return value == null ? null : !value.equalsIgnoreCase("OFF") && !value.equals("0");
    }
}
