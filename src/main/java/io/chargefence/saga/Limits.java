package io.chargefence.saga;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * How long and how often. Every wait and every count of the rules has its bound here.
 *
 * @param callsMax transmissions per attempt (or per release), then parked
 * @param startWithin a call that is not on its way this long after its decision is not sent
 * @param callTimeout hard limit of one provider call
 * @param margin what is added wherever two clocks or two processes must not overlap
 * @param lookUpDelays waits between look-ups; the last one repeats
 * @param giveUpAfter from the claim (or a release) on; then parked
 * @param backoff first wait after proof that a call was not executed
 * @param backoffMultiplier what the wait grows by each time
 * @param backoffMax the longest wait
 * @param jitter share of a wait that is random, 0 to 1
 * @param takeoversMax takeovers of a delivery without a new event, then parked
 */
public record Limits(
        int callsMax,
        Duration startWithin,
        Duration callTimeout,
        Duration margin,
        List<Duration> lookUpDelays,
        Duration giveUpAfter,
        Duration backoff,
        double backoffMultiplier,
        Duration backoffMax,
        double jitter,
        int takeoversMax) {

    public static final Limits DEFAULT = new Limits(
            3,
            Duration.ofSeconds(5),
            Duration.ofSeconds(20),
            Duration.ofSeconds(10),
            List.of(
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(30),
                    Duration.ofMinutes(2),
                    Duration.ofMinutes(10),
                    Duration.ofHours(1)),
            Duration.ofHours(24),
            Duration.ofSeconds(2),
            3.0,
            Duration.ofMinutes(1),
            0.2,
            10);

    public Limits {
        lookUpDelays = List.copyOf(lookUpDelays);
        if (lookUpDelays.isEmpty()) {
            throw new IllegalArgumentException("lookUpDelays must not be empty");
        }
    }

    /** From the decision to the latest moment at which the call can be under way. */
    public Duration callWindow() {
        return startWithin.plus(callTimeout);
    }

    /** Whether a charge has waited for its outcome for longer than anything may. */
    boolean isGivenUp(ChargeSaga saga, Instant now) {
        return now.isAfter(saga.attempt().openedAt().plus(giveUpAfter));
    }

    /** @param random in [0, 1) */
    Duration lookUpDelay(int lookUpsSoFar, double random) {
        Duration delay = lookUpDelays.get(Math.min(lookUpsSoFar, lookUpDelays.size() - 1));
        return jittered(delay.toMillis(), random);
    }

    /** @param random in [0, 1) */
    Duration backoff(int waitsSoFar, double random) {
        double ceiling = Math.min(backoffMax.toMillis(), backoff.toMillis() * Math.pow(backoffMultiplier, waitsSoFar));
        return jittered(ceiling, random);
    }

    private Duration jittered(double ceilingMs, double random) {
        return Duration.ofMillis(Math.round(ceilingMs * (1 - jitter * random)));
    }
}
