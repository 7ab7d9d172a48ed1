package io.chargefence;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** A class of its own: of two test engines in one class only the last one's report is kept. */
class CardNumbersPropertyTest {

    @Property
    void every_run_that_passes_the_luhn_check_is_seen_wherever_it_stands(
            @ForAll("cards") String card, @ForAll("surroundings") String before, @ForAll("surroundings") String after) {
        String text = before + card + after;
        assertThat(CardNumbers.isIn(text)).isTrue();
        assertThat(CardNumbers.masked(text)).doesNotContain(card);
    }

    @Property
    void a_run_whose_check_digit_is_wrong_is_not(@ForAll("cards") String card) {
        int last = Character.digit(card.charAt(card.length() - 1), 10);
        String wrong = card.substring(0, card.length() - 1) + (last + 1) % 10;
        assertThat(CardNumbers.isIn(wrong)).isFalse();
    }

    @Provide
    Arbitrary<String> cards() {
        return Arbitraries.strings()
                .numeric()
                .ofMinLength(12)
                .ofMaxLength(18)
                .map(CardNumbersPropertyTest::withCheckDigit);
    }

    @Provide
    Arbitrary<String> surroundings() {
        return Arbitraries.of("", " ", "order-", "ä", "(", "/x", "z");
    }

    private static String withCheckDigit(String digits) {
        int sum = 0;
        for (int n = 0; n < digits.length(); n++) {
            int digit = digits.charAt(digits.length() - 1 - n) - '0';
            int doubled = n % 2 == 0 ? 2 * digit : digit;
            sum += doubled > 9 ? doubled - 9 : doubled;
        }
        return digits + (10 - sum % 10) % 10;
    }
}
