package io.chargefence.saga;

import io.chargefence.Intent;
import io.chargefence.OrderStep;
import org.jspecify.annotations.Nullable;

/**
 * A delivery of an order step.
 *
 * @param intent of the request that waits in the outbox; null when none does
 * @param conflict another intent that was refused before the step was claimed
 * @param takeovers how often workers took the delivery over without finishing it
 * @param delivery the transport's id of the message
 */
public record Wakeup(
        OrderStep orderStep,
        @Nullable Intent intent,
        @Nullable Intent conflict,
        int takeovers,
        String delivery) {}
