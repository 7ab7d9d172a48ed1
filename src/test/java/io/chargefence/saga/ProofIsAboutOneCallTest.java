package io.chargefence.saga;

import static io.chargefence.saga.Sagas.KEYS;
import static io.chargefence.saga.Sagas.LIMITS;
import static io.chargefence.saga.Sagas.LOOK_UP;
import static io.chargefence.saga.Sagas.START;
import static io.chargefence.saga.Sagas.answer;
import static io.chargefence.saga.Sagas.terms;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chargefence.ChargeStage;
import io.chargefence.ChargefenceException;
import io.chargefence.provider.DeclineKind;
import io.chargefence.provider.NoAnswerReason;
import io.chargefence.provider.NotChargedReason;
import io.chargefence.provider.ProviderAnswer;
import io.chargefence.saga.ChargeEvent.Acked;
import io.chargefence.saga.ChargeEvent.Declined;
import io.chargefence.saga.ChargeEvent.EvidenceSeen;
import io.chargefence.saga.ChargeEvent.Parked;
import io.chargefence.saga.ChargeEvent.ParkedReason;
import io.chargefence.saga.ChargeEvent.ProviderCalled;
import io.chargefence.saga.ChargeEvent.Released;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What is proven of one call says nothing of another one of the same attempt. */
class ProofIsAboutOneCallTest {

    private static final Instant LATER = START.plusSeconds(60);
    private static final ProviderAnswer.Declined DECLINED = new ProviderAnswer.Declined("no", DeclineKind.SOFT);

    private final ChargeRules rules = new ChargeRules(LIMITS);

    /** Call 1 is in doubt, call 2 was refused. */
    private static Sagas oneInDoubtOneRefused() {
        return Sagas.inDoubt()
                .silent(NoAnswerReason.TIMED_OUT)
                .at(START.plusSeconds(40))
                .called()
                .notCharged(NotChargedReason.REFUSED, LATER);
    }

    @Test
    void a_refused_second_call_leaves_the_first_in_doubt() {
        ChargeSaga saga = oneInDoubtOneRefused().saga();

        assertThat(saga.stage()).isEqualTo(ChargeStage.IN_DOUBT);
        assertThat(saga.attempt().unprovenCalls()).isEqualTo(1);
        assertThat(saga.attempt().callsMade()).isEqualTo(2);
    }

    @Test
    void proof_of_the_second_call_does_not_allow_a_third_after_the_key_is_forgotten() {
        ChargeSaga saga = oneInDoubtOneRefused().saga();
        Moment afterKeyLife = new Moment(START.plus(Sagas.KEY_LIFE), 0);

        Decision decision = rulesThatNeverGiveUp().onDelivered(saga, Sagas.wakeup(0), terms(KEYS), afterKeyLife);

        assertThat(decision.events()).containsExactly(new Parked(ParkedReason.CANNOT_TELL));
    }

    @Test
    void a_resend_waits_for_the_time_that_the_refused_call_asked_for() {
        ChargeSaga saga = oneInDoubtOneRefused().saga();

        assertThat(rules.onDelivered(saga, Sagas.wakeup(0), terms(KEYS), new Moment(LATER.minusMillis(1), 0))
                        .events())
                .isEmpty();
        assertThat(rules.onDelivered(saga, Sagas.wakeup(0), terms(KEYS), new Moment(LATER, 0))
                        .events())
                .hasOnlyElementsOfType(ProviderCalled.class)
                .hasSize(1);
    }

    @Test
    void a_call_ends_once() {
        ChargeSaga saga = oneInDoubtOneRefused().saga();
        ProviderAnswer again = new ProviderAnswer.NotCharged(NotChargedReason.REFUSED, "");
        ProviderAnswer silence = new ProviderAnswer.NoAnswer(NoAnswerReason.TIMED_OUT, "");

        assertThat(rules.onAnswer(saga, answer(saga, again), terms(KEYS), new Moment(LATER, 0))
                        .events())
                .isEmpty();
        assertThat(rules.onAnswer(saga, answer(saga, silence), terms(KEYS), new Moment(LATER, 0))
                        .events())
                .isEmpty();
    }

    @Test
    void a_look_up_that_proves_it_is_proof_about_every_call() {
        ChargeSaga saga = Sagas.inDoubt()
                .silent(NoAnswerReason.TIMED_OUT)
                .at(START.plusSeconds(40))
                .called()
                .notCharged(NotChargedReason.PROVEN_BY_LOOK_UP, LATER)
                .saga();

        assertThat(saga.stage()).isEqualTo(ChargeStage.CLAIMED);
        assertThat(saga.attempt().unproven()).isFalse();
    }

    @Test
    void a_call_that_was_not_sent_was_not_made() {
        ChargeSaga saga = Sagas.inDoubt()
                .notCharged(NotChargedReason.NOT_SENT, LATER)
                .at(LATER)
                .called()
                .saga();

        assertThat(saga.attempt().callsMade()).isEqualTo(1);
        assertThat(saga.attempt().unprovenCalls()).isEqualTo(1);
    }

    @Test
    void a_refusal_reported_by_nobody_knows_which_call_does_not_settle_two() {
        ChargeSaga saga = Sagas.inDoubt()
                .silent(NoAnswerReason.TIMED_OUT)
                .at(START.plusSeconds(40))
                .called()
                .saga();

        Decision decision = rules.onDeclineReported(saga, DECLINED);

        assertThat(decision.events()).hasOnlyElementsOfType(EvidenceSeen.class);
        assertThat(decision.alert()).isNotNull();
    }

