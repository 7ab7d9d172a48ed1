package io.chargefence.flow;

import io.chargefence.Intent;
import io.chargefence.OrderStep;
import io.chargefence.saga.ChargeSaga;
import io.chargefence.saga.RecordedEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The fence and the event log. The database decides every race, and its clock is the only one that is written down.
 *
 * <p>Any method may throw {@link StoreUnavailableException}: then nothing is known to have happened, except where said
 * otherwise.
 */
public interface ChargeLog {

    /** What is known of these steps, in one consistent read of committed state (never of an older snapshot). */
    Snapshot load(Collection<OrderStep> orderSteps);

    /**
     * Records all of these in one transaction where that is possible. An entry that lost a race (another worker holds the
     * fence, or wrote the next event first) is refused alone; the others of the batch are recorded.
     *
     * <p>When the answer to a commit is lost, this re-reads by the entries' own ids on a new connection until it knows, so
     * that a return always tells the truth. Throws {@link StoreUnavailableException} only when nothing of the batch was
     * recorded, or when it cannot be known because the process is stopping.
     *
     * @return the steps whose entry was refused: reload and decide again
     */
    Set<OrderStep> append(List<Entry> entries);

    /**
     * Takes fenced charges whose due time has passed and moves their due time on by one reservation, so that a sweep cannot
     * flood the transport. Rows that another sweeper holds are skipped.
     */
    List<OrderStep> takeDue(int max, Duration reservation);

    /** The same for requests that were not claimed yet. */
    List<OrderStep> takeUnclaimed(int max, Duration reservation);

    /**
     * What the log knew at one moment.
     *
     * @param now database time of the read
     */
    record Snapshot(Instant now, Map<OrderStep, Known> charges) {

        public Known of(OrderStep orderStep) {
            return charges.getOrDefault(orderStep, Known.NOTHING);
        }
    }

    /**
     * @param request what waits in the outbox; null when nothing does
     * @param saga the fenced charge; null while unclaimed
     */
    record Known(@Nullable Requested request, @Nullable ChargeSaga saga) {

        public static final Known NOTHING = new Known(null, null);
    }

    /**
     * A row of the outbox.
     *
     * @param conflict another intent that was requested for the same step before it was claimed, and refused
     * @param traceparent W3C trace context of the order's transaction, or null
     */
    record Requested(
            OrderStep orderStep,
            Intent intent,
            @Nullable Intent conflict,
            Instant requestedAt,
            @Nullable String traceparent) {}

    /**
     * One charge's share of a transaction.
     *
     * @param before the state decided on; null for a claim
     * @param events to append, in order, from {@code before.sequence + 1}; may be empty
     * @param after the state to store
     * @param dueAt the new due time; null: it stands (and is cleared by a stage at rest)
     * @param settlesRequest whether the request leaves the outbox in the same transaction
     * @param metadata stored beside each event (worker, delivery, redelivered, traceparent)
     */
    record Entry(
            @Nullable ChargeSaga before,
            List<RecordedEvent> events,
            ChargeSaga after,
            @Nullable Instant dueAt,
            boolean settlesRequest,
            Map<String, String> metadata) {

        public OrderStep orderStep() {
            return after.orderStep();
        }

        public boolean isClaim() {
            return before == null;
        }
    }
}
