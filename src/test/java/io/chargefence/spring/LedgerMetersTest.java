package io.chargefence.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.chargefence.ChargeStage;
import io.chargefence.ChargeView;
import io.chargefence.Invariant;
import io.chargefence.OrderStep;
import io.chargefence.flow.ChargeViews;
import io.chargefence.flow.StoreUnavailableException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LedgerMetersTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final Views views = new Views();
    private final LedgerWatch watch = new LedgerWatch(views, Duration.ofMillis(10));

    @AfterEach
    void stop() {
        watch.stop();
    }

    @Test
    void before_the_first_reading_every_gauge_is_0_and_a_weak_store_is_told() {
        LedgerMeters.register(registry, watch, () -> 0, false);
        assertThat(registry.getMeters())
                .hasSize(ChargeStage.values().length + 8)
                .allSatisfy(meter -> assertThat(meter.measure())
                        .allSatisfy(figure -> assertThat(figure.getValue()).isZero()));
    }

    @Test
    void a_scrape_reads_nothing_and_while_mysql_is_away_the_last_reading_stands() {
        LedgerMeters.register(registry, watch, () -> 3, true);
        assertThat(gauge("chargefence.ledger.excess")).isZero();
        assertThat(views.readings).hasValue(0);

        watch.start();
        await().atMost(PATIENCE).until(() -> gauge("chargefence.ledger.excess") == 1);
        views.away = true;
        int then = views.readings.get();
        await().atMost(PATIENCE).until(() -> views.readings.get() > then + 2);

        assertThat(gauge("chargefence.ledger.charges")).isEqualTo(5);
        assertThat(gauge("chargefence.ledger.fences")).isEqualTo(4);
        assertThat(gauge("chargefence.parked")).isEqualTo(2);
        assertThat(gauge("chargefence.worker.inflight")).isEqualTo(3);
        assertThat(gauge("chargefence.durability")).isEqualTo(1);
        assertThat(registry.get("chargefence.indoubt.age.max").timeGauge().value(TimeUnit.SECONDS))
                .isEqualTo(90);
    }

    private double gauge(String name) {
        return registry.get(name).gauge().value();
    }

    private static final class Views implements ChargeViews {

        final AtomicInteger readings = new AtomicInteger();
        volatile boolean away;

        @Override
        public Ledger ledger() {
            readings.incrementAndGet();
            if (away) {
                throw new StoreUnavailableException("away", new IllegalStateException());
            }
            return new Ledger(
                    Map.of(ChargeStage.PARKED, 2L, ChargeStage.IN_DOUBT, 1L),
                    new Invariant(5, 4, 9),
                    Duration.ofSeconds(90));
        }

        @Override
        public Optional<ChargeView> find(OrderStep orderStep) {
            return Optional.empty();
        }

        @Override
        public List<ChargeView> findByOrder(String orderId) {
            return List.of();
        }
    }
}
