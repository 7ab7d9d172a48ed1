package io.chargefence.flow;

import io.chargefence.ChargeStage;
import io.chargefence.Intent;
import io.chargefence.OrderStep;
import io.chargefence.saga.Attempt;
import io.chargefence.saga.ChargeSaga;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** MySQL as a worker of the simulation reaches it. */
final class PerilousStore implements ChargeLog, Outbox {

    private final Simulation world;
    private final SimulatedWorker worker;
    private final MemoryStore store;

    PerilousStore(Simulation world, SimulatedWorker worker) {
        this.world = world;
        this.worker = worker;
        this.store = world.store;
    }

    @Override
    public Snapshot load(Collection<OrderStep> orderSteps) {
        Snapshot snapshot = worker.through("LOAD", orderSteps, () -> store.load(orderSteps));
        return world.mutant == Mutant.PROOF_OF_ONE_CALL_FOR_ALL ? provenForAll(snapshot) : snapshot;
    }

    @Override
    public Set<OrderStep> append(List<Entry> entries) {
        List<OrderStep> steps = entries.stream().map(Entry::orderStep).toList();
        Set<OrderStep> lost = worker.through("APPEND", steps, () -> committed(entries, steps));
        return world.mutant == Mutant.LOSER_CALLS ? Set.of() : lost;
    }

    /** The answer to a commit may be lost for good, and the commit may have happened all the same. */
    private Set<OrderStep> committed(List<Entry> entries, List<OrderStep> steps) {
        int luck = world.luck(40);
        if (luck == 0) {
            steps.forEach(step -> world.met(Fault.COMMIT_NOT_DONE, step));
            if (world.mutant == Mutant.UNKNOWN_COMMIT_GOES_ON) {
                return Set.of();
            }
            throw new StoreUnavailableException("the commit did not happen", null);
        }
        Set<OrderStep> lost = store.append(entries);
        entries.stream()
                .filter(entry -> !lost.contains(entry.orderStep()))
                .forEach(entry -> world.promises.moved(entry.after()));
        if (luck == 1) {
            steps.forEach(step -> world.met(Fault.COMMIT_DONE_AND_UNKNOWN, step));
            throw new StoreUnavailableException("the answer to the commit was lost, and stays lost", null);
        }
        return lost;
    }

    @Override
    public List<OrderStep> takeDue(int max, Duration reservation) {
        return world.mutant == Mutant.FENCE_HIT_ACKS ? List.of() : store.takeDue(max, reservation);
    }

    @Override
    public List<OrderStep> takeUnclaimed(int max, Duration reservation) {
        return store.takeUnclaimed(max, reservation);
    }

    @Override
    public boolean inTransaction() {
        return store.inTransaction();
    }

    @Override
    public Intent file(OrderStep orderStep, Intent intent) {
        return store.file(orderStep, intent);
    }

    @Override
    public boolean noteConflict(OrderStep orderStep, Intent refused) {
        boolean noted = store.noteConflict(orderStep, refused);
        if (noted) {
            world.promises.noted(orderStep);
        }
        return noted;
    }

    @Override
    public void afterCommit(Runnable action) {
        store.afterCommit(action);
    }

    @Override
    public void afterCompletion(Runnable action) {
        store.afterCompletion(action);
    }

    private static Snapshot provenForAll(Snapshot snapshot) {
        Map<OrderStep, Known> charges = new HashMap<>();
        snapshot.charges()
                .forEach((step, known) -> charges.put(step, new Known(known.request(), proven(known.saga()))));
        return new Snapshot(snapshot.now(), charges);
    }

    private static ChargeSaga proven(ChargeSaga saga) {
        if (saga == null
                || saga.stage() != ChargeStage.IN_DOUBT
                || !saga.attempt().lastCallIsProven()) {
            return saga;
        }
        Attempt a = saga.attempt();
        Attempt proven = new Attempt(
                a.number(),
                a.calls(),
                a.waits(),
                0,
                0,
                null,
                a.callsMade(),
                0,
                a.retryAt(),
                a.openedAt(),
                a.lastCall());
        return new ChargeSaga(
                saga.chargeId(),
                saga.orderStep(),
                saga.intent(),
                ChargeStage.CLAIMED,
                saga.sequence(),
                proven,
                saga.outcome(),
                saga.conflicts(),
                saga.claimedAt());
    }
}
