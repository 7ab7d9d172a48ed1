package io.chargefence.flow;

import io.chargefence.ChargeRequest;
import io.chargefence.OrderStep;
import io.chargefence.flow.Deliveries.Delivery;
import io.chargefence.flow.Fact.Delivered;
import io.chargefence.provider.ProviderTraits;
import io.chargefence.saga.ChargeSaga;
import io.chargefence.saga.Limits;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.function.Supplier;
import org.joda.money.CurrencyUnit;
import org.joda.money.Money;

/**
 * One seed, one life of a small shop: the flow's own classes, three workers, four order steps, one thread, and dice that decide
 * who does what next, who dies, what is lost and how long everybody waits.
 */
final class Simulation {

    static final Duration RESERVATION = Duration.ofSeconds(60);
    private static final int WORKERS = 3;
    private static final int ORDERS = 4;
    private static final int MOVES = 160;

    final List<String> trace = new ArrayList<>();
    final Random dice;
    final SimulatedProvider provider;
    final MemoryStore store;
    final MemoryStream stream = new MemoryStream();
    private final Rig rig;
    private final FlowSettings settings;
    private final FlowPorts ports;
    private final List<SimulatedWorker> workers = new ArrayList<>();
    private Instant now = Instant.parse("2026-12-01T10:00:00Z");
    private long nanos;
    private int requested;
    private boolean racing;
    private SimulatedWorker settling;

    /**
     * What is under test, and what is broken on purpose.
     *
     * @param fenced whether the store refuses a second claim and a second event n
     * @param swept whether there is a sweeper
     * @param ackedAtRead whether deliveries are gone as soon as they are read
     */
    record Rig(ProviderTraits traits, boolean honoursKeys, boolean fenced, boolean swept, boolean ackedAtRead) {

        static Rig sound(ProviderTraits traits) {
            return new Rig(traits, traits.honoursKeys(), true, true, false);
        }
    }

    Simulation(long seed, Rig rig) {
        this.rig = rig;
        dice = new Random(seed);
        provider = new SimulatedProvider(dice, rig.traits(), rig.honoursKeys());
        store = new MemoryStore(() -> now);
        store.fenced = rig.fenced();
        store.beforeAppend = this::somebodyElseIsFaster;
        settings = new FlowSettings(
                "default",
                "simulated",
                16,
                8,
                RESERVATION,
                Duration.ofSeconds(1),
                Duration.ofMillis(500),
                100,
                Duration.ofSeconds(30),
                Limits.DEFAULT);
        long[] ids = {0};
        ports = new FlowPorts(
                store,
                store,
                stream,
                store,
                CircuitBreakers.NONE,
                new FlowListener() {},
                () -> new UUID(1, ++ids[0]),
                dice::nextDouble,
                () -> nanos);
        for (int n = 0; n < WORKERS; n++) {
            workers.add(new SimulatedWorker());
        }
    }

    /** A process: what dies with it is in its fields. */
    private final class SimulatedWorker {
        final Deque<Runnable> calls = new ArrayDeque<>();
        final Deque<Fact> outcomes = new ArrayDeque<>();
        final Deque<Fact> inHand = new ArrayDeque<>();
        final Window window = new Window(settings.concurrency());
        final Providers providers = new Providers(List.of(provider), null);
        final ChargeFlow flow = new ChargeFlow(
                settings,
                ports,
                providers,
                new ProviderCalls(settings.limits(), ports, providers, calls::add, directly(), outcomes::add),
                window);
        final Intake intake = new Intake(ports, providers, flow);

        void read() throws InterruptedException {
            List<Delivery> deliveries = new ArrayList<>(stream.takeOver(4));
            deliveries.addAll(stream.read(1 + dice.nextInt(4), Duration.ZERO));
            for (Delivery delivery : deliveries) {
                window.acquire(1, Duration.ZERO);
                inHand.add(new Delivered(delivery));
                if (rig.ackedAtRead()) {
                    stream.pending.remove(delivery.id());
                }
            }
        }

        void claim() {
            settle(inHand);
        }

        void call() {
            if (!calls.isEmpty()) {
                calls.poll().run();
            }
        }

        void record() {
            settle(outcomes);
        }

        private void settle(Deque<Fact> facts) {
            if (!racing) {
                settling = this;
            }
            try {
                flow.settle(facts);
            } catch (StoreUnavailableException away) {
                trace.add("mysql away");
            }
        }
    }

    /** Lives until everything was requested and the dice are tired, then heals and comes to rest. */
    Simulation live() throws InterruptedException {
        for (int move = 0; move < MOVES; move++) {
            happen();
            check();
        }
        heal();
        return this;
    }

