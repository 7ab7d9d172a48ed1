package io.chargefence.mysql;

import com.zaxxer.hikari.HikariDataSource;
import io.chargefence.IdempotencyKey;
import io.chargefence.OrderStep;
import io.chargefence.embedded.TestStores;
import io.chargefence.flow.ChargeLog.Entry;
import io.chargefence.mysql.SchemaMigration.Mode;
import io.chargefence.saga.ChargeEvent;
import io.chargefence.saga.ChargeEvent.FenceClaimed;
import io.chargefence.saga.ChargeEvent.ProviderCalled;
import io.chargefence.saga.ChargeSaga;
import io.chargefence.saga.RecordedEvent;
import io.chargefence.saga.Sagas;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;

/** Our adapter on a schema of its own. */
final class MysqlFixture implements AutoCloseable {

    static final Instant NOW = Instant.parse("2026-12-01T10:00:00.123456Z");

    final HikariDataSource pool = TestStores.dataSource();
    final DataSource dataSource;
    final JdbcTemplate jdbc = new JdbcTemplate(pool);
    final DataSourceTransactionManager transactions;
    final AxonEventLog events;
    final MysqlChargeLog log;

    MysqlFixture() {
        this(null);
    }

    /** @param wrapper put around the pool, to make faults */
    MysqlFixture(@Nullable FaultyDataSource wrapper) {
        new SchemaMigration(pool, "chargefence_schema_history").run(Mode.MIGRATE);
        dataSource = wrapper == null ? pool : wrapper.around(pool);
        transactions = new DataSourceTransactionManager(dataSource);
        events = new AxonEventLog(dataSource, transactions);
        log = new MysqlChargeLog(dataSource, transactions, events);
    }

    static Entry claim(OrderStep orderStep) {
        return entry(null, orderStep, List.of(new FenceClaimed(orderStep, Sagas.INTENT), called(orderStep)));
    }

    static ProviderCalled called(OrderStep orderStep) {
        return new ProviderCalled(
                1,
                1,
                IdempotencyKey.of("default", orderStep, 1),
                "a".repeat(64),
                NOW.plusSeconds(25),
                NOW.plusSeconds(3600));
    }

    static Entry then(ChargeSaga before, ChargeEvent... events) {
        return entry(before, before.orderStep(), List.of(events));
    }

    private static Entry entry(@Nullable ChargeSaga before, OrderStep orderStep, List<ChargeEvent> events) {
        List<RecordedEvent> recorded = new ArrayList<>();
        long sequence = before == null ? 0 : before.sequence() + 1;
        for (ChargeEvent event : events) {
            recorded.add(new RecordedEvent(UUID.randomUUID(), sequence++, NOW, event));
        }
        ChargeSaga after = before == null ? ChargeSaga.of(UUID.randomUUID(), recorded) : before;
        if (before != null) {
            for (RecordedEvent event : recorded) {
                after = after.after(event);
            }
        }
        return new Entry(before, recorded, after, NOW.plusSeconds(60), true, Map.of("worker", "test"));
    }

    ChargeSaga stored(OrderStep orderStep) {
        return log.load(List.of(orderStep)).of(orderStep).saga();
    }

    int count(String table) {
        return jdbc.queryForObject("select count(*) from " + table, Integer.class);
    }

    @Override
    public void close() {
        pool.close();
    }
}
