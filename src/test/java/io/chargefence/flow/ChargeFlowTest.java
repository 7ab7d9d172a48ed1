package io.chargefence.flow;

import static io.chargefence.flow.Bench.STEP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chargefence.ChargeAlert;
import io.chargefence.ChargeConflictException;
import io.chargefence.ChargeRequest;
import io.chargefence.ChargeStage;
import io.chargefence.ChargefenceException;
import io.chargefence.InvalidChargeException;
import io.chargefence.MissingTransactionException;
import io.chargefence.OrderStep;
import io.chargefence.ProviderReference;
import io.chargefence.provider.NoAnswerReason;
import io.chargefence.provider.NotChargedReason;
import io.chargefence.provider.ProviderAnswer;
import io.chargefence.provider.ProviderTraits;
import io.chargefence.provider.ProviderTraits.KeysCover;
import io.chargefence.saga.ChargeEvent.NoAnswer;
import io.chargefence.saga.ChargeEvent.NotCharged;
import io.chargefence.saga.ChargeEvent.Parked;
import io.chargefence.saga.ChargeEvent.ParkedReason;
import io.chargefence.saga.ChargeEvent.ProviderCalled;
import io.chargefence.saga.ChargeEvent.ReferenceStored;
import io.chargefence.saga.ChargeEvent.Via;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.joda.money.CurrencyUnit;
import org.joda.money.Money;
import org.junit.jupiter.api.Test;

class ChargeFlowTest {

    private static final Duration RESERVATION = Duration.ofSeconds(60);
    private static final ProviderTraits KEYS =
            ProviderTraits.cautious().withKeys(Duration.ofHours(24), KeysCover.SERVER_ERRORS_TOO);
    private static final ProviderTraits LOOK_UP = ProviderTraits.cautious().withLookUp(Duration.ofSeconds(3));

    private final Bench bench = new Bench();
    private final Bench.Process worker = bench.process();

    @Test
    void on_a_good_day_there_are_four_events_one_call_and_an_empty_stream() {
        worker.request(100);
        worker.work();

        assertThat(bench.store.story(STEP))
                .containsExactly("FenceClaimed", "ProviderCalled", "ReferenceStored", "Acked");
        assertThat(bench.provider.charges).containsExactly(STEP);
        assertThat(bench.stage()).isEqualTo(ChargeStage.ACKED);
        assertThat(bench.stream.pending).isEmpty();
        assertThat(bench.store.requests).isEmpty();
        assertThat(worker.window.inUse()).isZero();
        assertThat(bench.alerts).isEmpty();
    }

    @Test
    void the_claim_is_committed_before_the_call_leaves() {
        worker.request(100);
        worker.read();

        assertThat(bench.provider.calls).isEmpty();
        assertThat(bench.store.story(STEP)).containsExactly("FenceClaimed", "ProviderCalled");
    }

    @Test
    void a_worker_that_dies_after_the_providers_200_charges_once_with_keys() {
        bench.provider.traits = KEYS;
        worker.request(100);
        worker.read().call(); // and dies with the answer in its hand

        bench.workUntilRest(bench.process());

        assertThat(bench.provider.charges).containsExactly(STEP);
        assertThat(bench.store.eventsOf(STEP, ReferenceStored.class))
                .singleElement()
                .satisfies(stored -> assertThat(stored.via()).isEqualTo(Via.RESEND));
    }

    @Test
    void a_worker_that_dies_after_the_providers_200_charges_once_with_look_up_only() {
        bench.provider.traits = LOOK_UP;
        worker.request(100);
        worker.read().call();

        bench.workUntilRest(bench.process());

        assertThat(bench.provider.calls).hasSize(1);
        assertThat(bench.stage()).isEqualTo(ChargeStage.ACKED);
        assertThat(bench.store.eventsOf(STEP, ReferenceStored.class))
                .singleElement()
                .satisfies(stored -> assertThat(stored.via()).isEqualTo(Via.LOOK_UP));
    }

