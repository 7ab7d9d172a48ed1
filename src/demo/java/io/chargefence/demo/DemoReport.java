package io.chargefence.demo;

import io.chargefence.Intent;
import io.chargefence.OrderStep;
import io.chargefence.testing.ProviderLedger;
import io.chargefence.testing.ProviderLedger.Entry;
import io.chargefence.testing.ProviderLedger.Kind;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The provider's ledger held against the database. Nothing here is counted while it happens.
 *
 * @param steps order steps in the file
 * @param twice steps with more than one charge in the ledger
 * @param lost requested steps that are neither charged, declined nor parked
 * @param unrecorded charges in the ledger whose step has no fence, or stands as declined
 * @param otherAmounts charges in the ledger of another amount than was requested
 */
record DemoReport(
        long steps,
        long charged,
        long declined,
        long parked,
        long refused,
        long kills,
        long redeliveries,
        long providerCharges,
        long parkedCharged,
        long twice,
        long lost,
        long unrecorded,
        long otherAmounts) {

    /** How a step stands in the database. */
    enum State {
        CHARGED,
        DECLINED,
        PARKED,
        OPEN
    }

    /** A row of the database. */
    record Row(State state, Intent intent) {}

    static DemoReport of(
            long steps,
            long refused,
            Set<OrderStep> requested,
            Map<OrderStep, Row> rows,
            List<Entry> ledger,
            long redeliveries) {
        Map<OrderStep, List<Entry>> charges = ProviderLedger.chargesByStep(ledger);
        long charged = count(rows, State.CHARGED);
        return new DemoReport(
                steps,
                charged,
                count(rows, State.DECLINED),
                count(rows, State.PARKED),
                refused,
                ledger.stream().filter(entry -> entry.kind() == Kind.KILL).count(),
                redeliveries,
                charges.values().stream().mapToLong(List::size).sum(),
                parkedCharged(rows, charges),
                charges.values().stream().filter(of -> of.size() > 1).count(),
                requested.stream().filter(step -> isLost(rows.get(step))).count(),
                charges.keySet().stream()
                        .filter(step -> isUnrecorded(rows.get(step)))
                        .count(),
                charges.entrySet().stream()
                        .filter(of -> isOtherAmount(rows.get(of.getKey()), of.getValue()))
                        .count());
    }

    private static long count(Map<OrderStep, Row> rows, State state) {
        return rows.values().stream().filter(row -> row.state() == state).count();
    }

    private static long parkedCharged(Map<OrderStep, Row> rows, Map<OrderStep, List<Entry>> charges) {
        Set<OrderStep> parked = new HashSet<>(charges.keySet());
        parked.removeIf(step -> rows.get(step) == null || rows.get(step).state() != State.PARKED);
        return parked.stream().mapToLong(step -> charges.get(step).size()).sum();
    }

    private static boolean isLost(Row row) {
        return row == null || row.state() == State.OPEN;
    }

    private static boolean isUnrecorded(Row row) {
        return row == null || row.state() == State.DECLINED;
    }

    private static boolean isOtherAmount(Row row, List<Entry> charges) {
        return row != null
                && charges.stream()
                        .anyMatch(charge -> charge.amount() != row.intent().amountMinor()
                                || !charge.currency()
                                        .equalsIgnoreCase(row.intent().currency()));
    }

    /** Whether everything is as promised. */
    boolean isClean() {
        return twice == 0
                && lost == 0
                && unrecorded == 0
                && otherAmounts == 0
                && steps == charged + declined + parked + refused
                && providerCharges == charged + parkedCharged;
    }

    String firstLine() {
        return "steps %d · charged %d · declined %d · parked %d · refused %d · kills %d · redeliveries %d"
                .formatted(steps, charged, declined, parked, refused, kills, redeliveries);
    }

    String secondLine() {
        return "provider charges %d · fences charged %d · parked charged %d · charged twice %d · lost %d · unrecorded %d"
                .formatted(providerCharges, charged, parkedCharged, twice, lost, unrecorded);
    }
}
