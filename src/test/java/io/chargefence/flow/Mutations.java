package io.chargefence.flow;

import io.chargefence.ChargeStage;
import io.chargefence.provider.ProviderCall;
import io.chargefence.saga.ChargeSaga;
import java.time.Duration;

/** What the mutants do that the protocol cannot. */
final class Mutations {

    private Mutations() {}

    static ChargeSaga overwritten(ChargeSaga saga) {
        return new ChargeSaga(
                saga.chargeId(),
                saga.orderStep(),
                saga.intent(),
                ChargeStage.IN_DOUBT,
                saga.sequence(),
                saga.attempt(),
                saga.outcome(),
                saga.conflicts(),
                saga.claimedAt());
    }

    static ProviderCall call(ChargeSaga saga) {
        return new ProviderCall(
                saga.orderStep(),
                saga.intent(),
                saga.attempt().number(),
                saga.attempt().calls() + 1,
                saga.attempt().lastCall().idempotencyKey(),
                Duration.ofSeconds(20));
    }
}
