package io.chargefence.saga;

import io.chargefence.ChargeAlert;
import io.chargefence.ChargeStage;
import io.chargefence.provider.ProviderAnswer;
import io.chargefence.saga.ChargeEvent.Acked;
import io.chargefence.saga.ChargeEvent.ConflictSeen;
import io.chargefence.saga.ChargeEvent.Declined;
import io.chargefence.saga.ChargeEvent.EvidenceSeen;
import io.chargefence.saga.ChargeEvent.FenceClaimed;
import io.chargefence.saga.ChargeEvent.NotCharged;
import io.chargefence.saga.ChargeEvent.Parked;
import io.chargefence.saga.ChargeEvent.ParkedReason;
import io.chargefence.saga.ChargeEvent.ProviderCalled;
import io.chargefence.saga.ChargeEvent.ReferenceStored;
import io.chargefence.saga.ChargeEvent.Via;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The table of {@code docs/state-machine.md}: one method a column, one complete {@code switch} over the stages each. Pure:
 * the time and the chance come in as arguments, and nothing happens here. A null saga is an order step without a fence.
 */
public final class ChargeRules {

    private final Limits limits;
    private final Doubt doubt;

    public ChargeRules(Limits limits) {
        this.limits = limits;
        this.doubt = new Doubt(limits, this::call);
    }

    /** A message about the step is in a worker's hand, for the first time or again. */
    public Decision onDelivered(@Nullable ChargeSaga saga, Wakeup wakeup, Terms terms, Moment moment) {
        ChargeStage stage = stage(saga);
        if (wakeup.takeovers() >= limits.takeoversMax() && !stage.isAtRest()) {
            return poison(saga, wakeup);
        }
        return switch (stage) {
            case UNCLAIMED -> call(null, claim(wakeup), terms, moment.now());
            case CLAIMED -> isDue(saga, moment.now()) ? callWithinLimits(saga, terms, moment.now()) : Decision.ack();
            case IN_DOUBT -> doubt.onDelivered(saga, terms, moment);
            case CHARGED, DECLINED -> Decision.ack(new Acked(wakeup.delivery()));
            case PARKED, ACKED -> Decision.ack();
        };
    }

    /**
     * A call or a look-up ended.
     *
     * @param terms null only without a saga
     */
    public Decision onAnswer(@Nullable ChargeSaga saga, Answer answer, @Nullable Terms terms, Moment moment) {
        if (answer.said() instanceof ProviderAnswer.Charged charged) {
            return onCharged(saga, charged, via(saga, answer), answer.delivery());
        }
        if (isAboutAnEarlierCall(saga, answer)) {
            return Decision.ack(); // a later call of the same key is under way; only that one's answer tells
        }
        if (answer.said() instanceof ProviderAnswer.Declined declined) {
            return tellsOfAllCalls(saga, terms)
                    ? onDeclined(saga, declined, answer.delivery())
                    : Contradictions.ofUnknownCall(saga, declined);
        }
        if (answer.said() instanceof ProviderAnswer.NotCharged proof) {
            return onNotCharged(saga, proof, moment);
        }
        return onNoAnswer(saga, answer, terms, moment);
    }

    /** The provider says that it took the money. */
    public Decision onCharged(
            @Nullable ChargeSaga saga, ProviderAnswer.Charged charged, Via via, @Nullable String delivery) {
        ChargeStage stage = stage(saga);
        if (saga != null && !stage.isSettled() && !Contradictions.isOfIntent(saga, charged)) {
            return Contradictions.amountMismatch(saga, charged);
        }
        return switch (stage) {
            case UNCLAIMED ->
                Decision.ack()
                        .alert(
                                ChargeAlert.Kind.CONTRADICTION,
                                "charged with reference " + charged.reference() + " without a fence here");
            case IN_DOUBT -> Decision.ack(new ReferenceStored(charged.reference(), via), new Acked(delivery));
            case CLAIMED ->
                Decision.ack(new ReferenceStored(charged.reference(), via), new Acked(delivery))
                        .alert(ChargeAlert.Kind.CONTRADICTION, "charged although proven not to be");
            case PARKED ->
                Decision.ack(new ReferenceStored(charged.reference(), via), new Acked(delivery))
                        .alert(ChargeAlert.Kind.CONTRADICTION, "charged after it was parked; settled by this evidence");
            case CHARGED, DECLINED, ACKED -> Contradictions.chargedAgain(saga, charged);
        };
    }

