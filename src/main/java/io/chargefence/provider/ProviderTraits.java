package io.chargefence.provider;

import java.time.Duration;
import java.util.Map;

/**
 * What a provider can do, and so how a doubt is resolved. The default is the cautious one: no keys, no look-up.
 *
 * @param honoursKeys the same idempotency key twice gives one charge
 * @param keyLife how long the provider remembers a key
 * @param keysCover after which answers the provider remembers a key
 * @param canLookUp an attempt can be found by our key or order step on a strongly consistent read
 * @param lookUpLag how long a charge may stay hidden from a look-up
 * @param canCancelByReference an attempt can be cancelled by our own reference
 * @param referenceLengthMax longest text the provider takes as our reference
 * @param exponents decimal places per currency where the provider differs from ISO 4217
 */
public record ProviderTraits(
        boolean honoursKeys,
        Duration keyLife,
        KeysCover keysCover,
        boolean canLookUp,
        Duration lookUpLag,
        boolean canCancelByReference,
        int referenceLengthMax,
        Map<String, Integer> exponents) {

    /** After which answers a key is remembered. */
    public enum KeysCover {
        /** Only 2xx answers; after an error the same key is a fresh payment. */
        SUCCESSES_ONLY,
        /** Successes and refusals, but not the provider's own failures. */
        ANY_EXECUTED,
        /** Every executed request, its 5xx answers included. */
        SERVER_ERRORS_TOO
    }

    public ProviderTraits {
        exponents = Map.copyOf(exponents);
    }

    /** No keys, no look-up: in doubt means parked. */
    public static ProviderTraits cautious() {
        return new ProviderTraits(
                false, Duration.ZERO, KeysCover.SUCCESSES_ONLY, false, Duration.ZERO, false, 255, Map.of());
    }

    public ProviderTraits withKeys(Duration life, KeysCover cover) {
        return new ProviderTraits(
                true, life, cover, canLookUp, lookUpLag, canCancelByReference, referenceLengthMax, exponents);
    }

    public ProviderTraits withLookUp(Duration lag) {
        return new ProviderTraits(
                honoursKeys, keyLife, keysCover, true, lag, canCancelByReference, referenceLengthMax, exponents);
    }

    public ProviderTraits withExponents(Map<String, Integer> perCurrency) {
        return new ProviderTraits(
                honoursKeys,
                keyLife,
                keysCover,
                canLookUp,
                lookUpLag,
                canCancelByReference,
                referenceLengthMax,
                perCurrency);
    }

    /**
     * Whether the same key may be sent again after what was seen. Silence may hide a 5xx (the provider charged, failed and
     * forgot the key), so silence needs as much cover as a 5xx.
     */
    public boolean keysCover(NoAnswerReason seen) {
        return honoursKeys
                && switch (seen) {
                    case IN_FLIGHT -> true;
                    case KEY_REUSED, FOREIGN -> false;
                    case TIMED_OUT, CONNECTION_LOST, SERVER_ERROR, UNREADABLE, NOT_FOUND, ADAPTER_FAILED ->
                        keysCover == KeysCover.SERVER_ERRORS_TOO;
                };
    }
}
