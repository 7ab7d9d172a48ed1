package io.chargefence.flow;

import io.chargefence.ChargeConflictException;
import io.chargefence.ChargeRequest;
import io.chargefence.ChargeStage;
import io.chargefence.ChargefenceException;
import io.chargefence.OrderStep;
import io.chargefence.flow.Deliveries.Delivery;
import io.chargefence.flow.SimulatedProvider.Report;
import io.chargefence.provider.DeclineKind;
import io.chargefence.provider.ProviderAnswer;
import io.chargefence.saga.ChargeSaga;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.joda.money.CurrencyUnit;
import org.joda.money.Money;

/** Everything that can happen next in a simulated life. */
final class Happenings {

    private static final int ORDERS = 4;
    private static final Duration SKEW_BACK_MAX = Duration.ofSeconds(8);

    private final Simulation world;
    private final Random dice;
    private final Deque<Delivery> late = new ArrayDeque<>();
    private Duration back = Duration.ZERO;
    private StoreCopy copy;
    private int requests;

    Happenings(Simulation world) {
        this.world = world;
        this.dice = world.dice;
    }

    /** @param standing a worker that stands still and does nothing of it, or null */
    void next(SimulatedWorker standing) {
        SimulatedWorker worker = world.workers.get(dice.nextInt(world.workers.size()));
        if (worker == standing) {
            return;
        }
        world.stream.away &= dice.nextInt(4) != 0;
        int what = dice.nextInt(40);
        world.tell("move " + what, world.workers.indexOf(worker));
        world.attempt("move " + what, () -> happen(what, worker));
    }

    private void happen(int what, SimulatedWorker worker) {
        switch (what) {
            case 0, 1, 2 -> request(worker);
            case 3, 4, 5 -> worker.read();
            case 6, 7, 8 -> worker.claim();
            case 9, 10, 11 -> worker.call();
            case 12, 13, 14 -> worker.record();
            case 15, 16, 17, 18, 19, 20, 21 -> onward(worker);
            case 22 -> world.pass(Duration.ofMillis(dice.nextInt(30_000)));
            case 23, 24 -> world.pass(Duration.ofSeconds(dice.nextInt(120)));
            case 25 -> world.pass(Duration.ofMinutes(dice.nextInt(20)));
            case 26 -> takenOverWhileInHand();
            case 27, 28 -> transport();
            case 29 -> storeAway();
            case 30 -> failOver();
            case 31 -> clock();
            case 32 -> world.provider.landOne();
            case 33, 34 -> report(worker);
            case 35 -> operate(worker);
            case 36 -> upgradeAdapter();
            case 37 -> sendAgain();
            default -> world.attempt("sweep", () -> world.pass(Duration.ofSeconds(5)));
        }
    }

    /** Without an interruption, up to wherever the dice say. */
    private void onward(SimulatedWorker worker) {
        int steps = 2 + dice.nextInt(3);
        worker.read();
        worker.claim();
        if (steps > 2) {
            worker.call();
            worker.call();
        }
        if (steps > 3) {
            worker.record();
        }
    }

    // --- order back end -------------------------------------------------------------------------------------------

    private void request(SimulatedWorker worker) {
        OrderStep step = new OrderStep("order-" + requests % ORDERS, "capture");
        boolean again = requests >= ORDERS;
        boolean otherwise = again && dice.nextInt(3) == 0;
        requests++;
        if (again) {
            world.met(otherwise ? Fault.REQUESTED_OTHERWISE : Fault.REQUESTED_AGAIN, step);
        }
        ChargeRequest request = ChargeRequest.forStep(step.orderId(), step.step())
                .amount(Money.of(CurrencyUnit.EUR, otherwise ? 2 : 1))
                .source("pm_card");
        try {
            world.store.inTransaction(() -> {
                worker.intake.request(request);
                world.requested.add(step);
            });
        } catch (ChargeConflictException refused) {
            world.tell("conflict", step);
        }
        if (copy != null && !copy.knows(step)) {
            copy = null; // orders that the copy never saw are not the question here
        }
    }