    @Test
    void a_worker_that_dies_after_the_providers_200_parks_with_a_provider_that_can_do_neither() {
        worker.request(100);
        worker.read().call();

        bench.workUntilRest(bench.process());

        assertThat(bench.provider.calls).hasSize(1);
        assertThat(bench.stage()).isEqualTo(ChargeStage.PARKED);
        assertThat(bench.alerts).singleElement().satisfies(alert -> {
            assertThat(alert.kind()).isEqualTo(ChargeAlert.Kind.PARKED);
            assertThat(alert.message()).contains("order-17/capture attempt 1", "money may have moved", "cf1-");
        });
    }

    @Test
    void a_worker_that_dies_between_claim_and_call_loses_nothing() {
        bench.provider.traits = KEYS.withLookUp(Duration.ZERO);
        worker.request(100);
        worker.read(); // dies before the call

        bench.workUntilRest(bench.process());

        assertThat(bench.provider.charges).containsExactly(STEP);
        assertThat(bench.stage()).isEqualTo(ChargeStage.ACKED);
    }

    @Test
    void a_redelivery_after_the_outcome_is_acked_without_a_call() {
        worker.request(100);
        worker.work();
        bench.stream.publish(List.of(STEP, STEP, STEP));
        worker.work();

        assertThat(bench.provider.calls).hasSize(1);
        assertThat(bench.stream.pending).isEmpty();
        assertThat(bench.store.story(STEP)).hasSize(4);
    }

    @Test
    void a_redelivery_while_the_call_runs_is_acked_without_a_call_and_the_outcome_still_comes() {
        worker.request(100);
        worker.read();
        bench.stream.publish(List.of(STEP));
        Bench.Process other = bench.process().work();

        assertThat(bench.provider.calls).isEmpty();
        assertThat(other.calls).isEmpty();
        worker.call().record();
        assertThat(bench.stage()).isEqualTo(ChargeStage.ACKED);
        assertThat(bench.stream.pending).isEmpty();
    }

    @Test
    void two_workers_with_the_same_delivery_make_one_claim() {
        worker.request(100);
        bench.stream.publish(List.of(STEP));
        Bench.Process other = bench.process();
        Deque<Fact> mine = facts(1);
        Deque<Fact> theirs = facts(1);
        worker.flow.settle(mine);
        other.flow.settle(theirs);
        worker.call().record();
        other.call().record();

        assertThat(bench.provider.charges).containsExactly(STEP);
    }

    @Test
    void a_zombie_that_wakes_up_past_its_time_does_not_send() {
        worker.request(100);
        worker.read();
        bench.nanos += bench.limits.startWithin().toNanos(); // frozen between the commit and the call

        worker.call().record();

        assertThat(bench.provider.calls).isEmpty();
        assertThat(bench.store.eventsOf(STEP, NotCharged.class))
                .singleElement()
                .satisfies(proof -> assertThat(proof.reason()).isEqualTo(NotChargedReason.NOT_SENT));
        bench.workUntilRest(worker);
        assertThat(bench.provider.charges).containsExactly(STEP);
    }

    @Test
    void what_was_not_sent_burns_no_call() {
        worker.request(100);
        worker.read();
        bench.nanos += bench.limits.startWithin().toNanos();
        worker.call().record();

        bench.workUntilRest(worker);

        assertThat(bench.store.eventsOf(STEP, ProviderCalled.class))
                .extracting(ProviderCalled::call)
                .containsExactly(1, 1);
    }

    @Test
    void a_late_answer_of_a_frozen_worker_is_adopted_although_the_charge_was_parked() {
        worker.request(100);
        worker.read().call(); // frozen with the answer
        Bench.Process other = bench.process();
        bench.workUntilRest(other);
        assertThat(bench.stage()).isEqualTo(ChargeStage.PARKED);

        worker.record();

        assertThat(bench.stage()).isEqualTo(ChargeStage.ACKED);
        assertThat(bench.store.fences.get(STEP).outcome().reference()).isEqualTo(new ProviderReference("ch_1"));
    }

    @Test
    void a_late_answer_that_loses_the_race_to_a_look_up_changes_nothing() {
        bench.provider.traits = LOOK_UP;
        worker.request(100);
        worker.read().call();
        bench.workUntilRest(bench.process());
        List<String> story = bench.store.story(STEP);

        worker.record();

        assertThat(bench.store.story(STEP)).isEqualTo(story);
        assertThat(bench.alerts).isEmpty();
    }

