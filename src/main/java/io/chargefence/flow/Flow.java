package io.chargefence.flow;

import io.chargefence.Charges;

/** Everything of this package put together. One per process. */
public final class Flow {

    public Flow(
            FlowSettings settings,
            ChargeLog log,
            Outbox outbox,
            Deliveries deliveries,
            ChargeViews views,
            Providers providers,
            FlowListener listener) {}

    public Charges charges() {
        throw new UnsupportedOperationException();
    }

    public Operations operations() {
        throw new UnsupportedOperationException();
    }

    public Worker worker() {
        throw new UnsupportedOperationException();
    }
}
