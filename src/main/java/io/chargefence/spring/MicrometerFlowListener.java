package io.chargefence.spring;

import io.chargefence.ChargeAlert;
import io.chargefence.OrderStep;
import io.chargefence.flow.FlowListener;
import io.chargefence.provider.ProviderAnswer;
import io.chargefence.saga.ChargeSaga;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Collection;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What the flow does, as counters and timers. Tags have few values: never an order id or a reference. */
final class MicrometerFlowListener implements FlowListener {

    private static final String NONE = "none";
    private static final String OTHER = "other";

    private final MeterRegistry registry;
    private final int stepsMax;
    private final Set<String> steps = ConcurrentHashMap.newKeySet();

    /** Registers every meter with 0, so that an alert on it needs no "absent". */
    MicrometerFlowListener(MeterRegistry registry, int stepsMax, Collection<String> providers) {
        this.registry = registry;
        this.stepsMax = stepsMax;
        providers.forEach(this::registerTimers);
        registerCounters();
    }

    private void registerTimers(String provider) {
        for (Outcome outcome : Outcome.values()) {
            calls(provider, outcome);
            lookUps(provider, outcome);
        }
    }

    private void registerCounters() {
        for (Filing filing : Filing.values()) {
            requests(NONE, filing);
        }
        claims(NONE, "claimed");
        claims(NONE, "held");
        for (ChargeAlert.Kind kind : ChargeAlert.Kind.values()) {
            alerts(kind);
        }
        deliveries();
        redeliveries();
        troubles();
    }

    /** The outcomes of a call, as tag values. */
    private enum Outcome {
        CHARGED,
        DECLINED,
        NOT_CHARGED,
        NO_ANSWER;

        static Outcome of(ProviderAnswer answer) {
            if (answer instanceof ProviderAnswer.Charged) {
                return CHARGED;
            }
            if (answer instanceof ProviderAnswer.Declined) {
                return DECLINED;
            }
            return answer instanceof ProviderAnswer.NotCharged ? NOT_CHARGED : NO_ANSWER;
        }
    }

    @Override
    public void requested(OrderStep orderStep, Filing filing) {
        requests(stepTag(orderStep), filing).increment();
    }

    @Override
    public void delivered(int count, int redelivered) {
        deliveries().increment(count);
        redeliveries().increment(redelivered);
    }

    @Override
    public void claimed(ChargeSaga saga) {
        claims(stepTag(saga.orderStep()), "claimed").increment();
    }

    @Override
    public void fenceHeld(OrderStep orderStep) {
        claims(stepTag(orderStep), "held").increment();
    }

    @Override
    public void called(ChargeSaga saga, ProviderAnswer answer, Duration took) {
        calls(saga.intent().provider(), Outcome.of(answer)).record(took);
    }

    @Override
    public void lookedUp(ChargeSaga saga, ProviderAnswer answer, Duration took) {
        lookUps(saga.intent().provider(), Outcome.of(answer)).record(took);
    }

    @Override
    public void alert(ChargeAlert alert) {
        alerts(alert.kind()).increment();
    }

    @Override
    public void trouble(String what, Exception cause) {
        troubles().increment();
    }

    private Counter requests(String step, Filing filing) {
        return Counter.builder("chargefence.charge.requests")
                .description("Charges requested")
                .tag("step", step)
                .tag("result", lower(filing))
                .register(registry);
    }

    private Counter claims(String step, String result) {
        return Counter.builder("chargefence.fence.claims")
                .description("Fences claimed by this worker, or found held by another")
                .tag("step", step)
                .tag("result", result)
                .register(registry);
    }

    private Timer calls(String provider, Outcome outcome) {
        return timer("chargefence.provider.calls", "Calls to the provider, by how they ended", provider, outcome);
    }

    private Timer lookUps(String provider, Outcome outcome) {
        return timer(
                "chargefence.provider.lookups",
                "Questions to the provider about a charge in doubt, by how they ended",
                provider,
                outcome);
    }

    /** Without the step: a histogram is some seventy series, and that times fifty steps is a database of its own. */
    private Timer timer(String name, String description, String provider, Outcome outcome) {
        return Timer.builder(name)
                .description(description)
                .tag("provider", provider)
                .tag("outcome", lower(outcome))
                .publishPercentileHistogram()
                .register(registry);
    }

    private Counter alerts(ChargeAlert.Kind kind) {
        return Counter.builder("chargefence.alerts")
                .description("What a person must see")
                .tag("kind", lower(kind))
                .register(registry);
    }

    private Counter deliveries() {
        return Counter.builder("chargefence.deliveries")
                .description("Deliveries read")
                .register(registry);
    }

    private Counter redeliveries() {
        return Counter.builder("chargefence.deliveries.redelivered")
                .description("Deliveries taken over from a worker that did not finish them")
                .register(registry);
    }

    private Counter troubles() {
        return Counter.builder("chargefence.troubles")
                .description("Times that MySQL or Redis did not answer and the flow waited")
                .register(registry);
    }

    /** The first ones seen keep their names; two threads at the limit must not both get one more in. */
    private String stepTag(OrderStep orderStep) {
        String step = orderStep.step();
        if (steps.contains(step)) {
            return step;
        }
        synchronized (steps) {
            return steps.contains(step) || steps.size() < stepsMax && steps.add(step) ? step : OTHER;
        }
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
