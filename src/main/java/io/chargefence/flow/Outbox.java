package io.chargefence.flow;

import io.chargefence.Intent;
import io.chargefence.OrderStep;
import org.jspecify.annotations.Nullable;

/** The door: requests, written in the caller's own transaction. */
public interface Outbox {

    /** Whether the caller has a transaction open on our database. */
    boolean inTransaction();

    /**
     * Files a request in the caller's transaction.
     *
     * @return the intent that is recorded for this step already, in the outbox or behind the fence; null when the request
     *     is new
     */
    @Nullable
    Intent file(OrderStep orderStep, Intent intent);

    /**
     * Notes a refused other intent beside a request that is not claimed yet, in a transaction of its own.
     *
     * @return false when no such request waits (it was claimed meanwhile, or rolled back)
     */
    boolean noteConflict(OrderStep orderStep, Intent refused);

    /** Runs after the caller's transaction committed. Must not throw. */
    void afterCommit(Runnable action);

    /** Runs after the caller's transaction ended, however it did. Must not throw. */
    void afterCompletion(Runnable action);
}
