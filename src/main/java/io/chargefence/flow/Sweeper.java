package io.chargefence.flow;

import io.chargefence.OrderStep;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.function.IntFunction;

/**
 * Brings back what is due: MySQL says what, Redis only delivers. Every instance may run one; rows that another holds are
 * skipped. This is why Redis may be emptied at any moment.
 */
public final class Sweeper {

    private static final Duration PAUSE_MAX = Duration.ofSeconds(10);

    private final FlowSettings settings;
    private final FlowPorts ports;
    private final Loop loop;

    Sweeper(FlowSettings settings, FlowPorts ports) {
        this.settings = settings;
        this.ports = ports;
        this.loop = new Loop(
                "chargefence-sweeper", this::sweepAndWait, ports.listener(), settings.sweepInterval(), PAUSE_MAX);
    }

    public void start() {
        loop.start();
    }

    public void stop() {
        loop.stop(Duration.ofSeconds(2));
    }

    public boolean isRunning() {
        return loop.isRunning();
    }

    private void sweepAndWait() throws InterruptedException {
        sweep();
        loop.waitFor(settings.sweepInterval());
    }

    /** One sweep over everything that is due now. */
    void sweep() {
        publishAll(max -> ports.log().takeDue(max, settings.reservation()));
        publishAll(max -> ports.log().takeUnclaimed(max, settings.reservation()));
    }

    private void publishAll(IntFunction<List<OrderStep>> take) {
        List<OrderStep> due;
        do {
            due = take.apply(settings.sweepBatch());
            publish(due);
        } while (due.size() == settings.sweepBatch());
    }

    /** Their due time has moved on already: when Redis does not take them, they are due again after one reservation. */
    private void publish(List<OrderStep> due) {
        if (due.isEmpty()) {
            return;
        }
        try {
            ports.deliveries().publish(due).toCompletableFuture().join();
        } catch (CompletionException notTaken) {
            throw new TransportUnavailableException(
                    "%d due charges were not published".formatted(due.size()), notTaken);
        }
    }
}
