package io.chargefence.campaign;

import io.chargefence.OrderStep;
import java.io.PrintStream;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/**
 * In the process that is to be killed: stands still at a point, says so, and goes on only when it is told to. The order's id
 * names the point that it is for.
 */
final class Barrier {

    private final PrintStream out;
    private final AtomicLong count = new AtomicLong();
    private final Map<Long, CountDownLatch> waiting = new ConcurrentHashMap<>();

    Barrier(PrintStream out) {
        this.out = out;
    }

    void at(Point point, Collection<OrderStep> steps) {
        steps.forEach(step -> at(point, step));
    }

    void at(Point point, OrderStep step) {
        if (!Order.isFor(step.orderId(), point)) {
            return;
        }
        long number = count.incrementAndGet();
        CountDownLatch latch = new CountDownLatch(1);
        waiting.put(number, latch);
        say("AT", number, point, step.orderId());
        boolean interrupted = false;
        while (latch.getCount() > 0) {
            try {
                latch.await();
            } catch (InterruptedException callTimedOut) {
                interrupted = true; // a frozen thread hears nothing either
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    void goOn(long number) {
        waiting.remove(number).countDown();
    }

    void say(Object... words) {
        StringBuilder line = new StringBuilder(Node.MARK);
        for (Object word : words) {
            line.append(' ').append(word);
        }
        synchronized (out) {
            out.println(line);
            out.flush();
        }
    }
}
