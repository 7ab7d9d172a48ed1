package io.chargefence.mysql;

import static io.chargefence.mysql.Stories.DUE;
import static io.chargefence.mysql.Stories.charged;
import static io.chargefence.mysql.Stories.claim;
import static io.chargefence.mysql.Stories.entry;
import static io.chargefence.mysql.Stories.step;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chargefence.ChargeStage;
import io.chargefence.Intent;
import io.chargefence.OrderStep;
import io.chargefence.flow.ChargeLog.Entry;
import io.chargefence.flow.ChargeLog.Known;
import io.chargefence.flow.StoreUnavailableException;
import io.chargefence.provider.NoAnswerReason;
import io.chargefence.saga.ChargeEvent.ConflictSeen;
import io.chargefence.saga.ChargeEvent.FenceClaimed;
import io.chargefence.saga.ChargeEvent.NoAnswer;
import io.chargefence.saga.ChargeEvent.Parked;
import io.chargefence.saga.ChargeEvent.ParkedReason;
import io.chargefence.saga.ChargeSaga;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

class MysqlChargeLogIT {

    private static Store store;

    @BeforeAll
    static void open() {
        store = Store.fresh();
    }

    @AfterAll
    static void close() {
        store.close();
    }

    @BeforeEach
    void empty() {
        store.sql.update("DELETE FROM charge_fence");
        store.sql.update("DELETE FROM charge_event");
        store.sql.update("DELETE FROM charge_request");
    }

    @Test
    void a_claim_stands_in_the_fence_and_in_the_log_and_leaves_the_outbox() {
        OrderStep orderStep = step("order-1");
        request(orderStep);
        Entry claim = claim(orderStep);

        assertThat(store.log.append(List.of(claim))).isEmpty();

        assertThat(store.known(orderStep)).isEqualTo(new Known(null, claim.after()));
        assertThat(store.eventsOf(orderStep)).isEqualTo(claim.events());
        assertThat(store.count("charge_request")).isZero();
        assertThat(dueAt(orderStep)).isEqualTo(DUE);
    }

    @Test
    void a_claim_keeps_the_time_of_its_request() {
        request(step("order-1"));
        store.sql.update("UPDATE charge_request SET requested_at = '2026-11-30 09:00:00.000001'");

        store.log.append(List.of(claim(step("order-1"))));

        assertThat(store.views.find(step("order-1")).orElseThrow().requestedAt())
                .isEqualTo(Instant.parse("2026-11-30T09:00:00.000001Z"));
    }

    @Test
    void a_second_claim_of_the_same_step_is_refused_and_leaves_no_trace() {
        OrderStep orderStep = step("order-1");
        Entry first = claim(orderStep);
        store.log.append(List.of(first));

        assertThat(store.log.append(List.of(claim(orderStep)))).containsExactly(orderStep);

        assertThat(store.saga(orderStep)).isEqualTo(first.after());
        assertThat(store.count("charge_event")).isEqualTo(2);
    }

    @Test
    void one_loser_among_fifty_is_refused_alone() {
        List<OrderStep> steps = Stories.steps(50);
        OrderStep taken = steps.get(23);
        store.log.append(List.of(claim(taken)));
        steps.forEach(this::request);

        assertThat(store.log.append(steps.stream().map(Stories::claim).toList()))
                .containsExactly(taken);

        assertThat(store.count("charge_fence")).isEqualTo(50);
        assertThat(store.count("charge_event")).isEqualTo(100);
        assertThat(store.sql.queryForList("SELECT CAST(order_id AS CHAR) FROM charge_request", String.class))
                .containsExactly(taken.orderId());
    }

    @Test
    void the_loser_of_a_claim_burns_no_number_of_the_log() {
        store.log.append(List.of(claim(step("order-1"))));
        for (int i = 0; i < 5; i++) {
            store.log.append(List.of(claim(step("order-1"))));
        }
        store.log.append(List.of(claim(step("order-2"))));

        requireNoGaps(4);
    }

