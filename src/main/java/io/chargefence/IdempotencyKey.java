package io.chargefence;

import java.util.regex.Pattern;

/**
 * The key that an attempt carries to the provider, the same for all its calls. Derived from what the charge <em>is</em>,
 * never random and never from a database id: it must collide at the provider even if our database forgot the claim.
 *
 * @param value 10 to 64 characters of {@code [A-Za-z0-9_-]}
 */
public record IdempotencyKey(String value) {

    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9_-]{10,64}");
    private static final int HEX_DIGITS = 40;

    public IdempotencyKey {
        if (!FORM.matcher(value).matches()) {
            throw new InvalidChargeException("idempotency key", value, "must be 10 to 64 characters of A-Za-z0-9_-");
        }
    }

    /**
     * @param namespace tells deployments apart that share one provider account ({@code chargefence.namespace})
     * @param attempt counted from 1
     */
    public static IdempotencyKey of(String namespace, OrderStep orderStep, int attempt) {
        String hash = new Digest("key/1")
                .add(namespace)
                .add(orderStep.orderId())
                .add(orderStep.step())
                .add(Integer.toString(attempt))
                .hex();
        return new IdempotencyKey("cf1-" + hash.substring(0, HEX_DIGITS));
    }

    @Override
    public String toString() {
        return value;
    }
}
