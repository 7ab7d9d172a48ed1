package io.chargefence.flow;

import io.chargefence.Digest;
import io.chargefence.IdempotencyKey;
import io.chargefence.Intent;
import io.chargefence.OrderStep;
import io.chargefence.flow.ChargeLog.Known;
import io.chargefence.provider.PaymentProvider;
import io.chargefence.provider.ProviderCall;
import io.chargefence.saga.ChargeSaga;
import io.chargefence.saga.Terms;
import java.time.Duration;
import java.util.Optional;

/** Works out what a call would look like: its key, its bytes, and what its provider can do. */
final class TermsOfCall {

    private final String namespace;
    private final Duration callTimeout;
    private final Providers providers;

    TermsOfCall(FlowSettings settings, Providers providers) {
        this.namespace = settings.namespace();
        this.callTimeout = settings.limits().callTimeout();
        this.providers = providers;
    }

    /** Empty when nothing is known of the step, or its provider is none of ours. */
    Optional<Terms> of(Known known) {
        ChargeSaga saga = known.saga();
        if (saga != null) {
            return of(saga.orderStep(), saga.intent(), saga.attempt().number());
        }
        return known.request() == null
                ? Optional.empty()
                : of(known.request().orderStep(), known.request().intent(), 1);
    }

    private Optional<Terms> of(OrderStep orderStep, Intent intent, int attempt) {
        return providers.find(intent.provider()).map(provider -> {
            IdempotencyKey key = IdempotencyKey.of(namespace, orderStep, attempt);
            return new Terms(provider.traits(), key, requestHash(provider, orderStep, intent, attempt, key));
        });
    }

    private String requestHash(
            PaymentProvider provider, OrderStep orderStep, Intent intent, int attempt, IdempotencyKey key) {
        ProviderCall call = new ProviderCall(orderStep, intent, attempt, 1, key, callTimeout);
        return new Digest("request/1").add(provider.requestBytes(call)).hex();
    }
}
