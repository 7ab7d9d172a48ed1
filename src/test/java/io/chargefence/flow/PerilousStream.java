package io.chargefence.flow;

import io.chargefence.OrderStep;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** The transport as a worker of the simulation reaches it. */
final class PerilousStream implements Deliveries {

    private final MemoryStream stream;
    private final SimulatedWorker worker;

    PerilousStream(Simulation world, SimulatedWorker worker) {
        this.stream = world.stream;
        this.worker = worker;
    }

    @Override
    public CompletionStage<Void> publish(Collection<OrderStep> orderSteps) {
        return worker.through("PUBLISH", orderSteps, () -> stream.publish(orderSteps));
    }

    @Override
    public List<Delivery> read(int max, Duration block) {
        return stream.read(max, block);
    }

    @Override
    public List<Delivery> takeOver(int max) {
        return stream.takeOver(max);
    }

    @Override
    public void ack(Collection<Delivery> deliveries) {
        List<OrderStep> steps = deliveries.stream()
                .map(Delivery::orderStep)
                .filter(step -> step != null)
                .toList();
        worker.through("ACK", steps, () -> {
            stream.ack(deliveries);
            return null;
        });
    }

    @Override
    public void quarantine(Delivery delivery, String reason) {
        stream.quarantine(delivery, reason);
    }
}
