package io.chargefence.spring;

import io.chargefence.ProviderReference;
import io.chargefence.provider.PaymentProvider;
import io.chargefence.provider.ProviderAnswer;
import io.chargefence.provider.ProviderCall;
import io.chargefence.provider.ProviderTraits;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Approves, and counts. */
final class TestProvider implements PaymentProvider {

    final List<ProviderCall> calls = new CopyOnWriteArrayList<>();

    @Override
    public String id() {
        return "acme";
    }

    @Override
    public ProviderTraits traits() {
        return ProviderTraits.cautious();
    }

    @Override
    public ProviderAnswer charge(ProviderCall call) {
        calls.add(call);
        return new ProviderAnswer.Charged(
                new ProviderReference("ch_" + calls.size()),
                call.intent().amountMinor(),
                call.intent().currency());
    }
}
