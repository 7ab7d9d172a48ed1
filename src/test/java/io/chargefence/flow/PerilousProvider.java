package io.chargefence.flow;

import io.chargefence.IdempotencyKey;
import io.chargefence.provider.DeclineKind;
import io.chargefence.provider.LookUp;
import io.chargefence.provider.NoAnswerReason;
import io.chargefence.provider.PaymentProvider;
import io.chargefence.provider.ProviderAnswer;
import io.chargefence.provider.ProviderCall;
import io.chargefence.provider.ProviderTraits;
import java.util.List;

/** The provider as a worker of the simulation reaches it. */
final class PerilousProvider implements PaymentProvider {

    private final Simulation world;
    private final SimulatedWorker worker;

    PerilousProvider(Simulation world, SimulatedWorker worker) {
        this.world = world;
        this.worker = worker;
    }

    @Override
    public String id() {
        return world.provider.id();
    }

    @Override
    public ProviderTraits traits() {
        return world.provider.traits();
    }

    @Override
    public ProviderAnswer charge(ProviderCall call) {
        return worker.through("CALL", List.of(call.orderStep()), () -> {
            world.promises.beforeCall(call);
            return misread(world.provider.charge(misaddressed(call)));
        });
    }

    @Override
    public ProviderAnswer lookUp(LookUp lookUp) {
        return worker.through("LOOK_UP", List.of(lookUp.orderStep()), () -> {
            world.promises.lookedUp(lookUp.orderStep());
            return world.provider.lookUp(lookUp);
        });
    }

    @Override
    public byte[] requestBytes(ProviderCall call) {
        return world.provider.requestBytes(call);
    }

    private ProviderCall misaddressed(ProviderCall call) {
        return world.mutant != Mutant.KEY_PER_CALL
                ? call
                : new ProviderCall(
                        call.orderStep(),
                        call.intent(),
                        call.attempt(),
                        call.call(),
                        IdempotencyKey.of("call " + world.dice.nextLong(), call.orderStep(), call.attempt()),
                        call.timeout());
    }

    private ProviderAnswer misread(ProviderAnswer answer) {
        boolean failed =
                answer instanceof ProviderAnswer.NoAnswer silence && silence.reason() == NoAnswerReason.SERVER_ERROR;
        return failed && world.mutant == Mutant.SERVER_ERROR_IS_A_DECLINE
                ? new ProviderAnswer.Declined("500", DeclineKind.SOFT)
                : answer;
    }
}
