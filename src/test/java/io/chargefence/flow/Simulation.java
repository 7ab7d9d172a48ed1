package io.chargefence.flow;

import io.chargefence.ChargeStage;
import io.chargefence.OrderStep;
import io.chargefence.flow.SimulatedWorker.Death;
import io.chargefence.provider.ProviderTraits;
import io.chargefence.saga.Limits;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * One seed, one life of a small shop: the flow's own classes, three workers, four order steps, one thread, and dice that decide
 * who does what next, who dies, who stands still, what is lost and how long everybody waits.
 */
final class Simulation {

    static final Duration RESERVATION = Duration.ofSeconds(60);
    private static final int WORKERS = 3;
    private static final int MOVES = 160;
    private static final int HEALING_MAX = 400;

    final List<String> trace = new ArrayList<>();
    final Random dice;
    final Kind kind;
    final Mutant mutant;
    final MemoryStore store;
    final MemoryStream stream = new MemoryStream();
    final SimulatedProvider provider;
    final Promises promises = new Promises(this);
    final Set<OrderStep> requested = new TreeSet<>();
    final Supplier<UUID> ids;
    final List<SimulatedWorker> workers = new ArrayList<>();
    private final Coverage coverage;
    private final boolean traced;
    private final Happenings happenings;
    private final FlowSettings settings = new FlowSettings(
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
    Instant now = Instant.parse("2026-12-01T10:00:00Z");
    Duration skew = Duration.ZERO;
    long nanos;
    private boolean chaos = true;
    private int standing;

    /** A life of the sound protocol, with a provider that the seed picks. */
    static Simulation sound(long seed, Coverage coverage, boolean traced) {
        Kind kind = Kind.values()[(int) Math.floorMod(seed, (long) Kind.values().length)];
        return new Simulation(seed, kind, Mutant.NONE, coverage, traced);
    }

    static Simulation broken(long seed, Mutant mutant) {
        return new Simulation(seed, mutant.kind, mutant, new Coverage(), false);
    }

    private Simulation(long seed, Kind kind, Mutant mutant, Coverage coverage, boolean traced) {
        this.dice = new Random(seed);
        this.kind = kind;
        this.mutant = mutant;
        this.coverage = coverage;
        this.traced = traced;
        store = new MemoryStore(() -> now.plus(skew));
        store.fenced = mutant != Mutant.NO_FENCE;
        provider = new SimulatedProvider(dice, () -> now, saidTraits(), kind.traits, this::met);
        long[] count = {0};
        ids = () -> new UUID(1, ++count[0]);
        for (int n = 0; n < WORKERS; n++) {
            workers.add(new SimulatedWorker(this, settings));
        }
        happenings = new Happenings(this);
    }

    private ProviderTraits saidTraits() {
        return switch (mutant) {
            case BLIND_RECALL -> Kind.KEYS.traits;
            case LOOK_UP_THEN_RECALL -> Kind.KEYS_AND_LOOK_UP.traits;
            case KEY_PAST_ITS_LIFE, KEY_NOT_KEPT_AFTER_500 -> Kind.KEYS.traits;
            default -> kind.traits;
        };
    }

    /** Lives until the dice are tired, then heals and comes to rest. */
    Simulation live() {
        for (int move = 0; move < MOVES; move++) {
            happenings.next(null);
            promises.check();
        }
        heal();
        promises.checkAtRest();
        return this;
    }

    // --- what happens to workers at their ports ---------------------------------------------------------------------

    /** At a port a worker may die, or stand still while others go on. */
    void peril(SimulatedWorker worker, String when, String port, Collection<OrderStep> steps) {
        int luck = luck(50);
        if (luck == 0) {
            steps.forEach(step -> met(Fault.at("DIES", when, port), step));
            die(worker);
            throw new Death();
        }
        if (luck == 1 && standing < 2) {
            steps.forEach(step -> met(Fault.at("STANDS", when, port), step));
            stand(worker, steps, Fault.at("STANDS", when, port));
        }
    }

    private void stand(SimulatedWorker worker, Collection<OrderStep> steps, Fault fault) {
        standing++;
        int moves = dice.nextInt(12);
        for (int move = 0; move < moves; move++) {
            happenings.next(worker);
        }
        standing--;
        steps.forEach(step -> met(fault, step)); // and it goes on in whatever stage the others left
    }

    void die(SimulatedWorker worker) {
        worker.alive = false;
        int place = workers.indexOf(worker);
        if (place >= 0) {
            workers.set(place, new SimulatedWorker(this, settings));
        }
    }

    boolean somebodyStands() {
        return standing > 0;
    }

    // --- time
    // ---------------------------------------------------------------------------------------------------------

    void pass(Duration time) {
        provider.landWhatAKeyMustMeet(now.plus(time));
        now = now.plus(time);
        nanos += time.toNanos();
        if (mutant != Mutant.ACK_AT_READ_NO_SWEEPER && mutant != Mutant.FLUSH_NO_SWEEPER) {
            attempt("sweep", workers.get(dice.nextInt(WORKERS))::sweep);
        }
    }

    /** What a worker does may end in its death, or in a port that is away. */
    void attempt(String what, Runnable action) {
        try {
            action.run();
        } catch (Death | StoreUnavailableException | TransportUnavailableException end) {
            tell(what, end.getClass().getSimpleName());
        }
    }

    private void heal() {
        chaos = false;
        provider.healthy = true;
        store.failures = 0;
        stream.away = false;
        for (int n = 0; n < HEALING_MAX && !isAtRest(); n++) {
            while (!provider.held.isEmpty()) {
                provider.landOne();
            }
            pass(Duration.ofMinutes(10));
            stream.expireReservations();
            List.copyOf(workers).forEach(this::workOff);
            promises.check();
        }
    }

    private void workOff(SimulatedWorker worker) {
        worker.read();
        worker.claim();
        while (!worker.calls.isEmpty()) {
            worker.call();
        }
        worker.record();
    }

    private boolean isAtRest() {
        return store.requests.isEmpty()
                && store.fences.values().stream().allMatch(saga -> saga.stage().isAtRest())
                && workers.stream().allMatch(worker -> worker.outcomes.isEmpty() && worker.calls.isEmpty());
    }

    // --- dice, coverage and trace -----------------------------------------------------------------------------------

    /** 0 and 1 mean harm; after the healing nothing does. */
    int luck(int sides) {
        return chaos ? dice.nextInt(sides) : sides;
    }

    ChargeStage stage(OrderStep step) {
        return store.fences.containsKey(step) ? store.fences.get(step).stage() : ChargeStage.UNCLAIMED;
    }

    void met(Fault fault, OrderStep step) {
        coverage.met(fault, stage(step));
        if (traced) {
            tell(fault.name(), step + " in " + stage(step));
        }
    }

    /** A fault that is about all charges. */
    void met(Fault fault) {
        requested.forEach(step -> met(fault, step));
    }

    void tell(String what, Object about) {
        if (traced) {
            trace.add("%s %s %s".formatted(now, what, about));
        }
    }
}
