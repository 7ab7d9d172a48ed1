package io.chargefence.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.chargefence.ChargeStage;
import io.chargefence.OrderStep;
import io.chargefence.ProviderReference;
import io.chargefence.embedded.TestStores;
import io.chargefence.flow.ChargeViews.Ledger;
import io.chargefence.mysql.SchemaMigration.Mode;
import io.chargefence.mysql.SchemaMigration.SchemaBehindException;
import io.chargefence.saga.ChargeEvent.Acked;
import io.chargefence.saga.ChargeEvent.ReferenceStored;
import io.chargefence.saga.ChargeEvent.Via;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

class MysqlSchemaIT {

    @Test
    void our_migrations_keep_their_own_history_beside_a_hosts_tables() {
        try (HikariDataSource pool = TestStores.dataSource()) {
            JdbcTemplate jdbc = new JdbcTemplate(pool);
            jdbc.execute("create table orders (id int primary key)");
            new SchemaMigration(pool, "chargefence_schema_history").run(Mode.MIGRATE);
            new SchemaMigration(pool, "chargefence_schema_history").run(Mode.MIGRATE);
            new SchemaMigration(pool, "chargefence_schema_history").run(Mode.VALIDATE);

            assertThat(jdbc.queryForList("show tables", String.class))
                    .containsExactlyInAnyOrder(
                            "orders", "charge_request", "charge_fence", "charge_event", "chargefence_schema_history");
        }
    }

    @Test
    void a_schema_that_is_behind_is_refused_by_the_names_of_what_is_missing() {
        try (HikariDataSource pool = TestStores.dataSource()) {
            assertThatThrownBy(() -> new SchemaMigration(pool, "chargefence_schema_history").run(Mode.VALIDATE))
                    .isInstanceOf(SchemaBehindException.class)
                    .hasMessageContaining("001 charge request")
                    .hasMessageContaining("002 charge fence");
        }
    }

    @Test
    void the_facts_tell_durability_strictness_and_the_types_of_the_id_columns() {
        try (HikariDataSource pool = TestStores.dataSource()) {
            assertThat(MysqlFacts.read(pool).looseIdColumns()).hasSize(3);
            new SchemaMigration(pool, "chargefence_schema_history").run(Mode.MIGRATE);
            MysqlFacts facts = MysqlFacts.read(pool);

            assertThat(facts.looseIdColumns()).isEmpty();
            assertThat(facts.isDurable()).isTrue();
            assertThat(facts.isStrict()).isTrue();
            new JdbcTemplate(pool).execute("alter table charge_fence modify order_id varchar(255) not null");
            assertThat(MysqlFacts.read(pool).looseIdColumns()).containsExactly("charge_fence.order_id");
        }
    }

    @Test
    void views_show_a_step_from_its_request_to_its_end() {
        try (MysqlFixture mysql = new MysqlFixture()) {
            MysqlChargeViews views = new MysqlChargeViews(mysql.pool);
            OrderStep step = new OrderStep("order-17", "capture");
            assertThat(views.find(step)).isEmpty();
            mysql.jdbc.update("insert into charge_request (order_id, step, amount_minor, currency, source, provider)"
                    + " values ('order-17', 'capture', 12900, 'EUR', 'pm_card', 'acme')");
            assertThat(views.find(step).orElseThrow().stage()).isEqualTo(ChargeStage.UNCLAIMED);

            mysql.log.append(List.of(MysqlFixture.claim(step)));
            assertThat(views.find(step).orElseThrow().stage()).isEqualTo(ChargeStage.IN_DOUBT);
            Ledger doubt = views.ledger();
            assertThat(doubt.steps()).containsEntry(ChargeStage.IN_DOUBT, 1L).containsEntry(ChargeStage.UNCLAIMED, 0L);

            mysql.log.append(List.of(MysqlFixture.then(
                    mysql.stored(step),
                    new ReferenceStored(new ProviderReference("ch_1"), Via.ANSWER),
                    new Acked(null))));
            assertThat(views.find(step).orElseThrow().isCharged()).isTrue();
            assertThat(views.findByOrder("order-17")).hasSize(1);
            assertThat(views.findByOrder("order-18")).isEmpty();
            assertThat(views.ledger().invariant().holds()).isTrue();
            assertThat(views.ledger().invariant().fencesCharged()).isEqualTo(1);
        }
    }

    @Test
    void nothing_is_reported_home() {
        try (MysqlFixture mysql = new MysqlFixture()) {
            mysql.events.axon().start();
            assertThat(mysql.events.axon().getModules())
                    .noneMatch(module -> module.getClass().getName().contains("UpdateChecker"));
            assertThat(mysql.events.axon().getComponent(org.axonframework.updates.UpdateChecker.class))
                    .isNull();
            assertThat(Thread.getAllStackTraces().keySet())
                    .noneMatch(thread -> thread.getName().toLowerCase().contains("update"));
            mysql.events.axon().shutdown();
        }
    }
}
