package io.chargefence.saga;

import io.chargefence.IdempotencyKey;
import io.chargefence.Intent;
import io.chargefence.OrderStep;
import io.chargefence.ProviderReference;
import io.chargefence.provider.DeclineKind;
import io.chargefence.provider.NoAnswerReason;
import io.chargefence.provider.NotChargedReason;
import io.chargefence.provider.ProviderAnswer;
import io.chargefence.provider.ProviderTraits;
import io.chargefence.provider.ProviderTraits.KeysCover;
import io.chargefence.saga.ChargeEvent.Acked;
import io.chargefence.saga.ChargeEvent.Declined;
import io.chargefence.saga.ChargeEvent.FenceClaimed;
import io.chargefence.saga.ChargeEvent.NoAnswer;
import io.chargefence.saga.ChargeEvent.NotCharged;
import io.chargefence.saga.ChargeEvent.Parked;
import io.chargefence.saga.ChargeEvent.ParkedReason;
import io.chargefence.saga.ChargeEvent.ProviderCalled;
import io.chargefence.saga.ChargeEvent.ReferenceStored;
import io.chargefence.saga.ChargeEvent.Via;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.UUID;

/** Charges in every stage, told by their events. */
public final class Sagas {

    public static final Limits LIMITS = Limits.DEFAULT;
    public static final Instant START = Instant.parse("2026-12-01T10:00:00Z");
    public static final OrderStep STEP = new OrderStep("order-17", "capture");
    public static final Intent INTENT = new Intent(12_900, "EUR", "pm_card", "acme", new TreeMap<>());
    public static final ProviderReference REFERENCE = new ProviderReference("ch_1");
    public static final ProviderReference OTHER_REFERENCE = new ProviderReference("ch_2");
    public static final Duration KEY_LIFE = Duration.ofHours(24);
    public static final ProviderTraits NEITHER = ProviderTraits.cautious();
    public static final ProviderTraits KEYS = NEITHER.withKeys(KEY_LIFE, KeysCover.SERVER_ERRORS_TOO);
    public static final ProviderTraits LOOK_UP = NEITHER.withLookUp(Duration.ofSeconds(3));
    public static final ProviderTraits KEYS_AND_LOOK_UP = KEYS.withLookUp(Duration.ofSeconds(3));

    private final List<RecordedEvent> stream = new ArrayList<>();
    private Instant at = START;

    private Sagas() {}

    public static Sagas claimed() {
        return new Sagas().with(new FenceClaimed(STEP, INTENT));
    }

    public static Sagas inDoubt() {
        return claimed().called();
    }

    public static ChargeSaga parked() {
        return inDoubt().with(new Parked(ParkedReason.CANNOT_TELL)).saga();
    }

    public static ChargeSaga charged() {
        return inDoubt().with(new ReferenceStored(REFERENCE, Via.ANSWER)).saga();
    }

    public static ChargeSaga declined() {
        return inDoubt().with(new Declined("card_declined", DeclineKind.SOFT)).saga();
    }

    public static ChargeSaga chargedAndAcked() {
        return inDoubt()
                .with(new ReferenceStored(REFERENCE, Via.ANSWER))
                .with(new Acked("0/1-1"))
                .saga();
    }

    public static ChargeSaga declinedAndAcked() {
        return inDoubt()
                .with(new Declined("card_declined", DeclineKind.SOFT))
                .with(new Acked("0/1-1"))
                .saga();
    }

    public Sagas called() {
        return called(true);
    }

    /** @param keyed whether the provider remembers the key */
    public Sagas called(boolean keyed) {
        int call = stream.size() == 1 ? 1 : saga().attempt().calls() + 1;
        return with(new ProviderCalled(
                1,
                call,
                key(),
                "hash",
                at.plus(LIMITS.callWindow()),
                keyed ? START.plus(KEY_LIFE).minus(LIMITS.margin()) : null));
    }

    public Sagas silent(NoAnswerReason reason) {
        return with(new NoAnswer(reason, "", false));
    }

    public Sagas lookedUp(NoAnswerReason reason) {
        return with(new NoAnswer(reason, "", true));
    }

    public Sagas notCharged(NotChargedReason reason, Instant retryAt) {
        return with(new NotCharged(reason, "", retryAt));
    }

    public Sagas at(Instant moment) {
        at = moment;
        return this;
    }

    public Sagas with(ChargeEvent event) {
        stream.add(new RecordedEvent(new UUID(0, stream.size()), stream.size(), at, event));
        return this;
    }

    public ChargeSaga saga() {
        return ChargeSaga.of(new UUID(7, 7), stream);
    }

    public static IdempotencyKey key() {
        return IdempotencyKey.of("default", STEP, 1);
    }

    public static Terms terms(ProviderTraits traits) {
        return new Terms(traits, key(), "hash");
    }

    public static Wakeup wakeup(int takeovers) {
        return new Wakeup(STEP, INTENT, null, takeovers, "0/1-1");
    }

    public static ProviderAnswer.Charged chargedAnswer(ProviderReference reference, long amountMinor) {
        return new ProviderAnswer.Charged(reference, amountMinor, "EUR");
    }

    /** The end of the charge's last call. */
    public static Answer answer(ChargeSaga saga, ProviderAnswer said) {
        return answer(saga, said, false);
    }

    public static Answer lookUpAnswer(ChargeSaga saga, ProviderAnswer said) {
        return answer(saga, said, true);
    }

    private static Answer answer(ChargeSaga saga, ProviderAnswer said, boolean lookUp) {
        long call = saga == null || saga.attempt().lastCall() == null
                ? 1
                : saga.attempt().lastCall().sequence();
        return new Answer(
                said,
                lookUp,
                saga == null ? new UUID(7, 7) : saga.chargeId(),
                call,
                saga == null ? 0 : saga.sequence(),
                "0/1-1");
    }
}