    // --- Redis ----------------------------------------------------------------------------------------------------

    private void takenOverWhileInHand() {
        world.stream.pending.values().forEach(delivery -> metIfKnown(Fault.TAKEN_OVER_WHILE_IN_HAND, delivery));
        world.stream.expireReservations();
    }

    private void transport() {
        switch (dice.nextInt(6)) {
            case 0 -> {
                world.met(Fault.TRANSPORT_AWAY);
                world.stream.away = true;
            }
            case 1 -> {
                world.met(Fault.FLUSHED);
                world.stream.fresh.clear();
                world.stream.pending.clear();
            }
            case 2 -> {
                world.met(Fault.TRIMMED);
                world.stream.pending.clear();
            }
            case 3 -> with(world.stream.fresh.poll(), (Delivery lost) -> metIfKnown(Fault.MESSAGE_LOST, lost));
            case 4 -> with(world.stream.fresh.poll(), late::add);
            default -> {
                world.met(Fault.FORGED);
                world.stream.forge(new OrderStep("forged-" + dice.nextInt(9), "capture"), Map.of("v", "1"));
            }
        }
        Delivery comes = dice.nextInt(3) == 0 ? late.poll() : null;
        with(comes, (Delivery delivery) -> {
            metIfKnown(Fault.MESSAGE_LATE, delivery);
            world.stream.fresh.add(delivery);
        });
    }

    private void sendAgain() {
        List<OrderStep> steps = new ArrayList<>(world.requested);
        if (!steps.isEmpty() && !world.stream.away) {
            OrderStep step = steps.get(dice.nextInt(steps.size()));
            world.met(Fault.MESSAGE_TWICE, step);
            world.stream.publish(List.of(step, step));
        }
    }

    private void metIfKnown(Fault fault, Delivery delivery) {
        if (world.requested.contains(delivery.orderStep())) {
            world.met(fault, delivery.orderStep());
        }
    }

    // --- MySQL ----------------------------------------------------------------------------------------------------

    private void storeAway() {
        world.met(Fault.STORE_AWAY);
        world.store.failures = 1 + dice.nextInt(2);
    }

    /** A replica that lagged takes over: what was committed since the copy is forgotten. */
    private void failOver() {
        if (!world.kind.survivesFailOver() || world.somebodyStands()) {
            return;
        }
        if (copy == null || dice.nextInt(3) == 0) {
            copy = new StoreCopy(world.store);
        } else if (world.requested.stream().allMatch(copy::knows)) {
            world.met(Fault.FAILED_OVER_TO_AN_OLDER_COPY);
            copy.restoreInto(world.store);
            world.promises.storeForgets();
            copy = null;
        }
    }

    /** Backwards by less than the margin in all: that is what the margin is for. */
    private void clock() {
        Duration jump = Duration.ofSeconds(dice.nextInt(4));
        if (dice.nextBoolean() && back.plus(jump).compareTo(SKEW_BACK_MAX) < 0) {
            world.met(Fault.STORE_CLOCK_WENT_BACK);
            back = back.plus(jump);
            world.skew = world.skew.minus(jump);
        } else {
            world.met(Fault.STORE_CLOCK_JUMPED);
            world.skew = world.skew.plus(Duration.ofMinutes(dice.nextInt(30)));
        }
    }

    // --- provider and people ----------------------------------------------------------------------------------------

    private void report(SimulatedWorker worker) {
        List<Report> reports = world.provider.reports;
        if (reports.isEmpty()) {
            return;
        }
        Report report = reports.get(dice.nextInt(reports.size()));
        boolean settled = world.stage(report.step()) == ChargeStage.ACKED;
        if (settled && dice.nextInt(3) == 0) {
            reportOtherwise(worker, report.step());
            return;
        }
        if (dice.nextInt(4) == 0) {
            reports.remove(report);
        } else if (settled) {
            world.met(Fault.REPORTED_TWICE, report.step());
        }
        boolean charged = report.said() instanceof ProviderAnswer.Charged;
        world.met(charged ? Fault.REPORTED_CHARGED : Fault.REPORTED_DECLINED, report.step());
        say(worker, report);
    }

