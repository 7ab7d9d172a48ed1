package io.chargefence.provider;

import java.nio.charset.StandardCharsets;

/**
 * One payment provider. Implementations must be thread-safe.
 *
 * <p>What an adapter must guarantee, since money depends on it:
 *
 * <ul>
 *   <li>{@link #charge} puts at most <em>one</em> HTTP request on the wire. Automatic retries and redirects of the HTTP
 *       client or SDK are off, and no {@code @Retryable} sits on it: Chargefence retries, behind the fence.
 *   <li>It sends {@link ProviderCall#idempotencyKey()}, and nothing in the request depends on anything but the call's
 *       intent, order step, attempt and key: {@link #requestBytes} must be the same on every machine at any time.
 *   <li>It answers within {@link ProviderCall#timeout()}.
 *   <li>It does not guess. Only the provider's own positive statement is {@link ProviderAnswer.Declined}; only proof is
 *       {@link ProviderAnswer.NotCharged}; everything else, every exception included, is {@link ProviderAnswer.NoAnswer}.
 * </ul>
 */
public interface PaymentProvider {

    /** Stable id, {@code [a-z0-9][a-z0-9._-]{0,31}}; recorded with each charge. */
    String id();

    /** What this provider can do. When in doubt, {@link ProviderTraits#cautious()}. */
    ProviderTraits traits();

    /**
     * Asks the provider to take the money. Called by the flow only, after the commit of {@code ProviderCalled}.
     *
     * <p>A thrown exception counts as {@link ProviderAnswer.NoAnswer}.
     */
    ProviderAnswer charge(ProviderCall call);

    /**
     * Reads what became of an attempt, on a strongly consistent endpoint (a list or a retrieve, not a search index). Never
     * moves money. Called only when {@link ProviderTraits#canLookUp()}.
     *
     * @return Charged or Declined when found in that state; NotCharged only when the provider can <em>prove</em> that it
     *     will never charge this attempt; {@code NoAnswer(NOT_FOUND)} when it knows nothing of it, which proves nothing;
     *     {@code NoAnswer(IN_FLIGHT)} when it is still working on it
     */
    default ProviderAnswer lookUp(LookUp lookUp) {
        throw new UnsupportedOperationException(id() + " cannot look up charges");
    }

    /**
     * The bytes that {@link #charge} would send, or a canonical form that changes exactly when they change. Recorded as a
     * hash before the first call and compared before a resend: other bytes are never sent under the same key.
     */
    default byte[] requestBytes(ProviderCall call) {
        return String.join(
                        "\n",
                        id(),
                        call.orderStep().toString(),
                        call.idempotencyKey().value(),
                        call.intent().hash())
                .getBytes(StandardCharsets.UTF_8);
    }
}
