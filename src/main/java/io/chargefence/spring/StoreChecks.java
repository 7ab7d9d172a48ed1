package io.chargefence.spring;

import io.chargefence.mysql.MysqlFacts;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What MySQL must be for the fence to hold. What the host may have reasons for is a warning. */
final class StoreChecks {

    private static final Logger log = LoggerFactory.getLogger(StoreChecks.class);

    private static final String MIGRATE =
            "Let Chargefence make its tables (chargefence.schema.mode=migrate), or run its migrations unchanged.";

    private StoreChecks() {}

    static void check(MysqlFacts facts) {
        tables(facts);
        columns(facts);
        session(facts);
        if (!isDurable(facts)) {
            log.warn(
                    "innodb_flush_log_at_trx_commit is {} and sync_binlog is {} on {}: a claim that was committed can be lost in"
                            + " a power failure or a failover. With a provider that honours keys nothing is charged twice for"
                            + " that; with any other it can be. Set both to 1.",
                    facts.innodbFlushLogAtTrxCommit(),
                    facts.syncBinlog(),
                    facts.product());
        }
    }

    /** Whether a committed claim survives a power failure of the server. */
    static boolean isDurable(MysqlFacts facts) {
        boolean flushed = Integer.valueOf(1).equals(facts.innodbFlushLogAtTrxCommit());
        boolean synced =
                !Boolean.TRUE.equals(facts.logBin()) || Integer.valueOf(1).equals(facts.syncBinlog());
        return flushed && synced;
    }

    private static void tables(MysqlFacts facts) {
        if (!facts.missingTables().isEmpty()) {
            throw new ChargefenceStartupException(
                    "the tables " + facts.missingTables() + " are missing",
                    "without them no charge can be requested, fenced or recorded",
                    MIGRATE);
        }
    }

    private static void columns(MysqlFacts facts) {
        List<String> loose = Stream.of("charge_request", "charge_fence", "charge_event")
                .flatMap(table -> Stream.of(table + ".order_id", table + ".step"))
                .filter(name -> !isExact(name, facts.keyColumns().get(name)))
                .toList();
        if (!loose.isEmpty()) {
            throw new ChargefenceStartupException(
                    "the columns " + loose + " are not compared byte for byte",
                    "under such a collation ORD-1 and ord-1 are one order, and one of them is never charged",
                    MIGRATE);
        }
    }

    /** A step cannot end in a space, which even a _bin collation passes over; an order id can. */
    private static boolean isExact(String name, MysqlFacts.@Nullable Column column) {
        if (column == null) {
            return false;
        }
        boolean bytes = column.type().toLowerCase(Locale.ROOT).startsWith("varbinary");
        boolean binaryText = column.collation() != null && column.collation().endsWith("_bin");
        return bytes || (binaryText && name.endsWith(".step"));
    }

    private static void session(MysqlFacts facts) {
        if (!facts.sqlMode().toUpperCase(Locale.ROOT).matches(".*STRICT_(TRANS|ALL)_TABLES.*")) {
            throw new ChargefenceStartupException(
                    "sql_mode of our session is '" + facts.sqlMode() + "'",
                    "without STRICT_TRANS_TABLES the server cuts values that do not fit instead of refusing them",
                    "Add sessionVariables=sql_mode='STRICT_TRANS_TABLES,…' to the JDBC URL, or set it on the server.");
        }
        if (Boolean.TRUE.equals(facts.logBin()) && "STATEMENT".equalsIgnoreCase(facts.binlogFormat())) {
            throw new ChargefenceStartupException(
                    "binlog_format is STATEMENT",
                    "our transactions are READ COMMITTED, and the server refuses their writes under it",
                    "Set binlog_format=ROW.");
        }
    }
}
