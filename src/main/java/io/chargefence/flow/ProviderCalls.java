package io.chargefence.flow;

import io.chargefence.flow.Deliveries.Delivery;
import io.chargefence.flow.Fact.Answered;
import io.chargefence.provider.LookUp;
import io.chargefence.provider.NoAnswerReason;
import io.chargefence.provider.NotChargedReason;
import io.chargefence.provider.PaymentProvider;
import io.chargefence.provider.ProviderAnswer;
import io.chargefence.provider.ProviderCall;
import io.chargefence.saga.Answer;
import io.chargefence.saga.ChargeSaga;
import io.chargefence.saga.ChargeSaga.LastCall;
import io.chargefence.saga.Limits;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The only place from where a provider is called. No transaction is open here, and the announcement is committed. */
final class ProviderCalls {

    private final Limits limits;
    private final FlowPorts ports;
    private final Providers providers;
    private final Executor executor;
    private final Deadline deadline;
    private final Consumer<Fact> outcomes;

    /** @param outcomes takes the end of each call; must not block */
    ProviderCalls(
            Limits limits,
            FlowPorts ports,
            Providers providers,
            Executor executor,
            Deadline deadline,
            Consumer<Fact> outcomes) {
        this.limits = limits;
        this.ports = ports;
        this.providers = providers;
        this.executor = executor;
        this.deadline = deadline;
        this.outcomes = outcomes;
    }

    /** @param startedNanos the monotonic clock before the decision was taken */
    void call(ChargeSaga saga, @Nullable Delivery delivery, long startedNanos) {
        executor.execute(() -> {
            ProviderAnswer answer = send(saga, startedNanos);
            outcomes.accept(answered(saga, answer, false, delivery));
        });
    }

    /** A read; it never moves money and counts as no call. */
    void lookUp(ChargeSaga saga, @Nullable Delivery delivery) {
        executor.execute(() -> {
            long began = ports.nanos().getAsLong();
            ProviderAnswer answer = guarded(() -> provider(saga).lookUp(lookUpOf(saga)));
            tell(() -> ports.listener().lookedUp(saga, answer, since(began)));
            outcomes.accept(answered(saga, answer, true, delivery));
        });
    }

    private ProviderAnswer send(ChargeSaga saga, long startedNanos) {
        String provider = saga.intent().provider();
        if (since(startedNanos).compareTo(limits.startWithin()) >= 0) {
            return notSent(
                    NotChargedReason.NOT_SENT,
                    "the worker was held up for " + since(startedNanos).toMillis() + " ms");
        }
        if (!isPermitted(provider)) {
            return notSent(NotChargedReason.CIRCUIT_OPEN, "the circuit breaker of " + provider + " is open");
        }
        long began = ports.nanos().getAsLong();
        ProviderAnswer answer = guarded(() -> provider(saga).charge(callOf(saga)));
        Duration took = since(began);
        tell(() -> ports.breakers().ended(provider, answer, took));
        tell(() -> ports.listener().called(saga, answer, took));
        return answer;
    }

    /** Whatever the adapter throws, money may have moved. */
    private ProviderAnswer guarded(Supplier<ProviderAnswer> question) {
        try {
            return deadline.within(limits.callTimeout(), question);
        } catch (RuntimeException | Error thrown) {
            return new ProviderAnswer.NoAnswer(NoAnswerReason.ADAPTER_FAILED, String.valueOf(thrown));
        }
    }

    /** A breaker that fails holds nothing back. */
    private boolean isPermitted(String provider) {
        try {
            return ports.breakers().permits(provider);
        } catch (RuntimeException failed) {
            return true;
        }
    }

    /** Whoever is told of an answer must not be able to lose it. */
    private void tell(Runnable news) {
        try {
            news.run();
        } catch (RuntimeException | Error failed) {
            ports.listener().trouble("news of a call", new IllegalStateException(failed));
        }
    }

    private static ProviderAnswer notSent(NotChargedReason reason, String detail) {
        return new ProviderAnswer.NotCharged(reason, detail);
    }

    private PaymentProvider provider(ChargeSaga saga) {
        return providers.find(saga.intent().provider()).orElseThrow();
    }

    private ProviderCall callOf(ChargeSaga saga) {
        return new ProviderCall(
                saga.orderStep(),
                saga.intent(),
                saga.attempt().number(),
                saga.attempt().calls(),
                lastCall(saga).idempotencyKey(),
                limits.callTimeout());
    }

    private LookUp lookUpOf(ChargeSaga saga) {
        return new LookUp(
                saga.orderStep(),
                saga.intent(),
                saga.attempt().number(),
                lastCall(saga).idempotencyKey(),
                saga.claimedAt(),
                lastCall(saga).deadline(),
                limits.callTimeout());
    }

    private static Answered answered(
            ChargeSaga saga, ProviderAnswer said, boolean lookUp, @Nullable Delivery delivery) {
        String message = delivery == null ? null : delivery.id();
        Answer answer = new Answer(said, lookUp, saga.chargeId(), lastCall(saga).sequence(), saga.sequence(), message);
        return new Answered(saga.orderStep(), answer, delivery);
    }

    private static LastCall lastCall(ChargeSaga saga) {
        LastCall last = saga.attempt().lastCall();
        if (last == null) {
            throw new IllegalStateException(saga.orderStep() + ": no call was announced");
        }
        return last;
    }

    private Duration since(long nanos) {
        return Duration.ofNanos(ports.nanos().getAsLong() - nanos);
    }
}