    /** A refusal of a charged step, or the other way round: a provider's own confusion, or its webhooks out of order. */
    private void reportOtherwise(SimulatedWorker worker, OrderStep step) {
        ChargeSaga saga = world.store.fences.get(step);
        if (saga.outcome().reference() == null) {
            return;
        }
        world.met(Fault.REPORTED_AGAINST_WHAT_STANDS, step);
        if (world.mutant == Mutant.REPORT_OVERWRITES) {
            world.store.fences.put(step, Mutations.overwritten(saga));
        } else {
            say(worker, new Report(step, new ProviderAnswer.Declined("expired", DeclineKind.HARD)));
        }
    }

    private void say(SimulatedWorker worker, Report report) {
        try {
            if (report.said() instanceof ProviderAnswer.Charged charged) {
                worker.evidence.charged(report.step(), charged);
            } else {
                worker.evidence.declined(report.step(), (ProviderAnswer.Declined) report.said());
            }
        } catch (StoreUnavailableException away) {
            throw away;
        } catch (ChargefenceException unknownHere) {
            world.tell("report of an unknown charge", report.step());
        }
    }

    private void upgradeAdapter() {
        if (dice.nextInt(4) == 0) {
            world.met(Fault.ADAPTER_UPGRADED);
            world.provider.version++;
        }
    }

    private void operate(SimulatedWorker worker) {
        List<OrderStep> parked = world.requested.stream()
                .filter(step -> world.stage(step) == ChargeStage.PARKED)
                .toList();
        if (parked.isEmpty()) {
            return;
        }
        OrderStep step = parked.get(dice.nextInt(parked.size()));
        if (world.mutant == Mutant.RE_DRIVE_PAST_THE_FENCE) {
            ChargeSaga saga = world.store.fences.get(step);
            world.provider.charge(Mutations.call(saga));
        } else if (world.mutant == Mutant.RELEASE_WITHOUT_LOOK_UP) {
            command(() -> worker.operations.resolveNotCharged(step, "ann", "released"), step, Fault.RELEASED);
        } else if (dice.nextBoolean()) {
            command(() -> worker.operations.release(step, "ann", "asked the provider"), step, Fault.RELEASED);
        } else {
            resolve(worker, step);
        }
    }

    /** A verdict is as good as its evidence: this person waits until nothing can be under way, and reads the provider's list. */
    private void resolve(SimulatedWorker worker, OrderStep step) {
        boolean quiet = world.provider.held.isEmpty()
                && !world.somebodyStands()
                && world.workers.stream().allMatch(other -> other.calls.isEmpty());
        if (!quiet) {
            return;
        }
        world.provider.ledger.stream()
                .filter(charge -> charge.step().equals(step))
                .findFirst()
                .ifPresentOrElse(
                        charge -> command(
                                () -> worker.operations.resolveCharged(
                                        step, charge.reference(), "ann", "on their list"),
                                step,
                                Fault.RESOLVED),
                        () -> command(
                                () -> worker.operations.resolveNotCharged(step, "ann", "not on their list"),
                                step,
                                Fault.RESOLVED));
    }

    private void command(Runnable command, OrderStep step, Fault fault) {
        world.met(fault, step);
        try {
            world.promises.lookedUp(step); // by a person: a verdict is evidence enough
            command.run();
            if (fault == Fault.RELEASED) {
                world.promises.released(step);
            }
        } catch (StoreUnavailableException away) {
            throw away;
        } catch (ChargefenceException refused) {
            world.tell("refused", step);
        }
    }

    private static <T> void with(T something, java.util.function.Consumer<T> action) {
        if (something != null) {
            action.accept(something);
        }
    }
}
