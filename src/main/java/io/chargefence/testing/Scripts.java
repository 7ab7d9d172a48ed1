package io.chargefence.testing;

import io.chargefence.Digest;
import io.chargefence.OrderStep;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Chooses what happens to a call: as told for its order step, by its token, by the seeded share of faults, or by the clock. */
final class Scripts {

    private static final int DECLINES = 40;
    private static final int THROTTLES = 60;
    private static final int HANGS = 80;
    private static final Script[] CHARGE_THEN_FAIL = {
        Script.CHARGE_THEN_500, Script.CHARGE_THEN_DROP, Script.CHARGE_THEN_HANG
    };

    private final SimulatorSettings settings;
    private final Map<OrderStep, Told> told = new HashMap<>();
    private final Set<OrderStep> calledBefore = ConcurrentHashMap.newKeySet();
    private volatile long killEveryNanos;
    private long killAtNanos;
    private boolean killAfterAnswer;

    Scripts(SimulatorSettings settings) {
        this.settings = settings;
        killEvery(settings.killEvery().toNanos());
    }

    private record Told(Script script, int times) {}

    /** The next {@code times} calls of this step do this; after that they are approved. */
    synchronized void tell(OrderStep orderStep, Script script, int times) {
        told.put(orderStep, new Told(script, times));
    }

    synchronized void killEvery(long nanos) {
        killEveryNanos = nanos;
        killAtNanos = System.nanoTime() + nanos;
    }

    synchronized Script next(OrderStep orderStep, String source, boolean hasCaller) {
        Told now = told.get(orderStep);
        if (now != null) {
            told.put(orderStep, new Told(now.script(), now.times() - 1));
            return now.times() > 0 ? now.script() : Script.APPROVE;
        }
        if (source.contains("Declined")) {
            return Script.DECLINE;
        }
        boolean first = calledBefore.add(orderStep);
        Script script = first ? byChance(orderStep) : declinesFor(orderStep);
        return script == Script.APPROVE && hasCaller && isTimeToKill() ? nextKill() : script;
    }

    /** A card that is declined is declined again; the other faults happen once. */
    private Script declinesFor(OrderStep orderStep) {
        return byChance(orderStep) == Script.DECLINE ? Script.DECLINE : Script.APPROVE;
    }

    private Script byChance(OrderStep orderStep) {
        if (chance("whether", orderStep) >= settings.faults()) {
            return Script.APPROVE;
        }
        double which = 100 * chance("which", orderStep);
        if (which < DECLINES) {
            return Script.DECLINE;
        }
        if (which < THROTTLES) {
            return Script.THROTTLE;
        }
        return which < HANGS ? Script.HANG : CHARGE_THEN_FAIL[(int) (which * 1000) % CHARGE_THEN_FAIL.length];
    }

    /** In [0, 1), the same for the same seed and order step. */
    private double chance(String what, OrderStep orderStep) {
        String hash = new Digest(what)
                .add(Long.toString(settings.seed()))
                .add(orderStep.orderId())
                .add(orderStep.step())
                .hex();
        return Integer.parseInt(hash.substring(0, 7), 16) / (double) (1 << 28);
    }

    private boolean isTimeToKill() {
        if (killEveryNanos == 0 || System.nanoTime() < killAtNanos) {
            return false;
        }
        killAtNanos = System.nanoTime() + killEveryNanos;
        return true;
    }

    private Script nextKill() {
        killAfterAnswer = !killAfterAnswer;
        return killAfterAnswer ? Script.CHARGE_THEN_KILL_CALLER : Script.ANSWER_THEN_KILL_CALLER;
    }
}
