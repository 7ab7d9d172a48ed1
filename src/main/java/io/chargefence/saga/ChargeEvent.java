package io.chargefence.saga;

import io.chargefence.IdempotencyKey;
import io.chargefence.Intent;
import io.chargefence.OrderStep;
import io.chargefence.ProviderReference;
import io.chargefence.provider.DeclineKind;
import io.chargefence.provider.NoAnswerReason;
import io.chargefence.provider.NotChargedReason;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A fact about one charge. The names are wire format: they stand in the log for ever under stable names and revisions,
 * never under Java class names. On a good day there are four: claimed, called, stored, acked.
 */
public sealed interface ChargeEvent {

    /** The fence: the first event of every charge, in one transaction with its row under the unique (order_id, step). */
    record FenceClaimed(OrderStep orderStep, Intent intent) implements ChargeEvent {}

    /**
     * Committed before the request leaves. From here on money may move.
     *
     * @param call counted from 1 within the attempt
     * @param deadline until then the request may be under way, in database time
     * @param resendSafeUntil until then the provider remembers the key; null when it honours none
     */
    record ProviderCalled(
            int attempt,
            int call,
            IdempotencyKey idempotencyKey,
            String requestHash,
            Instant deadline,
            @Nullable Instant resendSafeUntil)
            implements ChargeEvent {}

    /**
     * A call or a look-up brought nothing conclusive.
     *
     * @param lookUp whether it was a look-up, which never moves money
     */
    record NoAnswer(NoAnswerReason reason, String detail, boolean lookUp) implements ChargeEvent {}

    /** Proof that the last call moved no money. */
    record NotCharged(
            NotChargedReason reason,
            String detail,
            @Nullable Instant retryAt) implements ChargeEvent {}

    /** The provider took the money. */
    record ReferenceStored(ProviderReference reference, Via via) implements ChargeEvent {}

    /** The provider refused. */
    record Declined(String code, DeclineKind kind) implements ChargeEvent {}

    /** The failure transport: waits for a person or for new evidence. */
    record Parked(ParkedReason reason) implements ChargeEvent {}

    /**
     * An operator let a parked charge go on.
     *
     * @param provenUncharged whether it is proven that no money moved, by the log or by the operator's evidence
     */
    record Released(String actor, String reason, boolean provenUncharged) implements ChargeEvent {}

    /**
     * The step will never again act on a delivery.
     *
     * @param delivery the message in hand, or null when there was none
     */
    record Acked(@Nullable String delivery) implements ChargeEvent {}

    /** The same step was requested with another intent; refused. */
    record ConflictSeen(Intent intent) implements ChargeEvent {}

    /**
     * A fact against what is recorded. Overwrites nothing.
     *
     * @param reference another charge at the provider, where the fact is one
     */
    record EvidenceSeen(String what, @Nullable ProviderReference reference) implements ChargeEvent {}

    /** How a reference became known. */
    enum Via {
        ANSWER,
        LOOK_UP,
        RESEND,
        WEBHOOK,
        OPERATOR
    }

    /** Why a charge waits. */
    enum ParkedReason {
        /** The last allowed call brought no outcome. */
        CALLS_EXHAUSTED,
        /** In doubt, and the provider can neither resend nor look up. */
        CANNOT_TELL,
        /** Two look-ups, apart, found nothing; the first request may still be under way. */
        NOT_FOUND_TWICE,
        /** Waited longer than give-up-after. */
        GAVE_UP,
        /** The provider reports another amount or currency than the intent. */
        AMOUNT_MISMATCH,
        /** Workers took the delivery over again and again, and none got anywhere. */
        POISON
    }
}
