package io.chargefence.mysql;

import io.chargefence.OrderStep;
import io.chargefence.flow.ChargeLog.Known;
import io.chargefence.flow.ChargeLog.Requested;
import io.chargefence.saga.ChargeSaga;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What both tables hold about one step.
 *
 * @param requestDue when the request is published next
 */
record ChargeRow(
        OrderStep orderStep,
        @Nullable Requested request,
        @Nullable Instant requestDue,
        @Nullable Fence fence) {

    /** A row of {@code charge_fence}. */
    record Fence(
            ChargeSaga saga,
            Instant requestedAt,
            Instant updatedAt,
            @Nullable Instant dueAt) {}

    Known known() {
        return new Known(request, fence == null ? null : fence.saga());
    }

    boolean isEmpty() {
        return request == null && fence == null;
    }
}
