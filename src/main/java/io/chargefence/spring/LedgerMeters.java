package io.chargefence.spring;

import io.chargefence.ChargeStage;
import io.chargefence.Invariant;
import io.chargefence.flow.ChargeViews;
import io.chargefence.flow.ChargeViews.Ledger;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.ToDoubleFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The figures that count the whole table. Read on a thread of their own every now and then, never by a scrape; when MySQL does not
 * answer, the last reading stands.
 */
final class LedgerMeters {

    private static final Logger log = LoggerFactory.getLogger(LedgerMeters.class);

    private final ChargeViews views;
    private final Duration refresh;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "chargefence-ledger");
        thread.setDaemon(true);
        return thread;
    });
    private volatile Ledger ledger =
            new Ledger(new EnumMap<>(ChargeStage.class), new Invariant(0, 0, 0), Duration.ZERO);

    LedgerMeters(MeterRegistry registry, ChargeViews views, IntSupplier inFlight, boolean durable, Duration refresh) {
        this.views = views;
        this.refresh = refresh;
        for (ChargeStage stage : ChargeStage.values()) {
            Gauge.builder("chargefence.steps", this, meters -> meters.steps(stage))
                    .tag("stage", stage.name().toLowerCase(Locale.ROOT))
                    .description("Order steps by stage")
                    .register(registry);
        }
        gauge(
                registry,
                "chargefence.ledger.charges",
                "Distinct successful charges seen from providers",
                ledger -> ledger.invariant().chargesSeen());
        gauge(
                registry,
                "chargefence.ledger.fences",
                "Fences that reached CHARGED",
                ledger -> ledger.invariant().fencesCharged());
        gauge(
                registry,
                "chargefence.ledger.excess",
                "Charges seen minus fences charged; must be 0",
                ledger -> ledger.invariant().excess());
        gauge(
                registry,
                "chargefence.parked",
                "Charges that wait for a person",
                ledger -> ledger.steps().getOrDefault(ChargeStage.PARKED, 0L));
        gauge(
                registry,
                "chargefence.indoubt",
                "Charges without a conclusive answer",
                ledger -> ledger.steps().getOrDefault(ChargeStage.IN_DOUBT, 0L));
        TimeGauge.builder(
                        "chargefence.indoubt.age.max",
                        () -> ledger.oldestDoubt().toMillis(),
                        TimeUnit.MILLISECONDS)
                .description("Age of the oldest charge in doubt since its last change")
                .register(registry);
        Gauge.builder("chargefence.worker.inflight", inFlight::getAsInt)
                .description("Charges in this worker's hands")
                .register(registry);
        Gauge.builder("chargefence.durability", () -> durable ? 1 : 0)
                .description("1 when MySQL keeps what it committed through a power failure, else 0")
                .register(registry);
    }

    void start() {
        timer.scheduleWithFixedDelay(this::read, 0, refresh.toMillis(), TimeUnit.MILLISECONDS);
    }

    void stop() {
        timer.shutdownNow();
    }

    private void read() {
        try {
            ledger = views.ledger();
        } catch (RuntimeException away) {
            log.debug("the ledger's figures were not read; the last ones stand", away);
        }
    }

    private double steps(ChargeStage stage) {
        return ledger.steps().getOrDefault(stage, 0L);
    }

    private void gauge(MeterRegistry registry, String name, String description, ToDoubleFunction<Ledger> figure) {
        Gauge.builder(name, this, meters -> figure.applyAsDouble(meters.ledger))
                .description(description)
                .register(registry);
    }
}
