package io.chargefence.flow;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A thread that does one thing again and again until it is stopped, and slows down while that fails. */
final class Loop {

    /** One round. */
    @FunctionalInterface
    interface Round {
        void run() throws InterruptedException;
    }

    private final String name;
    private final Round round;
    private final FlowListener listener;
    private final Duration pauseMin;
    private final Duration pauseMax;
    private volatile CountDownLatch stopping = new CountDownLatch(0);
    private volatile Thread thread;
    private Duration pause;

    Loop(String name, Round round, FlowListener listener, Duration pauseMin, Duration pauseMax) {
        this.name = name;
        this.round = round;
        this.listener = listener;
        this.pauseMin = pauseMin;
        this.pauseMax = pauseMax;
        this.pause = pauseMin;
    }

    void start() {
        stopping = new CountDownLatch(1);
        thread = new Thread(this::run, name);
        thread.setDaemon(true);
        thread.start();
    }

    /** Waits for the round under way, and interrupts it when it takes longer than {@code patience}. */
    void stop(Duration patience) {
        stopping.countDown();
        Thread running = thread;
        if (running == null) {
            return;
        }
        try {
            running.join(patience.toMillis());
            running.interrupt();
            running.join(patience.toMillis());
        } catch (InterruptedException stopNow) {
            running.interrupt();
            Thread.currentThread().interrupt();
        }
    }

    boolean mayGoOn() {
        return stopping.getCount() > 0;
    }

    boolean isRunning() {
        Thread running = thread;
        return running != null && running.isAlive() && mayGoOn();
    }

    void wentWell() {
        pause = pauseMin;
    }

    /** Waits, longer each time, until the next try or the stop. */
    void pauseAfter(String what, Exception cause) throws InterruptedException {
        listener.trouble(what, cause);
        waitFor(pause);
        Duration doubled = pause.multipliedBy(2);
        pause = doubled.compareTo(pauseMax) > 0 ? pauseMax : doubled;
    }

    /** Waits for this long, or less when stopped. */
    void waitFor(Duration time) throws InterruptedException {
        stopping.await(time.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void run() {
        try {
            while (mayGoOn()) {
                runOnce();
            }
        } catch (InterruptedException stopNow) {
            Thread.currentThread().interrupt();
        }
    }

    private void runOnce() throws InterruptedException {
        try {
            round.run();
            wentWell();
        } catch (RuntimeException failed) {
            pauseAfter(name, failed);
        } catch (Error failed) {
            pauseAfter(
                    name,
                    new IllegalStateException(failed)); // a worker without its threads would look alive and do nothing
        }
    }
}
