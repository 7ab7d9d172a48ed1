package io.chargefence.campaign;

import io.chargefence.OrderStep;
import java.time.Instant;

/** One order of the campaign: what is to happen to the process that handles it, and when that happened. */
final class Order {

    static final String STEP = "deposit";

    final Point point;
    final boolean frozen;
    final String orderId;
    volatile Instant hitAt;
    volatile boolean placed;
    volatile long tellAgainAtNanos;
    volatile boolean told;
    long createdNanos = System.nanoTime();
    long placeAgainAtNanos;
    Instant restAt;
    String stage = "NONE";
    boolean charged;

    Order(Point point, boolean frozen, int number) {
        this.point = point;
        this.frozen = frozen;
        this.orderId = "%s-%s-%06d".formatted(point, frozen ? "frozen" : "killed", number);
    }

    OrderStep orderStep() {
        return new OrderStep(orderId, STEP);
    }

    static boolean isFor(String orderId, Point point) {
        return orderId.startsWith(point + "-");
    }

    static boolean isFrozen(String orderId) {
        return orderId.contains("-frozen-");
    }

    boolean isHit() {
        return hitAt != null;
    }

    boolean isAtRest() {
        return restAt != null;
    }
}
