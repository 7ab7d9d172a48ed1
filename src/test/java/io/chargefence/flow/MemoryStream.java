package io.chargefence.flow;

import io.chargefence.OrderStep;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The transport in memory; time-outs of reservations are declared by the test. */
final class MemoryStream implements Deliveries {

    final Deque<Delivery> fresh = new ArrayDeque<>();
    final Map<String, Delivery> pending = new LinkedHashMap<>();
    final Map<String, String> quarantined = new LinkedHashMap<>();
    private final List<Delivery> abandoned = new ArrayList<>();
    boolean away;
    private int count;

    @Override
    public synchronized CompletionStage<Void> publish(Collection<OrderStep> orderSteps) {
        if (away) {
            return CompletableFuture.failedFuture(new TransportUnavailableException("Redis is away", null));
        }
        orderSteps.forEach(step -> fresh.add(new Delivery("0/" + ++count, step, 0, Map.of())));
        return CompletableFuture.completedFuture(null);
    }

    void forge(OrderStep orderStep, Map<String, String> raw) {
        fresh.add(new Delivery("0/" + ++count, orderStep, 0, raw));
    }

    /** The reservations of everything in a worker's hand run out. */
    void expireReservations() {
        abandoned.clear();
        abandoned.addAll(pending.values());
    }

    @Override
    public synchronized List<Delivery> read(int max, Duration block) {
        failIfAway();
        List<Delivery> read = new ArrayList<>();
        while (read.size() < max && !fresh.isEmpty()) {
            Delivery delivery = fresh.poll();
            pending.put(delivery.id(), delivery);
            read.add(delivery);
        }
        return read;
    }

    @Override
    public synchronized List<Delivery> takeOver(int max) {
        failIfAway();
        abandoned.removeIf(delivery -> !pending.containsKey(delivery.id()));
        List<Delivery> taken = abandoned.stream()
                .limit(max)
                .map(delivery ->
                        new Delivery(delivery.id(), delivery.orderStep(), delivery.takeovers() + 1, delivery.raw()))
                .toList();
        abandoned.subList(0, taken.size()).clear();
        taken.forEach(delivery -> pending.put(delivery.id(), delivery));
        return taken;
    }

    @Override
    public synchronized void ack(Collection<Delivery> deliveries) {
        failIfAway();
        deliveries.forEach(delivery -> pending.remove(delivery.id()));
    }

    @Override
    public synchronized void quarantine(Delivery delivery, String reason) {
        failIfAway();
        quarantined.put(delivery.id(), reason);
    }

    private void failIfAway() {
        if (away) {
            throw new TransportUnavailableException("Redis is away", null);
        }
    }
}
