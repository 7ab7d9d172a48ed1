package io.chargefence.flow;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * How much may be in a worker's hands at once, from the read of a delivery to the record of its outcome. It is what a kill
 * can leave in doubt, and what pushes back on the stream.
 */
final class Window {

    private final int size;
    private final Semaphore free;

    Window(int size) {
        this.size = size;
        this.free = new Semaphore(size);
    }

    /** Waits up to {@code patience} for room; takes as much as there is, up to {@code max}. */
    int acquire(int max, Duration patience) throws InterruptedException {
        if (!free.tryAcquire(1, patience.toMillis(), TimeUnit.MILLISECONDS)) {
            return 0;
        }
        int taken = 1;
        while (taken < max && free.tryAcquire()) {
            taken++;
        }
        return taken;
    }

    void release(int count) {
        free.release(count);
    }

    int inUse() {
        return size - free.availablePermits();
    }
}