    @Test
    void a_second_reference_for_a_charged_step_raises_an_alert_and_overwrites_nothing() {
        bench.provider.traits = LOOK_UP;
        worker.request(100);
        worker.read().call();
        Fact late = worker.outcomes.poll();
        bench.provider.charges.add(STEP);
        bench.workUntilRest(bench.process());
        Fact.Answered answered = (Fact.Answered) late;
        ProviderAnswer other = new ProviderAnswer.Charged(new ProviderReference("ch_9"), 100, "EUR");
        worker.outcomes.add(new Fact.Answered(
                STEP,
                new io.chargefence.saga.Answer(
                        other,
                        false,
                        answered.answer().chargeId(),
                        answered.answer().callSequence(),
                        1,
                        null),
                null));

        worker.record();

        assertThat(bench.store.fences.get(STEP).outcome().reference()).isEqualTo(new ProviderReference("ch_1"));
        assertThat(bench.store.fences.get(STEP).outcome().chargesSeen()).isEqualTo(2);
        assertThat(bench.store.ledger().invariant().excess()).isEqualTo(1);
        assertThat(bench.alerts)
                .singleElement()
                .extracting(ChargeAlert::kind)
                .isEqualTo(ChargeAlert.Kind.CONTRADICTION);
    }

    @Test
    void flushing_redis_at_any_moment_loses_nothing() {
        worker.request(100);
        bench.stream.fresh.clear();
        bench.workUntilRest(worker);
        assertThat(bench.provider.charges).containsExactly(STEP);

        Bench again = new Bench();
        again.provider.traits = KEYS;
        Bench.Process second = again.process();
        second.request(100);
        second.read();
        again.stream.pending.clear();
        again.workUntilRest(again.process());
        assertThat(again.provider.charges).containsExactly(STEP);
    }

    @Test
    void redis_away_while_requesting_leaves_the_charge_to_the_sweeper() {
        bench.stream.away = true;
        worker.request(100);
        bench.stream.away = false;

        bench.workUntilRest(worker);

        assertThat(bench.provider.charges).containsExactly(STEP);
    }

    @Test
    void a_publication_moves_the_due_time_so_that_a_sweep_cannot_flood_the_stream() {
        worker.request(100);
        bench.stream.fresh.clear();
        bench.after(Duration.ofSeconds(6));
        bench.after(Duration.ofSeconds(6));
        bench.after(Duration.ofSeconds(6));

        assertThat(bench.stream.fresh).hasSize(1);
    }

    @Test
    void mysql_away_acks_nothing_and_drops_no_fact() {
        worker.request(100);
        Deque<Fact> facts = facts(1);
        bench.store.failures = 1;
        assertThatThrownBy(() -> worker.flow.settle(facts)).isInstanceOf(StoreUnavailableException.class);
        assertThat(facts).hasSize(1);
        assertThat(bench.stream.pending).hasSize(1);

        worker.flow.settle(facts);
        worker.call();
        bench.store.failures = 1;
        assertThatThrownBy(worker::record).isInstanceOf(StoreUnavailableException.class);
        assertThat(worker.outcomes).hasSize(1);
        worker.record();

        assertThat(bench.stage()).isEqualTo(ChargeStage.ACKED);
        assertThat(bench.provider.charges).containsExactly(STEP);
    }

    @Test
    void a_failed_ack_costs_a_redelivery_and_no_charge() {
        worker.request(100);
        worker.read().call();
        bench.stream.away = true;
        worker.record();
        bench.stream.away = false;
        assertThat(bench.stream.pending).hasSize(1);

        bench.stream.expireReservations();
        worker.work();

        assertThat(bench.stream.pending).isEmpty();
        assertThat(bench.provider.charges).containsExactly(STEP);
    }

    @Test
    void a_delivery_that_matches_nothing_is_quarantined_and_cannot_cause_a_call() {
        bench.stream.forge(new OrderStep("forged", "capture"), Map.of("amount", "1"));
        worker.work();

        assertThat(bench.provider.calls).isEmpty();
        assertThat(bench.stream.quarantined).hasSize(1);
        assertThat(bench.stream.pending).isEmpty();
        assertThat(bench.alerts).extracting(ChargeAlert::kind).containsExactly(ChargeAlert.Kind.QUARANTINED);
        assertThat(worker.window.inUse()).isZero();
    }

