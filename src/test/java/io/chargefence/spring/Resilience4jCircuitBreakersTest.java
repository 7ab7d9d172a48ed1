package io.chargefence.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.chargefence.ProviderReference;
import io.chargefence.provider.DeclineKind;
import io.chargefence.provider.NoAnswerReason;
import io.chargefence.provider.NotChargedReason;
import io.chargefence.provider.ProviderAnswer;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class Resilience4jCircuitBreakersTest {

    private static final Duration TOOK = Duration.ofMillis(10);
    private static final ProviderAnswer CHARGED = new ProviderAnswer.Charged(new ProviderReference("ch_1"), 100, "EUR");

    private final Resilience4jCircuitBreakers breakers = opening(Duration.ofMinutes(10));

    private static Resilience4jCircuitBreakers opening(Duration openFor) {
        return new Resilience4jCircuitBreakers(new ChargefenceProperties.Circuit(true, 50, 4, openFor));
    }

    @ParameterizedTest
    @EnumSource(
            value = NoAnswerReason.class,
            names = {"TIMED_OUT", "CONNECTION_LOST", "SERVER_ERROR", "UNREADABLE"})
    void silence_opens_the_circuit(NoAnswerReason reason) {
        answer(breakers, "acme", new ProviderAnswer.NoAnswer(reason, ""));
        assertThat(breakers.permits("acme")).isFalse();
    }

    @Test
    void a_provider_that_cannot_be_reached_opens_the_circuit_and_no_other_providers() {
        answer(breakers, "acme", new ProviderAnswer.NotCharged(NotChargedReason.NOT_CONNECTED, ""));
        assertThat(breakers.permits("acme")).isFalse();
        assertThat(breakers.permits("other")).isTrue();
    }

    static Stream<ProviderAnswer> answers() {
        return Stream.of(
                CHARGED,
                new ProviderAnswer.Declined("card_declined", DeclineKind.SOFT),
                new ProviderAnswer.NotCharged(NotChargedReason.THROTTLED, ""),
                new ProviderAnswer.NotCharged(NotChargedReason.REFUSED, ""),
                new ProviderAnswer.NoAnswer(NoAnswerReason.IN_FLIGHT, ""),
                new ProviderAnswer.NoAnswer(NoAnswerReason.KEY_REUSED, ""));
    }

    @ParameterizedTest
    @MethodSource("answers")
    void a_decline_a_throttle_a_refusal_and_a_call_in_flight_are_answers(ProviderAnswer answer) {
        answer(breakers, "acme", answer);
        assertThat(breakers.permits("acme")).isTrue();
    }

    @Test
    void after_its_wait_a_few_calls_are_tried_and_close_it_again() {
        Resilience4jCircuitBreakers quick = opening(Duration.ofMillis(50));
        answer(quick, "acme", new ProviderAnswer.NoAnswer(NoAnswerReason.TIMED_OUT, ""));
        await().atMost(Duration.ofSeconds(60)).until(() -> quick.permits("acme"));
        quick.ended("acme", CHARGED, TOOK);
        assertThat(quick.permits("acme")).isTrue();
        assertThat(quick.permits("acme")).isTrue();
        assertThat(quick.permits("acme")).as("a fourth trial call").isFalse();
        quick.ended("acme", CHARGED, TOOK);
        quick.ended("acme", CHARGED, TOOK);
        assertThat(quick.permits("acme")).isTrue();
    }

    private static void answer(Resilience4jCircuitBreakers breakers, String provider, ProviderAnswer answer) {
        for (int call = 0; call < 4; call++) {
            assertThat(breakers.permits(provider)).isTrue();
            breakers.ended(provider, answer, TOOK);
        }
    }
}
