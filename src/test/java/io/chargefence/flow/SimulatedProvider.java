package io.chargefence.flow;

import io.chargefence.IdempotencyKey;
import io.chargefence.OrderStep;
import io.chargefence.ProviderReference;
import io.chargefence.provider.DeclineKind;
import io.chargefence.provider.LookUp;
import io.chargefence.provider.NoAnswerReason;
import io.chargefence.provider.NotChargedReason;
import io.chargefence.provider.PaymentProvider;
import io.chargefence.provider.ProviderAnswer;
import io.chargefence.provider.ProviderCall;
import io.chargefence.provider.ProviderTraits;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** A provider that does anything a provider may do, by the dice. What it does to money stands in its ledger. */
final class SimulatedProvider implements PaymentProvider {

    final List<OrderStep> ledger = new ArrayList<>();
    final List<OrderStep> declined = new ArrayList<>();
    private final Map<IdempotencyKey, ProviderAnswer> byKey = new HashMap<>();
    private final Random dice;
    private final ProviderTraits traits;
    private final boolean honoursKeys;
    boolean healthy;

    /** @param honoursKeys what it does, whatever its traits say */
    SimulatedProvider(Random dice, ProviderTraits traits, boolean honoursKeys) {
        this.dice = dice;
        this.traits = traits;
        this.honoursKeys = honoursKeys;
    }

    @Override
    public String id() {
        return "acme";
    }

    @Override
    public ProviderTraits traits() {
        return traits;
    }

    @Override
    public ProviderAnswer charge(ProviderCall call) {
        int luck = healthy ? 0 : dice.nextInt(20);
        if (luck == 19) {
            return new ProviderAnswer.NotCharged(NotChargedReason.NOT_CONNECTED, "refused");
        }
        if (luck == 18) {
            return new ProviderAnswer.NotCharged(NotChargedReason.THROTTLED, "429");
        }
        if (luck == 17) {
            return new ProviderAnswer.NoAnswer(NoAnswerReason.TIMED_OUT, "never arrived");
        }
        ProviderAnswer answer = execute(call);
        return switch (luck) {
            case 16 -> new ProviderAnswer.NoAnswer(NoAnswerReason.TIMED_OUT, "executed, answer lost");
            case 15 -> new ProviderAnswer.NoAnswer(NoAnswerReason.SERVER_ERROR, "executed, 500");
            case 14 -> throw new IllegalStateException("the adapter threw after the request was executed");
            default -> answer;
        };
    }

    private ProviderAnswer execute(ProviderCall call) {
        if (honoursKeys && byKey.containsKey(call.idempotencyKey())) {
            return byKey.get(call.idempotencyKey());
        }
        ProviderAnswer answer = dice.nextInt(8) == 0 ? decline(call) : take(call);
        byKey.put(call.idempotencyKey(), answer);
        return answer;
    }

    private ProviderAnswer decline(ProviderCall call) {
        declined.add(call.orderStep());
        return new ProviderAnswer.Declined("insufficient_funds", DeclineKind.SOFT);
    }

    private ProviderAnswer take(ProviderCall call) {
        ledger.add(call.orderStep());
        return new ProviderAnswer.Charged(
                new ProviderReference("ch_" + ledger.size()),
                call.intent().amountMinor(),
                call.intent().currency());
    }

    @Override
    public ProviderAnswer lookUp(LookUp lookUp) {
        if (!healthy && dice.nextInt(4) == 0) {
            return new ProviderAnswer.NoAnswer(NoAnswerReason.CONNECTION_LOST, "away");
        }
        return byKey.getOrDefault(
                lookUp.idempotencyKey(), new ProviderAnswer.NoAnswer(NoAnswerReason.NOT_FOUND, "nothing"));
    }
}
