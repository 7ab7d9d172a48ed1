package io.chargefence.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.chargefence.ChargeAlert;
import io.chargefence.ChargeRequest;
import io.chargefence.ChargeStage;
import io.chargefence.OrderStep;
import io.chargefence.ProviderReference;
import io.chargefence.provider.PaymentProvider;
import io.chargefence.provider.ProviderAnswer;
import io.chargefence.provider.ProviderCall;
import io.chargefence.provider.ProviderTraits;
import io.chargefence.saga.Limits;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.joda.money.CurrencyUnit;
import org.joda.money.Money;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The worker's own threads, on stores in memory. */
class WorkerTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final MemoryStore store = new MemoryStore(Instant::now);
    private final MemoryStream stream = new MemoryStream();
    private final List<ChargeAlert> alerts = new CopyOnWriteArrayList<>();
    private final AtomicInteger troubles = new AtomicInteger();
    private final CountDownLatch open = new CountDownLatch(1);
    private final AtomicInteger calling = new AtomicInteger();
    private final AtomicInteger callingMost = new AtomicInteger();
    private volatile boolean hold;
    private Flow flow;

    /** Approves at once, or when the test opens. */
    private final class HoldingProvider implements PaymentProvider {

        @Override
        public String id() {
            return "acme";
        }

        @Override
        public ProviderTraits traits() {
            return ProviderTraits.cautious();
        }

        @Override
        public ProviderAnswer charge(ProviderCall call) {
            callingMost.accumulateAndGet(calling.incrementAndGet(), Math::max);
            try {
                if (hold && !open.await(50, TimeUnit.SECONDS)) {
                    throw new IllegalStateException("the test never opened");
                }
            } catch (InterruptedException stopNow) {
                throw new IllegalStateException(stopNow);
            } finally {
                calling.decrementAndGet();
            }
            return new ProviderAnswer.Charged(
                    new ProviderReference("ch_" + call.orderStep().orderId()),
                    call.intent().amountMinor(),
                    call.intent().currency());
        }
    }

    private void start(int concurrency) {
        FlowSettings settings = new FlowSettings(
                "default",
                "worker",
                concurrency,
                8,
                Duration.ofSeconds(60),
                Duration.ofMillis(20),
                Duration.ofMillis(50),
                100,
                Duration.ofSeconds(40),
                Limits.DEFAULT);
        FlowListener listener = new FlowListener() {
            @Override
            public void alert(ChargeAlert alert) {
                alerts.add(alert);
            }

            @Override
            public void trouble(String what, Exception cause) {
                troubles.incrementAndGet();
            }
        };
        FlowPorts ports = new FlowPorts(
                store,
                store,
                stream,
                store,
                CircuitBreakers.NONE,
                listener,
                UUID::randomUUID,
                () -> 0.5,
                System::nanoTime);
        flow = new Flow(settings, ports, new Providers(List.of(new HoldingProvider()), null));
        flow.worker().start();
    }

    @AfterEach
    void stop() {
        open.countDown();
        flow.close();
    }

    @Test
    void what_is_delivered_is_claimed_called_recorded_and_acked() {
        start(4);
        request(20);

        awaitAcked(20);
        await().atMost(PATIENCE).until(() -> flow.worker().inFlight() == 0 && stream.pending.isEmpty());
        assertThat(callingMost.get()).isLessThanOrEqualTo(4);
    }

    @Test
    void a_database_that_is_away_for_a_while_costs_time_and_no_charge() {
        start(4);
        store.failures = 6;
        request(10);

        awaitAcked(10);
        assertThat(troubles.get()).isPositive();
    }

    @Test
    void a_charge_that_cannot_be_settled_holds_up_no_other() {
        store.corrupt = step(3);
        start(8);
        request(8);

        awaitAcked(7);
        await().atMost(PATIENCE).until(() -> flow.worker().inFlight() == 0);
        assertThat(alerts).extracting(ChargeAlert::kind).containsOnly(ChargeAlert.Kind.BROKEN);
        assertThat(alerts).extracting(ChargeAlert::orderStep).containsOnly(step(3));
        assertThat(stream.pending.values())
                .extracting(Deliveries.Delivery::orderStep)
                .containsOnly(step(3));
    }

    @Test
    void no_more_is_read_than_there_is_room_for() {
        hold = true;
        start(2);
        request(10);

        await().atMost(PATIENCE).until(() -> calling.get() == 2);
        assertThat(stream.pending).hasSize(2);
        assertThat(stream.fresh).hasSize(8);
        open.countDown();
        awaitAcked(10);
        assertThat(callingMost.get()).isEqualTo(2);
    }

    @Test
    void a_stop_finishes_and_records_the_call_in_its_hand_and_reads_nothing_more() throws Exception {
        hold = true;
        start(1);
        request(3);
        await().atMost(PATIENCE).until(() -> calling.get() == 1);
        Thread stopping = new Thread(() -> flow.worker().stop());
        stopping.start();
        await().atMost(PATIENCE).until(() -> !flow.worker().isRunning());
        open.countDown();
        stopping.join(PATIENCE.toMillis());

        assertThat(acked()).isEqualTo(1);
        assertThat(stream.pending).isEmpty();
        assertThat(stream.fresh).hasSize(2);
    }

    private void request(int count) {
        IntStream.range(0, count)
                .forEach(n -> store.inTransaction(() -> flow.charges()
                        .request(ChargeRequest.forStep(step(n).orderId(), step(n).step())
                                .amount(Money.of(CurrencyUnit.EUR, 1))
                                .source("pm_card"))));
    }

    private void awaitAcked(int count) {
        await().atMost(PATIENCE).until(() -> acked() == count);
    }

    private long acked() {
        synchronized (store) {
            return store.fences.values().stream()
                    .filter(saga -> saga.stage() == ChargeStage.ACKED)
                    .count();
        }
    }

    private static OrderStep step(int n) {
        return new OrderStep("order-" + n, "capture");
    }
}
