package io.chargefence.mysql;

import com.zaxxer.hikari.HikariDataSource;
import io.chargefence.OrderStep;
import io.chargefence.embedded.TestStores;
import io.chargefence.flow.ChargeLog.Known;
import io.chargefence.saga.ChargeSaga;
import io.chargefence.saga.RecordedEvent;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The whole adapter on a fresh schema. */
final class Store implements AutoCloseable {

    static final Duration GRACE = Duration.ofSeconds(5);

    private final HikariDataSource pool;
    final DataSource dataSource;
    final PlatformTransactionManager transactionManager;
    final AtomicBoolean stopping = new AtomicBoolean();
    final AxonEventLog events;
    final MysqlChargeLog log;
    final MysqlOutbox outbox;
    final MysqlChargeViews views;
    /** Straight to the server, past whatever the data source does. */
    final JdbcTemplate sql;

    private Store(HikariDataSource pool, DataSource dataSource) {
        this.pool = pool;
        this.dataSource = dataSource;
        this.transactionManager = new DataSourceTransactionManager(dataSource);
        this.events = new AxonEventLog(dataSource, transactionManager);
        this.log = new MysqlChargeLog(dataSource, transactionManager, events, stopping::get);
        this.outbox = new MysqlOutbox(dataSource, transactionManager, GRACE, () -> "00-trace-parent-01");
        this.views = new MysqlChargeViews(dataSource, transactionManager);
        this.sql = new JdbcTemplate(pool);
    }

    static Store fresh() {
        return over(pool -> pool);
    }

    /** A store whose data source misbehaves. */
    static Store over(UnaryOperator<DataSource> wrapped) {
        HikariDataSource pool = TestStores.dataSource();
        migrate(pool);
        return new Store(pool, wrapped.apply(pool));
    }

    /** A store whose connections have other settings. */
    static Store with(String urlParameters, String sqlMode) {
        String schema = TestStores.newSchema();
        HikariDataSource pool = TestStores.dataSource(schema);
        migrate(pool);
        pool.close();
        HikariDataSource other = new HikariDataSource();
        other.setJdbcUrl(TestStores.jdbcUrl(schema).replace("&connectionTimeZone=UTC", "") + urlParameters
                + "&sessionVariables=sql_mode='" + sqlMode + "'");
        other.setUsername(TestStores.username());
        other.setPassword(TestStores.password());
        return new Store(other, other);
    }

    /** A store on a pool of the test's own; closed with it. */
    static Store on(HikariDataSource pool) {
        migrate(pool);
        return new Store(pool, pool);
    }

    private static void migrate(DataSource dataSource) {
        new SchemaMigration(dataSource, SchemaMigration.Mode.MIGRATE, SchemaMigration.HISTORY_TABLE).run();
    }

    TransactionTemplate transaction() {
        return new TransactionTemplate(transactionManager);
    }

    Known known(OrderStep orderStep) {
        return log.load(List.of(orderStep)).of(orderStep);
    }

    ChargeSaga saga(OrderStep orderStep) {
        ChargeSaga saga = known(orderStep).saga();
        if (saga == null) {
            throw new AssertionError(orderStep + " has no fence");
        }
        return saga;
    }

    List<RecordedEvent> eventsOf(OrderStep orderStep) {
        return events.read(saga(orderStep).chargeId());
    }

    long count(String table) {
        Long count = sql.queryForObject("SELECT count(*) FROM " + table, Long.class);
        return count == null ? -1 : count;
    }

    @Override
    public void close() {
        pool.close();
    }
}
