package io.chargefence.provider;

import io.chargefence.IdempotencyKey;
import io.chargefence.Intent;
import io.chargefence.OrderStep;
import java.time.Duration;
import java.time.Instant;

/**
 * A question to the provider: what became of this attempt?
 *
 * @param claimedAt when the fence was claimed, in database time: the provider can have seen nothing of the step before
 *     that (allow for clock skew)
 * @param calledUntil the deadline of the last call, in database time: a call can have arrived until then (allow for clock skew)
 * @param timeout hard limit for the whole look-up
 */
public record LookUp(
        OrderStep orderStep,
        Intent intent,
        int attempt,
        IdempotencyKey idempotencyKey,
        Instant claimedAt,
        Instant calledUntil,
        Duration timeout) {}
