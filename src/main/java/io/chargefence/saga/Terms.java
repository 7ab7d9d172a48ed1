package io.chargefence.saga;

import io.chargefence.IdempotencyKey;
import io.chargefence.provider.NoAnswerReason;
import io.chargefence.provider.ProviderTraits;
import io.chargefence.saga.ChargeSaga.LastCall;
import java.time.Instant;

/**
 * What a call would look like now, and what its provider can do.
 *
 * @param idempotencyKey of the open attempt
 * @param requestHash of the bytes that would be sent now
 */
public record Terms(ProviderTraits traits, IdempotencyKey idempotencyKey, String requestHash) {

    /**
     * Whether the same key and the same bytes may be sent again although the last call is in doubt: the provider honours
     * keys, still remembers this one after what was seen, and the bytes did not change (an upgraded adapter changes them).
     */
    boolean mayResend(Attempt attempt, Instant now) {
        LastCall last = attempt.lastCall();
        return last != null
                && traits.keysCover(seenOrSilence(attempt))
                && last.resendSafeUntil() != null
                && now.isBefore(last.resendSafeUntil())
                && last.requestHash().equals(requestHash)
                && last.idempotencyKey().equals(idempotencyKey);
    }

    /** A worker that died recorded nothing: silence. */
    private static NoAnswerReason seenOrSilence(Attempt attempt) {
        return attempt.doubt() == null ? NoAnswerReason.TIMED_OUT : attempt.doubt();
    }
}
