package io.chargefence.flow;

import io.chargefence.OrderStep;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The transport: wake-ups and nothing else. May lose, repeat, delay and reorder; nothing depends on it but speed.
 *
 * <p>Any method may throw {@link TransportUnavailableException}.
 */
public interface Deliveries {

    /**
     * Wakes workers up for these steps. Completes exceptionally when the transport did not take them; then the sweeper will.
     */
    CompletionStage<Void> publish(Collection<OrderStep> orderSteps);

    /** Waits up to {@code block} for deliveries that nobody has read yet. */
    List<Delivery> read(int max, Duration block);

    /** Takes over deliveries that another worker has had for longer than the reservation. */
    List<Delivery> takeOver(int max);

    /** Removes these from the transport for good. Harmless when repeated. */
    void ack(Collection<Delivery> deliveries);

    /** Keeps a copy of a delivery that matches nothing or cannot be read, for a person to see. The caller acks it. */
    void quarantine(Delivery delivery, String reason);

    /**
     * One appearance of a message.
     *
     * @param id the transport's id, unique over all partitions
     * @param orderStep null when the message could not be read
     * @param takeovers how often the message was taken over from a worker that did not finish; 0 at its first appearance
     * @param raw the message's fields for the quarantine, cut to size and with card numbers masked
     */
    record Delivery(String id, @Nullable OrderStep orderStep, int takeovers, Map<String, String> raw) {

        public boolean redelivered() {
            return takeovers > 0;
        }
    }
}