    @Test
    void the_same_step_with_another_intent_is_refused_and_recorded_after_the_claim() {
        worker.request(100);
        worker.work();

        assertThatThrownBy(() -> worker.request(200))
                .isInstanceOf(ChargeConflictException.class)
                .hasMessageContaining("EUR 1.00")
                .hasMessageContaining("EUR 2.00");

        assertThat(bench.store.story(STEP)).endsWith("ConflictSeen");
        assertThat(bench.store.fences.get(STEP).outcome().reference()).isNotNull();
        assertThat(bench.alerts).extracting(ChargeAlert::kind).containsExactly(ChargeAlert.Kind.CONFLICT);
    }

    @Test
    void the_same_step_with_another_intent_is_refused_and_recorded_before_the_claim() {
        worker.request(100);
        assertThatThrownBy(() -> worker.request(200)).isInstanceOf(ChargeConflictException.class);
        worker.work();

        assertThat(bench.store.story(STEP))
                .containsExactly("FenceClaimed", "ConflictSeen", "ProviderCalled", "ReferenceStored", "Acked");
        assertThat(bench.provider.calls)
                .singleElement()
                .satisfies(call -> assertThat(call.intent().amountMinor()).isEqualTo(100));
    }

    @Test
    void the_same_request_again_changes_nothing() {
        worker.request(100);
        worker.request(100);
        worker.work();
        worker.request(100);
        worker.work();

        assertThat(bench.provider.charges).containsExactly(STEP);
        assertThat(bench.store.story(STEP)).hasSize(4);
    }

    @Test
    void a_request_outside_a_transaction_is_refused_by_the_name_of_what_is_missing() {
        assertThatThrownBy(() -> worker.charges.request(ChargeRequest.forStep("o", "s")
                        .amount(Money.of(CurrencyUnit.EUR, 1))
                        .source("pm")))
                .isInstanceOf(MissingTransactionException.class)
                .hasMessageContaining("@Transactional");
    }

    @Test
    void a_provider_that_nobody_knows_is_refused_at_the_door() {
        assertThatThrownBy(() -> bench.store.inTransaction(() -> worker.charges.request(ChargeRequest.forStep("o", "s")
                        .amount(Money.of(CurrencyUnit.EUR, 1))
                        .source("pm")
                        .provider("nobody"))))
                .isInstanceOf(InvalidChargeException.class)
                .hasMessageContaining("'nobody' is none of [acme]");
    }

    @Test
    void a_worker_without_the_provider_lets_the_delivery_go_and_the_sweeper_brings_it_to_one_that_has_it() {
        worker.request(100);
        ChargeLog.Requested asked = bench.store.requests.get(STEP);
        io.chargefence.Intent elsewhere =
                new io.chargefence.Intent(100, "EUR", "pm_card", "other", new java.util.TreeMap<>());
        bench.store.requests.put(STEP, new ChargeLog.Requested(STEP, elsewhere, null, asked.requestedAt(), null));
        for (int n = 0; n < 5; n++) {
            worker.work();
            bench.after(RESERVATION);
        }

        assertThat(bench.alerts).isNotEmpty().allMatch(alert -> alert.kind() == ChargeAlert.Kind.UNKNOWN_PROVIDER);
        assertThat(bench.stream.pending).as("nothing piles up").isEmpty();
        assertThat(bench.store.fences).isEmpty();
        assertThat(worker.window.inUse()).isZero();
        bench.store.requests.put(STEP, asked);
        bench.workUntilRest(worker);
        assertThat(bench.provider.charges).containsExactly(STEP);
    }

    @Test
    void three_refused_calls_are_parked_with_an_alert() {
        for (int i = 0; i < 3; i++) {
            bench.provider.then(call -> new ProviderAnswer.NotCharged(NotChargedReason.REFUSED, "422"));
        }
        worker.request(100);
        bench.workUntilRest(worker);

        assertThat(bench.provider.calls).hasSize(3);
        assertThat(bench.provider.calls)
                .extracting(call -> call.idempotencyKey())
                .containsOnly(bench.provider.calls.get(0).idempotencyKey());
        assertThat(parkedReason()).isEqualTo(ParkedReason.CALLS_EXHAUSTED);
        assertThat(bench.alerts)
                .extracting(ChargeAlert::message)
                .singleElement()
                .asString()
                .contains("no money moved");
    }

