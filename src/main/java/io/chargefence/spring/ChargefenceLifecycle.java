package io.chargefence.spring;

import io.chargefence.flow.Flow;
import org.springframework.context.SmartLifecycle;

/** Starts the worker late and stops it early: calls in flight end before the pools they need are closed. */
final class ChargefenceLifecycle implements SmartLifecycle {

    private final Flow flow;
    private final boolean worker;
    private final Stopping stopping;
    private volatile boolean running;

    ChargefenceLifecycle(Flow flow, boolean worker, Stopping stopping) {
        this.flow = flow;
        this.worker = worker;
        this.stopping = stopping;
    }

    @Override
    public void start() {
        flow.sweeper().start();
        if (worker) {
            flow.worker().start();
        }
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        flow.close();
        stopping.set();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return Integer.MAX_VALUE - 100;
    }
}
