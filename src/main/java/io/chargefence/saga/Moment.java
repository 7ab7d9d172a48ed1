package io.chargefence.saga;

import java.time.Instant;

/**
 * What the rules may not ask for themselves.
 *
 * @param now database time
 * @param random in [0, 1), for jitter
 */
public record Moment(Instant now, double random) {}
