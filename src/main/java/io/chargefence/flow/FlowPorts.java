package io.chargefence.flow;

import java.util.UUID;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Everything the flow cannot do by itself.
 *
 * @param ids time-ordered unique ids (UUIDv7), so that the log grows at its right edge
 * @param random in [0, 1), for jitter
 * @param nanos a monotonic clock, for limits within this process
 */
public record FlowPorts(
        ChargeLog log,
        Outbox outbox,
        Deliveries deliveries,
        ChargeViews views,
        CircuitBreakers breakers,
        FlowListener listener,
        Supplier<UUID> ids,
        DoubleSupplier random,
        LongSupplier nanos) {}
