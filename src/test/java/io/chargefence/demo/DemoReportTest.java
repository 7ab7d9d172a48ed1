package io.chargefence.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.chargefence.Intent;
import io.chargefence.OrderStep;
import io.chargefence.demo.DemoReport.Row;
import io.chargefence.demo.DemoReport.State;
import io.chargefence.testing.ProviderLedger.Entry;
import io.chargefence.testing.ProviderLedger.Kind;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The demo's verdict can fail. */
class DemoReportTest {

    private static final OrderStep A = new OrderStep("a", "s");
    private static final OrderStep B = new OrderStep("b", "s");
    private static final Intent INTENT = new Intent(100, "EUR", "pm", "stripe", new TreeMap<>());

    @Test
    void a_charged_and_a_declined_step_are_clean() {
        DemoReport report = report(rows(State.CHARGED, State.DECLINED), charge(A, 100));

        assertThat(report.isClean()).isTrue();
        assertThat(report.firstLine())
                .isEqualTo("steps 2 · charged 1 · declined 1 · parked 0 · refused 0 · kills 0 · redeliveries 7");
        assertThat(report.secondLine())
                .isEqualTo(
                        "provider charges 1 · fences charged 1 · parked charged 0 · charged twice 0 · lost 0 · unrecorded 0");
    }

    @Test
    void a_second_charge_of_a_step_is_seen() {
        DemoReport report = report(rows(State.CHARGED, State.DECLINED), charge(A, 100), charge(A, 100));
        assertThat(report.twice()).isEqualTo(1);
        assertThat(report.isClean()).isFalse();
    }

    @Test
    void a_step_without_outcome_is_lost_and_so_is_one_without_a_row() {
        assertThat(report(rows(State.CHARGED, State.OPEN), charge(A, 100)).lost())
                .isEqualTo(1);
        assertThat(report(Map.of(A, new Row(State.CHARGED, INTENT)), charge(A, 100))
                        .lost())
                .isEqualTo(1);
    }

    @Test
    void a_charge_of_a_declined_or_unknown_step_is_unrecorded() {
        assertThat(report(rows(State.CHARGED, State.DECLINED), charge(A, 100), charge(B, 100))
                        .unrecorded())
                .isEqualTo(1);
        DemoReport unknown =
                report(rows(State.CHARGED, State.DECLINED), charge(A, 100), charge(new OrderStep("x", "s"), 1));
        assertThat(unknown.unrecorded()).isEqualTo(1);
        assertThat(unknown.isClean()).isFalse();
    }

    @Test
    void a_parked_step_that_was_charged_is_told_and_clean() {
        DemoReport report = report(rows(State.CHARGED, State.PARKED), charge(A, 100), charge(B, 100));
        assertThat(report.parkedCharged()).isEqualTo(1);
        assertThat(report.isClean()).isTrue();
    }

    @Test
    void a_charge_recorded_here_that_the_provider_does_not_know_is_not_clean() {
        assertThat(report(rows(State.CHARGED, State.DECLINED)).isClean()).isFalse();
    }

    @Test
    void a_charge_of_another_amount_is_not_clean() {
        DemoReport report = report(rows(State.CHARGED, State.DECLINED), charge(A, 101));
        assertThat(report.otherAmounts()).isEqualTo(1);
        assertThat(report.isClean()).isFalse();
    }

    private static DemoReport report(Map<OrderStep, Row> rows, Entry... ledger) {
        return DemoReport.of(2, 0, Set.of(A, B), rows, List.of(ledger), 7);
    }

    private static Map<OrderStep, Row> rows(State a, State b) {
        return Map.of(A, new Row(a, INTENT), B, new Row(b, INTENT));
    }

    private static Entry charge(OrderStep step, long amount) {
        return new Entry(Kind.CHARGE, "pi", step.orderId(), step.step(), amount, "eur", "k", 1);
    }
}