    private static void requireNoGaps(long events) {
        assertThat(store.sql.queryForObject(
                        "SELECT max(global_index) - min(global_index) + 1 FROM charge_event", Long.class))
                .isEqualTo(events);
    }

    @Test
    void a_step_decided_on_an_older_state_is_refused() {
        OrderStep orderStep = step("order-1");
        store.log.append(List.of(claim(orderStep)));
        ChargeSaga seen = store.saga(orderStep);
        store.log.append(List.of(charged(seen)));

        assertThat(store.log.append(List.of(charged(seen)))).containsExactly(orderStep);

        assertThat(store.eventsOf(orderStep)).hasSize(4);
    }

    @Test
    void a_due_time_decided_on_an_older_state_is_refused_although_no_event_collides() {
        OrderStep orderStep = step("order-1");
        store.log.append(List.of(claim(orderStep)));
        ChargeSaga seen = store.saga(orderStep);
        append(entry(seen, null, noAnswer()));

        assertThat(store.log.append(List.of(new Entry(seen, List.of(), seen, DUE.plusSeconds(60), false, Map.of()))))
                .containsExactly(orderStep);

        assertThat(dueAt(orderStep)).isEqualTo(DUE);
    }

    @Test
    void the_loser_of_a_step_burns_no_number_of_the_log_either() {
        store.log.append(List.of(claim(step("order-1"))));
        ChargeSaga seen = store.saga(step("order-1"));
        store.log.append(List.of(entry(seen, null, noAnswer())));
        store.log.append(List.of(entry(seen, null, noAnswer())));
        store.log.append(List.of(claim(step("order-2"))));

        requireNoGaps(5);
    }

    @Test
    void one_stale_step_in_a_batch_is_refused_alone() {
        List<OrderStep> steps = Stories.steps(10);
        store.log.append(steps.stream().map(Stories::claim).toList());
        List<Entry> outcomes =
                steps.stream().map(store::saga).map(Stories::charged).toList();
        store.log.append(List.of(outcomes.get(3)));
        List<Entry> again = new ArrayList<>(outcomes);
        again.set(3, charged(outcomes.get(3).before()));

        assertThat(store.log.append(again)).containsExactly(steps.get(3));

        assertThat(store.views.ledger().steps()).containsEntry(ChargeStage.ACKED, 10L);
        assertThat(store.count("charge_event")).isEqualTo(40);
    }

    @Test
    void the_same_entry_twice_is_recorded_once_and_refused_neither_time() {
        Entry claim = claim(step("order-1"));
        assertThat(store.log.append(List.of(claim))).isEmpty();
        assertThat(store.log.append(List.of(claim))).isEmpty();
        assertThat(store.count("charge_event")).isEqualTo(2);
    }

    @Test
    void a_batch_of_which_one_was_recorded_before_records_the_others_too() {
        Entry before = claim(step("order-1"));
        Entry other = claim(step("order-2"));
        store.log.append(List.of(before));

        assertThat(store.log.append(List.of(before, other))).isEmpty();

        assertThat(store.saga(step("order-2"))).isEqualTo(other.after());
        assertThat(store.count("charge_event")).isEqualTo(4);
    }

    @Test
    void a_fence_does_not_stand_without_its_events() {
        Entry claim = claim(step("order-1"));
        foreignEvent(claim.after().chargeId().toString(), 1);

        assertThat(store.log.append(List.of(claim))).containsExactly(step("order-1"));

        assertThat(store.count("charge_fence")).isZero();
        assertThat(store.count("charge_event")).isEqualTo(1);
    }

    @Test
    void a_foreign_first_event_refuses_the_claim_as_well() {
        Entry claim = claim(step("order-1"));
        foreignEvent(claim.after().chargeId().toString(), 0);

        assertThat(store.log.append(List.of(claim))).containsExactly(step("order-1"));

        assertThat(store.count("charge_fence")).isZero();
    }

