package io.chargefence.flow;

import io.chargefence.Charges;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Everything of this package put together. One per process. */
public final class Flow implements AutoCloseable {

    private final Charges charges;
    private final Operations operations;
    private final Evidence evidence;
    private final Worker worker;
    private final Sweeper sweeper;
    private final ScheduledExecutorService timer;
    private final ExecutorService calls;

    public Flow(FlowSettings settings, FlowPorts ports, Providers providers) {
        BlockingQueue<Fact> outcomes = new LinkedBlockingQueue<>(); // bounded by the window
        Window window = new Window(settings.concurrency());
        timer = Executors.newSingleThreadScheduledExecutor(daemons("chargefence-timer"));
        calls = Executors.newFixedThreadPool(settings.concurrency(), daemons("chargefence-call"));
        ProviderCalls providerCalls = new ProviderCalls(
                settings.limits(), ports, providers, calls, Deadline.interruptingFrom(timer), outcomes::add);
        ChargeFlow flow = new ChargeFlow(settings, ports, providers, providerCalls, window);
        charges = new Intake(ports, providers, flow);
        operations = new OperatorCommands(flow, ports.views());
        evidence = new ReportedEvidence(flow, ports.views());
        worker = new Worker(settings, ports, flow, window, outcomes, calls);
        sweeper = new Sweeper(settings, ports);
    }

    public Charges charges() {
        return charges;
    }

    public Operations operations() {
        return operations;
    }

    public Evidence evidence() {
        return evidence;
    }

    public Worker worker() {
        return worker;
    }

    public Sweeper sweeper() {
        return sweeper;
    }

    /** Stops what runs, gracefully. May be called more than once. */
    @Override
    public void close() {
        sweeper.stop();
        worker.stop();
        calls.shutdownNow();
        timer.shutdownNow();
    }

    private static ThreadFactory daemons(String name) {
        AtomicInteger count = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, name + "-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }
}