    /** The provider refused the last call in its own words. A refusal never takes back a charge that was seen. */
    public Decision onDeclined(@Nullable ChargeSaga saga, ProviderAnswer.Declined declined, @Nullable String delivery) {
        if (saga != null && !saga.stage().isSettled() && saga.outcome().chargesSeen() > 0) {
            return Contradictions.deniesCharge(saga, declined);
        }
        return switch (stage(saga)) {
            case UNCLAIMED, DECLINED -> Decision.ack();
            case IN_DOUBT, PARKED -> Decision.ack(new Declined(declined.code(), declined.kind()), new Acked(delivery));
            case CLAIMED ->
                Decision.ack(new Declined(declined.code(), declined.kind()), new Acked(delivery))
                        .alert(ChargeAlert.Kind.CONTRADICTION, "declined although no call is open");
            case CHARGED, ACKED -> Contradictions.of(saga, "declined: " + declined.code());
        };
    }

    /**
     * The provider refused a call, and it is not said which: a webhook, a report. It settles the charge only when one call was
     * made in all; with two, the other may have taken the money.
     */
    public Decision onDeclineReported(@Nullable ChargeSaga saga, ProviderAnswer.Declined declined) {
        boolean open = saga != null && !saga.stage().isSettled();
        return open && saga.attempt().callsMade() != 1
                ? Contradictions.ofUnknownCall(saga, declined)
                : onDeclined(saga, declined, null);
    }

    /** It is proven that the last call moved no money. */
    public Decision onNotCharged(@Nullable ChargeSaga saga, ProviderAnswer.NotCharged proof, Moment moment) {
        return switch (stage(saga)) {
            case UNCLAIMED, CLAIMED, DECLINED -> Decision.ack();
            case IN_DOUBT -> saga.attempt().lastCallIsProven() ? Decision.ack() : notCharged(saga, proof, moment);
            case PARKED -> Decision.ack(new EvidenceSeen("not charged: " + proof.reason(), null));
            case CHARGED, ACKED -> Contradictions.of(saga, "not charged: " + proof.reason());
        };
    }

    /** Nothing conclusive. */
    public Decision onNoAnswer(@Nullable ChargeSaga saga, Answer answer, Terms terms, Moment moment) {
        return switch (stage(saga)) {
            case IN_DOUBT -> doubt.onNoAnswer(saga, answer, terms, moment);
            case UNCLAIMED, CLAIMED, CHARGED, DECLINED, PARKED, ACKED -> Decision.ack();
        };
    }

    private List<ChargeEvent> claim(Wakeup wakeup) {
        List<ChargeEvent> events = new ArrayList<>();
        events.add(new FenceClaimed(wakeup.orderStep(), wakeup.intent()));
        if (wakeup.conflict() != null) {
            events.add(new ConflictSeen(wakeup.conflict()));
        }
        return events;
    }

    private Decision callWithinLimits(ChargeSaga saga, Terms terms, Instant now) {
        if (limits.isGivenUp(saga, now)) {
            return parked(ParkedReason.GAVE_UP);
        }
        if (saga.attempt().calls() >= limits.callsMax()) {
            return parked(ParkedReason.CALLS_EXHAUSTED);
        }
        return call(saga, new ArrayList<>(), terms, now);
    }

    /** The announcement of a call is always committed before the call leaves. */
    private Decision call(@Nullable ChargeSaga saga, List<ChargeEvent> events, Terms terms, Instant now) {
        int attempt = saga == null ? 1 : saga.attempt().number();
        int calls = saga == null ? 0 : saga.attempt().calls();
        Instant deadline = now.plus(limits.callWindow());
        events.add(new ProviderCalled(
                attempt,
                calls + 1,
                terms.idempotencyKey(),
                terms.requestHash(),
                deadline,
                resendSafeUntil(saga, terms, now)));
        return Decision.call(deadline.plus(limits.margin()), events);
    }

