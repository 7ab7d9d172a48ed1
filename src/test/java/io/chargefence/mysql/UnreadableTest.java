package io.chargefence.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import io.chargefence.ChargefenceException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class UnreadableTest {

    @Test
    void a_row_is_reported_once(CapturedOutput output) {
        Unreadable unreadable = new Unreadable();
        for (int i = 0; i < 3; i++) {
            unreadable.report("charge_request", "order-1/deposit", new ChargefenceException("amount is odd"));
        }
        unreadable.report("charge_fence", "order-1/deposit", new ChargefenceException("stage is odd"));
        assertThat(output).containsOnlyOnce("amount is odd").containsOnlyOnce("stage is odd");
    }

    @Test
    void an_odd_key_can_neither_forge_a_line_nor_show_a_card_number() {
        String name = Unreadable.name("4242\n424242424242".getBytes(StandardCharsets.UTF_8), "deposit");
        assertThat(name).isEqualTo("order id of 17 bytes from x'343234320a34', step deposit");
    }
}
