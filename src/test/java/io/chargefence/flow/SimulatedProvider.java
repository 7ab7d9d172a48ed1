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
import io.chargefence.provider.ProviderTraits.KeysCover;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/** A provider that does anything a provider may do, by the dice. What it does to money stands in its ledger. */
final class SimulatedProvider implements PaymentProvider {

    private static final Duration HELD_MAX = Duration.ofSeconds(20);

    final List<Charge> ledger = new ArrayList<>();
    final Deque<ProviderCall> held = new ArrayDeque<>();
    private Instant oldestHeld = Instant.MAX;
    final List<Report> reports = new ArrayList<>();
    private final Map<IdempotencyKey, Remembered> byKey = new HashMap<>();
    private final Map<IdempotencyKey, Remembered> byLookUp = new HashMap<>();
    private final Random dice;
    private final Supplier<Instant> now;
    private final ProviderTraits traits;
    private final ProviderTraits truth;
    private final BiConsumer<Fault, OrderStep> met;
    boolean healthy;
    int version;

    /** A successful charge. */
    record Charge(OrderStep step, int attempt, ProviderReference reference) {}

    /** What the provider will say of it unasked. */
    record Report(OrderStep step, ProviderAnswer said) {}

    private record Remembered(Instant at, ProviderAnswer answer) {}

    /**
     * @param traits what it says it can do
     * @param truth what it can do
     */
    SimulatedProvider(
            Random dice,
            Supplier<Instant> now,
            ProviderTraits traits,
            ProviderTraits truth,
            BiConsumer<Fault, OrderStep> met) {
        this.dice = dice;
        this.now = now;
        this.traits = traits;
        this.truth = truth;
        this.met = met;
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
        int luck = healthy ? 99 : dice.nextInt(40);
        return switch (luck) {
            case 0, 1 -> notCharged(call, Fault.NOT_CONNECTED, NotChargedReason.NOT_CONNECTED, null);
            case 2 ->
                notCharged(call, Fault.THROTTLED, NotChargedReason.THROTTLED, Duration.ofSeconds(dice.nextInt(90)));
            case 3, 4 -> notCharged(call, Fault.REFUSED, NotChargedReason.REFUSED, null);
            case 5, 6 -> silent(call, Fault.LOST_ON_THE_WIRE, NoAnswerReason.TIMED_OUT);
            case 7, 8, 9 -> hold(call);
            default -> answer(call, luck);
        };
    }

    private ProviderAnswer answer(ProviderCall call, int luck) {
        if (truth.honoursKeys() && isHeld(call.idempotencyKey()) && dice.nextBoolean()) {
            return silent(call, Fault.KEY_IN_FLIGHT, NoAnswerReason.IN_FLIGHT);
        }
        boolean forgets = luck == 13 && truth.keysCover() != KeysCover.SERVER_ERRORS_TOO;
        ProviderAnswer answer = execute(call, forgets);
        return switch (luck) {
            case 10, 11 -> silent(call, Fault.EXECUTED_AND_SILENT, NoAnswerReason.TIMED_OUT);
            case 12 -> silent(call, Fault.EXECUTED_AND_CONNECTION_LOST, NoAnswerReason.CONNECTION_LOST);
            case 13, 14 -> silent(call, Fault.EXECUTED_AND_500, NoAnswerReason.SERVER_ERROR);
            case 15 -> silent(call, Fault.EXECUTED_AND_UNREADABLE, NoAnswerReason.UNREADABLE);
            case 16 -> silent(call, Fault.EXECUTED_AND_FOREIGN, NoAnswerReason.FOREIGN);
            case 17 -> throwing(call);
            default -> answer;
        };
    }

    private ProviderAnswer notCharged(ProviderCall call, Fault fault, NotChargedReason reason, Duration retryAfter) {
        met.accept(fault, call.orderStep());
        return new ProviderAnswer.NotCharged(reason, "", retryAfter);
    }

    private ProviderAnswer silent(ProviderCall call, Fault fault, NoAnswerReason reason) {
        met.accept(fault, call.orderStep());
        return new ProviderAnswer.NoAnswer(reason, "");
    }

