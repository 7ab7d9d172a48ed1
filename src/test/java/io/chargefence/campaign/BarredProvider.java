package io.chargefence.campaign;

import io.chargefence.provider.LookUp;
import io.chargefence.provider.PaymentProvider;
import io.chargefence.provider.ProviderAnswer;
import io.chargefence.provider.ProviderCall;
import io.chargefence.provider.ProviderTraits;

/** The production adapter with barriers before and after the call. */
record BarredProvider(PaymentProvider provider, Barrier barrier) implements PaymentProvider {

    @Override
    public String id() {
        return provider.id();
    }

    @Override
    public ProviderTraits traits() {
        return provider.traits();
    }

    /** After the look at the clock and before the first byte: the worst moment to be frozen. */
    @Override
    public ProviderAnswer charge(ProviderCall call) {
        if (Order.isFrozen(call.orderStep().orderId())) {
            barrier.at(Point.C7, call.orderStep());
        }
        ProviderAnswer answer = provider.charge(call);
        barrier.at(Point.C9, call.orderStep());
        return answer;
    }

    @Override
    public ProviderAnswer lookUp(LookUp lookUp) {
        return provider.lookUp(lookUp);
    }

    @Override
    public byte[] requestBytes(ProviderCall call) {
        return provider.requestBytes(call);
    }
}
