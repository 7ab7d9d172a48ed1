package io.chargefence.flow;

import io.chargefence.ChargefenceException;
import io.chargefence.Intent;
import io.chargefence.OrderStep;
import io.chargefence.flow.ChargeLog.Known;
import io.chargefence.flow.ChargeLog.Snapshot;
import io.chargefence.flow.Deliveries.Delivery;
import io.chargefence.flow.Fact.Answered;
import io.chargefence.flow.Fact.Commanded;
import io.chargefence.flow.Fact.Conflicted;
import io.chargefence.flow.Fact.Delivered;
import io.chargefence.flow.Fact.Reported;
import io.chargefence.provider.ProviderAnswer;
import io.chargefence.saga.ChargeEvent.Via;
import io.chargefence.saga.ChargeRules;
import io.chargefence.saga.Decision;
import io.chargefence.saga.Moment;
import io.chargefence.saga.OperatorRules;
import io.chargefence.saga.Terms;
import io.chargefence.saga.Wakeup;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The one loop that every charge goes through: load, decide, append, and only then act. Facts of many charges go through it
 * together; one is the special case.
 *
 * <p>What a death leaves behind: before the append, nothing. After it and before the call, a charge IN_DOUBT with its
 * deadline and due time: the sweeper brings it back and {@code Doubt} resolves it. After the answer and before its append,
 * the same. After that append and before the ack, a redelivery that finds a stage at rest and acks.
 *
 * <p>Thread-safe: it holds no state of a charge.
 */
final class ChargeFlow {

    private final ChargeRules rules;
    private final OperatorRules operatorRules = new OperatorRules();
    private final FlowPorts ports;
    private final TermsOfCall terms;
    private final Moves moves;
    private final ProviderCalls calls;
    private final Strays strays;
    private final Window window;

    ChargeFlow(FlowSettings settings, FlowPorts ports, Providers providers, ProviderCalls calls, Window window) {
        this.rules = new ChargeRules(settings.limits());
        this.ports = ports;
        this.terms = new TermsOfCall(settings, providers);
        this.moves = new Moves(ports.ids(), settings.workerName());
        this.calls = calls;
        this.strays = new Strays(ports, window);
        this.window = window;
    }

    /** Settles one fact; for callers outside the worker. */
    void settle(Fact fact) {
        settle(new ArrayDeque<>(List.of(fact)));
    }

    /**
     * Settles these facts. A fact leaves the queue when it is recorded and acted on; when this throws, those still in the
     * queue are not settled and can be given again.
     */
    void settle(Deque<Fact> open) {
        List<Delivery> done = new ArrayList<>();
        try {
            while (!open.isEmpty()) {
                settleRound(open, done);
            }
        } finally {
            strays.ack(done); // only now, after the commits; a lost ack costs a redelivery, never a charge
        }
    }

    private void settleRound(Deque<Fact> open, List<Delivery> done) {
        long startedNanos = ports.nanos().getAsLong();
        List<Fact> round = oneOfEachStep(open);
        Snapshot snapshot = ports.log().load(round.stream().map(Fact::orderStep).toList());
        List<Move> decided = round.stream().map(fact -> decide(fact, snapshot)).toList();
        Set<OrderStep> lost = append(decided);
        for (Move move : decided) {
            open.removeIf(fact -> fact == move.fact());
            if (lost.contains(move.orderStep())) {
                ports.listener().fenceHeld(move.orderStep());
                open.add(move.fact()); // it is still true: reload and decide again with it in hand
            } else {
                act(move, startedNanos, open, done);
            }
        }
    }

    /**
     * <b>This prevents the second charge.</b> The claim's row goes in under the unique key (order_id, step) and each event
     * under (charge_id, sequence), committed, before anything acts on it. Whoever is refused here does not call.
     */
    private Set<OrderStep> append(List<Move> decided) {
        return ports.log()
                .append(decided.stream()
                        .map(Move::entry)
                        .flatMap(Optional::stream)
                        .toList());
    }

