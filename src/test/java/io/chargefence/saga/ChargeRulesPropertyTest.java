package io.chargefence.saga;

import static org.assertj.core.api.Assertions.assertThat;

import io.chargefence.provider.DeclineKind;
import io.chargefence.provider.NoAnswerReason;
import io.chargefence.provider.NotChargedReason;
import io.chargefence.provider.ProviderAnswer;
import io.chargefence.provider.ProviderTraits;
import io.chargefence.saga.ChargeEvent.ProviderCalled;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Any facts in any order, late, repeated and contradicting: what must never happen does not. */
class ChargeRulesPropertyTest {

    private final ChargeRules rules = new ChargeRules(Sagas.LIMITS);

    /** What happens next in a charge's life. */
    enum Happening {
        DELIVERED,
        CHARGED,
        CHARGED_OTHERWISE,
        OTHER_AMOUNT,
        DECLINED,
        REFUSED,
        THROTTLED,
        NOT_SENT,
        TIMED_OUT,
        SERVER_ERROR,
        KEY_REUSED,
        NOT_FOUND,
        LOOK_UP_FAILED,
        ANSWER_OF_AN_EARLIER_CALL,
        A_SECOND_PASSES,
        A_MINUTE_PASSES,
        A_DAY_PASSES
    }

    /** One life. */
    private final class Life {
        final Terms terms;
        ChargeSaga saga;
        Instant now = Sagas.START;
        Instant dueAt;
        boolean keyless;

        Life(ProviderTraits traits) {
            terms = Sagas.terms(traits);
            keyless = !traits.honoursKeys();
        }

        void live(Happening happening) {
            switch (happening) {
                case DELIVERED -> apply(rules.onDelivered(saga, Sagas.wakeup(0), terms, moment()));
                case CHARGED -> answered(Sagas.chargedAnswer(Sagas.REFERENCE, Sagas.INTENT.amountMinor()), false);
                case CHARGED_OTHERWISE ->
                    answered(Sagas.chargedAnswer(Sagas.OTHER_REFERENCE, Sagas.INTENT.amountMinor()), false);
                case OTHER_AMOUNT -> answered(Sagas.chargedAnswer(Sagas.REFERENCE, 1), false);
                case DECLINED -> answered(new ProviderAnswer.Declined("no", DeclineKind.HARD), false);
                case REFUSED -> answered(new ProviderAnswer.NotCharged(NotChargedReason.REFUSED, ""), false);
                case THROTTLED -> answered(new ProviderAnswer.NotCharged(NotChargedReason.THROTTLED, ""), false);
                case NOT_SENT -> answered(new ProviderAnswer.NotCharged(NotChargedReason.NOT_SENT, ""), false);
                case TIMED_OUT -> answered(new ProviderAnswer.NoAnswer(NoAnswerReason.TIMED_OUT, ""), false);
                case SERVER_ERROR -> answered(new ProviderAnswer.NoAnswer(NoAnswerReason.SERVER_ERROR, ""), false);
                case KEY_REUSED -> answered(new ProviderAnswer.NoAnswer(NoAnswerReason.KEY_REUSED, ""), false);
                case NOT_FOUND -> answered(new ProviderAnswer.NoAnswer(NoAnswerReason.NOT_FOUND, ""), true);
                case LOOK_UP_FAILED -> answered(new ProviderAnswer.NoAnswer(NoAnswerReason.CONNECTION_LOST, ""), true);
                case ANSWER_OF_AN_EARLIER_CALL -> {
                    Answer late = new Answer(
                            new ProviderAnswer.NotCharged(NotChargedReason.REFUSED, ""),
                            false,
                            new UUID(7, 7),
                            -1,
                            0,
                            null);
                    apply(rules.onAnswer(saga, late, terms, moment()));
                }
                case A_SECOND_PASSES -> now = now.plusSeconds(1);
                case A_MINUTE_PASSES -> now = now.plusSeconds(60);
                case A_DAY_PASSES -> now = now.plus(Duration.ofDays(1));
            }
        }

