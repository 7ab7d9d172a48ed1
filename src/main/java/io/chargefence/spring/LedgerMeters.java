package io.chargefence.spring;

import io.chargefence.ChargeStage;
import io.chargefence.flow.ChargeViews.Ledger;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.ToDoubleFunction;

/** The last reading of the ledger, and what this process is like, as gauges. All there from the start, with 0. */
final class LedgerMeters {

    private final MeterRegistry registry;
    private final LedgerWatch watch;

    private LedgerMeters(MeterRegistry registry, LedgerWatch watch) {
        this.registry = registry;
        this.watch = watch;
    }

    static LedgerMeters register(MeterRegistry registry, LedgerWatch watch, IntSupplier inFlight, boolean durable) {
        LedgerMeters meters = new LedgerMeters(registry, watch);
        meters.stages();
        meters.invariant();
        meters.waiting();
        meters.process(inFlight, durable);
        return meters;
    }

    private void stages() {
        for (ChargeStage stage : ChargeStage.values()) {
            Gauge.builder("chargefence.steps", watch, w -> steps(w.ledger(), stage))
                    .tag("stage", stage.name().toLowerCase(Locale.ROOT))
                    .description("Order steps by stage")
                    .strongReference(true)
                    .register(registry);
        }
    }

    private void invariant() {
        gauge(
                "chargefence.ledger.charges",
                "Distinct successful charges seen from providers",
                ledger -> ledger.invariant().chargesSeen());
        gauge(
                "chargefence.ledger.fences",
                "Fences that reached CHARGED",
                ledger -> ledger.invariant().fencesCharged());
        gauge(
                "chargefence.ledger.excess",
                "Charges seen minus fences charged; must be 0",
                ledger -> ledger.invariant().excess());
    }

    private void waiting() {
        gauge("chargefence.parked", "Charges that wait for a person", ledger -> steps(ledger, ChargeStage.PARKED));
        gauge(
                "chargefence.indoubt",
                "Charges without a conclusive answer",
                ledger -> steps(ledger, ChargeStage.IN_DOUBT));
        TimeGauge.builder("chargefence.indoubt.age.max", this::oldestDoubtMs, TimeUnit.MILLISECONDS)
                .description("Age of the oldest charge in doubt since its last change")
                .register(registry);
    }

    private void process(IntSupplier inFlight, boolean durable) {
        Gauge.builder("chargefence.worker.inflight", inFlight::getAsInt)
                .description("Charges in this worker's hands")
                .register(registry);
        Gauge.builder("chargefence.durability", () -> durable ? 1 : 0)
                .description("1 when MySQL keeps what it committed through a power failure, else 0")
                .register(registry);
    }

    private long oldestDoubtMs() {
        return watch.ledger().oldestDoubt().toMillis();
    }

    private static double steps(Ledger ledger, ChargeStage stage) {
        return ledger.steps().getOrDefault(stage, 0L);
    }

    private void gauge(String name, String description, ToDoubleFunction<Ledger> figure) {
        Gauge.builder(name, watch, w -> figure.applyAsDouble(w.ledger()))
                .description(description)
                .strongReference(true)
                .register(registry);
    }
}
