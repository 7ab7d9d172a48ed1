package io.chargefence.flow;

/** The threads of one process: reader, recorder, sweeper and the pool of calls. */
public final class Worker {

    /** Starts the threads. Returns at once; MySQL or Redis may still be away. */
    public void start() {
        throw new UnsupportedOperationException();
    }

    /**
     * Stops reading, finishes calls up to the grace period, records them, acks. What remains is a crash like any other.
     */
    public void stop() {
        throw new UnsupportedOperationException();
    }

    public boolean isRunning() {
        return false;
    }
}