    @Test
    void throttling_burns_no_call_and_waits_as_long_as_the_provider_asks() {
        for (int i = 0; i < 5; i++) {
            bench.provider.then(
                    call -> new ProviderAnswer.NotCharged(NotChargedReason.THROTTLED, "429", Duration.ofMinutes(3)));
        }
        worker.request(100);
        worker.work();
        assertThat(bench.store.due.get(STEP)).isEqualTo(bench.now.plus(Duration.ofMinutes(3)));

        bench.workUntilRest(worker);

        assertThat(bench.provider.charges).containsExactly(STEP);
        assertThat(bench.stage()).isEqualTo(ChargeStage.ACKED);
    }

    @Test
    void nothing_waits_longer_than_a_day() {
        for (int i = 0; i < 10_000; i++) {
            bench.provider.then(call -> new ProviderAnswer.NotCharged(NotChargedReason.THROTTLED, "429"));
        }
        worker.request(100);
        for (int hour = 0; hour < 26; hour++) {
            bench.after(Duration.ofHours(1));
            worker.work();
        }

        assertThat(parkedReason()).isEqualTo(ParkedReason.GAVE_UP);
        assertThat(bench.provider.charges).isEmpty();
    }

    @Test
    void a_provider_that_can_only_be_asked_is_never_called_again() {
        bench.provider.traits = LOOK_UP;
        bench.provider.then(call -> new ProviderAnswer.NoAnswer(NoAnswerReason.TIMED_OUT, ""));
        worker.request(100);
        bench.workUntilRest(worker);

        assertThat(bench.provider.calls).hasSize(1);
        assertThat(bench.provider.lookUps).hasSize(2);
        assertThat(parkedReason()).isEqualTo(ParkedReason.NOT_FOUND_TWICE);
    }

    @Test
    void two_look_ups_at_the_same_time_are_one_look() {
        bench.provider.traits = LOOK_UP;
        bench.provider.then(call -> new ProviderAnswer.NoAnswer(NoAnswerReason.TIMED_OUT, ""));
        worker.request(100);
        worker.work();
        bench.after(Duration.ofMinutes(2));
        worker.read();
        bench.stream.publish(List.of(STEP));
        Bench.Process other = bench.process().read();
        assertThat(other.calls).hasSize(1);
        worker.call().record();
        other.call().record();

        assertThat(bench.provider.lookUps).hasSize(2);
        assertThat(bench.store.eventsOf(STEP, NoAnswer.class))
                .filteredOn(NoAnswer::lookUp)
                .hasSize(1);
        assertThat(bench.stage()).isEqualTo(ChargeStage.IN_DOUBT);
    }

    @Test
    void a_silent_charge_is_found_by_look_up_before_anything_is_sent_again() {
        bench.provider.traits = KEYS.withLookUp(Duration.ZERO);
        bench.provider.thenChargeSilently();
        worker.request(100);
        bench.workUntilRest(worker);

        assertThat(bench.provider.calls).hasSize(1);
        assertThat(bench.provider.charges).containsExactly(STEP);
        assertThat(bench.stage()).isEqualTo(ChargeStage.ACKED);
    }

    @Test
    void an_outage_of_the_look_up_burns_no_call() {
        bench.provider.traits = KEYS.withLookUp(Duration.ZERO);
        bench.provider.thenChargeSilently();
        bench.provider.lookUpAway = true;
        worker.request(100);
        for (int i = 0; i < 60; i++) {
            bench.after(Duration.ofMinutes(5));
            worker.work();
        }
        assertThat(bench.provider.calls).hasSize(1);
        bench.provider.lookUpAway = false;
        bench.workUntilRest(worker);

        assertThat(bench.provider.charges).containsExactly(STEP);
        assertThat(bench.stage()).isEqualTo(ChargeStage.ACKED);
    }

    @Test
    void an_upgraded_adapter_does_not_send_other_bytes_under_the_same_key() {
        bench.provider.traits = KEYS;
        bench.provider.thenChargeSilently();
        worker.request(100);
        worker.work();
        bench.provider.version = "2";
        bench.workUntilRest(worker);

        assertThat(bench.provider.calls).hasSize(1);
        assertThat(parkedReason()).isEqualTo(ParkedReason.CANNOT_TELL);
    }