    @Test
    void a_statement_that_the_server_refuses_is_no_lost_race() {
        Entry claim = claim(step("order-1"));
        store.sql.execute("ALTER TABLE charge_event RENAME TO gone");
        try {
            assertThatThrownBy(() -> store.log.append(List.of(claim))).isInstanceOf(StoreUnavailableException.class);
            assertThat(store.count("charge_fence")).isZero();
        } finally {
            store.sql.execute("ALTER TABLE gone RENAME TO charge_event");
        }
    }

    @Test
    void due_times_stand_move_and_end() {
        OrderStep orderStep = step("order-1");
        store.log.append(List.of(claim(orderStep)));

        ChargeSaga doubt = append(entry(store.saga(orderStep), null, noAnswer()));
        assertThat(dueAt(orderStep)).isEqualTo(DUE);

        ChargeSaga later = append(entry(doubt, DUE.plusSeconds(60), noAnswer()));
        assertThat(dueAt(orderStep)).isEqualTo(DUE.plusSeconds(60));

        append(new Entry(later, List.of(), later, DUE.plusSeconds(90), false, Map.of()));
        assertThat(dueAt(orderStep)).isEqualTo(DUE.plusSeconds(90));

        append(entry(later, null, new Parked(ParkedReason.CANNOT_TELL)));
        assertThat(dueAt(orderStep)).isNull();
    }

    @Test
    void a_charge_that_is_not_at_rest_always_has_a_due_time() {
        OrderStep orderStep = step("order-1");
        append(new Entry(null, claim(orderStep).events(), claim(orderStep).after(), null, false, Map.of()));
        assertThat(dueAt(orderStep)).isNotNull();
    }

    @Test
    void a_request_that_meets_its_fence_leaves_without_moving_it() {
        OrderStep orderStep = step("order-1");
        store.log.append(List.of(claim(orderStep)));
        request(orderStep);
        ChargeSaga saga = store.saga(orderStep);
        Instant updated = store.views.find(orderStep).orElseThrow().updatedAt();

        append(new Entry(saga, List.of(), saga, null, true, Map.of()));

        assertThat(store.known(orderStep)).isEqualTo(new Known(null, saga));
        assertThat(store.views.find(orderStep).orElseThrow().updatedAt()).isEqualTo(updated);
    }

    /** The claim was decided on before the conflict was noted: it must not take the conflict away with the request. */
    @Test
    void a_conflict_noted_between_the_look_and_the_claim_is_not_lost_with_the_request() {
        OrderStep contested = step("order-1");
        request(contested);
        request(step("order-2"));
        Intent other = new Intent(1, "EUR", "pm_card", "acme", new TreeMap<>());
        store.outbox.noteConflict(contested, other);

        assertThat(store.log.append(List.of(claim(contested), claim(step("order-2")))))
                .containsExactly(contested);

        assertThat(store.known(contested).saga()).isNull();
        assertThat(store.known(contested).request().conflict()).isEqualTo(other);
        assertThat(store.saga(step("order-2")).stage()).isEqualTo(ChargeStage.IN_DOUBT);
        assertThat(store.log.append(List.of(
                        entry(null, DUE, new FenceClaimed(contested, Stories.INTENT), new ConflictSeen(other)))))
                .isEmpty();
        assertThat(store.count("charge_request")).isZero();
        assertThat(store.saga(contested).conflicts()).isEqualTo(1);
    }

    @Test
    void a_batch_may_hold_claims_steps_and_settlements_together() {
        store.log.append(List.of(claim(step("order-2")), claim(step("order-3"))));
        request(step("order-1"));
        request(step("order-3"));
        ChargeSaga third = store.saga(step("order-3"));

        assertThat(store.log.append(List.of(
                        new Entry(
                                third,
                                entry(third, null, new ConflictSeen(Stories.INTENT))
                                        .events(),
                                entry(third, null, new ConflictSeen(Stories.INTENT))
                                        .after(),
                                null,
                                true,
                                Map.of()),
                        charged(store.saga(step("order-2"))),
                        claim(step("order-1")))))
                .isEmpty();

        assertThat(store.saga(step("order-1")).stage()).isEqualTo(ChargeStage.IN_DOUBT);
        assertThat(store.saga(step("order-2")).stage()).isEqualTo(ChargeStage.ACKED);
        assertThat(store.saga(step("order-3")).conflicts()).isEqualTo(1);
        assertThat(store.count("charge_request")).isZero();
    }

