package io.chargefence.provider;

import io.chargefence.IdempotencyKey;
import io.chargefence.Intent;
import io.chargefence.OrderStep;
import java.time.Duration;

/**
 * One HTTP transmission of an attempt.
 *
 * @param attempt counted from 1
 * @param call counted from 1 within the attempt; for logs only, it must not change the request
 * @param timeout hard limit for the whole call, connecting included
 */
public record ProviderCall(
        OrderStep orderStep, Intent intent, int attempt, int call, IdempotencyKey idempotencyKey, Duration timeout) {}
