package io.chargefence.testing;

import io.chargefence.OrderStep;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A request to charge, as it came.
 *
 * @param parameters of the form, sorted; compared under a key
 * @param key idempotency key, or null
 */
record PaymentRequest(
        OrderStep orderStep,
        long amount,
        String currency,
        String source,
        Map<String, String> metadata,
        String parameters,
        @Nullable String key) {

    private static final String METADATA = "metadata[";

    /** @throws IllegalArgumentException when an amount or a name is missing or odd; the message is for the caller */
    static PaymentRequest of(Map<String, String> form, @Nullable String key) {
        Map<String, String> metadata = new TreeMap<>();
        form.forEach((name, value) -> {
            if (name.startsWith(METADATA)) {
                metadata.put(name.substring(METADATA.length(), name.length() - 1), value);
            }
        });
        return new PaymentRequest(
                new OrderStep(metadata.getOrDefault("order_id", "unknown"), metadata.getOrDefault("step", "unknown")),
                amount(form.get("amount")),
                required(form, "currency"),
                form.getOrDefault("payment_method", ""),
                metadata,
                new TreeMap<>(form).toString(),
                key);
    }

    private static long amount(@Nullable String text) {
        try {
            long amount = Long.parseLong(String.valueOf(text));
            if (amount > 0) {
                return amount;
            }
        } catch (NumberFormatException odd) {
            // told below
        }
        throw new IllegalArgumentException("Invalid positive integer: amount " + text);
    }

    private static String required(Map<String, String> form, String name) {
        if (!form.containsKey(name)) {
            throw new IllegalArgumentException("Missing required param: " + name);
        }
        return form.get(name);
    }
}
