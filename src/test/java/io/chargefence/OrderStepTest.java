package io.chargefence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OrderStepTest {

    @ParameterizedTest
    @ValueSource(strings = {"ORD-1", "ord-1", "ÖRD-1", "😀", "e\u0301", "a b", "{tag}", "'; drop table", "<b>", "x"})
    void an_id_is_kept_as_it_is(String orderId) {
        assertThat(new OrderStep(orderId, "capture").orderId()).isEqualTo(orderId);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                " a",
                "a ",
                "\u00a0a",
                "a\u2003",
                "\ta",
                "a\n",
                "a\nb",
                "a\u0000b",
                "a\u0085b",
                "\ud800",
                "a\udc00b"
            })
    void an_id_that_two_systems_would_read_differently_is_refused(String orderId) {
        assertThatThrownBy(() -> new OrderStep(orderId, "capture"))
                .isInstanceOf(InvalidChargeException.class)
                .hasMessageContaining("orderId")
                .hasMessageContaining("no money moved")
                .satisfies(refused -> assertThat(refused.getMessage()).doesNotContain("\n"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Capture", "-a", ".a", "a b", "ä", "a/b", "a\n"})
    void a_step_that_is_no_name_is_refused(String step) {
        assertThatThrownBy(() -> new OrderStep("order-1", step)).isInstanceOf(InvalidChargeException.class);
    }
}
