package io.chargefence;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.joda.money.CurrencyUnit;
import org.joda.money.Money;

/**
 * What an order step is to do. Immutable: the same step with another intent is a conflict, never an update.
 *
 * @param amountMinor the amount in minor units of the currency (cents, yen, fils), 1 to {@value #AMOUNT_MINOR_MAX}
 * @param currency ISO 4217 letters
 * @param source the provider's token for the payment method, 1 to 255 characters; never a card number
 * @param provider id of the payment provider, {@code [a-z0-9][a-z0-9._-]{0,31}}
 * @param attributes at most {@value #ATTRIBUTES_MAX} short texts that travel to the provider
 */
public record Intent(
        long amountMinor, String currency, String source, String provider, SortedMap<String, String> attributes) {

    public static final long AMOUNT_MINOR_MAX = 999_999_999_999L;
    public static final int ATTRIBUTES_MAX = 20;

    private static final Pattern PROVIDER = Pattern.compile("[a-z0-9][a-z0-9._-]{0,31}");
    private static final Pattern ATTRIBUTE_NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,39}");
    private static final int SOURCE_MAX = 255;
    private static final int ATTRIBUTE_MAX = 500;

    public Intent {
        checkAmount(amountMinor, currency);
        checkText("source", source, SOURCE_MAX);
        if (!PROVIDER.matcher(provider).matches()) {
            throw new InvalidChargeException(
                    "provider", provider, "must be 1 to 32 characters of a-z, 0-9, '.', '_' or '-'");
        }
        CardNumbers.refuseIn("provider", provider);
        attributes.forEach(Intent::checkAttribute);
        if (attributes.size() > ATTRIBUTES_MAX) {
            throw new InvalidChargeException("attributes", attributes.size(), "must be at most " + ATTRIBUTES_MAX);
        }
        attributes = Collections.unmodifiableSortedMap(new TreeMap<>(attributes));
    }

    /** @throws InvalidChargeException when the amount is zero, negative or too large */
    public static Intent of(Money amount, String source, String provider, Map<String, String> attributes) {
        return new Intent(
                amountMinor(amount), amount.getCurrencyUnit().getCode(), source, provider, new TreeMap<>(attributes));
    }

    public Money amount() {
        return Money.ofMinor(CurrencyUnit.of(currency), amountMinor);
    }

    /** SHA-256 over every field, length-prefixed, in lower-case hex. Equal hashes mean the same intent. */
    public String hash() {
        Digest digest = new Digest("intent/1")
                .add(Long.toString(amountMinor))
                .add(currency)
                .add(source)
                .add(provider);
        attributes.forEach((name, value) -> digest.add(name).add(value));
        return digest.hex();
    }

    /** One line without the payment-method token. */
    public String summary() {
        return "%s at %s, intent %s".formatted(amount(), provider, hash().substring(0, 12));
    }

    /** Without the payment-method token, so that it cannot reach a log by accident. */
    @Override
    public String toString() {
        return "Intent[" + summary() + "]";
    }

    private static long amountMinor(Money amount) {
        try {
            return amount.getAmountMinorLong();
        } catch (ArithmeticException tooLarge) {
            throw new InvalidChargeException("amount", amount, "must be at most " + AMOUNT_MINOR_MAX + " minor units");
        }
    }

    private static void checkAmount(long amountMinor, String currency) {
        if (amountMinor <= 0) {
            throw new InvalidChargeException(
                    "amount", amountMinor, "must be more than zero minor units: a charge takes money");
        }
        if (amountMinor > AMOUNT_MINOR_MAX) {
            throw new InvalidChargeException(
                    "amount", amountMinor, "must be at most " + AMOUNT_MINOR_MAX + " minor units");
        }
        if (CurrencyUnit.registeredCurrencies().stream()
                .noneMatch(unit -> unit.getCode().equals(currency))) {
            throw new InvalidChargeException("currency", currency, "is not an ISO 4217 currency in upper-case letters");
        }
    }

    private static void checkAttribute(String name, String value) {
        if (!ATTRIBUTE_NAME.matcher(name).matches()) {
            throw new InvalidChargeException(
                    "attribute name", name, "must be 1 to 40 characters of A-Z, a-z, 0-9, '.', '_' or '-'");
        }
        CardNumbers.refuseIn("attribute name", name);
        checkText("attribute " + name, value, ATTRIBUTE_MAX);
    }

    private static void checkText(String field, String value, int charactersMax) {
        if (value.isEmpty() || value.length() > charactersMax) {
            throw new InvalidChargeException(field, value, "must be 1 to " + charactersMax + " characters");
        }
        if (value.codePoints()
                .anyMatch(c -> Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE)) {
            throw new InvalidChargeException(field, value, "must not contain control characters or lone surrogates");
        }
        CardNumbers.refuseIn(field, value);
    }
}
