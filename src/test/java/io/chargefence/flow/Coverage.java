package io.chargefence.flow;

import io.chargefence.ChargeStage;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;

/** How often each fault met a charge in each stage. Shared by simulations that run side by side. */
final class Coverage {

    private static final int STAGES = ChargeStage.values().length;

    private final AtomicLongArray counts = new AtomicLongArray(Fault.values().length * STAGES);

    void met(Fault fault, ChargeStage stage) {
        counts.incrementAndGet(fault.ordinal() * STAGES + stage.ordinal());
    }

    long count(Fault fault, ChargeStage stage) {
        return counts.get(fault.ordinal() * STAGES + stage.ordinal());
    }

    /** How many pairs must be reached. */
    static int listed() {
        int listed = 0;
        for (Fault fault : Fault.values()) {
            listed += fault.stages.size();
        }
        return listed;
    }

    /** The listed pairs that were never reached. */
    List<String> missed() {
        List<String> missed = new ArrayList<>();
        for (Fault fault : Fault.values()) {
            for (ChargeStage stage : fault.stages) {
                if (count(fault, stage) == 0) {
                    missed.add(fault + " × " + stage);
                }
            }
        }
        return missed;
    }

    /** One line a fault: how often it met which stage; a dot where it was not asked for. */
    String table() {
        StringBuilder table = new StringBuilder("%-34s".formatted("fault"));
        for (ChargeStage stage : ChargeStage.values()) {
            table.append("%12s".formatted(stage));
        }
        for (Fault fault : Fault.values()) {
            table.append(System.lineSeparator()).append("%-34s".formatted(fault));
            for (ChargeStage stage : ChargeStage.values()) {
                long count = count(fault, stage);
                table.append("%12s".formatted(count == 0 && !fault.stages.contains(stage) ? "." : count));
            }
        }
        return table.toString();
    }
}
