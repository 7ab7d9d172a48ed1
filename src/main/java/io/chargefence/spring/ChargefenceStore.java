package io.chargefence.spring;

import io.chargefence.mysql.AxonEventLog;
import io.chargefence.mysql.MysqlChargeLog;
import io.chargefence.mysql.MysqlChargeViews;
import io.chargefence.mysql.MysqlFacts;
import io.chargefence.mysql.MysqlOutbox;
import io.chargefence.mysql.SchemaMigration;
import javax.sql.DataSource;
import org.springframework.transaction.PlatformTransactionManager;

/** Our side of the host's database: migrated or validated, looked at, and ready. */
record ChargefenceStore(MysqlChargeLog log, MysqlOutbox outbox, MysqlChargeViews views, MysqlFacts facts) {

    static ChargefenceStore open(
            ChargefenceProperties properties, DataSource dataSource, PlatformTransactionManager transactions) {
        new SchemaMigration(dataSource, properties.schema().historyTable())
                .run(properties.schema().mode());
        MysqlFacts facts = MysqlFacts.read(dataSource);
        StartupChecks.mysql(facts);
        return new ChargefenceStore(
                new MysqlChargeLog(dataSource, transactions, new AxonEventLog(dataSource, transactions)),
                new MysqlOutbox(dataSource, transactions, properties.outbox().publishGrace()),
                new MysqlChargeViews(dataSource),
                facts);
    }
}
