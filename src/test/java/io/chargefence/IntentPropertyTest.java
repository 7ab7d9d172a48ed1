package io.chargefence;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

/** A class of its own: of two test engines in one class only the last one's report is kept. */
class IntentPropertyTest {

    @Property
    void intents_have_the_same_hash_exactly_when_they_are_equal(
            @ForAll @LongRange(min = 1, max = 3) long amountA,
            @ForAll @LongRange(min = 1, max = 3) long amountB,
            @ForAll @IntRange(max = 3) int shapeA,
            @ForAll @IntRange(max = 3) int shapeB) {
        Intent a = shaped(amountA, shapeA);
        Intent b = shaped(amountB, shapeB);
        assertThat(a.hash().equals(b.hash())).isEqualTo(a.equals(b));
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
}
