package io.chargefence.saga;

import io.chargefence.provider.NoAnswerReason;
import io.chargefence.saga.ChargeEvent.NoAnswer;
import io.chargefence.saga.ChargeEvent.NotCharged;
import io.chargefence.saga.ChargeEvent.ProviderCalled;
import io.chargefence.saga.ChargeSaga.LastCall;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One idempotency key and its calls.
 *
 * @param number counted from 1
 * @param calls HTTP transmissions that count; a call that was proven not sent gives its number back
 * @param waits calls proven not executed, for the backoff
 * @param lookUps look-ups that brought nothing since the last call
 * @param notFound those of them that found nothing
 * @param doubt what was seen last instead of an answer; null when nothing was (yet)
 * @param callsMade HTTP transmissions of the attempt in all; unlike {@code calls} no release starts it anew
 * @param unprovenCalls those of them whose end is neither known nor proven; proof is about one call only
 * @param retryAt set by proof about the last call: before that no further call is made
 * @param openedAt when the budget of calls was opened, by the claim or by a release
 * @param lastCall the last call, null before the first
 */
public record Attempt(
        int number,
        int calls,
        int waits,
        int lookUps,
        int notFound,
        @Nullable NoAnswerReason doubt,
        int callsMade,
        int unprovenCalls,
        @Nullable Instant retryAt,
        Instant openedAt,
        @Nullable LastCall lastCall) {

    static Attempt opened(Instant at) {
        return new Attempt(1, 0, 0, 0, 0, null, 0, 0, null, at, null);
    }

    /** Whether a call was made whose end is neither known nor proven: money may have moved. */
    public boolean unproven() {
        return unprovenCalls > 0;
    }

    /** Whether the end of the last call is proven: it moved no money. An earlier one may have. */
    public boolean lastCallIsProven() {
        return retryAt != null;
    }

    Attempt called(LastCall call, ProviderCalled event) {
        return new Attempt(
                event.attempt(),
                event.call(),
                waits,
                0,
                0,
                null,
                callsMade + 1,
                unprovenCalls + 1,
                null,
                openedAt,
                call);
    }

    Attempt unanswered(NoAnswer event) {
        int found = event.reason() == NoAnswerReason.NOT_FOUND ? 1 : 0;
        int looked = event.lookUp() ? 1 : 0;
        NoAnswerReason seen = event.lookUp() ? doubt : event.reason();
        return new Attempt(
                number,
                calls,
                waits,
                lookUps + looked,
                notFound + found,
                seen,
                callsMade,
                unprovenCalls,
                event.lookUp() ? retryAt : null,
                openedAt,
                lastCall);
    }

    Attempt proven(NotCharged event) {
        int left = event.reason().isAboutTheAttempt() ? 0 : Math.max(0, unprovenCalls - 1);
        return new Attempt(
                number,
                event.reason().burnsCall() ? calls : Math.max(0, calls - 1),
                waits + 1,
                0,
                0,
                left == 0 ? null : doubt,
                event.reason().isTransmitted() ? callsMade : Math.max(0, callsMade - 1),
                left,
                event.retryAt(),
                openedAt,
                lastCall);
    }

    Attempt released(boolean provenUncharged, Instant at) {
        return provenUncharged
                ? new Attempt(number, 0, 0, 0, 0, null, callsMade, 0, null, at, lastCall)
                : new Attempt(
                        number,
                        calls,
                        waits,
                        0,
                        0,
                        doubt,
                        callsMade,
                        unprovenCalls,
                        lastCallIsProven() ? at : null,
                        at,
                        lastCall);
    }
}