    @Test
    void a_refusal_reported_for_a_second_budget_of_calls_does_not_settle_it() {
        ChargeSaga saga = Sagas.inDoubt()
                .with(new Parked(ParkedReason.CANNOT_TELL))
                .with(new Released("ann", "the provider says that it was not charged", true))
                .called()
                .saga();

        assertThat(saga.attempt().calls()).isEqualTo(1);
        assertThat(rules.onDeclineReported(saga, DECLINED).events()).hasOnlyElementsOfType(EvidenceSeen.class);
    }

    @Test
    void a_reported_refusal_settles_the_only_call_there_was() {
        assertThat(rules.onDeclineReported(Sagas.inDoubt().saga(), DECLINED).events())
                .containsExactly(new Declined("no", DeclineKind.SOFT), new Acked(null));
        assertThat(rules.onDeclineReported(Sagas.parked(), DECLINED).events())
                .containsExactly(new Declined("no", DeclineKind.SOFT), new Acked(null));
    }

    @Test
    void a_refusal_does_not_take_back_a_charge_of_another_amount() {
        ChargeSaga saga = Sagas.inDoubt()
                .with(new EvidenceSeen("charged 1 EUR minor units instead of 12900 EUR", Sagas.REFERENCE))
                .with(new Parked(ParkedReason.AMOUNT_MISMATCH))
                .saga();

        assertThat(rules.onDeclined(saga, DECLINED, null).events()).hasOnlyElementsOfType(EvidenceSeen.class);
        assertThat(rules.onDeclineReported(saga, DECLINED).events()).hasOnlyElementsOfType(EvidenceSeen.class);
    }

    @Test
    void a_refused_answer_of_a_provider_without_keys_does_not_settle_two_open_calls() {
        ChargeSaga saga = Sagas.inDoubt()
                .silent(NoAnswerReason.TIMED_OUT)
                .at(START.plusSeconds(40))
                .called()
                .saga();
        Moment moment = new Moment(LATER, 0);

        assertThat(rules.onAnswer(saga, answer(saga, DECLINED), terms(LOOK_UP), moment)
                        .events())
                .hasOnlyElementsOfType(EvidenceSeen.class);
        assertThat(rules.onAnswer(saga, answer(saga, DECLINED), terms(KEYS), moment)
                        .events())
                .hasOnlyElementsOfTypes(Declined.class, Acked.class);
    }

    @Test
    void an_answer_to_a_call_of_a_forgotten_charge_is_not_taken_for_the_one_that_stands_in_its_place() {
        ChargeSaga saga = Sagas.inDoubt().saga();
        long sequence = saga.attempt().lastCall().sequence();
        Answer forgotten = new Answer(
                new ProviderAnswer.NotCharged(NotChargedReason.REFUSED, ""), false, new UUID(9, 9), sequence, 1, null);

        assertThat(rules.onAnswer(saga, forgotten, terms(KEYS), new Moment(LATER, 0))
                        .events())
                .isEmpty();
    }

    /** A call that is decided on at the last moment leaves a little later, and must still meet its key. */
    @Test
    void the_last_call_of_a_key_arrives_within_the_keys_life() {
        ProviderCalled called =
                (ProviderCalled) rules.onDelivered(null, Sagas.wakeup(0), terms(KEYS), new Moment(START, 0))
                        .events()
                        .get(1);

        Instant latestArrival = called.resendSafeUntil().plus(LIMITS.callWindow());
        assertThat(Duration.between(latestArrival, START.plus(Sagas.KEY_LIFE))).isEqualTo(LIMITS.margin());
    }

    @Test
    void a_command_needs_a_name_and_a_reason_and_keeps_both_inert() {
        OperatorRules operators = new OperatorRules();
        ChargeSaga saga = Sagas.parked();
        Moment moment = new Moment(LATER, 0);

        assertThatThrownBy(() -> operators.resolveNotCharged(saga, " ", "seen in the report", moment))
                .isInstanceOf(ChargefenceException.class)
                .hasMessageContaining("name");
        assertThatThrownBy(() -> operators.resolveCharged(saga, Sagas.REFERENCE, "ann", ""))
                .isInstanceOf(ChargefenceException.class)
                .hasMessageContaining("reason");
        assertThatThrownBy(() -> operators.release(saga, null, "asked them", terms(KEYS), moment))
                .isInstanceOf(ChargefenceException.class);
        Released released = (Released) operators
                .resolveNotCharged(saga, "ann\u001b[2J", "card 4111 1111 1111 1111\nACKED", moment)
                .events()
                .get(0);
        assertThat(released.actor()).isEqualTo("ann?[2J");
        assertThat(released.reason()).isEqualTo("card [card number]?ACKED");
    }

    private static ChargeRules rulesThatNeverGiveUp() {
        return new ChargeRules(new Limits(
                LIMITS.callsMax(),
                LIMITS.startWithin(),
                LIMITS.callTimeout(),
                LIMITS.margin(),
                LIMITS.lookUpDelays(),
                Duration.ofDays(365),
                LIMITS.backoff(),
                LIMITS.backoffMultiplier(),
                LIMITS.backoffMax(),
                LIMITS.jitter(),
                LIMITS.takeoversMax()));
    }
}
