package io.chargefence.stripe;

import java.net.URI;
import java.time.Duration;
import java.util.Map;

/**
 * How Stripe is reached.
 *
 * @param id of the provider, recorded with each charge; two accounts are two providers
 * @param apiKey secret key; never shown
 * @param apiBase {@code https://api.stripe.com}, or a proxy or a simulator
 * @param connectTimeout for one connection
 * @param keys whether idempotency keys are honoured; off only for something that speaks Stripe's language without keys
 * @param lookUp whether payments can be listed; off only for something that cannot
 * @param lookUpLag how long a payment may stay hidden from a list
 * @param clockSkew how far Stripe's clock and the database's may be apart
 * @param headers sent with each request, for a proxy
 */
public record StripeSettings(
        String id,
        String apiKey,
        URI apiBase,
        Duration connectTimeout,
        boolean keys,
        boolean lookUp,
        Duration lookUpLag,
        Duration clockSkew,
        Map<String, String> headers) {

    public static final URI STRIPE = URI.create("https://api.stripe.com");

    public StripeSettings {
        headers = Map.copyOf(headers);
    }

    /** Stripe itself, as it behaves. */
    public static StripeSettings of(String apiKey) {
        return new StripeSettings(
                "stripe",
                apiKey,
                STRIPE,
                Duration.ofSeconds(5),
                true,
                true,
                Duration.ofSeconds(5),
                Duration.ofMinutes(2),
                Map.of());
    }

    public StripeSettings at(URI base) {
        return new StripeSettings(id, apiKey, base, connectTimeout, keys, lookUp, lookUpLag, clockSkew, headers);
    }

    public StripeSettings abilities(boolean withKeys, boolean withLookUp) {
        return new StripeSettings(
                id, apiKey, apiBase, connectTimeout, withKeys, withLookUp, lookUpLag, clockSkew, headers);
    }

    /** Without the key and the headers. */
    @Override
    public String toString() {
        return "StripeSettings[id=%s, apiBase=%s, keys=%s, lookUp=%s]".formatted(id, apiBase, keys, lookUp);
    }
}