    @Test
    void a_resend_after_the_keys_life_is_not_made() {
        bench.provider.traits = ProviderTraits.cautious().withKeys(Duration.ofMinutes(1), KeysCover.SERVER_ERRORS_TOO);
        bench.provider.thenChargeSilently();
        worker.request(100);
        worker.work();
        bench.stream.fresh.clear();
        bench.after(Duration.ofMinutes(2));
        worker.work();

        assertThat(bench.provider.charges).containsExactly(STEP);
        assertThat(parkedReason()).isEqualTo(ParkedReason.CANNOT_TELL);
    }

    @Test
    void a_provider_that_forgets_keys_after_a_500_is_not_sent_the_key_again() {
        bench.provider.traits = ProviderTraits.cautious().withKeys(Duration.ofHours(24), KeysCover.SUCCESSES_ONLY);
        bench.provider.then(call -> {
            bench.provider.charges.add(call.orderStep());
            return new ProviderAnswer.NoAnswer(NoAnswerReason.SERVER_ERROR, "500");
        });
        worker.request(100);
        bench.workUntilRest(worker);

        assertThat(bench.provider.calls).hasSize(1);
        assertThat(parkedReason()).isEqualTo(ParkedReason.CANNOT_TELL);
    }

    @Test
    void another_amount_than_asked_for_is_parked_and_counts_as_money_that_moved() {
        bench.provider.then(call -> new ProviderAnswer.Charged(new ProviderReference("ch_1"), 999, "EUR"));
        worker.request(100);
        worker.work();

        assertThat(parkedReason()).isEqualTo(ParkedReason.AMOUNT_MISMATCH);
        assertThat(bench.store.ledger().invariant().excess()).isEqualTo(1);
        assertThat(bench.alerts)
                .singleElement()
                .extracting(ChargeAlert::message)
                .asString()
                .contains("money moved");
    }

    @Test
    void an_adapter_that_throws_leaves_a_doubt_and_not_a_decline() {
        bench.provider.then(call -> {
            bench.provider.charges.add(call.orderStep());
            throw new IllegalStateException("card 4111111111111111 in the text");
        });
        worker.request(100);
        worker.work();

        assertThat(bench.stage()).isEqualTo(ChargeStage.IN_DOUBT);
        assertThat(bench.store.eventsOf(STEP, NoAnswer.class)).singleElement().satisfies(silence -> {
            assertThat(silence.reason()).isEqualTo(NoAnswerReason.ADAPTER_FAILED);
            assertThat(silence.detail()).doesNotContain("4111").contains("[card number]");
        });
    }

    @Test
    void an_error_of_the_adapter_or_of_a_listener_loses_neither_the_answer_nor_the_room() {
        bench.provider.then(call -> {
            throw new StackOverflowError("in the adapter");
        });
        worker.request(100);
        worker.work();
        assertThat(bench.stage()).isEqualTo(ChargeStage.IN_DOUBT);
        assertThat(worker.window.inUse()).isZero();

        Bench other = new Bench();
        other.onCalled = () -> {
            throw new AssertionError("a meter that overflows");
        };
        Bench.Process broken = other.process();
        broken.request(100);
        broken.work();
        assertThat(other.stage()).isEqualTo(ChargeStage.ACKED);
        assertThat(broken.window.inUse()).isZero();
    }

    @Test
    void an_answer_whose_claim_the_database_forgot_raises_an_alert() {
        worker.request(100);
        worker.read().call();
        bench.store.fences.clear(); // a failover to a replica that lagged
        worker.record();

        assertThat(bench.alerts).singleElement().satisfies(alert -> {
            assertThat(alert.kind()).isEqualTo(ChargeAlert.Kind.CONTRADICTION);
            assertThat(alert.message()).contains("without a fence", "ch_1");
        });
        assertThat(worker.window.inUse()).isZero();
    }

    @Test
    void a_failover_that_forgets_the_claim_charges_once_with_keys() {
        bench.provider.traits = KEYS;
        worker.request(100);
        ChargeLog.Requested request = bench.store.requests.get(STEP);
        worker.read().call();
        bench.store.fences.clear();
        bench.store.due.clear();
        bench.store.requests.put(STEP, request);
        bench.store.requestsDue.put(STEP, bench.now);
        Bench.Process other = bench.process();
        bench.workUntilRest(other);

        assertThat(bench.provider.calls).hasSize(2);
        assertThat(bench.provider.charges).containsExactly(STEP);
    }

