package io.chargefence.flow;

import io.chargefence.flow.Deliveries.Delivery;
import io.chargefence.flow.Fact.Delivered;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The threads of one worker process: one that reads and claims, one that records outcomes, and the pool of calls. The batch
 * of claims is what one read returned; the batch of outcomes is what arrived while the last commit was under way.
 */
public final class Worker {

    private static final Duration PAUSE_MIN = Duration.ofMillis(100);
    private static final Duration PAUSE_MAX = Duration.ofSeconds(5);
    private static final int POLL_MS = 100;

    private final FlowSettings settings;
    private final FlowPorts ports;
    private final ChargeFlow flow;
    private final Window window;
    private final BlockingQueue<Fact> outcomes;
    private final ExecutorService calls;
    private final Loop reader;
    private final Loop recorder;
    private final long takeOverEveryNanos;
    private long takeOverAtNanos;
    private volatile int keptForRead;

    Worker(
            FlowSettings settings,
            FlowPorts ports,
            ChargeFlow flow,
            Window window,
            BlockingQueue<Fact> outcomes,
            ExecutorService calls) {
        this.settings = settings;
        this.ports = ports;
        this.flow = flow;
        this.window = window;
        this.outcomes = outcomes;
        this.calls = calls;
        this.reader = new Loop("chargefence-reader", this::readOnce, ports.listener(), PAUSE_MIN, PAUSE_MAX);
        this.recorder = new Loop("chargefence-recorder", this::recordOnce, ports.listener(), PAUSE_MIN, PAUSE_MAX);
        this.takeOverEveryNanos = settings.reservation().dividedBy(4).toNanos();
    }

    /** Starts the threads. Returns at once; MySQL or Redis may still be away. */
    public void start() {
        takeOverAtNanos = ports.nanos().getAsLong();
        recorder.start();
        reader.start();
    }

    /**
     * Stops reading, finishes calls up to the grace period, records them, acks. What remains is a crash like any other: it is
     * in doubt in the log, and another worker resolves it.
     */
    public void stop() {
        long until = System.nanoTime() + settings.shutdownGrace().toNanos();
        reader.stop(settings.block().plusSeconds(1));
        calls.shutdown();
        awaitEmptyHands(until);
        recorder.stop(Duration.ofSeconds(1));
        calls.shutdownNow();
    }

    public boolean isRunning() {
        return reader.isRunning();
    }

    /** How many charges are in this worker's hands; the room that a waiting read keeps free does not count. */
    public int inFlight() {
        return Math.max(0, window.inUse() - keptForRead);
    }

    private void readOnce() throws InterruptedException {
        int room = window.acquire(settings.batchMax(), settings.block());
        if (room == 0) {
            return;
        }
        List<Delivery> deliveries = List.of();
        keptForRead = room;
        try {
            deliveries = next(room);
        } finally {
            window.release(room - deliveries.size());
            keptForRead = 0;
        }
        if (!deliveries.isEmpty()) {
            handle(deliveries);
        }
    }

    private List<Delivery> next(int room) {
        long now = ports.nanos().getAsLong();
        if (now - takeOverAtNanos >= 0) {
            List<Delivery> taken = ports.deliveries().takeOver(room);
            takeOverAtNanos = taken.size() < room ? now + takeOverEveryNanos : now;
            if (!taken.isEmpty()) {
                return taken;
            }
        }
        return ports.deliveries().read(room, settings.block());
    }

    private void handle(List<Delivery> deliveries) throws InterruptedException {
        int redelivered =
                (int) deliveries.stream().filter(Delivery::redelivered).count();
        ports.listener().delivered(deliveries.size(), redelivered);
        Deque<Fact> facts = new ArrayDeque<>();
        List<Delivery> unreadable = new ArrayList<>();
        for (Delivery delivery : deliveries) {
            if (delivery.orderStep() == null) {
                unreadable.add(delivery);
            } else {
                facts.add(new Delivered(delivery));
            }
        }
        flow.quarantine(unreadable);
        settleAll(facts, reader);
    }

    private void recordOnce() throws InterruptedException {
        Fact first = outcomes.poll(POLL_MS, TimeUnit.MILLISECONDS);
        if (first == null) {
            return;
        }
        Deque<Fact> facts = new ArrayDeque<>();
        facts.add(first);
        outcomes.drainTo(facts, settings.batchMax() - 1);
        settleAll(facts, recorder);
    }

    /** While MySQL is away nothing is read, nothing is acked, and no fact is dropped. */
    private void settleAll(Deque<Fact> facts, Loop loop) throws InterruptedException {
        while (!facts.isEmpty() && loop.mayGoOn()) {
            try {
                flow.settle(facts);
                loop.wentWell();
            } catch (StoreUnavailableException away) {
                loop.pauseAfter("settling %d facts".formatted(facts.size()), away);
            } catch (RuntimeException broken) {
                settleEach(facts, broken);
            }
        }
        window.release((int) facts.stream().filter(Fact::holdsRoom).count());
    }

    /** One that cannot be settled must not hold up the others. */
    private void settleEach(Deque<Fact> facts, RuntimeException cause) {
        if (facts.size() == 1) {
            flow.giveUp(facts.poll(), cause);
            return;
        }
        for (Fact fact : List.copyOf(facts)) {
            Deque<Fact> alone = new ArrayDeque<>(List.of(fact));
            try {
                flow.settle(alone);
            } catch (StoreUnavailableException away) {
                return; // the outer loop waits and comes back
            } catch (RuntimeException broken) {
                flow.giveUp(fact, broken);
            }
            facts.removeIf(settled -> settled == fact);
        }
    }

    private void awaitEmptyHands(long untilNanos) {
        try {
            calls.awaitTermination(Math.max(0, untilNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
            while (window.inUse() > 0 && untilNanos - System.nanoTime() > 0) {
                TimeUnit.MILLISECONDS.sleep(10);
            }
        } catch (InterruptedException stopNow) {
            Thread.currentThread().interrupt();
        }
    }
}
