package io.chargefence.saga;

import io.chargefence.ChargeStage;
import io.chargefence.IdempotencyKey;
import io.chargefence.Intent;
import io.chargefence.OrderStep;
import io.chargefence.ProviderReference;
import io.chargefence.provider.DeclineKind;
import io.chargefence.saga.ChargeEvent.Acked;
import io.chargefence.saga.ChargeEvent.ConflictSeen;
import io.chargefence.saga.ChargeEvent.Declined;
import io.chargefence.saga.ChargeEvent.EvidenceSeen;
import io.chargefence.saga.ChargeEvent.FenceClaimed;
import io.chargefence.saga.ChargeEvent.NoAnswer;
import io.chargefence.saga.ChargeEvent.NotCharged;
import io.chargefence.saga.ChargeEvent.Parked;
import io.chargefence.saga.ChargeEvent.ParkedReason;
import io.chargefence.saga.ChargeEvent.ProviderCalled;
import io.chargefence.saga.ChargeEvent.ReferenceStored;
import io.chargefence.saga.ChargeEvent.Released;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The state of one order step: the fold of its events, and exactly what the row in {@code charge_fence} holds. An event
 * that does not fit stops the fold; nothing is skipped.
 *
 * @param chargeId id of the event stream, born with the claim; also the claim's own token
 * @param sequence of the last event
 * @param attempt the open attempt, and how it is going
 * @param outcome what is known of the money
 * @param conflicts refused requests of the same step with another intent
 */
public record ChargeSaga(
        UUID chargeId,
        OrderStep orderStep,
        Intent intent,
        ChargeStage stage,
        long sequence,
        Attempt attempt,
        Outcome outcome,
        int conflicts,
        Instant claimedAt) {

    /**
     * The last call of an attempt.
     *
     * @param sequence of its {@code ProviderCalled}; tells the answers of different calls apart
     */
    public record LastCall(
            long sequence,
            IdempotencyKey idempotencyKey,
            String requestHash,
            Instant deadline,
            @Nullable Instant resendSafeUntil) {}

    /**
     * What is known of the money.
     *
     * @param otherReference another charge that the provider reported for this step, the last one seen
     * @param chargesSeen distinct successful charges seen from the provider; more than one is a double charge
     */
    public record Outcome(
            @Nullable ProviderReference reference,
            @Nullable String declineCode,
            @Nullable DeclineKind declineKind,
            @Nullable ParkedReason parkedReason,
            @Nullable ProviderReference otherReference,
            int chargesSeen) {

        static final Outcome NONE = new Outcome(null, null, null, null, null, 0);

        Outcome charged(ProviderReference stored) {
            boolean seenBefore = stored.equals(otherReference);
            return new Outcome(
                    stored, declineCode, declineKind, null, otherReference, seenBefore ? chargesSeen : chargesSeen + 1);
        }

        Outcome declined(Declined event) {
            return new Outcome(reference, event.code(), event.kind(), null, otherReference, chargesSeen);
        }

        Outcome parked(@Nullable ParkedReason reason) {
            return new Outcome(reference, declineCode, declineKind, reason, otherReference, chargesSeen);
        }

        Outcome evidence(EvidenceSeen event) {
            ProviderReference other = event.reference();
            if (other == null || other.equals(reference) || other.equals(otherReference)) {
                return this;
            }
            return new Outcome(reference, declineCode, declineKind, parkedReason, other, chargesSeen + 1);
        }
    }

    /** The charge after its first event. */
    public static ChargeSaga claimed(UUID chargeId, RecordedEvent first) {
        if (first.sequence() != 0 || !(first.event() instanceof FenceClaimed claim)) {
            throw new IllegalStateException(
                    "charge %s must begin with FenceClaimed at 0, not with %s".formatted(chargeId, first));
        }
        return new ChargeSaga(
                chargeId,
                claim.orderStep(),
                claim.intent(),
                ChargeStage.CLAIMED,
                0,
                Attempt.opened(first.at()),
                Outcome.NONE,
                0,
                first.at());
    }

    /** The charge as its whole stream says. */
    public static ChargeSaga of(UUID chargeId, List<RecordedEvent> stream) {
        ChargeSaga saga = claimed(chargeId, stream.get(0));
        for (RecordedEvent event : stream.subList(1, stream.size())) {
            saga = saga.after(event);
        }
        return saga;
    }

    /** @throws IllegalStateException when the event is not the next one or does not fit the stage */
    public ChargeSaga after(RecordedEvent recorded) {
        if (recorded.sequence() != sequence + 1) {
            throw new IllegalStateException("%s: event %d follows event %d; the stream has a gap"
                    .formatted(orderStep, recorded.sequence(), sequence));
        }
        return fold(recorded).at(recorded.sequence());
    }

    private ChargeSaga fold(RecordedEvent recorded) {
        ChargeEvent event = recorded.event();
        if (event instanceof ProviderCalled called) {
            return with(ChargeStage.IN_DOUBT, attempt.called(lastCall(called, recorded.sequence()), called), outcome);
        }
        if (event instanceof NoAnswer silence) {
            return with(stage, attempt.unanswered(silence), outcome);
        }
        if (event instanceof NotCharged proof) {
            Attempt proven = attempt.proven(proof);
            return with(proven.unproven() ? ChargeStage.IN_DOUBT : ChargeStage.CLAIMED, proven, outcome);
        }
        if (event instanceof ReferenceStored stored) {
            return with(ChargeStage.CHARGED, attempt, outcome.charged(stored.reference()));
        }
        if (event instanceof Declined declined) {
            return with(ChargeStage.DECLINED, attempt, outcome.declined(declined));
        }
        return foldRare(recorded);
    }

    private ChargeSaga foldRare(RecordedEvent recorded) {
        ChargeEvent event = recorded.event();
        if (event instanceof Acked) {
            return with(ChargeStage.ACKED, attempt, outcome);
        }
        if (event instanceof Parked parked) {
            return with(ChargeStage.PARKED, attempt, outcome.parked(parked.reason()));
        }
        if (event instanceof Released released) {
            ChargeStage next = released.provenUncharged() ? ChargeStage.CLAIMED : ChargeStage.IN_DOUBT;
            return with(next, attempt.released(released.provenUncharged(), recorded.at()), outcome.parked(null));
        }
        if (event instanceof EvidenceSeen evidence) {
            return with(stage, attempt, outcome.evidence(evidence));
        }
        if (event instanceof ConflictSeen) {
            return new ChargeSaga(
                    chargeId, orderStep, intent, stage, sequence, attempt, outcome, conflicts + 1, claimedAt);
        }
        throw new IllegalStateException(
                "%s: event %d is %s, which does not fit here".formatted(orderStep, recorded.sequence(), event));
    }

    private static LastCall lastCall(ProviderCalled called, long sequence) {
        return new LastCall(
                sequence, called.idempotencyKey(), called.requestHash(), called.deadline(), called.resendSafeUntil());
    }

    private ChargeSaga with(ChargeStage nextStage, Attempt nextAttempt, Outcome nextOutcome) {
        return new ChargeSaga(
                chargeId, orderStep, intent, nextStage, sequence, nextAttempt, nextOutcome, conflicts, claimedAt);
    }

    private ChargeSaga at(long lastSequence) {
        return new ChargeSaga(chargeId, orderStep, intent, stage, lastSequence, attempt, outcome, conflicts, claimedAt);
    }
}
