package io.chargefence.flow;

import io.chargefence.IdempotencyKey;
import io.chargefence.OrderStep;
import io.chargefence.ProviderReference;
import io.chargefence.provider.LookUp;
import io.chargefence.provider.NoAnswerReason;
import io.chargefence.provider.PaymentProvider;
import io.chargefence.provider.ProviderAnswer;
import io.chargefence.provider.ProviderCall;
import io.chargefence.provider.ProviderTraits;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A provider with a ledger of its own. Keyless by default: it charges again whenever it is asked, because a friendly provider
 * hides fence bugs.
 */
final class ScriptedProvider implements PaymentProvider {

    final List<OrderStep> charges = new ArrayList<>();
    final List<ProviderCall> calls = new ArrayList<>();
    final List<LookUp> lookUps = new ArrayList<>();
    private final Map<IdempotencyKey, ProviderAnswer.Charged> byKey = new HashMap<>();
    private final Deque<Function<ProviderCall, ProviderAnswer>> script = new ArrayDeque<>();
    ProviderTraits traits = ProviderTraits.cautious();
    String version = "1";
    boolean lookUpAway;

    @Override
    public String id() {
        return "acme";
    }

    @Override
    public ProviderTraits traits() {
        return traits;
    }

    ScriptedProvider then(Function<ProviderCall, ProviderAnswer> answer) {
        script.add(answer);
        return this;
    }

    /** Takes the money, and the answer is lost. */
    ScriptedProvider thenChargeSilently() {
        return then(call -> {
            take(call);
            return new ProviderAnswer.NoAnswer(NoAnswerReason.TIMED_OUT, "charged, and the answer was lost");
        });
    }

    @Override
    public ProviderAnswer charge(ProviderCall call) {
        calls.add(call);
        Function<ProviderCall, ProviderAnswer> scripted = script.poll();
        return scripted == null ? take(call) : scripted.apply(call);
    }

    ProviderAnswer.Charged take(ProviderCall call) {
        if (traits.honoursKeys() && byKey.containsKey(call.idempotencyKey())) {
            return byKey.get(call.idempotencyKey());
        }
        charges.add(call.orderStep());
        ProviderAnswer.Charged charged = new ProviderAnswer.Charged(
                new ProviderReference("ch_" + charges.size()),
                call.intent().amountMinor(),
                call.intent().currency());
        byKey.putIfAbsent(call.idempotencyKey(), charged);
        return charged;
    }

    @Override
    public ProviderAnswer lookUp(LookUp lookUp) {
        lookUps.add(lookUp);
        if (lookUpAway) {
            return new ProviderAnswer.NoAnswer(NoAnswerReason.CONNECTION_LOST, "away");
        }
        ProviderAnswer.Charged found = byKey.get(lookUp.idempotencyKey());
        return found != null ? found : new ProviderAnswer.NoAnswer(NoAnswerReason.NOT_FOUND, "");
    }

    @Override
    public byte[] requestBytes(ProviderCall call) {
        return (version + call.intent().hash()).getBytes(java.nio.charset.StandardCharsets.UTF_8);
    }
}
