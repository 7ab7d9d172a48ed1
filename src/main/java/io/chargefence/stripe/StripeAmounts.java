package io.chargefence.stripe;

import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.joda.money.CurrencyUnit;

/**
 * ISO 4217 minor units to Stripe's and back, exactly or not at all. Source: Stripe's page "Supported currencies" (zero-decimal
 * currencies, three-decimal currencies, special cases).
 */
final class StripeAmounts {

    private static final Set<String> ZERO_DECIMAL = Set.of(
            "BIF", "CLP", "DJF", "GNF", "JPY", "KMF", "KRW", "MGA", "PYG", "RWF", "VND", "VUV", "XAF", "XOF", "XPF");
    /** Stripe wants their last digit to be 0. */
    private static final Set<String> THREE_DECIMAL = Set.of("BHD", "JOD", "KWD", "OMR", "TND");

    /** Where Stripe and ISO 4217 differ: two-decimal for old times' sake, or zero-decimal although ISO has two. */
    static final Map<String, Integer> EXPONENTS = Map.of("ISK", 2, "UGX", 2, "MGA", 0);

    private StripeAmounts() {}

    /** Empty when Stripe cannot express the amount. */
    static OptionalLong toStripe(long amountMinor, String currency) {
        OptionalLong amount = shifted(amountMinor, decimals(currency) - iso(currency));
        boolean odd = THREE_DECIMAL.contains(currency) && amount.isPresent() && amount.getAsLong() % 10 != 0;
        return odd ? OptionalLong.empty() : amount;
    }

    /** Empty when the amount is no whole number of ISO minor units. */
    static OptionalLong toMinor(long stripeAmount, String currency) {
        return shifted(stripeAmount, iso(currency) - decimals(currency));
    }

    private static OptionalLong shifted(long amount, int places) {
        long factor = (long) Math.pow(10, Math.abs(places));
        if (places >= 0) {
            return OptionalLong.of(Math.multiplyExact(amount, factor));
        }
        return amount % factor == 0 ? OptionalLong.of(amount / factor) : OptionalLong.empty();
    }

    private static int decimals(String currency) {
        if (ZERO_DECIMAL.contains(currency)) {
            return 0;
        }
        return THREE_DECIMAL.contains(currency) ? 3 : 2;
    }

    private static int iso(String currency) {
        return CurrencyUnit.of(currency).getDecimalPlaces();
    }
}
