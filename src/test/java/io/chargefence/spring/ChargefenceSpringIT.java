package io.chargefence.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.chargefence.ChargeAlert;
import io.chargefence.ChargeAlertListener;
import io.chargefence.ChargeConflictException;
import io.chargefence.ChargeRequest;
import io.chargefence.ChargeStage;
import io.chargefence.ChargeView;
import io.chargefence.Charges;
import io.chargefence.MissingTransactionException;
import io.chargefence.embedded.TestStores;
import io.chargefence.flow.Flow;
import io.chargefence.provider.PaymentProvider;
import io.lettuce.core.RedisClient;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.axonframework.commandhandling.CommandBus;
import org.axonframework.config.Configuration;
import org.axonframework.config.DefaultConfigurer;
import org.axonframework.eventsourcing.eventstore.inmemory.InMemoryEventStorageEngine;
import org.flywaydb.core.Flyway;
import org.joda.money.CurrencyUnit;
import org.joda.money.Money;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

class ChargefenceSpringIT {

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final String schema = TestStores.newSchema();
    private final String prefix = TestStores.uniquePrefix();

    private ApplicationContextRunner host() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DataSourceAutoConfiguration.class,
                        DataSourceTransactionManagerAutoConfiguration.class,
                        TransactionAutoConfiguration.class,
                        ChargefenceAutoConfiguration.class))
                .withUserConfiguration(Shop.class)
                .withPropertyValues(
                        "spring.datasource.url=" + TestStores.jdbcUrl(schema),
                        "spring.datasource.username=" + TestStores.username(),
                        "spring.datasource.password=" + TestStores.password(),
                        "chargefence.transport.redis-uri=" + TestStores.redisUri(),
                        "chargefence.transport.key-prefix=" + prefix,
                        "chargefence.transport.block=100ms",
                        "chargefence.metrics.ledger-refresh=100ms");
    }

    /** An order back end. */
    static class Shop {

        @Bean
        TestProvider acme() {
            return new TestProvider();
        }

        @Bean
        MeterRegistry meters() {
            return new SimpleMeterRegistry();
        }

        @Bean
        Checkout checkout(Charges charges) {
            return new Checkout(charges);
        }

        @Bean
        Pager pager() {
            return new Pager();
        }
    }

    public static class Checkout {

        private final Charges charges;

        public Checkout(Charges charges) {
            this.charges = charges;
        }

        @Transactional
        public void place(String orderId, long cents) {
            charges.request(request(orderId, cents));
        }

        @Transactional
        public void placeAndFail(String orderId) {
            charges.request(request(orderId, 100));
            throw new IllegalStateException("the order could not be stored");
        }

        void placeWithoutTransaction(String orderId) {
            charges.request(request(orderId, 100));
        }

        private static ChargeRequest request(String orderId, long cents) {
            return ChargeRequest.forStep(orderId, "deposit")
                    .amount(Money.ofMinor(CurrencyUnit.EUR, cents))
                    .source("pm_card");
        }
    }

    static class Pager implements ChargeAlertListener {

        final List<ChargeAlert> alerts = new CopyOnWriteArrayList<>();

        @Override
        public void onAlert(ChargeAlert alert) {
            alerts.add(alert);
        }
    }

    @Test
    void a_charge_requested_with_an_order_is_made_once_and_asked_for_by_its_step() {
        host().run(context -> {
            MeterRegistry meters = context.getBean(MeterRegistry.class);
            assertThat(meters.get("chargefence.fence.claims")
                            .tag("result", "claimed")
                            .counter()
                            .count())
                    .isZero();
            assertThat(meters.get("chargefence.ledger.excess").gauge().value()).isZero();
            assertThat(meters.get("chargefence.steps")
                            .tag("stage", "parked")
                            .gauge()
                            .value())
                    .isZero();
            assertThat(meters.get("chargefence.indoubt.age.max").timeGauge().value())
                    .isZero();

            context.getBean(Checkout.class).place("order-17", 100);
            ChargeView view = awaitStage(context, "order-17", ChargeStage.ACKED);

            assertThat(view.isCharged()).isTrue();
            assertThat(context.getBean(TestProvider.class).calls).hasSize(1);
            assertThat(context.getBean(Charges.class).invariant().holds()).isTrue();
            assertThat(meters.get("chargefence.fence.claims")
                            .tag("step", "deposit")
                            .counter()
                            .count())
                    .isEqualTo(1);
            assertThat(meters.get("chargefence.provider.calls")
                            .tag("outcome", "charged")
                            .tag("provider", "acme")
                            .timer()
                            .count())
                    .isEqualTo(1);
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(meters.get("chargefence.ledger.fences")
                                    .gauge()
                                    .value())
                            .isEqualTo(1));
        });
    }

    @Test
    void a_request_without_a_transaction_is_refused_and_one_that_rolls_back_is_never_charged() {
        host().run(context -> {
            Checkout checkout = context.getBean(Checkout.class);
            assertThatThrownBy(() -> checkout.placeWithoutTransaction("order-1"))
                    .isInstanceOf(MissingTransactionException.class)
                    .hasMessageContaining("@Transactional");
            assertThatThrownBy(() -> checkout.placeAndFail("order-2")).isInstanceOf(IllegalStateException.class);

            assertThat(context.getBean(Charges.class).state("order-1", "deposit"))
                    .isEmpty();
            assertThat(context.getBean(Charges.class).state("order-2", "deposit"))
                    .isEmpty();
        });
    }

    @Test
    void a_conflict_is_recorded_and_told_although_the_callers_transaction_rolls_back() {
        host().run(context -> {
            Checkout checkout = context.getBean(Checkout.class);
            checkout.place("order-17", 100);
            awaitStage(context, "order-17", ChargeStage.ACKED);

            assertThatThrownBy(() -> checkout.place("order-17", 200)).isInstanceOf(ChargeConflictException.class);

            assertThat(context.getBean(Charges.class)
                            .state("order-17", "deposit")
                            .orElseThrow()
                            .conflicts())
                    .isEqualTo(1);
            assertThat(context.getBean(Pager.class).alerts)
                    .extracting(ChargeAlert::kind)
                    .containsExactly(ChargeAlert.Kind.CONFLICT);
            assertThat(jdbc(context)
                            .queryForObject(
                                    "select count(*) from charge_event where payload_type = 'ConflictSeen'",
                                    Integer.class))
                    .isEqualTo(1);
        });
    }

    @Test
    void a_process_with_its_worker_off_requests_and_calls_nobody() {
        host().withPropertyValues("chargefence.worker.enabled=false").run(context -> {
            context.getBean(Checkout.class).place("order-17", 100);

            assertThat(context.getBean(Flow.class).worker().isRunning()).isFalse();
            assertThat(context.getBean(Charges.class)
                            .state("order-17", "deposit")
                            .orElseThrow()
                            .stage())
                    .isEqualTo(ChargeStage.UNCLAIMED);
        });
    }

    @Test
    void a_stopped_worker_is_stopped_and_a_new_one_goes_on_where_it_left_off() {
        host().run(context -> context.getBean(Checkout.class).place("order-17", 100));
        host().run(context -> {
            awaitStage(context, "order-17", ChargeStage.ACKED);
            int before = context.getBean(TestProvider.class).calls.size();
            assertThat(before).isLessThanOrEqualTo(1);
        });
    }

    @Test
    void health_is_up_while_redis_is_away_and_says_so() {
        host().withPropertyValues("chargefence.transport.redis-uri=redis://127.0.0.1:1")
                .run(context -> {
                    Health health =
                            context.getBean(ChargefenceHealthIndicator.class).health();

                    assertThat(health.getStatus()).isEqualTo(Status.UP);
                    assertThat(health.getDetails())
                            .containsEntry("transport", "away; requests commit, the sweeper catches up")
                            .containsEntry("excess", 0L)
                            .containsEntry("alert", false)
                            .containsEntry("durable", true);
                });
    }

    @Test
    void health_is_down_when_the_tables_cannot_be_read_and_only_then() {
        host().run(context -> {
            jdbc(context).update("drop table charge_fence");
            Health health = context.getBean(ChargefenceHealthIndicator.class).health();
            assertThat(health.getStatus()).isEqualTo(Status.DOWN);
        });
    }

    @Test
    void an_excess_is_an_alert_and_never_down() {
        host().run(context -> {
            context.getBean(Checkout.class).place("order-17", 100);
            awaitStage(context, "order-17", ChargeStage.ACKED);
            jdbc(context).update("update charge_fence set charges_seen = 2");
            Health health = context.getBean(ChargefenceHealthIndicator.class).health();

            assertThat(health.getStatus()).isEqualTo(Status.UP);
            assertThat(health.getDetails()).containsEntry("excess", 1L).containsEntry("alert", true);
        });
    }

    @Test
    void what_is_missing_is_refused_by_name() {
        refused(host().withPropertyValues("chargefence.schema.mode=none"), "not VARBINARY, or are missing");
        refused(
                host().withClassLoader(new FilteredClassLoader("nothing"))
                        .withBean("second", PaymentProvider.class, TestProvider::new),
                "two payment providers have the id 'acme'");
        refused(host().withPropertyValues("chargefence.default-provider=nobody"), "the default provider 'nobody'");
        refused(
                new ApplicationContextRunner()
                        .withConfiguration(AutoConfigurations.of(ChargefenceAutoConfiguration.class)),
                "there is no DataSource");
        refused(
                new ApplicationContextRunner()
                        .withConfiguration(AutoConfigurations.of(
                                DataSourceAutoConfiguration.class, ChargefenceAutoConfiguration.class))
                        .withPropertyValues("spring.datasource.url=" + TestStores.jdbcUrl(schema)),
                "there is no PlatformTransactionManager");
        refused(
                new ApplicationContextRunner()
                        .withConfiguration(AutoConfigurations.of(
                                DataSourceAutoConfiguration.class,
                                DataSourceTransactionManagerAutoConfiguration.class,
                                ChargefenceAutoConfiguration.class))
                        .withPropertyValues(
                                "spring.datasource.url=" + TestStores.jdbcUrl(schema),
                                "spring.datasource.username=" + TestStores.username(),
                                "spring.datasource.password=" + TestStores.password()),
                "there is no PaymentProvider bean");
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(ChargefenceAutoConfiguration.class))
                .withPropertyValues("chargefence.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(Flow.class));
    }

    @Test
    void a_schema_that_is_behind_is_refused_when_it_may_only_be_validated() {
        host().withPropertyValues("chargefence.schema.mode=validate")
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining("Pending: V001 charge request"));
    }

    @Test
    void without_health_metrics_stripe_and_spring_data_on_the_class_path_it_still_works() {
        host().withClassLoader(new FilteredClassLoader(
                        "org.springframework.boot.health", "com.stripe", "org.springframework.boot.data.redis"))
                .run(context -> {
                    context.getBean(Checkout.class).place("order-17", 100);
                    awaitStage(context, "order-17", ChargeStage.ACKED);
                });
    }

    /** A host with its own Axon, its own Flyway and its own Redis client. */
    static class HostWithItsOwn {

        @Bean
        Configuration hostAxon() {
            return DefaultConfigurer.defaultConfiguration(false)
                    .configureEmbeddedEventStore(c -> new InMemoryEventStorageEngine())
                    .start();
        }

        @Bean
        CommandBus hostCommandBus(Configuration hostAxon) {
            return hostAxon.commandBus();
        }

        @Bean
        org.axonframework.eventsourcing.eventstore.EventStore hostEventStore(Configuration hostAxon) {
            return hostAxon.eventStore();
        }
    }

    @Test
    void a_host_with_its_own_axon_flyway_and_redis_keeps_them_untouched() {
        String[] redis = TestStores.redisUri().replace("redis://", "").split(":");
        host().withConfiguration(AutoConfigurations.of(FlywayAutoConfiguration.class, DataRedisAutoConfiguration.class))
                .withUserConfiguration(HostWithItsOwn.class)
                .withPropertyValues(
                        "spring.flyway.locations=classpath:db/host",
                        "spring.data.redis.host=" + redis[0],
                        "spring.data.redis.port=" + redis[1])
                .run(context -> {
                    StringRedisTemplate hostRedis = context.getBean(StringRedisTemplate.class);
                    hostRedis.opsForValue().set(prefix + "host", "kept");
                    context.getBean(Checkout.class).place("order-17", 100);
                    awaitStage(context, "order-17", ChargeStage.ACKED);

                    assertThat(jdbc(context).queryForList("select script from flyway_schema_history", String.class))
                            .containsExactly("V1__host.sql");
                    assertThat(jdbc(context)
                                    .queryForList(
                                            "select script from chargefence_schema_history where type = 'SQL'",
                                            String.class))
                            .containsExactly(
                                    "V001__charge_request.sql", "V002__charge_fence.sql", "V003__charge_event.sql");
                    assertThat(context.getBeansOfType(Flyway.class)).hasSize(1);
                    assertThat(context.getBeansOfType(CommandBus.class)).containsOnlyKeys("hostCommandBus");
                    assertThat(context.getBeansOfType(Configuration.class)).containsOnlyKeys("hostAxon");
                    assertThat(context.getBean(org.axonframework.eventsourcing.eventstore.EventStore.class)
                                    .openStream(null)
                                    .hasNextAvailable())
                            .isFalse();
                    assertThat(hostRedis.opsForValue().get(prefix + "host")).isEqualTo("kept");
                    assertThat(context.getBeansOfType(RedisClient.class)).isEmpty();
                });
    }

    @Test
    void the_transport_is_the_hosts_redis_unless_another_is_named() {
        String[] redis = TestStores.redisUri().replace("redis://", "").split(":");
        host().withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class))
                .withPropertyValues(
                        "spring.data.redis.host=" + redis[0],
                        "spring.data.redis.port=" + redis[1],
                        "chargefence.transport.redis-uri=")
                .run(context -> {
                    context.getBean(Checkout.class).place("order-17", 100);
                    awaitStage(context, "order-17", ChargeStage.ACKED);
                });
    }

    private static void refused(ApplicationContextRunner runner, String why) {
        runner.run(context -> assertThat(context.getStartupFailure())
                .as(why)
                .rootCause()
                .isInstanceOf(ChargefenceStartupException.class)
                .hasMessageContaining(why));
    }

    private static ChargeView awaitStage(AssertableApplicationContext context, String orderId, ChargeStage stage) {
        Charges charges = context.getBean(Charges.class);
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(
                                charges.state(orderId, "deposit").orElseThrow().stage())
                        .isEqualTo(stage));
        return charges.state(orderId, "deposit").orElseThrow();
    }

    private static JdbcTemplate jdbc(AssertableApplicationContext context) {
        return new JdbcTemplate(context.getBean(javax.sql.DataSource.class));
    }
}
