package io.chargefence.stripe;

import static io.chargefence.stripe.StripeFixture.STEP;
import static org.assertj.core.api.Assertions.assertThat;

import io.chargefence.provider.DeclineKind;
import io.chargefence.provider.NoAnswerReason;
import io.chargefence.provider.NotChargedReason;
import io.chargefence.provider.ProviderAnswer;
import io.chargefence.provider.ProviderAnswer.Charged;
import io.chargefence.provider.ProviderAnswer.Declined;
import io.chargefence.provider.ProviderAnswer.NoAnswer;
import io.chargefence.provider.ProviderAnswer.NotCharged;
import io.chargefence.testing.ProviderMode;
import io.chargefence.testing.ProviderSimulator;
import io.chargefence.testing.Script;
import io.chargefence.testing.SimulatorSettings;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The adapter and the simulator speak the same language, in all three of its modes. */
class StripeAgainstSimulatorTest {

    @TempDir
    Path folder;

    private ProviderSimulator simulator;

    private StripeProvider stripe(ProviderMode mode) {
        simulator = ProviderSimulator.start(SimulatorSettings.keyless(folder.resolve("ledger.jsonl"))
                .mode(mode)
                .hang(Duration.ofSeconds(3)));
        return StripeFixture.provider(simulator.baseUrl());
    }

    @AfterEach
    void stop() {
        simulator.close();
    }

    @Test
    void a_key_sent_twice_charges_once_and_answers_the_same() {
        StripeProvider stripe = stripe(ProviderMode.KEYED);
        ProviderAnswer first = stripe.charge(StripeFixture.call());

        assertThat(first).isInstanceOf(Charged.class);
        assertThat(stripe.charge(StripeFixture.call())).isEqualTo(first);
        assertThat(simulator.charges(STEP)).isEqualTo(1);
        assertThat(simulator.calls()).isEqualTo(2);
    }

    @Test
    void without_keys_every_call_charges_again() {
        StripeProvider stripe = stripe(ProviderMode.KEYLESS);
        stripe.charge(StripeFixture.call());
        stripe.charge(StripeFixture.call());

        assertThat(simulator.charges(STEP)).isEqualTo(2);
    }

    @Test
    void the_same_key_with_another_amount_is_refused() {
        StripeProvider stripe = stripe(ProviderMode.KEYED);
        stripe.charge(StripeFixture.call());

        assertThat(stripe.charge(StripeFixture.call(1, "EUR", Duration.ofSeconds(5))))
                .isInstanceOfSatisfying(
                        NoAnswer.class, silence -> assertThat(silence.reason()).isEqualTo(NoAnswerReason.KEY_REUSED));
        assertThat(simulator.charges(STEP)).isEqualTo(1);
    }

    @Test
    void a_charge_whose_answer_was_lost_in_any_way_is_found_by_look_up() {
        for (Script script : new Script[] {Script.CHARGE_THEN_500, Script.CHARGE_THEN_DROP, Script.CHARGE_THEN_HANG}) {
            StripeProvider stripe = stripe(ProviderMode.LOOKUP);
            simulator.script(STEP, script, 1);
            assertThat(stripe.charge(StripeFixture.call(12_900, "EUR", Duration.ofSeconds(1))))
                    .isInstanceOf(NoAnswer.class);
            assertThat(stripe.lookUp(StripeFixture.lookUp())).isInstanceOf(Charged.class);
            simulator.close();
            folder.resolve("ledger.jsonl").toFile().delete();
        }
    }

    @Test
    void a_look_up_of_what_never_came_finds_nothing() {
        StripeProvider stripe = stripe(ProviderMode.LOOKUP);
        simulator.script(STEP, Script.HANG, 1);
        stripe.charge(StripeFixture.call(12_900, "EUR", Duration.ofMillis(300)));

        assertThat(stripe.lookUp(StripeFixture.lookUp()))
                .isInstanceOfSatisfying(
                        NoAnswer.class, silence -> assertThat(silence.reason()).isEqualTo(NoAnswerReason.NOT_FOUND));
    }

    @Test
    void a_decline_is_a_decline_to_the_call_and_to_the_look_up() {
        StripeProvider stripe = stripe(ProviderMode.KEYED);
        simulator.script(STEP, Script.DECLINE, 1);

        assertThat(stripe.charge(StripeFixture.call())).isEqualTo(new Declined("insufficient_funds", DeclineKind.SOFT));
        assertThat(stripe.lookUp(StripeFixture.lookUp()))
                .isEqualTo(new Declined("insufficient_funds", DeclineKind.SOFT));
        assertThat(stripe.charge(StripeFixture.call())).isInstanceOf(Declined.class);
        assertThat(simulator.charges(STEP)).isZero();
    }

    @Test
    void a_throttled_call_is_proven_uncharged_and_charges_the_next_time() {
        StripeProvider stripe = stripe(ProviderMode.KEYED);
        simulator.script(STEP, Script.THROTTLE, 1);

        assertThat(stripe.charge(StripeFixture.call()))
                .isInstanceOfSatisfying(
                        NotCharged.class, proof -> assertThat(proof.reason()).isEqualTo(NotChargedReason.THROTTLED));
        assertThat(stripe.charge(StripeFixture.call())).isInstanceOf(Charged.class);
    }

    @Test
    void a_repeat_while_the_first_is_in_flight_waits() throws Exception {
        StripeProvider stripe = stripe(ProviderMode.KEYED);
        simulator.script(STEP, Script.SLOW, 1);
        Thread first = new Thread(() -> stripe.charge(StripeFixture.call(12_900, "EUR", Duration.ofSeconds(20))));
        first.start();
        org.awaitility.Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> simulator.calls() == 1);

        assertThat(stripe.charge(StripeFixture.call()))
                .isInstanceOfSatisfying(
                        NoAnswer.class, silence -> assertThat(silence.reason()).isEqualTo(NoAnswerReason.IN_FLIGHT));
        first.join();
        assertThat(simulator.charges(STEP)).isEqualTo(1);
    }

    @Test
    void a_simulator_that_is_started_again_on_its_ledger_knows_what_it_did() {
        StripeProvider stripe = stripe(ProviderMode.KEYED);
        ProviderAnswer first = stripe.charge(StripeFixture.call());
        simulator.close();
        StripeProvider again = stripe(ProviderMode.KEYED);

        assertThat(again.charge(StripeFixture.call())).isEqualTo(first);
        assertThat(again.lookUp(StripeFixture.lookUp())).isEqualTo(first);
        assertThat(simulator.charges(STEP)).isEqualTo(1);
    }

    @Test
    void a_provider_that_cannot_be_asked_says_so_and_that_proves_nothing() {
        StripeProvider stripe = stripe(ProviderMode.KEYLESS);

        assertThat(stripe.lookUp(StripeFixture.lookUp())).isInstanceOf(NoAnswer.class);
    }
}