    private void happen() throws InterruptedException {
        SimulatedWorker worker = workers.get(dice.nextInt(WORKERS));
        int what = dice.nextInt(24);
        trace.add(what + " by " + workers.indexOf(worker));
        switch (what) {
            case 0, 1 -> request(worker);
            case 2, 3, 4, 5 -> worker.read();
            case 6, 7, 8, 9 -> worker.claim();
            case 10, 11, 12, 13 -> worker.call();
            case 14, 15, 16 -> worker.record();
            case 17 -> pass(Duration.ofMillis(dice.nextInt(30_000)));
            case 18 -> pass(Duration.ofSeconds(dice.nextInt(120)));
            case 19 -> die(worker);
            case 20 -> stream.expireReservations();
            case 21 -> loseMessages();
            case 22 -> faultOfStore();
            default -> stream.publish(store.fences.keySet().stream().limit(2).toList());
        }
    }

    private void request(SimulatedWorker worker) {
        OrderStep step = new OrderStep("order-" + requested % ORDERS, "capture");
        requested++;
        store.inTransaction(() -> worker.intake.request(ChargeRequest.forStep(step.orderId(), step.step())
                .amount(Money.of(CurrencyUnit.EUR, 1))
                .source("pm_card")));
    }

    private void pass(Duration time) {
        now = now.plus(time);
        nanos += time.toNanos();
        if (rig.swept()) {
            sweep();
        }
    }

    private void sweep() {
        try {
            new Sweeper(settings, ports).sweep();
        } catch (StoreUnavailableException | TransportUnavailableException away) {
            trace.add("sweep failed");
        }
    }

    /** Between a worker's look and its write, another one may do both. */
    private void somebodyElseIsFaster() {
        if (!racing && !workers.isEmpty() && dice.nextInt(3) == 0) {
            racing = true;
            SimulatedWorker other = workers.get(dice.nextInt(workers.size()));
            if (other != settling) {
                other.settle(dice.nextBoolean() ? other.inHand : other.outcomes);
            }
            racing = false;
        }
    }

    private void die(SimulatedWorker worker) {
        workers.set(workers.indexOf(worker), new SimulatedWorker());
    }

    private void loseMessages() {
        if (dice.nextBoolean()) {
            stream.fresh.clear();
            stream.pending.clear();
        } else {
            stream.fresh.poll();
        }
    }

    private void faultOfStore() {
        if (dice.nextBoolean()) {
            store.failures = 1 + dice.nextInt(2);
        } else {
            store.lostAnswers = 1;
        }
    }

    private void heal() throws InterruptedException {
        provider.healthy = true;
        store.failures = 0;
        store.lostAnswers = 0;
        for (int n = 0; n < 400 && !isAtRest(); n++) {
            pass(Duration.ofMinutes(10));
            stream.expireReservations();
            for (SimulatedWorker worker : workers) {
                worker.read();
                worker.claim();
                while (!worker.calls.isEmpty()) {
                    worker.call();
                }
                worker.record();
            }
            check();
        }
    }

    private boolean isAtRest() {
        return store.requests.isEmpty()
                && store.fences.values().stream().allMatch(saga -> saga.stage().isAtRest())
                && workers.stream().allMatch(worker -> worker.outcomes.isEmpty() && worker.calls.isEmpty());
    }

    /** I1 to I5, after every move. */
    private void check() {
        for (OrderStep step : provider.ledger) {
            require(store.fences.containsKey(step), step + " was charged without a fence");
            require(count(provider.ledger, step) <= 1, step + " was charged twice");
            ChargeSaga saga = store.fences.get(step);
            require(saga.outcome().declineCode() == null, step + " was charged and stands as declined");
        }
        store.fences.forEach((step, saga) -> require(
                saga.outcome().reference() == null || provider.ledger.contains(step),
                step + " stands as charged and was not"));
    }

    /** What must hold at the end. */
    void checkAtRest() {
        check();
        require(
                isAtRest(),
                "not at rest: "
                        + store.fences.values().stream().map(ChargeSaga::stage).toList() + ", waiting "
                        + store.requests.keySet());
        for (Map.Entry<OrderStep, ChargeSaga> entry : store.fences.entrySet()) {
            ChargeSaga folded = ChargeSaga.of(
                    entry.getValue().chargeId(),
                    store.events.get(entry.getValue().chargeId()));
            require(folded.equals(entry.getValue()), entry.getKey() + ": the row is not the fold of its events");
        }
    }

    private static long count(List<OrderStep> ledger, OrderStep step) {
        return ledger.stream().filter(step::equals).count();
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }

    private static Deadline directly() {
        return new Deadline() {
            @Override
            public <T> T within(Duration timeout, Supplier<T> question) {
                return question.get();
            }
        };
    }
}
