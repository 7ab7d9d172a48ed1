package io.chargefence.mysql;

import java.util.concurrent.ThreadLocalRandom;

/** Waits between tries, doubling, with jitter, so that those who collided do not collide again. */
enum Backoff {
    /** Between tries of a transaction that the server rolled back. */
    SHORT(2, 200),
    /** Between questions to a server that does not answer. */
    LONG(50, 2_000);

    private static final int DOUBLINGS_MAX = 16;

    private final long firstMs;
    private final long longestMs;

    Backoff(long firstMs, long longestMs) {
        this.firstMs = firstMs;
        this.longestMs = longestMs;
    }

    /**
     * @param round counted from 1
     * @return false when the thread was interrupted; it still is
     */
    boolean pause(int round) {
        long ceiling = Math.min(longestMs, firstMs << Math.min(round, DOUBLINGS_MAX));
        try {
            Thread.sleep(ThreadLocalRandom.current().nextLong(ceiling / 2, ceiling + 1));
            return true;
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