    private ProviderAnswer throwing(ProviderCall call) {
        met.accept(Fault.EXECUTED_AND_ADAPTER_THREW, call.orderStep());
        if (dice.nextBoolean()) {
            throw new IllegalStateException("the adapter threw after the request was executed");
        }
        throw new StackOverflowError("the adapter failed after the request was executed");
    }

    private ProviderAnswer hold(ProviderCall call) {
        oldestHeld = held.isEmpty() ? now.get() : oldestHeld;
        held.add(call);
        return silent(call, Fault.HELD_ON_THE_WIRE, NoAnswerReason.TIMED_OUT);
    }

    boolean isHeld(IdempotencyKey key) {
        return held.stream().anyMatch(call -> call.idempotencyKey().equals(key));
    }

    /** No key covers a request that is held for longer than the key lives; where it lives long, any request is in before. */
    void landWhatAKeyMustMeet(Instant next) {
        boolean shortLived = truth.honoursKeys() && truth.keyLife().compareTo(Duration.ofHours(1)) < 0;
        while (shortLived && !held.isEmpty() && next.isAfter(oldestHeld.plus(HELD_MAX))) {
            landOne();
        }
    }

    /** A request that somebody held comes in. Its answer goes to nobody. */
    void landOne() {
        ProviderCall call = held.poll();
        if (call != null) {
            met.accept(Fault.EXECUTED_LATE, call.orderStep());
            execute(call, false);
        }
    }

    ProviderAnswer execute(ProviderCall call, boolean forgetsTheKey) {
        Remembered remembered = byKey.get(call.idempotencyKey());
        if (truth.honoursKeys()
                && remembered != null
                && now.get().isBefore(remembered.at().plus(truth.keyLife()))) {
            return remembered.answer();
        }
        boolean declines = !healthy && dice.nextInt(6) == 0;
        ProviderAnswer answer = declines ? new ProviderAnswer.Declined("no_funds", DeclineKind.SOFT) : take(call);
        Remembered outcome = new Remembered(now.get(), answer);
        if (!forgetsTheKey && !(declines && truth.keysCover() == KeysCover.SUCCESSES_ONLY)) {
            byKey.put(call.idempotencyKey(), outcome);
        }
        byLookUp.put(call.idempotencyKey(), outcome);
        reports.add(new Report(call.orderStep(), answer));
        return answer;
    }

    private ProviderAnswer take(ProviderCall call) {
        ProviderReference reference = new ProviderReference("ch_" + (ledger.size() + 1));
        ledger.add(new Charge(call.orderStep(), call.attempt(), reference));
        boolean otherAmount = !healthy && dice.nextInt(30) == 0;
        if (otherAmount) {
            met.accept(Fault.EXECUTED_WITH_ANOTHER_AMOUNT, call.orderStep());
        }
        return new ProviderAnswer.Charged(
                reference,
                call.intent().amountMinor() + (otherAmount ? 1 : 0),
                call.intent().currency());
    }

    @Override
    public ProviderAnswer lookUp(LookUp lookUp) {
        if (!healthy && dice.nextInt(4) == 0) {
            met.accept(Fault.LOOK_UP_AWAY, lookUp.orderStep());
            return new ProviderAnswer.NoAnswer(NoAnswerReason.CONNECTION_LOST, "away");
        }
        Remembered found = byLookUp.get(lookUp.idempotencyKey());
        if (found == null) {
            return new ProviderAnswer.NoAnswer(NoAnswerReason.NOT_FOUND, "nothing");
        }
        if (now.get().isBefore(found.at().plus(truth.lookUpLag()))) {
            met.accept(Fault.LOOK_UP_TOO_EARLY, lookUp.orderStep());
            return new ProviderAnswer.NoAnswer(NoAnswerReason.NOT_FOUND, "not visible yet");
        }
        return found.answer();
    }

    @Override
    public byte[] requestBytes(ProviderCall call) {
        return (version + call.intent().hash()).getBytes(StandardCharsets.UTF_8);
    }

    long charges(OrderStep step) {
        return ledger.stream().filter(charge -> charge.step().equals(step)).count();
    }
}
