package io.chargefence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** A class of its own: of two test engines in one class only the last one's report is kept. */
class OrderStepPropertyTest {

    @Property
    void ids_are_measured_in_bytes(@ForAll("characters") String character, @ForAll("lengths") int length) {
        String id = character.repeat(length);
        boolean fits = id.getBytes(StandardCharsets.UTF_8).length <= OrderStep.ORDER_ID_BYTES_MAX;
        if (fits) {
            assertThatCode(() -> new OrderStep(id, "s")).doesNotThrowAnyException();
        } else {
            assertThatThrownBy(() -> new OrderStep(id, "s")).hasMessageContaining("at most 255 bytes");
        }
    }

    /** What the database compares and what Java compares is the same. */
    @Property
    void steps_are_equal_exactly_when_their_bytes_are(@ForAll("ids") String a, @ForAll("ids") String b) {
        Assume.that(isValid(a) && isValid(b));
        boolean sameBytes =
                java.util.Arrays.equals(a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
        assertThat(new OrderStep(a, "s").equals(new OrderStep(b, "s"))).isEqualTo(sameBytes);
        assertThat(new OrderStep(a, "s").compareTo(new OrderStep(b, "s")) == 0).isEqualTo(sameBytes);
    }

    @Provide
    Arbitrary<String> characters() {
        return Arbitraries.of("a", "é", "€", "😀");
    }

    @Provide
    Arbitrary<Integer> lengths() {
        return Arbitraries.integers().between(1, 300);
    }

    @Provide
    Arbitrary<String> ids() {
        return Arbitraries.strings().withChars("aAäéß€ 1\u0301").ofMinLength(1).ofMaxLength(4);
    }

    private static boolean isValid(String id) {
        try {
            new OrderStep(id, "s");
            return true;
        } catch (InvalidChargeException refused) {
            return false;
        }
    }
}
