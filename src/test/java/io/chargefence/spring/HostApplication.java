package io.chargefence.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.chargefence.ChargeAlert;
import io.chargefence.ChargeAlertListener;
import io.chargefence.ChargeRequest;
import io.chargefence.ChargeStage;
import io.chargefence.ChargeView;
import io.chargefence.Charges;
import io.chargefence.embedded.TestStores;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.joda.money.CurrencyUnit;
import org.joda.money.Money;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

/** An order back end that embeds Chargefence, on a schema and under key prefix of its own. */
final class HostApplication {

    static final Duration PATIENCE = Duration.ofSeconds(90);

    final String schema = TestStores.newSchema();
    final String prefix = TestStores.uniquePrefix();

    /** With the shop, on both stores. */
    ApplicationContextRunner shop() {
        return bare().withUserConfiguration(Shop.class);
    }

    /** On both stores, and no bean of its own. */
    ApplicationContextRunner bare() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DataSourceAutoConfiguration.class,
                        DataSourceTransactionManagerAutoConfiguration.class,
                        TransactionAutoConfiguration.class,
                        ChargefenceAutoConfiguration.class))
                .withPropertyValues(database())
                .withPropertyValues(
                        "chargefence.transport.redis-uri=" + TestStores.redisUri(),
                        "chargefence.transport.key-prefix=" + prefix,
                        "chargefence.transport.block=100ms",
                        "chargefence.metrics.ledger-refresh=100ms");
    }

    String[] database() {
        return new String[] {
            "spring.datasource.url=" + TestStores.jdbcUrl(schema),
            "spring.datasource.username=" + TestStores.username(),
            "spring.datasource.password=" + TestStores.password()
        };
    }

    static String[] springDataRedis() {
        URI redis = URI.create(TestStores.redisUri());
        return new String[] {"spring.data.redis.host=" + redis.getHost(), "spring.data.redis.port=" + redis.getPort()};
    }

    static ChargeView awaitAcked(ApplicationContext context, String orderId) {
        Charges charges = context.getBean(Charges.class);
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(
                                charges.state(orderId, "deposit").orElseThrow().stage())
                        .isEqualTo(ChargeStage.ACKED));
        return charges.state(orderId, "deposit").orElseThrow();
    }

    static JdbcTemplate jdbc(ApplicationContext context) {
        return new JdbcTemplate(context.getBean(DataSource.class));
    }

    static List<String> events(JdbcTemplate jdbc, String orderId) {
        return jdbc.queryForList(
                "select payload_type from charge_event where order_id = ? order by sequence", String.class, (Object)
                        orderId.getBytes(StandardCharsets.UTF_8));
    }

    /** Its beans. */
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
}
