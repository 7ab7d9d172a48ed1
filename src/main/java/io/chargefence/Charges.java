package io.chargefence;

import java.util.List;
import java.util.Optional;

/**
 * The way in for an order back end.
 *
 * <p>Promised: at most one charge per (order, step, attempt) in effect; what was committed with the order reaches CHARGED,
 * DECLINED or PARKED. Not promised: that the provider was called when {@link #request} returns (it never is), or anything
 * about charges that are made outside Chargefence.
 */
public interface Charges {

    /**
     * Asks for a charge inside the caller's own transaction: it commits or rolls back with the order. Returns at once; the
     * provider is called by a worker after the commit. Idempotent: the same order step with the same intent again changes
     * nothing.
     *
     * @return the order step, to ask for its state with
     * @throws MissingTransactionException when no transaction is active
     * @throws ChargeConflictException when the step was requested before with another intent
     * @throws InvalidChargeException when a value is missing or out of its bounds, or may hold a card number
     */
    OrderStep request(ChargeRequest request);

    /** The state of one order step: one read by primary key. Empty when it was never requested (or rolled back). */
    Optional<ChargeView> state(String orderId, String step);

    /** The steps of one order, by step name. */
    List<ChargeView> states(String orderId);

    /** Counts the whole table: for monitoring, not for a request path. */
    Invariant invariant();
}
