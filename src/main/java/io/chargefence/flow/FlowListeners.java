package io.chargefence.flow;

import io.chargefence.ChargeAlert;
import io.chargefence.ChargeStage;
import io.chargefence.OrderStep;
import io.chargefence.provider.ProviderAnswer;
import io.chargefence.saga.ChargeSaga;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Several listeners as one. A listener that throws is logged and holds nobody up. */
public final class FlowListeners implements FlowListener {

    private static final Logger log = LoggerFactory.getLogger(FlowListeners.class);

    private final List<FlowListener> listeners;

    public FlowListeners(List<? extends FlowListener> listeners) {
        this.listeners = List.copyOf(listeners);
    }

    @Override
    public void requested(OrderStep orderStep, Filing filing) {
        each(listener -> listener.requested(orderStep, filing));
    }

    @Override
    public void delivered(int count, int redelivered) {
        each(listener -> listener.delivered(count, redelivered));
    }

    @Override
    public void claimed(ChargeSaga saga) {
        each(listener -> listener.claimed(saga));
    }

    @Override
    public void fenceHeld(OrderStep orderStep) {
        each(listener -> listener.fenceHeld(orderStep));
    }

    @Override
    public void moved(ChargeStage from, ChargeSaga to) {
        each(listener -> listener.moved(from, to));
    }

    @Override
    public void called(ChargeSaga saga, ProviderAnswer answer, Duration took) {
        each(listener -> listener.called(saga, answer, took));
    }

    @Override
    public void lookedUp(ChargeSaga saga, ProviderAnswer answer, Duration took) {
        each(listener -> listener.lookedUp(saga, answer, took));
    }

    @Override
    public void alert(ChargeAlert alert) {
        each(listener -> listener.alert(alert));
    }

    @Override
    public void trouble(String what, Exception cause) {
        each(listener -> listener.trouble(what, cause));
    }

    private void each(Consumer<FlowListener> call) {
        for (FlowListener listener : listeners) {
            try {
                call.accept(listener);
            } catch (RuntimeException thrown) {
                log.warn(
                        "a listener failed and is passed over: {}",
                        listener.getClass().getName(),
                        thrown);
            }
        }
    }
}
