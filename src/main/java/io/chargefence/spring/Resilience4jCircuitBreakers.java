package io.chargefence.spring;

import io.chargefence.flow.CircuitBreakers;
import io.chargefence.provider.NoAnswerReason;
import io.chargefence.provider.NotChargedReason;
import io.chargefence.provider.ProviderAnswer;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** A circuit breaker per provider. Silence counts as failure; a decline is an answer, and so is "slow down". */
final class Resilience4jCircuitBreakers implements CircuitBreakers {

    private static final Set<NoAnswerReason> FAILURES = Set.of(
            NoAnswerReason.TIMED_OUT,
            NoAnswerReason.CONNECTION_LOST,
            NoAnswerReason.SERVER_ERROR,
            NoAnswerReason.UNREADABLE);

    private static final int TRIAL_CALLS = 3;
    /** Long, since a shop with few orders needs its time to try three calls. */
    private static final Duration HALF_OPEN_MAX = Duration.ofMinutes(10);

    private final CircuitBreakerRegistry breakers;

    Resilience4jCircuitBreakers(ChargefenceProperties.Circuit settings) {
        breakers = CircuitBreakerRegistry.of(CircuitBreakerConfig.custom()
                .failureRateThreshold(settings.failureRate())
                .minimumNumberOfCalls(settings.minimumCalls())
                .slidingWindowSize(Math.max(settings.minimumCalls(), 100))
                .waitDurationInOpenState(settings.openFor())
                // A permission whose call never reported its end must not keep the circuit half open for ever.
                .maxWaitDurationInHalfOpenState(HALF_OPEN_MAX)
                .permittedNumberOfCallsInHalfOpenState(TRIAL_CALLS)
                .build());
    }

    @Override
    public boolean permits(String provider) {
        return breakers.circuitBreaker(provider).tryAcquirePermission();
    }

    @Override
    public void ended(String provider, ProviderAnswer answer, Duration took) {
        CircuitBreaker breaker = breakers.circuitBreaker(provider);
        if (isFailure(answer)) {
            breaker.onError(took.toNanos(), TimeUnit.NANOSECONDS, new IllegalStateException("no answer"));
        } else {
            breaker.onSuccess(took.toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    private static boolean isFailure(ProviderAnswer answer) {
        if (answer instanceof ProviderAnswer.NoAnswer silence) {
            return FAILURES.contains(silence.reason());
        }
        return answer instanceof ProviderAnswer.NotCharged proof && proof.reason() == NotChargedReason.NOT_CONNECTED;
    }
}
