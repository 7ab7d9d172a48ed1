package io.chargefence.stripe;

import static io.chargefence.stripe.StripeFixture.error;
import static io.chargefence.stripe.StripeFixture.payment;
import static org.assertj.core.api.Assertions.assertThat;

import io.chargefence.ProviderReference;
import io.chargefence.provider.NotChargedReason;
import io.chargefence.provider.ProviderAnswer;
import io.chargefence.provider.ProviderAnswer.Charged;
import io.chargefence.provider.ProviderAnswer.Declined;
import io.chargefence.provider.ProviderAnswer.NoAnswer;
import io.chargefence.provider.ProviderAnswer.NotCharged;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class StripeAnswersTest {

    /** Status, body, and what it means to a call. */
    static Stream<Arguments> answers() {
        return Stream.of(
                Arguments.of(200, payment("succeeded"), "charged pi_1 12900 EUR"),
                Arguments.of(200, payment("processing"), "no answer IN_FLIGHT"),
                Arguments.of(200, payment("requires_capture"), "no answer IN_FLIGHT"),
                Arguments.of(200, payment("requires_action"), "no answer IN_FLIGHT"),
                Arguments.of(200, payment("something_new"), "no answer IN_FLIGHT"),
                Arguments.of(200, payment("canceled"), "not charged PROVEN_BY_LOOK_UP"),
                Arguments.of(
                        200, payment("succeeded", 12_901, "eur", StripeFixture.KEY.value()), "charged pi_1 12901 EUR"),
                Arguments.of(
                        200, payment("succeeded", 12_900, "usd", StripeFixture.KEY.value()), "charged pi_1 12900 USD"),
                Arguments.of(200, payment("succeeded", 12_900, "eur", "cf1-another-key"), "no answer FOREIGN"),
                Arguments.of(200, "{\"id\":\"pi_1\"}", "no answer FOREIGN"),
                Arguments.of(200, "{\"id\":\"pi_1\",\"status\":\"succ", "no answer UNREADABLE"),
                Arguments.of(200, "", "no answer UNREADABLE"),
                Arguments.of(200, "<html>ok</html>", "no answer UNREADABLE"),
                Arguments.of(
                        402,
                        error("card_error", "card_declined", "insufficient_funds"),
                        "declined insufficient_funds SOFT"),
                Arguments.of(402, error("card_error", "card_declined", "stolen_card"), "declined stolen_card HARD"),
                Arguments.of(402, error("card_error", "expired_card", null), "declined expired_card HARD"),
                Arguments.of(
                        402, error("card_error", "card_declined", "never_heard_of"), "declined never_heard_of HARD"),
                Arguments.of(
                        402,
                        error("card_error", "authentication_required", "authentication_required"),
                        "declined authentication_required ACTION_REQUIRED"),
                Arguments.of(402, "<html>payment required</html>", "no answer UNREADABLE"),
                Arguments.of(402, error("invalid_request_error", "x", null), "no answer UNREADABLE"),
                Arguments.of(400, error("idempotency_error", "", null), "no answer KEY_REUSED"),
                Arguments.of(409, error("idempotency_error", "idempotency_key_in_use", null), "no answer IN_FLIGHT"),
                Arguments.of(409, error("invalid_request_error", "lock_timeout", null), "no answer IN_FLIGHT"),
                Arguments.of(409, "conflict", "no answer UNREADABLE"),
                Arguments.of(429, error("invalid_request_error", "rate_limit", null), "not charged THROTTLED"),
                Arguments.of(429, "slow down", "no answer UNREADABLE"),
                Arguments.of(400, error("invalid_request_error", "parameter_missing", null), "not charged REFUSED"),
                Arguments.of(401, error("invalid_request_error", "api_key_expired", null), "not charged REFUSED"),
                Arguments.of(403, error("invalid_request_error", "x", null), "not charged REFUSED"),
                Arguments.of(404, error("invalid_request_error", "resource_missing", null), "not charged REFUSED"),
                Arguments.of(404, "<html>not found</html>", "no answer UNREADABLE"),
                Arguments.of(404, "{\"message\":\"no route\"}", "no answer UNREADABLE"),
                Arguments.of(401, "{\"error\":\"denied\"}", "no answer UNREADABLE"),
                Arguments.of(302, "", "no answer UNREADABLE"),
                Arguments.of(500, error("api_error", "x", null), "no answer SERVER_ERROR"),
                Arguments.of(500, error("card_error", "card_declined", null), "no answer SERVER_ERROR"),
                Arguments.of(502, "<html>bad gateway</html>", "no answer SERVER_ERROR"),
                Arguments.of(503, "", "no answer SERVER_ERROR"));
    }

    @ParameterizedTest
    @MethodSource("answers")
    void only_stripes_own_positive_statement_is_an_outcome(int status, String body, String meaning) throws Exception {
        try (RawServer server = new RawServer(RawServer.answering(status, body))) {
            ProviderAnswer answer = StripeFixture.provider(server.url())
                    .charge(StripeFixture.call(12_900, "EUR", Duration.ofSeconds(20)));
            assertThat(told(answer)).isEqualTo(meaning);
            assertThat(answer.toString()).doesNotContain("4111111111111111");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "12900, EUR, 12900", "80, JPY, 80", "1000, KRW, 1000", "50000, VND, 50000", "35200, BHD, 35200",
                "18600, KWD, 18600",
        "5000, OMR, 5000", "500, ISK, 50000", "7, UGX, 700", "300, MGA, 3", "100, HUF, 100", "1, USD, 1",
    })
    void amounts_are_stripes_own_minor_units_and_come_back_exactly(long minor, String currency, long stripe) {
        assertThat(StripeAmounts.toStripe(minor, currency)).hasValue(stripe);
        assertThat(StripeAmounts.toMinor(stripe, currency)).hasValue(minor);
    }

    @ParameterizedTest
    @CsvSource({"1234, TND", "18601, KWD", "301, MGA"})
    void an_amount_that_stripe_cannot_express_is_refused_before_anything_is_sent(long minor, String currency)
            throws Exception {
        try (RawServer server = new RawServer(RawServer.answering(200, payment("succeeded")))) {
            ProviderAnswer answer = StripeFixture.provider(server.url())
                    .charge(StripeFixture.call(minor, currency, Duration.ofSeconds(5)));

            assertThat(answer)
                    .isInstanceOfSatisfying(
                            NotCharged.class,
                            proof -> assertThat(proof.reason()).isEqualTo(NotChargedReason.REFUSED));
            assertThat(server.requests).isEmpty();
        }
    }

    @Test
    void the_bytes_of_a_request_depend_on_the_charge_alone() {
        StripeProvider provider = StripeFixture.provider(java.net.URI.create("http://127.0.0.1:1"));
        byte[] first = provider.requestBytes(StripeFixture.call(12_900, "EUR", Duration.ofSeconds(1)));

        assertThat(provider.requestBytes(StripeFixture.call(12_900, "EUR", Duration.ofSeconds(9))))
                .isEqualTo(first);
        assertThat(provider.requestBytes(StripeFixture.call(12_901, "EUR", Duration.ofSeconds(1))))
                .isNotEqualTo(first);
        assertThat(new String(first, java.nio.charset.StandardCharsets.UTF_8))
                .contains("confirm=true", "metadata[order_id]=order-17", "chargefence_key", "attribute_channel");
    }

    @Test
    void settings_never_show_the_key() {
        assertThat(StripeSettings.of("sk_live_secret").toString()).doesNotContain("sk_live_secret");
    }

    private static String told(ProviderAnswer answer) {
        if (answer instanceof Charged charged) {
            assertThat(charged.reference()).isEqualTo(new ProviderReference("pi_1"));
            return "charged pi_1 " + charged.amountMinor() + " " + charged.currency();
        }
        if (answer instanceof Declined declined) {
            return "declined " + declined.code() + " " + declined.kind();
        }
        if (answer instanceof NotCharged proof) {
            return "not charged " + proof.reason();
        }
        return "no answer " + ((NoAnswer) answer).reason();
    }
}
