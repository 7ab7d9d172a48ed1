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
        if (stopping.isSet()) {
            throw new IllegalStateException(
                    "Chargefence was stopped and its threads are gone; restart the application. Nothing is lost: what was"
                            + " requested waits in MySQL.");
        }
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

    /** A pause would be a stop: what is in doubt must not wait for a context that may never be resumed. */
    @Override
    public boolean isPauseable() {
        return false;
    }

    /** Above the web server's: its last requests still commit while we stop, and the next process publishes them. */
    @Override
    public int getPhase() {
        return Integer.MAX_VALUE - 100;
    }
}
