package io.chargefence.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.chargefence.ChargeAlert;
import io.chargefence.OrderStep;
import io.chargefence.flow.FlowListener.Filing;
import io.chargefence.provider.NoAnswerReason;
import io.chargefence.provider.ProviderAnswer;
import io.chargefence.saga.ChargeSaga;
import io.chargefence.saga.Sagas;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MicrometerFlowListenerTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final MicrometerFlowListener listener = new MicrometerFlowListener(registry, 2, List.of("acme"));

    @Test
    void every_meter_is_there_with_0_before_anything_happened() {
        assertThat(registry.getMeters())
                .extracting(meter -> meter.getId().getName())
                .contains(
                        "chargefence.charge.requests",
                        "chargefence.fence.claims",
                        "chargefence.provider.calls",
                        "chargefence.provider.lookups",
                        "chargefence.deliveries",
                        "chargefence.deliveries.redelivered",
                        "chargefence.alerts",
                        "chargefence.troubles");
        assertThat(registry.getMeters())
                .allSatisfy(meter -> assertThat(meter.measure())
                        .allSatisfy(figure -> assertThat(figure.getValue()).isZero()));
        assertThat(registry.get("chargefence.provider.calls")
                        .tag("provider", "acme")
                        .timers())
                .extracting(timer -> timer.getId().getTag("outcome"))
                .containsExactlyInAnyOrder("charged", "declined", "not_charged", "no_answer");
        assertThat(registry.getMeters()).extracting(Meter::getId).allSatisfy(id -> {
            assertThat(id.getDescription()).isNotBlank();
            assertThat(id.getName()).matches("chargefence(\\.[a-z]+)+");
        });
    }

    @Test
    void what_happens_is_counted_under_its_result() {
        ChargeSaga saga = Sagas.charged();
        listener.requested(step("a"), Filing.CONFLICT);
        listener.delivered(3, 2);
        listener.claimed(saga);
        listener.fenceHeld(saga.orderStep());
        listener.lookedUp(saga, new ProviderAnswer.NoAnswer(NoAnswerReason.NOT_FOUND, ""), Duration.ofMillis(7));
        listener.alert(new ChargeAlert(ChargeAlert.Kind.PARKED, null, ""));
        listener.trouble("read", new IllegalStateException());

        assertThat(counted("chargefence.charge.requests", "result", "conflict")).isEqualTo(1);
        assertThat(registry.get("chargefence.deliveries").counter().count()).isEqualTo(3);
        assertThat(registry.get("chargefence.deliveries.redelivered").counter().count())
                .isEqualTo(2);
        assertThat(counted("chargefence.fence.claims", "result", "claimed")).isEqualTo(1);
        assertThat(counted("chargefence.fence.claims", "result", "held")).isEqualTo(1);
        assertThat(counted("chargefence.alerts", "kind", "parked")).isEqualTo(1);
        assertThat(registry.get("chargefence.troubles").counter().count()).isEqualTo(1);
        assertThat(registry.get("chargefence.provider.lookups")
                        .tags("provider", saga.intent().provider(), "outcome", "no_answer")
                        .timer()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void many_steps_share_a_tag_whatever_thread_they_come_from() throws InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        IntStream.range(0, 400).forEach(n -> threads.execute(() -> listener.requested(step("s" + n), Filing.NEW)));
        threads.shutdown();
        assertThat(threads.awaitTermination(60, TimeUnit.SECONDS)).isTrue();

        assertThat(registry.get("chargefence.charge.requests")
                        .tag("result", "new")
                        .counters())
                .extracting(counter -> counter.getId().getTag("step"))
                .hasSize(4)
                .contains("none", "other");
        assertThat(counted("chargefence.charge.requests", "result", "new")).isEqualTo(400);
    }

    private double counted(String name, String tag, String value) {
        return registry.get(name).tag(tag, value).counters().stream()
                .mapToDouble(counter -> counter.count())
                .sum();
    }

    private static OrderStep step(String name) {
        return new OrderStep("order-1", name);
    }
}
