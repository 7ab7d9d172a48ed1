package io.chargefence.mysql;

import java.util.List;
import java.util.Locale;
import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * What the server and our session on it are set to, for the checks at start.
 *
 * @param flushLogAtCommit {@code innodb_flush_log_at_trx_commit}; 1 keeps what was committed through a power failure
 * @param syncBinlog {@code sync_binlog}; 1 keeps it through a failover as well
 * @param sqlMode of a session of ours
 * @param looseIdColumns id columns whose type compares other than byte for byte, or that are missing
 */
public record MysqlFacts(
        String product,
        long flushLogAtCommit,
        long syncBinlog,
        boolean logBin,
        String sqlMode,
        List<String> looseIdColumns) {

    private static final String ID_COLUMNS = "select count(*) from information_schema.columns"
            + " where table_schema = database() and lower(table_name) = ? and lower(column_name) = 'order_id'"
            + " and lower(data_type) = 'varbinary'";

    public static MysqlFacts read(DataSource dataSource) {
        JdbcTemplate jdbc = new JdbcTemplate(dataSource);
        return jdbc.queryForObject(
                "select version(), @@innodb_flush_log_at_trx_commit, @@sync_binlog, @@log_bin, @@session.sql_mode",
                (row, n) -> new MysqlFacts(
                        row.getString(1),
                        row.getLong(2),
                        row.getLong(3),
                        row.getBoolean(4),
                        row.getString(5),
                        looseIdColumns(jdbc)));
    }

    /** Whether a committed claim survives a power failure of the server. */
    public boolean isDurable() {
        return flushLogAtCommit == 1 && (!logBin || syncBinlog == 1);
    }

    /** Whether values that do not fit are refused and not cut. */
    public boolean isStrict() {
        String mode = sqlMode.toUpperCase(Locale.ROOT);
        return mode.contains("STRICT_TRANS_TABLES") || mode.contains("STRICT_ALL_TABLES");
    }

    private static List<String> looseIdColumns(JdbcTemplate jdbc) {
        return List.of("charge_request", "charge_fence", "charge_event").stream()
                .filter(table -> jdbc.queryForObject(ID_COLUMNS, Integer.class, table) == 0)
                .map(table -> table + ".order_id")
                .toList();
    }
}
