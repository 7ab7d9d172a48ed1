package io.chargefence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.util.Map;
import java.util.TreeMap;
import org.joda.money.CurrencyUnit;
import org.joda.money.Money;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IntentTest {

    @ParameterizedTest
    @CsvSource({
        "8.20, EUR, 820", "150.14, EUR, 15014", "19.99, EUR, 1999", "0.29, EUR, 29", "2.30, EUR, 230", "80, JPY, 80",
        "1000, KRW, 1000", "35.200, BHD, 35200", "18.600, KWD, 18600", "1.234, TND, 1234", "5.000, OMR, 5000",
                "0.01, BRL, 1"
    })
    void money_is_minor_units_without_a_rounding(String amount, String currency, long minor) {
        Intent intent = Intent.of(Money.of(CurrencyUnit.of(currency), new BigDecimal(amount)), "pm", "acme", Map.of());

        assertThat(intent.amountMinor()).isEqualTo(minor);
        assertThat(intent.amount().getAmount()).isEqualByComparingTo(amount);
    }

    @ParameterizedTest
    @CsvSource({"0", "-1", "1000000000000", "-9223372036854775808"})
    void an_amount_that_takes_no_money_or_too_much_is_refused(long minor) {
        assertThatThrownBy(() -> new Intent(minor, "EUR", "pm", "acme", new TreeMap<>()))
                .isInstanceOf(InvalidChargeException.class)
                .hasMessageContaining("amount");
        assertThatThrownBy(() -> Intent.of(
                        Money.of(CurrencyUnit.EUR, new BigDecimal("99999999999999999999")), "pm", "acme", Map.of()))
                .isInstanceOf(InvalidChargeException.class);
    }

    @ParameterizedTest
    @CsvSource({"eur", "EU", "XXQ", "'€'"})
    void a_currency_that_is_none_is_refused(String currency) {
        assertThatThrownBy(() -> new Intent(1, currency, "pm", "acme", new TreeMap<>()))
                .hasMessageContaining("currency");
    }

    /** Parts that would read the same when run together. */
    private static Intent shaped(long amount, int shape) {
        Map<String, String> attributes = switch (shape) {
            case 0 -> Map.of();
            case 1 -> Map.of("a", "bc");
            case 2 -> Map.of("ab", "c");
            default -> Map.of("a", "b", "c", "d");
        };
        return new Intent(amount, "EUR", "pm", "acme", new TreeMap<>(attributes));
    }

    @Test
    void the_payment_method_is_in_no_text() {
        Intent intent = new Intent(1, "EUR", "pm_secret", "acme", new TreeMap<>());
        assertThat(intent.toString()).doesNotContain("pm_secret");
        assertThat(intent.summary()).doesNotContain("pm_secret");
    }

    /** Wire format: a key that changed would not collide at the provider with the one that was sent. */
    @Test
    void the_idempotency_key_of_a_step_is_the_same_for_ever() {
        assertThat(IdempotencyKey.of("default", new OrderStep("order-17", "capture"), 1)
                        .value())
                .isEqualTo(GOLDEN_KEY)
                .matches("cf1-[0-9a-f]{40}");
    }

    private static final String GOLDEN_KEY = "cf1-5d95f8582a2eaa22a305a3c0c3d27ea004f8951d";

    @Test
    void keys_differ_by_namespace_order_step_and_attempt_and_not_by_how_they_run_together() {
        assertThat(java.util.Set.of(
                        IdempotencyKey.of("n", new OrderStep("ab", "c"), 1),
                        IdempotencyKey.of("n", new OrderStep("a", "bc"), 1),
                        IdempotencyKey.of("na", new OrderStep("b", "c"), 1),
                        IdempotencyKey.of("n", new OrderStep("ab", "c"), 2),
                        IdempotencyKey.of("n", new OrderStep("AB", "c"), 1)))
                .hasSize(5);
    }

    @Test
    void a_request_without_amount_source_or_provider_names_what_is_missing() {
        ChargeRequest request = ChargeRequest.forStep("o", "s");
        assertThatThrownBy(() -> request.intent("acme")).hasMessageContaining("amount is missing");
        assertThatThrownBy(() -> request.amount(Money.of(CurrencyUnit.EUR, 1)).intent("acme"))
                .hasMessageContaining("source is missing");
        assertThatThrownBy(() -> request.amount(Money.of(CurrencyUnit.EUR, 1))
                        .source("pm")
                        .intent(null))
                .hasMessageContaining("provider is missing");
    }
}
