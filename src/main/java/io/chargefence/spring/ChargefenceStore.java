package io.chargefence.spring;

import io.chargefence.ChargefenceException;
import io.chargefence.mysql.AxonEventLog;
import io.chargefence.mysql.MysqlChargeLog;
import io.chargefence.mysql.MysqlChargeViews;
import io.chargefence.mysql.MysqlFacts;
import io.chargefence.mysql.MysqlOutbox;
import io.chargefence.mysql.SchemaMigration;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.flywaydb.core.api.FlywayException;
import org.springframework.transaction.PlatformTransactionManager;

/** Our side of the host's database: migrated or validated, looked at, and ready. */
record ChargefenceStore(MysqlChargeLog log, MysqlOutbox outbox, MysqlChargeViews views, MysqlFacts facts) {

    /** @param stopping whether the application is going down, so that nothing waits for MySQL any longer */
    static ChargefenceStore open(
            ChargefenceProperties properties,
            DataSource dataSource,
            PlatformTransactionManager transactions,
            BooleanSupplier stopping) {
        requireMysql(dataSource);
        migrate(properties.schema(), dataSource);
        MysqlFacts facts = MysqlFacts.read(dataSource);
        StoreChecks.check(facts);
        AxonEventLog events = eventLog(dataSource, transactions);
        return new ChargefenceStore(
                new MysqlChargeLog(dataSource, transactions, events, stopping),
                new MysqlOutbox(dataSource, transactions, properties.outbox().publishGrace(), () -> null),
                new MysqlChargeViews(dataSource, transactions),
                facts);
    }

    /** Before the migrations, whose own complaint about another server would be a page of SQL. */
    private static void requireMysql(DataSource dataSource) {
        try (Connection connection = dataSource.getConnection()) {
            String product = connection.getMetaData().getDatabaseProductName();
            if (!product.equals("MySQL") && !product.equals("MariaDB")) {
                throw new ChargefenceStartupException(
                        "the DataSource is on " + product,
                        "the fence and its log are kept in MySQL or MariaDB, in the database of the orders",
                        "Point spring.datasource.url at MySQL or MariaDB, or set chargefence.enabled=false.");
            }
        } catch (SQLException away) {
            throw new ChargefenceStartupException(
                    "the DataSource gives no connection (" + away.getMessage() + ")",
                    "the schema and the server's durability are looked at before anything may be charged",
                    "Start MySQL, or correct spring.datasource.url, username and password.",
                    away);
        }
    }

    private static void migrate(ChargefenceProperties.Schema schema, DataSource dataSource) {
        try {
            new SchemaMigration(dataSource, schema.mode(), schema.historyTable()).run();
        } catch (ChargefenceException | FlywayException refused) {
            throw new ChargefenceStartupException(
                    "chargefence.schema.mode is '%s' and the tables are not as this version needs them"
                            .formatted(schema.mode().name().toLowerCase(Locale.ROOT)),
                    refused.getMessage().strip().replaceFirst("\\.+$", ""),
                    "Run the migrations of /migrations (classpath db/chargefence) unchanged, or let Chargefence do it"
                            + " (chargefence.schema.mode=migrate) as a user that may create tables.",
                    refused);
        }
    }

    private static AxonEventLog eventLog(DataSource dataSource, PlatformTransactionManager transactions) {
        try {
            return new AxonEventLog(dataSource, transactions);
        } catch (ChargefenceException notGoverned) {
            throw new ChargefenceStartupException(
                    "the PlatformTransactionManager (%s) and the DataSource do not belong together"
                            .formatted(transactions.getClass().getSimpleName()),
                    notGoverned.getMessage().replaceFirst("\\.+$", ""),
                    "Mark the DataSource that stores the orders and its transaction manager as @Primary.",
                    notGoverned);
        }
    }

    String product() {
        return facts.product() + " " + facts.version();
    }

    boolean isDurable() {
        return StoreChecks.isDurable(facts);
    }
}
