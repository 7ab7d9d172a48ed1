package io.chargefence.flow;

import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Ends a question that outlives its time, by interrupting the thread that asks. */
@FunctionalInterface
interface Deadline {

    /** Asks, and interrupts the asking when it takes longer than {@code timeout}. */
    <T> T within(Duration timeout, Supplier<T> question);

    /** Interrupts from the timer's thread. Adapters have their own time-outs; this is for the one that forgot. */
    static Deadline interruptingFrom(ScheduledExecutorService timer) {
        return new Deadline() {
            @Override
            public <T> T within(Duration timeout, Supplier<T> question) {
                Watch watch = new Watch(Thread.currentThread());
                long graceMs = timeout.toMillis() / 10 + 100;
                ScheduledFuture<?> alarm =
                        timer.schedule(watch::ring, timeout.toMillis() + graceMs, TimeUnit.MILLISECONDS);
                try {
                    return question.get();
                } finally {
                    watch.end();
                    alarm.cancel(false);
                }
            }
        };
    }

    /** After {@link #end} no interrupt can reach the thread any more, so that none hits its next task. */
    final class Watch {

        private final Thread watched;
        private boolean ended;

        Watch(Thread watched) {
            this.watched = watched;
        }

        synchronized void ring() {
            if (!ended) {
                watched.interrupt();
            }
        }

        void end() {
            synchronized (this) {
                ended = true;
            }
            Thread.interrupted();
        }
    }
}