    @Test
    void ten_takeovers_without_a_new_event_are_parked_without_a_call() {
        worker.request(100);
        Deque<Fact> poison = new ArrayDeque<>();
        Deliveries.Delivery tenth = new Deliveries.Delivery("0/1", STEP, 10, Map.of());
        poison.add(new Fact.Delivered(tenth));
        worker.flow.settle(poison);

        assertThat(bench.store.story(STEP)).containsExactly("FenceClaimed", "Parked");
        assertThat(bench.provider.calls).isEmpty();
        assertThat(worker.calls).isEmpty();
    }

    @Test
    void a_release_of_a_proven_uncharged_charge_opens_a_new_budget_of_calls() {
        three_refused_calls_are_parked_with_an_alert();
        Operations operations = new OperatorCommands(worker.flow, bench.store);

        operations.release(STEP, "ada", "the provider's account was repaired");
        bench.workUntilRest(worker);

        assertThat(bench.stage()).isEqualTo(ChargeStage.ACKED);
        assertThat(bench.provider.calls).hasSize(4);
        assertThat(bench.store.story(STEP)).contains("Released");
    }

    @Test
    void a_release_in_doubt_without_keys_or_look_up_is_refused() {
        a_worker_that_dies_after_the_providers_200_parks_with_a_provider_that_can_do_neither();
        Operations operations = new OperatorCommands(worker.flow, bench.store);

        assertThatThrownBy(() -> operations.release(STEP, "ada", "again"))
                .isInstanceOf(ChargefenceException.class)
                .hasMessageContaining("verdict with evidence");
        assertThat(bench.provider.calls).hasSize(1);
    }

    @Test
    void a_release_in_doubt_looks_up_first() {
        a_provider_that_can_only_be_asked_is_never_called_again();
        Operations operations = new OperatorCommands(worker.flow, bench.store);

        operations.release(STEP, "ada", "the provider says its look-up was broken");
        bench.after(Duration.ofSeconds(1));
        worker.work();

        assertThat(bench.provider.calls).hasSize(1);
        assertThat(bench.provider.lookUps).hasSize(3);
    }

    @Test
    void a_verdict_with_a_reference_settles_a_parked_charge() {
        a_worker_that_dies_after_the_providers_200_parks_with_a_provider_that_can_do_neither();
        Operations operations = new OperatorCommands(worker.flow, bench.store);

        operations.resolveCharged(STEP, new ProviderReference("ch_1"), "ada", "seen in the provider's dashboard");

        assertThat(bench.store.story(STEP)).endsWith("Parked", "Released", "ReferenceStored", "Acked");
        assertThat(bench.store.ledger().invariant().excess()).isZero();
        assertThat(bench.provider.calls).hasSize(1);
    }

    @Test
    void a_command_on_a_charge_that_is_not_parked_is_refused() {
        worker.request(100);
        worker.work();
        Operations operations = new OperatorCommands(worker.flow, bench.store);

        assertThatThrownBy(() -> operations.resolveNotCharged(STEP, "ada", "no reason"))
                .isInstanceOf(ChargefenceException.class)
                .hasMessageContaining("ACKED");
        assertThatThrownBy(() -> operations.release(new OrderStep("nobody", "s"), "ada", "no reason"))
                .isInstanceOf(ChargefenceException.class)
                .hasMessageContaining("no such charge");
    }

    @Test
    void each_event_says_which_worker_and_which_delivery_it_came_from() {
        worker.request(100);
        worker.work();

        assertThat(bench.store.metadata)
                .allSatisfy(metadata ->
                        assertThat(metadata).containsEntry("worker", "bench").containsKey("delivery"));
    }

    private ParkedReason parkedReason() {
        return bench.store.eventsOf(STEP, Parked.class).get(0).reason();
    }

    private Deque<Fact> facts(int max) {
        Deque<Fact> facts = new ArrayDeque<>();
        bench.stream.read(max, Duration.ZERO).forEach(delivery -> facts.add(new Fact.Delivered(delivery)));
        return facts;
    }
}