    @Test
    void rows_are_written_in_the_order_of_their_steps_so_that_two_batches_do_not_deadlock() {
        store.log.append(List.of(claim(step("c")), claim(step("a")), claim(step("b"))));

        assertThat(store.sql.queryForList(
                        "SELECT CAST(order_id AS CHAR) FROM charge_event WHERE sequence = 0 ORDER BY global_index",
                        String.class))
                .containsExactly("a", "b", "c");
    }

    @Test
    void a_batch_waits_for_no_charge_that_is_not_in_it() throws Exception {
        store.log.append(List.of(claim(step("a")), claim(step("b")), claim(step("c"))));
        try (Connection holder = store.dataSource.getConnection()) {
            holder.setAutoCommit(false);
            try (Statement statement = holder.createStatement()) {
                statement.execute("SELECT * FROM charge_fence WHERE order_id IN ('a', 'c') FOR UPDATE");
            }
            assertThat(CompletableFuture.supplyAsync(() -> store.log.append(List.of(charged(store.saga(step("b"))))))
                            .get(20, TimeUnit.SECONDS))
                    .isEmpty();
            holder.rollback();
        }
    }

    @Test
    void a_large_batch_goes_through_in_one_piece() {
        List<OrderStep> steps = Stories.steps(1_000);
        assertThat(store.log.append(steps.stream().map(Stories::claim).toList()))
                .isEmpty();

        Map<OrderStep, Known> charges = store.log.load(steps).charges();
        List<Entry> outcomes = steps.stream()
                .map(charges::get)
                .map(Known::saga)
                .map(Stories::charged)
                .toList();
        assertThat(store.log.append(outcomes)).isEmpty();

        assertThat(store.views.ledger().steps()).containsEntry(ChargeStage.ACKED, 1_000L);
        assertThat(store.views.ledger().invariant().excess()).isZero();
    }

    @Test
    void every_event_row_names_its_order() {
        store.log.append(List.of(claim(step("Ö-1"))));

        assertThat(store.sql.queryForList(
                        "SELECT CONVERT(order_id USING utf8mb4) AS o, step, payload_type, payload_revision, recorded_at"
                                + " FROM charge_event ORDER BY sequence"))
                .containsExactly(
                        Map.of(
                                "o", "Ö-1",
                                "step", "deposit",
                                "payload_type", "FenceClaimed",
                                "payload_revision", "1",
                                "recorded_at", LocalDateTime.parse("2026-12-01T10:00:00.123456")),
                        Map.of(
                                "o", "Ö-1",
                                "step", "deposit",
                                "payload_type", "ProviderCalled",
                                "payload_revision", "1",
                                "recorded_at", LocalDateTime.parse("2026-12-01T10:00:00.123456")));
    }

    @Test
    void load_sees_what_was_committed_after_the_callers_own_snapshot() {
        OrderStep orderStep = step("order-1");
        TransactionTemplate caller = store.transaction();
        caller.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
        caller.executeWithoutResult(status -> {
            assertThat(store.count("charge_fence")).isZero();
            store.log.append(List.of(claim(orderStep)));
            assertThat(store.known(orderStep).saga()).isNotNull();
        });
    }

    @Test
    void an_append_does_not_roll_back_with_its_caller() {
        store.transaction().executeWithoutResult(status -> {
            store.log.append(List.of(claim(step("order-1"))));
            status.setRollbackOnly();
        });
        assertThat(store.count("charge_fence")).isEqualTo(1);
    }

    @Test
    void load_tells_the_database_clock_even_when_it_is_asked_for_nothing() {
        Instant database = store.log.load(List.of()).now();
        assertThat(store.log.load(List.of(step("order-1"))).now()).isBetween(database, database.plusSeconds(60));
        assertThat(database)
                .isBetween(Instant.now().minusSeconds(60), Instant.now().plusSeconds(60));
    }

