package io.chargefence.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.chargefence.OrderStep;
import io.chargefence.flow.Deliveries.Delivery;
import io.lettuce.core.StreamMessage;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EntriesTest {

    private static final OrderStep STEP = new OrderStep("ORD-1", "deposit");

    @Test
    void what_was_encoded_is_decoded() {
        Delivery delivery = decode(Entries.encode(STEP));
        assertThat(delivery)
                .isEqualTo(new Delivery("3/5-0", STEP, 2, Map.of("v", "1", "orderId", "ORD-1", "step", "deposit")));
    }

    @Test
    void a_further_field_of_a_newer_writer_is_let_through() {
        Map<byte[], byte[]> body = Entries.encode(STEP);
        body.put(bytes("trace"), new byte[] {(byte) 0xff});
        assertThat(decode(body).orderStep()).isEqualTo(STEP);
    }

    @ParameterizedTest
    @ValueSource(strings = {"v", "orderId", "step"})
    void a_field_that_appears_twice_makes_the_entry_unreadable(String twice) {
        Map<byte[], byte[]> body = Entries.encode(STEP);
        body.put(bytes(twice), bytes("1"));
        assertThat(decode(body).orderStep()).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"v", "orderId", "step"})
    void a_field_that_is_missing_makes_the_entry_unreadable(String missing) {
        Map<byte[], byte[]> body = Entries.encode(STEP);
        body.keySet().removeIf(name -> new String(name, UTF_8).equals(missing));
        assertThat(decode(body).orderStep()).isNull();
    }

    @Test
    void an_id_with_broken_bytes_is_unreadable_rather_than_repaired_into_another_id() {
        Map<byte[], byte[]> body = new LinkedHashMap<>();
        body.put(bytes("v"), bytes("1"));
        body.put(bytes("orderId"), new byte[] {'O', (byte) 0xed, (byte) 0xa0, (byte) 0x80});
        body.put(bytes("step"), bytes("deposit"));
        Delivery delivery = decode(body);
        assertThat(delivery.orderStep()).isNull();
        assertThat(delivery.raw()).containsEntry("orderId", "bytes:O\\xed\\xa0\\x80");
    }

    private static Delivery decode(Map<byte[], byte[]> body) {
        return Entries.decode(3, new StreamMessage<>(bytes("s"), "5-0", body), 2);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }
}