    private Move decide(Fact fact, Snapshot snapshot) {
        Known known = snapshot.of(fact.orderStep());
        Moment moment = new Moment(snapshot.now(), ports.random().getAsDouble());
        if (known.saga() != null && known.request() != null) {
            return moves.of(fact, known, meetRequest(known).again(), moment.now());
        }
        if (known.saga() == null && fact instanceof Answered answered) {
            return Move.withoutCharge(fact, known, rules.onAnswer(null, answered.answer(), null, moment));
        }
        Optional<Terms> termsNow = terms.of(known);
        if (termsNow.isEmpty() || (known.saga() == null && !(fact instanceof Delivered))) {
            return Move.stray(fact, known);
        }
        return moves.of(fact, known, decide(fact, known, termsNow.get(), moment), moment.now());
    }

    private Decision decide(Fact fact, Known known, Terms termsNow, Moment moment) {
        if (fact instanceof Delivered delivered) {
            return rules.onDelivered(known.saga(), wakeup(delivered, known), termsNow, moment);
        }
        if (fact instanceof Answered answered) {
            return rules.onAnswer(known.saga(), answered.answer(), termsNow, moment);
        }
        if (fact instanceof Conflicted conflicted) {
            return operatorRules.onConflict(known.saga(), conflicted.other());
        }
        if (fact instanceof Reported reported) {
            return reported.said() instanceof ProviderAnswer.Declined declined
                    ? rules.onDeclineReported(known.saga(), declined)
                    : rules.onCharged(known.saga(), (ProviderAnswer.Charged) reported.said(), Via.WEBHOOK, null);
        }
        if (fact instanceof Commanded commanded) {
            return commanded.command().decide(known.saga(), termsNow, moment);
        }
        throw new IllegalStateException("a fact of no known kind: " + fact);
    }

    /** A request that meets an existing fence leaves the outbox; the fact at hand has its turn in the next round. */
    private Decision meetRequest(Known known) {
        Intent requested = known.request().intent();
        Intent other = requested.equals(known.saga().intent()) ? known.request().conflict() : requested;
        return other == null ? Decision.ack() : operatorRules.onConflict(known.saga(), other);
    }

    private void act(Move move, long startedNanos, Deque<Fact> open, List<Delivery> done) {
        if (move.decision() == null) {
            strays.leave(move, done);
            return;
        }
        announce(move);
        Delivery delivery = move.fact().delivery();
        switch (move.decision().action()) {
            case CALL -> calls.call(move.after(), delivery, startedNanos);
            case LOOK_UP -> calls.lookUp(move.after(), delivery);
            case ACK -> finish(move.fact(), done);
            case AGAIN -> open.add(move.fact());
        }
    }

    private void announce(Move move) {
        if (move.isClaim()) {
            ports.listener().claimed(move.after());
        }
        if (!move.decision().events().isEmpty()) {
            ports.listener().moved(move.stageBefore(), move.after());
        }
        if (move.decision().alert() != null) {
            ports.listener().alert(Sentences.alert(move));
        }
    }

    private void finish(Fact fact, List<Delivery> done) {
        if (fact.delivery() != null) {
            done.add(fact.delivery());
        }
        if (fact.holdsRoom()) {
            window.release(1);
        }
    }

    private static Wakeup wakeup(Delivered delivered, Known known) {
        ChargeLog.Requested request = known.request();
        return new Wakeup(
                delivered.orderStep(),
                request == null ? null : request.intent(),
                request == null ? null : request.conflict(),
                delivered.delivery().takeovers(),
                delivered.delivery().id());
    }

    /** The same step twice in a batch is one, then the other. */
    private static List<Fact> oneOfEachStep(Deque<Fact> open) {
        Set<OrderStep> seen = new HashSet<>();
        return open.stream().filter(fact -> seen.add(fact.orderStep())).toList();
    }

    /** Deliveries that cannot be read. */
    void quarantine(List<Delivery> unreadable) {
        strays.quarantine(unreadable);
    }

    /** A fact that cannot be settled, whatever is tried. */
    void giveUp(Fact fact, RuntimeException cause) {
        if (!fact.holdsRoom()) {
            throw cause instanceof ChargefenceException ? cause : new ChargefenceException(cause.toString(), cause);
        }
        strays.broken(fact, cause);
    }
}