    @Test
    void a_request_that_makes_no_sense_is_left_out_and_the_batch_goes_on() {
        request(step("good"));
        store.sql.update("INSERT INTO charge_request (order_id, step, amount_minor, currency, source, provider)"
                + " VALUES ('bad', 'deposit', 100, 'XXQ', 'tok', 'acme'),"
                + " ('worse', 'deposit', 100, 'EUR', 'tok', 'No Provider')");

        Map<OrderStep, Known> charges = store.log
                .load(List.of(step("good"), step("bad"), step("worse")))
                .charges();

        assertThat(charges).containsOnlyKeys(step("good"));
    }

    @Test
    void a_fence_that_makes_no_sense_is_left_out_with_its_request() {
        store.log.append(List.of(claim(step("order-1")), claim(step("order-2"))));
        request(step("order-1"));
        store.sql.update("UPDATE charge_fence SET stage = 'NONSENSE' WHERE order_id = 'order-1'");

        assertThat(store.log.load(List.of(step("order-1"), step("order-2"))).charges())
                .containsOnlyKeys(step("order-2"));
    }

    @Test
    void a_request_by_hand_needs_six_values() {
        store.sql.update("INSERT INTO charge_request (order_id, step, amount_minor, currency, source, provider)"
                + " VALUES ('by-hand', 'deposit', 12900, 'EUR', 'tok_1', 'acme')");

        Known known = store.known(step("by-hand"));

        assertThat(known.request().intent().amountMinor()).isEqualTo(12_900);
        assertThat(known.request().requestedAt())
                .isBetween(Instant.now().minusSeconds(60), Instant.now().plusSeconds(60));
    }

    @Test
    void keys_are_found_by_the_primary_key() {
        store.log.append(Stories.steps(200).stream().map(Stories::claim).toList());
        store.sql.execute("ANALYZE TABLE charge_fence");
        List<Map<String, Object>> plan = new ArrayList<>();
        store.sql.query(
                "EXPLAIN FORMAT=TRADITIONAL " + ChargeRows.byKeys(Stories.steps(3)),
                RequestSql.args(Stories.steps(3)),
                resultSet -> {
                    if ("f".equals(resultSet.getString("table"))) {
                        plan.add(Map.of(
                                "key",
                                String.valueOf(resultSet.getString("key")),
                                "type",
                                resultSet.getString("type")));
                    }
                });
        assertThat(plan).containsExactly(Map.of("key", "PRIMARY", "type", "eq_ref"));
    }

    private ChargeSaga append(Entry entry) {
        assertThat(store.log.append(List.of(entry))).isEmpty();
        assertThat(store.saga(entry.orderStep())).isEqualTo(entry.after());
        return entry.after();
    }

    private static NoAnswer noAnswer() {
        return new NoAnswer(NoAnswerReason.TIMED_OUT, "nothing within 20 s", false);
    }

    private void request(OrderStep orderStep) {
        store.transaction()
                .executeWithoutResult(status -> store.sql.update(
                        "INSERT INTO charge_request (order_id, step, amount_minor, currency, source, provider)"
                                + " VALUES (?, ?, 12900, 'EUR', 'tok', 'acme')",
                        new Args().step(orderStep)));
    }

    private static void foreignEvent(String chargeId, long sequence) {
        store.sql.update(
                "INSERT INTO charge_event (event_id, charge_id, sequence, type, recorded_at, payload_type,"
                        + " payload_revision, payload, metadata, order_id, step)"
                        + " VALUES (?, ?, ?, 'Charge', utc_timestamp(6), 'Acked', '1', '{}', '{}', 'x', 'y')",
                Stories.id().toString(),
                chargeId,
                sequence);
    }

    private static Instant dueAt(OrderStep orderStep) {
        return store.views.find(orderStep).orElseThrow().dueAt();
    }
}