    /**
     * Until when a call may be <em>decided</em> on: one that leaves within its window must still meet the key. Counted from
     * the first call of the attempt: that is when the provider may have begun to remember it.
     */
    private @Nullable Instant resendSafeUntil(@Nullable ChargeSaga saga, Terms terms, Instant now) {
        if (!terms.traits().honoursKeys()) {
            return null;
        }
        ChargeSaga.LastCall last = saga == null ? null : saga.attempt().lastCall();
        if (last != null && last.resendSafeUntil() != null) {
            return last.resendSafeUntil();
        }
        return now.plus(terms.traits().keyLife()).minus(limits.callWindow()).minus(limits.margin());
    }

    private Decision notCharged(ChargeSaga saga, ProviderAnswer.NotCharged proof, Moment moment) {
        Instant retryAt = moment.now().plus(wait(saga, proof, moment));
        NotCharged event = new NotCharged(proof.reason(), proof.detail(), retryAt);
        if (limits.isGivenUp(saga, moment.now())) {
            return parked(ParkedReason.GAVE_UP, event);
        }
        if (proof.reason().burnsCall() && saga.attempt().calls() >= limits.callsMax()) {
            return parked(ParkedReason.CALLS_EXHAUSTED, event);
        }
        return Decision.ack(event).dueAt(retryAt);
    }

    /** What the provider asked for counts, up to the time after which we give up anyway. */
    private Duration wait(ChargeSaga saga, ProviderAnswer.NotCharged proof, Moment moment) {
        Duration ours = limits.backoff(saga.attempt().waits(), moment.random());
        Duration asked = proof.retryAfter() == null ? Duration.ZERO : proof.retryAfter();
        Duration longer = asked.compareTo(ours) > 0 ? asked : ours;
        return longer.compareTo(limits.giveUpAfter()) > 0 ? limits.giveUpAfter() : longer;
    }

    private Decision poison(@Nullable ChargeSaga saga, Wakeup wakeup) {
        List<ChargeEvent> events = saga == null ? claim(wakeup) : new ArrayList<>();
        return parked(ParkedReason.POISON, events.toArray(ChargeEvent[]::new));
    }

    static Decision parked(ParkedReason reason, ChargeEvent... before) {
        List<ChargeEvent> events = new ArrayList<>(List.of(before));
        events.add(new Parked(reason));
        return Decision.ack(events.toArray(ChargeEvent[]::new)).alert(ChargeAlert.Kind.PARKED, reason.name());
    }

    private static boolean isDue(ChargeSaga saga, Instant now) {
        Instant retryAt = saga.attempt().retryAt();
        return retryAt == null || !now.isBefore(retryAt);
    }

    private static boolean isAboutAnEarlierCall(@Nullable ChargeSaga saga, Answer answer) {
        return saga != null
                && saga.attempt().lastCall() != null
                && !(saga.chargeId().equals(answer.chargeId())
                        && saga.attempt().lastCall().sequence() == answer.callSequence());
    }

    /** A refusal is about one call; about all of them only where the provider gives one key one outcome. */
    private static boolean tellsOfAllCalls(@Nullable ChargeSaga saga, @Nullable Terms terms) {
        return saga == null
                || saga.stage().isSettled()
                || saga.attempt().unprovenCalls() <= 1
                || (terms != null && terms.traits().honoursKeys());
    }

    private static Via via(@Nullable ChargeSaga saga, Answer answer) {
        if (answer.lookUp()) {
            return Via.LOOK_UP;
        }
        return saga != null && saga.attempt().calls() > 1 ? Via.RESEND : Via.ANSWER;
    }

    private static ChargeStage stage(@Nullable ChargeSaga saga) {
        return saga == null ? ChargeStage.UNCLAIMED : saga.stage();
    }
}
