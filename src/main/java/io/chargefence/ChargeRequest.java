package io.chargefence;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.joda.money.Money;
import org.jspecify.annotations.Nullable;

/**
 * What an order back end asks for. Immutable; each method returns a new request.
 *
 * <pre>{@code
 * charges.request(ChargeRequest.forStep(order.id(), "deposit")
 *         .amount(Money.ofMinor(CurrencyUnit.EUR, 12_900))
 *         .source(command.paymentMethodToken())
 *         .attribute("channel", "web"));
 * }</pre>
 */
public final class ChargeRequest {

    private final OrderStep orderStep;
    private final @Nullable Money amount;
    private final @Nullable String source;
    private final @Nullable String provider;
    private final SortedMap<String, String> attributes;

    private ChargeRequest(
            OrderStep orderStep,
            @Nullable Money amount,
            @Nullable String source,
            @Nullable String provider,
            SortedMap<String, String> attributes) {
        this.orderStep = orderStep;
        this.amount = amount;
        this.source = source;
        this.provider = provider;
        this.attributes = Collections.unmodifiableSortedMap(attributes);
    }

    /** @throws InvalidChargeException when the pair is not a valid {@link OrderStep} */
    public static ChargeRequest forStep(String orderId, String step) {
        return new ChargeRequest(new OrderStep(orderId, step), null, null, null, new TreeMap<>());
    }

    /** Required. Zero and negative amounts are refused when the charge is requested. */
    public ChargeRequest amount(Money value) {
        return new ChargeRequest(orderStep, value, source, provider, attributes);
    }

    /** Required: the provider's token for the payment method. Never a card number. */
    public ChargeRequest source(String token) {
        return new ChargeRequest(orderStep, amount, token, provider, attributes);
    }

    /** The provider's id. May be left out when exactly one provider is configured, or a default one is. */
    public ChargeRequest provider(String id) {
        return new ChargeRequest(orderStep, amount, source, id, attributes);
    }

    /** A short text that travels with the charge to the provider. */
    public ChargeRequest attribute(String name, String value) {
        SortedMap<String, String> more = new TreeMap<>(attributes);
        more.put(name, value);
        return new ChargeRequest(orderStep, amount, source, provider, more);
    }

    public OrderStep orderStep() {
        return orderStep;
    }

    /**
     * The intent of this request.
     *
     * @param defaultProvider used when the request names none; null when there is no default
     * @throws InvalidChargeException when a required value is missing or one is out of its bounds
     */
    public Intent intent(@Nullable String defaultProvider) {
        String chosen = provider != null ? provider : defaultProvider;
        return Intent.of(
                required("amount", amount), required("source", source), required("provider", chosen), attributes);
    }

    private <T> T required(String field, @Nullable T value) {
        if (value == null) {
            throw InvalidChargeException.withoutValue(field, "is missing in the request for " + orderStep);
        }
        return value;
    }
}
