package io.chargefence;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The state of one order step, as one row read by its primary key. A snapshot: a worker may be moving it on right now.
 *
 * @param chargeId id of the charge's event stream; null while UNCLAIMED
 * @param attempt 0 while no attempt is open
 * @param calls HTTP transmissions of the open attempt
 * @param reference set when the provider took the money
 * @param declineCode set when the provider declined
 * @param parkedReason why the charge waits for a person; null unless parked
 * @param callDeadline until then a call may still be running
 * @param resendSafeUntil until then the provider knows the idempotency key; null when it honours none
 * @param dueAt when the charge is acted on next; null at rest
 * @param conflicts requests of the same step with another intent that were refused
 */
public record ChargeView(
        OrderStep orderStep,
        @Nullable String chargeId,
        ChargeStage stage,
        Intent intent,
        int attempt,
        int calls,
        @Nullable IdempotencyKey idempotencyKey,
        @Nullable ProviderReference reference,
        @Nullable String declineCode,
        @Nullable String parkedReason,
        @Nullable Instant callDeadline,
        @Nullable Instant resendSafeUntil,
        @Nullable Instant dueAt,
        int conflicts,
        Instant requestedAt,
        Instant updatedAt) {

    /** Whether the provider is known to have taken the money. False does not mean that it did not: see {@link #isOpen}. */
    public boolean isCharged() {
        return reference != null;
    }

    public boolean isDeclined() {
        return reference == null && declineCode != null;
    }

    /** Whether the outcome is not known yet. */
    public boolean isOpen() {
        return !isCharged() && !isDeclined();
    }
}
