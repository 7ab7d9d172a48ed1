package io.chargefence.flow;

import io.chargefence.ChargeAlert;
import io.chargefence.ChargeRequest;
import io.chargefence.ChargeStage;
import io.chargefence.Charges;
import io.chargefence.OrderStep;
import io.chargefence.flow.Deliveries.Delivery;
import io.chargefence.flow.Fact.Delivered;
import io.chargefence.saga.Limits;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.joda.money.CurrencyUnit;
import org.joda.money.Money;

/**
 * The flow's own classes on a bench: one thread, time by hand, each phase a method, so that a test can stop, freeze or kill a
 * worker between any two of them.
 */
final class Bench {

    static final OrderStep STEP = new OrderStep("order-17", "capture");

    Instant now = Instant.parse("2026-12-01T10:00:00Z");
    long nanos;
    final Limits limits = Limits.DEFAULT;
    final MemoryStore store = new MemoryStore(() -> now);
    final MemoryStream stream = new MemoryStream();
    final ScriptedProvider provider = new ScriptedProvider();
    final List<ChargeAlert> alerts = new ArrayList<>();
    Runnable onCalled = () -> {};
    final FlowSettings settings = new FlowSettings(
            "default",
            "bench",
            16,
            64,
            Duration.ofSeconds(60),
            Duration.ofSeconds(1),
            Duration.ofMillis(500),
            100,
            Duration.ofSeconds(30),
            limits);
    final FlowPorts ports = new FlowPorts(
            store,
            store,
            stream,
            store,
            CircuitBreakers.NONE,
            new FlowListener() {
                @Override
                public void called(
                        io.chargefence.saga.ChargeSaga saga,
                        io.chargefence.provider.ProviderAnswer answer,
                        Duration took) {
                    onCalled.run();
                }

                @Override
                public void alert(ChargeAlert alert) {
                    alerts.add(alert);
                }
            },
            uuids(),
            () -> 0.0,
            () -> nanos);
    final Providers providers = new Providers(List.of(provider), null);

    /** A worker process; several may run on the same stores. */
    final class Process {
        final Deque<Runnable> calls = new ArrayDeque<>();
        final Deque<Fact> outcomes = new ArrayDeque<>();
        final Window window = new Window(settings.concurrency());
        final ChargeFlow flow = new ChargeFlow(
                settings,
                ports,
                providers,
                new ProviderCalls(limits, ports, providers, calls::add, directly(), outcomes::add),
                window);
        final Charges charges = new Intake(ports, providers, flow);

        /** Reads what is fresh (or abandoned), claims, and announces calls. */
        Process read() {
            Deque<Fact> facts = new ArrayDeque<>();
            List<Delivery> deliveries = new ArrayList<>(stream.takeOver(64));
            deliveries.addAll(stream.read(64, Duration.ZERO));
            deliveries.forEach(delivery -> facts.add(new Delivered(delivery)));
            takeRoom(deliveries.size());
            flow.settle(facts);
            return this;
        }

        private void takeRoom(int count) {
            try {
                for (int i = 0; i < count; i++) {
                    window.acquire(1, Duration.ZERO);
                }
            } catch (InterruptedException never) {
                throw new IllegalStateException(never);
            }
        }

        /** Lets the announced calls and look-ups run. */
        Process call() {
            while (!calls.isEmpty()) {
                calls.poll().run();
            }
            return this;
        }

        /** Records what came back. */
        Process record() {
            flow.settle(outcomes);
            return this;
        }

        Process work() {
            return read().call().record();
        }

        void request(long cents) {
            store.inTransaction(() -> charges.request(ChargeRequest.forStep(STEP.orderId(), STEP.step())
                    .amount(Money.ofMinor(CurrencyUnit.EUR, cents))
                    .source("pm_card")));
        }
    }

    Process process() {
        return new Process();
    }

    /** Time passes, and everything that is due then is published. */
    Bench after(Duration time) {
        now = now.plus(time);
        nanos += time.toNanos();
        new Sweeper(settings, ports).sweep();
        return this;
    }

    /** Runs one process until the charge is at rest. */
    void workUntilRest(Process process) {
        for (int i = 0; i < 500 && (stage() == null || !stage().isAtRest()); i++) {
            after(Duration.ofSeconds(20));
            process.work();
        }
    }

    ChargeStage stage() {
        return store.fences.containsKey(STEP) ? store.fences.get(STEP).stage() : null;
    }

    private static Deadline directly() {
        return new Deadline() {
            @Override
            public <T> T within(Duration timeout, Supplier<T> question) {
                return question.get();
            }
        };
    }

    private static Supplier<UUID> uuids() {
        long[] count = {0};
        return () -> new UUID(1, ++count[0]);
    }
}
