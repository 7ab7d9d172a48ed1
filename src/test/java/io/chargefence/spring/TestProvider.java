package io.chargefence.spring;

import io.chargefence.ProviderReference;
import io.chargefence.provider.PaymentProvider;
import io.chargefence.provider.ProviderAnswer;
import io.chargefence.provider.ProviderCall;
import io.chargefence.provider.ProviderTraits;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** Approves, and counts; keyless, since a friendly provider hides fence bugs. May be held up with an answer in its hand. */
final class TestProvider implements PaymentProvider {

    final List<ProviderCall> calls = new CopyOnWriteArrayList<>();
    private volatile CountDownLatch holdUp = new CountDownLatch(0);

    /** From now on no call is answered until the latch is at zero. */
    void holdUp(CountDownLatch until) {
        holdUp = until;
    }

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
        try {
            holdUp.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted with the money taken", stopped);
        }
        return new ProviderAnswer.Charged(
                new ProviderReference("ch_" + calls.size()),
                call.intent().amountMinor(),
                call.intent().currency());
    }
}
