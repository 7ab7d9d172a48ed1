package io.chargefence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.joda.money.CurrencyUnit;
import org.joda.money.Money;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CardNumbersTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "4111111111111111",
                "card 4111111111111111 of ada",
                "ORD4111111111111111",
                "order-4111-1111-1111-1111",
                "4111 1111 1111 1111",
                "378282246310005",
                "3782 822463 10005",
                "٤١١١١١١١١١١١١١١١",
                "(4222222222222)"
            })
    void a_possible_card_number_is_seen_and_masked(String text) {
        assertThat(CardNumbers.isIn(text)).isTrue();
        assertThat(CardNumbers.masked(text)).contains("[card number]").doesNotContainPattern("\\d{6}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "4111111111111112",
                "411111111111",
                "41111111111111111111",
                "3f5ee98124031535645a99b8c198833f",
                "94f5c07efddbe8e3f3880195377736ee",
                "0190a1b2-1234-7123-8123-4111111111111111",
                "cf1-0123456789abcdef0123456789abcdef01234567",
                "order 17 of 2026-12-01"
            })
    void what_is_no_card_number_is_let_through(String text) {
        boolean luhnInUuidLike = text.startsWith("0190a1b2");
        assertThat(CardNumbers.isIn(text)).isEqualTo(luhnInUuidLike);
        if (!luhnInUuidLike) {
            assertThat(CardNumbers.masked(text)).isEqualTo(text);
        }
    }

    @Test
    void no_field_of_a_charge_takes_one_and_no_error_repeats_it() {
        String card = "4111111111111111";
        Money amount = Money.of(CurrencyUnit.EUR, 1);
        assertRefused(() -> new OrderStep("order-" + card, "s"));
        assertRefused(() -> new OrderStep("o", card));
        assertRefused(() -> Intent.of(amount, card, "acme", Map.of()));
        assertRefused(() -> Intent.of(amount, "pm", "acme", Map.of("note", "paid with " + card)));
        assertRefused(() -> new ProviderReference("ref " + card));
        assertThatThrownBy(() -> new OrderStep("o", "NO " + card)).hasMessageNotContaining(card);
        assertThatCode(() -> Intent.of(amount, "pm", "acme", Map.of("note", "none")))
                .doesNotThrowAnyException();
    }

    private static void assertRefused(org.assertj.core.api.ThrowableAssert.ThrowingCallable maker) {
        assertThatThrownBy(maker)
                .isInstanceOf(InvalidChargeException.class)
                .hasMessageContaining("card number")
                .hasMessageNotContaining("4111111111111111");
    }
}
