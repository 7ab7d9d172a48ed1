package io.chargefence.flow;

import io.chargefence.OrderStep;
import io.chargefence.flow.Deliveries.Delivery;
import io.chargefence.flow.Fact.Delivered;
import io.chargefence.provider.PaymentProvider;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;

/** A worker process of the simulation: the flow's own classes behind perilous ports. What dies with it is in its fields. */
final class SimulatedWorker {

    final Deque<Runnable> calls = new ArrayDeque<>();
    final Deque<Fact> outcomes = new ArrayDeque<>();
    final Deque<Fact> inHand = new ArrayDeque<>();
    final PaymentProvider provider;
    final Intake intake;
    final Operations operations;
    final Evidence evidence;
    private final Simulation world;
    private final Window window;
    private final ChargeFlow flow;
    private final Sweeper sweeper;
    private final Deliveries deliveries;
    boolean alive = true;

    /** Ends whatever the worker was doing. An Error, so that nothing takes it for a failure and goes on. */
    static final class Death extends Error {
        private static final long serialVersionUID = 1L;

        Death() {
            super("killed", null, false, false);
        }
    }

    SimulatedWorker(Simulation world, FlowSettings settings) {
        this.world = world;
        PerilousStore store = new PerilousStore(world, this);
        provider = new PerilousProvider(world, this);
        deliveries = new PerilousStream(world, this);
        window = new Window(settings.concurrency());
        FlowPorts ports = new FlowPorts(
                store,
                store,
                deliveries,
                world.store,
                CircuitBreakers.NONE,
                new FlowListener() {},
                world.ids,
                world.dice::nextDouble,
                () -> world.nanos);
        Providers providers = new Providers(List.of(provider), null);
        flow = new ChargeFlow(
                settings,
                ports,
                providers,
                new ProviderCalls(settings.limits(), ports, providers, calls::add, directly(), this::ended),
                window);
        intake = new Intake(ports, providers, flow);
        operations = new OperatorCommands(flow, world.store);
        evidence = new ReportedEvidence(flow, world.store);
        sweeper = new Sweeper(settings, ports);
    }

    private void ended(Fact outcome) {
        if (alive) {
            outcomes.add(outcome);
        }
    }

    /** Does one thing at a port, unless death comes before, or after, or others act meanwhile. */
    <T> T through(String port, Collection<OrderStep> steps, Supplier<T> action) {
        requireAlive();
        world.peril(this, "BEFORE", port, steps);
        requireAlive();
        T result = action.get();
        world.peril(this, "AFTER", port, steps);
        requireAlive();
        return result;
    }

    private void requireAlive() {
        if (!alive) {
            throw new Death();
        }
    }

    void read() {
        List<Delivery> read = new ArrayList<>(deliveries.takeOver(4));
        read.addAll(deliveries.read(1 + world.dice.nextInt(4), Duration.ZERO));
        for (Delivery delivery : read) {
            takeRoom();
            inHand.add(new Delivered(delivery));
        }
        if (world.mutant == Mutant.ACK_AT_READ_NO_SWEEPER) {
            deliveries.ack(read);
        }
    }

    private void takeRoom() {
        try {
            window.acquire(1, Duration.ZERO);
        } catch (InterruptedException never) {
            throw new IllegalStateException(never);
        }
    }

    void claim() {
        flow.settle(inHand);
    }

    void call() {
        if (!calls.isEmpty()) {
            calls.poll().run();
        }
    }

    void record() {
        flow.settle(outcomes);
    }

    void sweep() {
        sweeper.sweep();
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
