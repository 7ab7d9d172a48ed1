package io.chargefence.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.chargefence.ChargeRequest;
import io.chargefence.ChargeStage;
import io.chargefence.ChargeView;
import io.chargefence.Charges;
import io.chargefence.OrderStep;
import io.chargefence.embedded.EmbeddedMariaDb;
import io.chargefence.embedded.EmbeddedRedis;
import io.chargefence.testing.ProviderLedger;
import io.chargefence.testing.ProviderMode;
import io.chargefence.testing.ProviderSimulator;
import io.chargefence.testing.SimulatorSettings;
import io.lettuce.core.RedisClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.joda.money.CurrencyUnit;
import org.joda.money.Money;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The whole product on real servers that are emptied and killed while it works. */
class StoresFailUnderLoadIT {

    private static final Duration PATIENCE = Duration.ofSeconds(180);
    private static final int STEPS = 150;

    @TempDir
    Path folder;

    private EmbeddedMariaDb mariaDb;
    private EmbeddedRedis redis;
    private ProviderSimulator provider;
    private ConfigurableApplicationContext context;

    @BeforeEach
    void start() {
        mariaDb = EmbeddedMariaDb.start();
        redis = EmbeddedRedis.start();
    }

    @AfterEach
    void stop() {
        context.close();
        provider.close();
        redis.close();
        mariaDb.close();
    }

    @ParameterizedTest
    @EnumSource(names = {"KEYED", "KEYLESS"})
    void a_redis_that_is_emptied_again_and_again_loses_no_charge_and_doubles_none(ProviderMode mode) {
        startProduct(mode);
        try (RedisClient client = RedisClient.create(redis.uri())) {
            for (int n = 0; n < 5; n++) {
                place(n * STEPS / 5, (n + 1) * STEPS / 5);
                client.connect().sync().flushall();
            }
        }

        awaitRest();
        assertThat(stages()).containsOnly(ChargeStage.ACKED);
        assertChargedOnceEach();
    }

    @Test
    void a_redis_that_is_killed_holds_up_charges_and_loses_none() {
        startProduct(ProviderMode.KEYLESS);
        place(0, STEPS / 2);
        redis.kill();
        place(STEPS / 2, STEPS);
        redis.restart();

        awaitRest();
        assertThat(stages()).containsOnly(ChargeStage.ACKED);
        assertChargedOnceEach();
    }

    @Test
    void a_mysql_that_is_killed_in_the_middle_of_the_load_loses_no_charge_and_doubles_none() {
        startProduct(ProviderMode.KEYED);
        place(0, STEPS);
        Awaitility.await().atMost(PATIENCE).until(() -> provider.calls() > 10);
        mariaDb.kill();
        mariaDb.restart();

        awaitRest();
        assertThat(stages()).containsOnly(ChargeStage.ACKED);
        assertChargedOnceEach();
    }

    private void startProduct(ProviderMode mode) {
        provider = ProviderSimulator.start(new SimulatorSettings(
                "127.0.0.1",
                0,
                mode,
                folder.resolve("ledger.jsonl"),
                0,
                1,
                Duration.ofMillis(20),
                Duration.ofSeconds(3),
                Duration.ZERO));
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put("spring.datasource.url", mariaDb.jdbcUrl("chargefence"));
        settings.put("spring.datasource.username", mariaDb.username());
        settings.put("spring.datasource.password", mariaDb.password());
        settings.put("spring.datasource.hikari.connection-timeout", "5000");
        settings.put("chargefence.transport.redis-uri", redis.uri());
        settings.put("chargefence.transport.reservation", "8s");
        settings.put("chargefence.transport.block", "200ms");
        settings.put("chargefence.outbox.publish-grace", "2s");
        settings.put("chargefence.outbox.sweep-interval", "200ms");
        settings.put("chargefence.worker.call-timeout", "3s");
        settings.put("chargefence.worker.start-within", "2s");
        settings.put("chargefence.worker.margin", "1s");
        settings.put("chargefence.in-doubt.look-up-delays", "500ms,1s");
        settings.put("chargefence.stripe.api-key", "sk_test_simulator");
        settings.put("chargefence.stripe.api-base", provider.baseUrl());
        settings.put("chargefence.stripe.keys", mode == ProviderMode.KEYED);
        settings.put("chargefence.stripe.look-up", mode != ProviderMode.KEYLESS);
        settings.put("logging.level.io.chargefence", "ERROR");
        context = StandaloneApplication.start(settings, List.of());
    }

    private void place(int from, int to) {
        Charges charges = context.getBean(Charges.class);
        new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                .executeWithoutResult(transaction -> IntStream.range(from, to)
                        .forEach(n -> charges.request(ChargeRequest.forStep("order-" + n, "capture")
                                .amount(Money.ofMinor(CurrencyUnit.EUR, 100 + n))
                                .source("pm_card_visa"))));
    }

    private void awaitRest() {
        Awaitility.await()
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(300))
                .ignoreExceptions()
                .until(() -> stages().stream().allMatch(ChargeStage::isAtRest));
    }

    private List<ChargeStage> stages() {
        Charges charges = context.getBean(Charges.class);
        return IntStream.range(0, STEPS)
                .mapToObj(n -> charges.state("order-" + n, "capture")
                        .map(ChargeView::stage)
                        .orElse(ChargeStage.UNCLAIMED))
                .toList();
    }

    private void assertChargedOnceEach() {
        Map<OrderStep, List<ProviderLedger.Entry>> charges = ProviderLedger.chargesByStep(provider.ledger());
        assertThat(charges).hasSize(STEPS);
        assertThat(charges.values()).allSatisfy(of -> assertThat(of).hasSize(1));
        assertThat(context.getBean(Charges.class).invariant().holds()).isTrue();
    }
}
