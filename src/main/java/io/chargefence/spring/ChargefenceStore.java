package io.chargefence.spring;

import io.chargefence.ChargefenceException;
import io.chargefence.mysql.AxonEventLog;
import io.chargefence.mysql.MysqlChargeLog;
import io.chargefence.mysql.MysqlChargeViews;
import io.chargefence.mysql.MysqlFacts;
import io.chargefence.mysql.MysqlOutbox;
import io.chargefence.mysql.SchemaMigration;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.springframework.transaction.PlatformTransactionManager;

/** Our side of the host's database: migrated or validated, looked at, and ready. */
record ChargefenceStore(MysqlChargeLog log, MysqlOutbox outbox, MysqlChargeViews views, MysqlFacts facts) {

    /** @param stopping whether the application is going down, so that nothing waits for MySQL any longer */
    static ChargefenceStore open(
            ChargefenceProperties properties,
            DataSource dataSource,
            PlatformTransactionManager transactions,
            BooleanSupplier stopping) {
        migrate(properties.schema(), dataSource);
        MysqlFacts facts = MysqlFacts.read(dataSource);
        StartupChecks.mysql(facts);
        AxonEventLog events = new AxonEventLog(dataSource, transactions);
        return new ChargefenceStore(
                new MysqlChargeLog(dataSource, transactions, events, stopping),
                new MysqlOutbox(dataSource, transactions, properties.outbox().publishGrace(), () -> null),
                new MysqlChargeViews(dataSource, transactions),
                facts);
    }

    private static void migrate(ChargefenceProperties.Schema schema, DataSource dataSource) {
        try {
            new SchemaMigration(dataSource, schema.mode(), schema.historyTable()).run();
        } catch (ChargefenceException behind) {
            throw new ChargefenceStartupException(
                    "chargefence.schema.mode is '" + schema.mode().name().toLowerCase(Locale.ROOT) + "'",
                    behind.getMessage(),
                    "Run the migrations of /migrations (classpath db/chargefence), or set chargefence.schema.mode=migrate.");
        }
    }

    String product() {
        return facts.product() + " " + facts.version();
    }

    boolean isDurable() {
        return StartupChecks.isDurable(facts);
    }
}
