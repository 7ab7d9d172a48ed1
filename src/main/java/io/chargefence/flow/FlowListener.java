package io.chargefence.flow;

import io.chargefence.ChargeAlert;
import io.chargefence.ChargeStage;
import io.chargefence.OrderStep;
import io.chargefence.provider.ProviderAnswer;
import io.chargefence.saga.ChargeSaga;
import java.time.Duration;

/** Told of what the flow did, after it is committed. For metrics, logs and alerts; must be quick and must not throw. */
public interface FlowListener {

    /** A request was filed: new, the same again, or in conflict. */
    default void requested(OrderStep orderStep, Filing filing) {}

    /** Deliveries were read; {@code redelivered} of them were not seen for the first time. */
    default void delivered(int count, int redelivered) {}

    /** A fence was claimed by this worker. */
    default void claimed(ChargeSaga saga) {}

    /** A claim found the fence held by another worker. */
    default void fenceHeld(OrderStep orderStep) {}

    /** A charge moved to another stage (or has new events in the same one). */
    default void moved(ChargeStage from, ChargeSaga to) {}

    /** A provider call ended, with or without an answer. */
    default void called(ChargeSaga saga, ProviderAnswer answer, Duration took) {}

    /** A look-up ended. */
    default void lookedUp(ChargeSaga saga, ProviderAnswer answer, Duration took) {}

    /** Something a person must see. */
    default void alert(ChargeAlert alert) {}

    /** MySQL or Redis did not answer; the flow waits and tries again. */
    default void trouble(String what, Exception cause) {}

    /** How a request was filed. */
    enum Filing {
        NEW,
        SAME,
        CONFLICT
    }
}