        private Moment moment() {
            return new Moment(now, 0.5);
        }

        private void answered(ProviderAnswer said, boolean lookUp) {
            if (saga == null || saga.attempt().lastCall() == null) {
                return;
            }
            Answer answer = lookUp ? Sagas.lookUpAnswer(saga, said) : Sagas.answer(saga, said);
            apply(rules.onAnswer(saga, answer, terms, moment()));
        }

        private void apply(Decision decision) {
            ChargeSaga before = saga;
            for (ChargeEvent event : decision.events()) {
                long sequence = saga == null ? 0 : saga.sequence() + 1;
                RecordedEvent recorded = new RecordedEvent(new UUID(0, sequence), sequence, now, event);
                saga = saga == null ? ChargeSaga.claimed(new UUID(7, 7), recorded) : saga.after(recorded);
            }
            dueAt = decision.dueAt() == null ? dueAt : decision.dueAt();
            check(before, decision);
        }

        private void check(ChargeSaga before, Decision decision) {
            if (before != null && before.stage().isSettled()) {
                assertThat(saga.stage().isSettled())
                        .as("a settled stage never goes back")
                        .isTrue();
                assertThat(saga.outcome().reference())
                        .isEqualTo(before.outcome().reference());
                assertThat(saga.outcome().declineCode())
                        .isEqualTo(before.outcome().declineCode());
            }
            boolean calls = decision.action() == Decision.Action.CALL;
            boolean announces = decision.events().stream().anyMatch(ProviderCalled.class::isInstance);
            assertThat(calls).as("a call and its announcement come together").isEqualTo(announces);
            if (calls) {
                checkCall(before, decision);
            }
            if (!saga.stage().isAtRest()) {
                assertThat(dueAt).as("what is not at rest has a due time").isNotNull();
            }
        }

        private void checkCall(ChargeSaga before, Decision decision) {
            assertThat(saga.attempt().calls()).isLessThanOrEqualTo(Sagas.LIMITS.callsMax());
            assertThat(decision.dueAt()).isAfter(saga.attempt().lastCall().deadline());
            if (before != null && keyless) {
                assertThat(before.attempt().unproven())
                        .as("a provider without keys is never called again in doubt")
                        .isFalse();
            }
            if (before != null && before.attempt().unproven()) {
                assertThat(now).isBefore(before.attempt().lastCall().resendSafeUntil());
            }
            if (before != null && !before.attempt().lastCallIsProven()) {
                assertThat(now).isAfterOrEqualTo(before.attempt().lastCall().deadline());
            }
        }
    }

    @Property(tries = 3000)
    void whatever_happens_in_whatever_order_the_promises_hold(
            @ForAll("traits") ProviderTraits traits, @ForAll("happenings") List<Happening> happenings) {
        Life life = new Life(traits);
        life.live(Happening.DELIVERED);
        happenings.forEach(life::live);
    }

    /** Left alone with its deliveries, a charge comes to rest. */
    @Property(tries = 1000)
    void deliveries_and_time_bring_every_charge_to_rest(
            @ForAll("traits") ProviderTraits traits, @ForAll("happenings") List<Happening> happenings) {
        Life life = new Life(traits);
        life.live(Happening.DELIVERED);
        happenings.forEach(life::live);
        for (int n = 0; n < 100 && !life.saga.stage().isAtRest(); n++) {
            life.live(Happening.A_DAY_PASSES);
            life.live(Happening.DELIVERED);
            life.live(Happening.TIMED_OUT);
        }
        assertThat(life.saga.stage().isAtRest()).isTrue();
    }

    @Provide
    Arbitrary<ProviderTraits> traits() {
        return Arbitraries.of(Sagas.NEITHER, Sagas.KEYS, Sagas.LOOK_UP, Sagas.KEYS_AND_LOOK_UP);
    }

    @Provide
    Arbitrary<List<Happening>> happenings() {
        return Arbitraries.of(Happening.class).list().ofMaxSize(30);
    }
}
