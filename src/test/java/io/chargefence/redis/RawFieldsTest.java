package io.chargefence.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RawFieldsTest {

    @ParameterizedTest
    @ValueSource(strings = {"", "ORD-1", "café 😀", "a\nb", "{\"v\":1}", "back\\slash"})
    void text_is_shown_as_it_came(String text) {
        assertThat(RawFields.text(text.getBytes(UTF_8), 100)).isEqualTo(text);
    }

    @Test
    void bytes_that_are_not_text_are_shown_losslessly() {
        byte[] bytes = {'O', 'R', 'D', (byte) 0xff, '\\', 0, '\n', (byte) 0xc3};
        assertThat(RawFields.text(bytes, 100)).isEqualTo("bytes:ORD\\xff\\x5c\\x00\\x0a\\xc3");
    }

    @Test
    void half_a_character_at_the_end_is_not_text() {
        assertThat(RawFields.text(new byte[] {'a', (byte) 0xe2, (byte) 0x82}, 100))
                .isEqualTo("bytes:a\\xe2\\x82");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 7, 8, 62, 63, 64, 65})
    void a_cut_text_says_how_long_it_was_and_never_splits_a_character(int max) {
        String shown = RawFields.text("😀".repeat(100).getBytes(UTF_8), max);
        assertThat(shown).endsWith("… (400 bytes)").doesNotContain("bytes:");
        assertThat(UTF_8.newEncoder().canEncode(shown)).isTrue();
        assertThat(shown.length()).isLessThanOrEqualTo(max + "… (400 bytes)".length());
    }

    @ParameterizedTest
    @ValueSource(ints = {4060, 4076, 4080, 4085, 4090, 4095, 4096})
    void a_card_number_across_the_cut_is_masked(int before) {
        String text = "x".repeat(before) + " 4111 1111 1111 1111 " + "y".repeat(5000);
        assertThat(RawFields.text(text.getBytes(UTF_8), RawFields.FIELD_MAX)).doesNotContain("1111");
    }

    @Test
    void a_card_number_among_bytes_that_are_not_text_is_masked() {
        byte[] bytes = "?4111111111111111?".getBytes(UTF_8);
        bytes[0] = (byte) 0xff;
        assertThat(RawFields.text(bytes, 100)).isEqualTo("bytes:\\xff[card number]?");
    }

    @Test
    void fields_of_one_name_are_all_shown() {
        Map<byte[], byte[]> body = new LinkedHashMap<>();
        body.put("v".getBytes(UTF_8), "1".getBytes(UTF_8));
        body.put("v".getBytes(UTF_8), "2".getBytes(UTF_8));
        assertThat(RawFields.shown(body)).isEqualTo(Map.of("v", "1", "v#2", "2"));
    }

    @Test
    void many_and_large_fields_stay_small() {
        Map<byte[], byte[]> body = new LinkedHashMap<>();
        Random random = new Random(7);
        for (int n = 0; n < 100; n++) {
            byte[] large = new byte[100_000];
            random.nextBytes(large);
            body.put((n + "k".repeat(1000)).getBytes(UTF_8), large);
        }
        Map<String, String> shown = RawFields.shown(body);
        assertThat(shown).hasSize(RawFields.FIELDS_MAX + 1).containsEntry("…", "68 more fields");
        assertThat(shown.toString().length()).isLessThan(2 * RawFields.TOTAL_MAX);
    }
}
