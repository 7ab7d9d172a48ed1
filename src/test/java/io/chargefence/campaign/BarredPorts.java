package io.chargefence.campaign;

import io.chargefence.Intent;
import io.chargefence.OrderStep;
import io.chargefence.flow.ChargeLog;
import io.chargefence.flow.Deliveries;
import io.chargefence.flow.FlowPorts;
import io.chargefence.flow.Outbox;
import io.chargefence.saga.ChargeEvent;
import io.chargefence.saga.ChargeEvent.Parked;
import io.chargefence.saga.ChargeEvent.ReferenceStored;
import io.chargefence.saga.ChargeEvent.Via;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

/** The production ports with barriers before and after what they do. */
final class BarredPorts {

    private BarredPorts() {}

    static FlowPorts of(FlowPorts ports, Barrier barrier) {
        return new FlowPorts(
                new Log(ports.log(), barrier),
                new Door(ports.outbox(), barrier),
                new Transport(ports.deliveries(), barrier),
                ports.views(),
                ports.breakers(),
                ports.listener(),
                ports.ids(),
                ports.random(),
                ports.nanos());
    }

    private record Log(ChargeLog log, Barrier barrier) implements ChargeLog {

        @Override
        public Snapshot load(Collection<OrderStep> orderSteps) {
            return log.load(orderSteps);
        }

        @Override
        public Set<OrderStep> append(List<Entry> entries) {
            BeforeCommit.of(entries);
            Set<OrderStep> lost;
            try {
                lost = log.append(entries);
            } finally {
                BeforeCommit.clear();
            }
            List<Entry> won = entries.stream()
                    .filter(entry -> !lost.contains(entry.orderStep()))
                    .toList();
            barrier.at(Point.C6, steps(won, Entry::isClaim));
            barrier.at(Point.C11, steps(won, entry -> stores(entry, Via.ANSWER)));
            barrier.at(Point.C15, steps(won, entry -> has(entry, event -> event instanceof Parked)));
            return lost;
        }

        @Override
        public List<OrderStep> takeDue(int max, Duration reservation) {
            return log.takeDue(max, reservation);
        }

        @Override
        public List<OrderStep> takeUnclaimed(int max, Duration reservation) {
            return log.takeUnclaimed(max, reservation);
        }
    }

    static List<OrderStep> steps(List<ChargeLog.Entry> entries, Predicate<ChargeLog.Entry> which) {
        return entries.stream().filter(which).map(ChargeLog.Entry::orderStep).toList();
    }

    static boolean stores(ChargeLog.Entry entry, Via via) {
        return has(entry, event -> event instanceof ReferenceStored stored && stored.via() == via);
    }

    private static boolean has(ChargeLog.Entry entry, Predicate<ChargeEvent> which) {
        return entry.events().stream().anyMatch(recorded -> which.test(recorded.event()));
    }

    private record Door(Outbox outbox, Barrier barrier) implements Outbox {

        @Override
        public boolean inTransaction() {
            return outbox.inTransaction();
        }

        @Override
        public Intent file(OrderStep orderStep, Intent intent) {
            Intent recorded = outbox.file(orderStep, intent);
            barrier.at(Point.C1, orderStep);
            Filing.now(orderStep);
            return recorded;
        }

        @Override
        public boolean noteConflict(OrderStep orderStep, Intent refused) {
            return outbox.noteConflict(orderStep, refused);
        }

        @Override
        public void afterCommit(Runnable action) {
            OrderStep filed = Filing.current();
            outbox.afterCommit(() -> {
                barrier.at(Point.C2, filed);
                action.run();
            });
        }

        @Override
        public void afterCompletion(Runnable action) {
            outbox.afterCompletion(action);
        }
    }

    /** What this thread's transaction filed last. */
    private static final class Filing {

        private static final ThreadLocal<OrderStep> CURRENT = new ThreadLocal<>();

        static void now(OrderStep orderStep) {
            CURRENT.set(orderStep);
        }

        static OrderStep current() {
            return CURRENT.get();
        }
    }

    private record Transport(Deliveries deliveries, Barrier barrier) implements Deliveries {

        @Override
        public CompletionStage<Void> publish(Collection<OrderStep> orderSteps) {
            CompletionStage<Void> published = deliveries.publish(orderSteps);
            boolean isFirst = orderSteps.size() == 1
                    && Order.isFor(orderSteps.iterator().next().orderId(), Point.C3);
            if (isFirst) {
                published.toCompletableFuture().join();
                barrier.at(Point.C3, orderSteps);
            }
            return published;
        }

        @Override
        public List<Delivery> read(int max, Duration block) {
            List<Delivery> read = deliveries.read(max, block);
            barrier.at(Point.C4, steps(read));
            return read;
        }

        @Override
        public List<Delivery> takeOver(int max) {
            return deliveries.takeOver(max);
        }

        @Override
        public void ack(Collection<Delivery> acked) {
            deliveries.ack(acked);
            barrier.at(Point.C12, steps(acked));
        }

        @Override
        public void quarantine(Delivery delivery, String reason) {
            deliveries.quarantine(delivery, reason);
        }

        private static List<OrderStep> steps(Collection<Delivery> deliveries) {
            return deliveries.stream()
                    .map(Delivery::orderStep)
                    .filter(step -> step != null)
                    .toList();
        }
    }
}
