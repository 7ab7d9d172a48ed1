package io.chargefence.flow;

import io.chargefence.ChargeStage;
import io.chargefence.OrderStep;
import io.chargefence.ProviderReference;
import io.chargefence.provider.ProviderCall;
import io.chargefence.saga.ChargeEvent.ProviderCalled;
import io.chargefence.saga.ChargeSaga;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** What is true, always: I1 to I7 of the design, held against the store and the provider's own ledger. */
final class Promises {

    private final Simulation world;
    private final Map<OrderStep, String> settled = new HashMap<>();
    private final Set<OrderStep> conflicts = new HashSet<>();
    private final Set<OrderStep> releasedInDoubt = new HashSet<>();
    private boolean storeForgot;
    private String seenInACall;

    Promises(Simulation world) {
        this.world = world;
    }

    /** From here on what the store says may be older than what was done. Money is held to the same promises. */
    void storeForgets() {
        storeForgot = true;
        settled.clear();
        conflicts.clear();
        releasedInDoubt.clear();
    }

    void noted(OrderStep step) {
        conflicts.add(step);
    }

    void released(OrderStep step) {
        if (world.store.fences.get(step).stage() == ChargeStage.IN_DOUBT) {
            releasedInDoubt.add(step);
        }
    }

    /** Proof, the last call's own late word for example, ends a doubt as well as a look does. */
    void moved(ChargeSaga saga) {
        if (saga.stage() != ChargeStage.IN_DOUBT) {
            releasedInDoubt.remove(saga.orderStep());
        }
    }

    void lookedUp(OrderStep step) {
        releasedInDoubt.remove(step);
    }

    /** I1: the call stands in the log, behind a fence. I7: after a release in doubt the look-up comes first. */
    void beforeCall(ProviderCall call) {
        try {
            checkCall(call);
        } catch (AssertionError broken) {
            seenInACall = broken.getMessage(); // whatever is thrown in a call counts as no answer of the provider
        }
    }

    private void checkCall(ProviderCall call) {
        OrderStep step = call.orderStep();
        if (!storeForgot) {
            ChargeSaga saga = world.store.fences.get(step);
            require(saga != null, step, "is called without a fence");
            boolean announced = world.store.eventsOf(step, ProviderCalled.class).stream()
                    .anyMatch(called ->
                            called.idempotencyKey().equals(call.idempotencyKey()) && called.call() == call.call());
            require(announced, step, "is called without a ProviderCalled in the log");
            boolean asked = !releasedInDoubt.contains(step) || !world.kind.traits.canLookUp();
            require(asked, step, "is called after a release and nobody looked first");
        }
    }

    void check() {
        if (seenInACall != null) {
            throw new AssertionError(seenInACall);
        }
        for (SimulatedProvider.Charge charge : world.provider.ledger) {
            require(world.provider.charges(charge.step()) <= 1, charge.step(), "was charged twice"); // I2
        }
        world.store.fences.forEach(this::check);
        if (!storeForgot) {
            for (SimulatedProvider.Charge charge : world.provider.ledger) {
                require(world.store.fences.containsKey(charge.step()), charge.step(), "was charged without a fence");
            }
        }
    }

    private void check(OrderStep step, ChargeSaga saga) {
        ProviderReference reference = saga.outcome().reference();
        boolean charged = world.provider.charges(step) > 0;
        require(reference == null || isInLedger(step, reference), step, "stands as charged and was not"); // I4
        require(saga.outcome().declineCode() == null || !charged, step, "was charged and stands as declined"); // I4
        boolean provenUncharged = saga.stage() == ChargeStage.CLAIMED && !storeForgot;
        require(!provenUncharged || !charged, step, "is proven uncharged in the log and was charged"); // I4
        if (saga.stage().isSettled()) {
            String now = reference + "/" + saga.outcome().declineCode();
            String before = settled.putIfAbsent(step, now);
            require(before == null || before.equals(now), step, "was settled and changed"); // I5
        } else {
            require(!settled.containsKey(step), step, "was settled and went back"); // I5
        }
    }

    private boolean isInLedger(OrderStep step, ProviderReference reference) {
        return world.provider.ledger.stream()
                .anyMatch(charge ->
                        charge.step().equals(step) && charge.reference().equals(reference));
    }

    /** I3, and I6: the row is what a replay of the log makes, and a replay calls nobody. */
    void checkAtRest() {
        check();
        for (OrderStep step : world.requested) {
            ChargeSaga saga = world.store.fences.get(step);
            require(
                    saga != null && saga.stage().isAtRest(),
                    step,
                    "is not at rest: " + (saga == null ? "unclaimed" : saga.stage()));
            ChargeSaga replayed = ChargeSaga.of(saga.chargeId(), world.store.events.get(saga.chargeId()));
            require(replayed.equals(saga), step, "has a row that is not the fold of its events");
            require(saga.conflicts() > 0 || !conflicts.contains(step), step, "had a conflict that is not in its log");
        }
        require(world.store.requests.isEmpty(), null, "the outbox is not empty at rest");
    }

    private static void require(boolean holds, OrderStep step, String otherwise) {
        if (!holds) {
            throw new AssertionError(step + " " + otherwise);
        }
    }
}
