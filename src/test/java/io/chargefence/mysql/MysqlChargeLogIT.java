package io.chargefence.mysql;

import static io.chargefence.mysql.MysqlFixture.claim;
import static io.chargefence.mysql.MysqlFixture.then;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chargefence.ChargeStage;
import io.chargefence.OrderStep;
import io.chargefence.ProviderReference;
import io.chargefence.flow.ChargeLog.Entry;
import io.chargefence.flow.StoreUnavailableException;
import io.chargefence.mysql.FaultyDataSource.Fault;
import io.chargefence.provider.DeclineKind;
import io.chargefence.provider.NoAnswerReason;
import io.chargefence.provider.NotChargedReason;
import io.chargefence.saga.ChargeEvent;
import io.chargefence.saga.ChargeEvent.Acked;
import io.chargefence.saga.ChargeEvent.ConflictSeen;
import io.chargefence.saga.ChargeEvent.Declined;
import io.chargefence.saga.ChargeEvent.EvidenceSeen;
import io.chargefence.saga.ChargeEvent.NoAnswer;
import io.chargefence.saga.ChargeEvent.NotCharged;
import io.chargefence.saga.ChargeEvent.Parked;
import io.chargefence.saga.ChargeEvent.ParkedReason;
import io.chargefence.saga.ChargeEvent.ReferenceStored;
import io.chargefence.saga.ChargeEvent.Released;
import io.chargefence.saga.ChargeEvent.Via;
import io.chargefence.saga.ChargeSaga;
import io.chargefence.saga.Sagas;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MysqlChargeLogIT {

    private static final OrderStep STEP = new OrderStep("order-17", "capture");

    private MysqlFixture mysql = new MysqlFixture();

    @AfterEach
    void close() {
        mysql.close();
    }

    @Test
    void a_claim_is_accepted_once_and_stores_fence_and_events_together() {
        assertThat(mysql.log.append(List.of(claim(STEP)))).isEmpty();
        assertThat(mysql.log.append(List.of(claim(STEP)))).containsExactly(STEP);

        assertThat(mysql.count("charge_fence")).isEqualTo(1);
        assertThat(mysql.count("charge_event")).isEqualTo(2);
    }

    @Test
    void eight_workers_that_claim_the_same_hundred_steps_get_each_step_once() throws Exception {
        List<OrderStep> steps = IntStream.range(0, 100)
                .mapToObj(n -> new OrderStep("order-" + n, "capture"))
                .toList();
        ExecutorService workers = Executors.newFixedThreadPool(8);
        List<Callable<Integer>> races = new ArrayList<>();
        for (int worker = 0; worker < 8; worker++) {
            races.add(() -> {
                List<Entry> claims =
                        new ArrayList<>(steps.stream().map(MysqlFixture::claim).toList());
                return 100 - mysql.log.append(claims).size();
            });
        }
        int won = 0;
        for (Future<Integer> race : workers.invokeAll(races)) {
            won += race.get();
        }
        workers.shutdown();

        assertThat(won).isEqualTo(100);
        assertThat(mysql.count("charge_fence")).isEqualTo(100);
        assertThat(mysql.count("charge_event")).isEqualTo(200);
        assertThat(mysql.jdbc.queryForObject(
                        "select count(*) from charge_fence f where not exists (select 1 from charge_event e"
                                + " where e.charge_id = f.charge_id)",
                        Integer.class))
                .isZero();
    }

    @Test
    void one_loser_in_a_batch_does_not_fail_the_others() {
        mysql.log.append(List.of(claim(STEP)));
        List<Entry> batch = new ArrayList<>();
        batch.add(claim(STEP));
        for (int n = 0; n < 49; n++) {
            batch.add(claim(new OrderStep("other-" + n, "capture")));
        }

        assertThat(mysql.log.append(batch)).containsExactly(STEP);
        assertThat(mysql.count("charge_fence")).isEqualTo(50);
    }

    @Test
    void an_append_that_fails_takes_the_fence_row_back_with_it() {
        Entry claim = claim(STEP);
        mysql.jdbc.update(
                "insert into charge_event (charge_id, sequence, event_id, stream_type, payload_type, payload_revision, payload,"
                        + " metadata, recorded_at, order_id, step) values (?, 1, ?, 'charge', 'Acked', '1', '{}', '{}',"
                        + " utc_timestamp(6), 'x', 'x')",
                claim.after().chargeId().toString(),
                UUID.randomUUID().toString());

        assertThatThrownBy(() -> mysql.log.append(List.of(claim)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("order-17/capture");

        assertThat(mysql.count("charge_fence")).isZero();
        assertThat(mysql.count("charge_event")).isEqualTo(1);
    }

    @Test
    void two_workers_cannot_both_write_the_next_event() {
        mysql.log.append(List.of(claim(STEP)));
        ChargeSaga claimed = mysql.stored(STEP);

        assertThat(mysql.log.append(List.of(then(claimed, new Declined("no", DeclineKind.SOFT), new Acked(null)))))
                .isEmpty();
        assertThat(mysql.log.append(List.of(then(claimed, stored("ch_1"), new Acked(null)))))
                .containsExactly(STEP);

        assertThat(mysql.stored(STEP).outcome().declineCode()).isEqualTo("no");
        assertThat(mysql.count("charge_event")).isEqualTo(4);
    }

    @Test
    void a_commit_whose_answer_was_lost_is_recognised_as_our_own() {
        FaultyDataSource faults = new FaultyDataSource(Fault.COMMITTED_ANSWER_LOST);
        mysql.close();
        mysql = new MysqlFixture(faults);
        faults.left.set(1);

        assertThat(mysql.log.append(List.of(claim(STEP)))).isEmpty();

        assertThat(mysql.count("charge_fence")).isEqualTo(1);
        assertThat(mysql.count("charge_event")).isEqualTo(2);
        Entry outcome = then(mysql.stored(STEP), stored("ch_1"), new Acked(null));
        faults.left.set(1);
        assertThat(mysql.log.append(List.of(outcome))).isEmpty();
        assertThat(mysql.stored(STEP).stage()).isEqualTo(ChargeStage.ACKED);
    }

    @Test
    void a_transaction_that_never_arrived_is_done_again() {
        FaultyDataSource faults = new FaultyDataSource(Fault.LOST_BEFORE_COMMIT);
        mysql.close();
        mysql = new MysqlFixture(faults);
        faults.left.set(1);

        assertThat(mysql.log.append(List.of(claim(STEP)))).isEmpty();
        assertThat(mysql.count("charge_event")).isEqualTo(2);
    }

    @Test
    void a_deadlock_is_tried_again_and_is_not_somebody_elses_claim() {
        FaultyDataSource faults = new FaultyDataSource(Fault.DEADLOCK);
        mysql.close();
        mysql = new MysqlFixture(faults);
        faults.left.set(3);

        assertThat(mysql.log.append(List.of(claim(STEP)))).isEmpty();
        assertThat(mysql.count("charge_fence")).isEqualTo(1);
    }

    @Test
    void a_database_that_takes_no_connection_is_unavailable_and_not_a_lost_race() {
        mysql.pool.close();

        assertThatThrownBy(() -> mysql.log.append(List.of(claim(STEP)))).isInstanceOf(StoreUnavailableException.class);
        assertThatThrownBy(() -> mysql.log.load(List.of(STEP))).isInstanceOf(StoreUnavailableException.class);
    }

    @Test
    void ids_that_only_bytes_tell_apart_are_different_orders() {
        List<String> ids = List.of(
                "ORD-1",
                "ord-1",
                "ÖRD-1",
                "café",
                "cafe",
                "cafe\u0301",
                "😀",
                "😁",
                "１",
                "1",
                "straße",
                "strasse",
                "İ",
                "i",
                "a b",
                "a  b");
        for (String id : ids) {
            assertThat(mysql.log.append(List.of(claim(new OrderStep(id, "capture")))))
                    .isEmpty();
        }

        assertThat(mysql.count("charge_fence")).isEqualTo(ids.size());
        for (String id : ids) {
            assertThat(mysql.stored(new OrderStep(id, "capture")).orderStep().orderId())
                    .isEqualTo(id);
        }
    }

    @Test
    void a_charge_of_every_kind_reads_back_equal_from_its_row_and_from_its_events() {
        List<List<ChargeEvent>> stories = List.of(
                List.of(),
                List.of(stored("ch_ä😀")),
                List.of(stored("ch_1"), new Acked("3/1-1")),
                List.of(new Declined("insufficient_funds", DeclineKind.SOFT)),
                List.of(new NoAnswer(NoAnswerReason.TIMED_OUT, "détail \"x\" \\ \n", false)),
                List.of(new NoAnswer(NoAnswerReason.NOT_FOUND, "", true)),
                List.of(new NotCharged(NotChargedReason.THROTTLED, "429", MysqlFixture.NOW.plusSeconds(9))),
                List.of(new Parked(ParkedReason.CANNOT_TELL)),
                List.of(new Parked(ParkedReason.CANNOT_TELL), new Released("ada", "seen", false)),
                List.of(new EvidenceSeen("other", new ProviderReference("ch_2"))),
                List.of(new ConflictSeen(Sagas.INTENT), stored("ch_3"), new Acked(null)));
        int n = 0;
        for (List<ChargeEvent> story : stories) {
            OrderStep step = new OrderStep("story-" + n++, "capture");
            Entry claim = claim(step);
            mysql.log.append(List.of(claim));
            ChargeSaga expected = claim.after();
            if (!story.isEmpty()) {
                Entry more = then(mysql.stored(step), story.toArray(ChargeEvent[]::new));
                assertThat(mysql.log.append(List.of(more))).isEmpty();
                expected = more.after();
            }

            assertThat(mysql.stored(step)).isEqualTo(expected);
            assertThat(ChargeSaga.of(expected.chargeId(), mysql.events.read(expected.chargeId())))
                    .isEqualTo(expected);
        }
    }

    @Test
    void an_event_of_an_unknown_type_stops_the_reading() {
        Entry claim = claim(STEP);
        mysql.log.append(List.of(claim));
        mysql.jdbc.update("update charge_event set payload_type = 'Mystery' where sequence = 1");
        assertThatThrownBy(() -> mysql.events.read(claim.after().chargeId())).hasMessageContaining("no known type");
        mysql.jdbc.update(
                "update charge_event set payload_type = 'ProviderCalled', payload_revision = '99' where sequence = 1");
        assertThatThrownBy(() -> mysql.events.read(claim.after().chargeId())).hasMessageContaining("no known type");
    }

    @Test
    void the_log_is_readable_with_sql_alone() {
        mysql.log.append(List.of(claim(STEP)));
        Map<String, Object> row = mysql.jdbc.queryForMap(
                "select payload_type, convert(order_id using utf8mb4) as order_id, step, json_value(metadata, '$.worker') as"
                        + " worker, json_value(payload, '$.idempotencyKey') as k from charge_event where sequence = 1");

        assertThat(row)
                .containsEntry("payload_type", "ProviderCalled")
                .containsEntry("order_id", "order-17")
                .containsEntry("step", "capture")
                .containsEntry("worker", "test");
        assertThat((String) row.get("k")).startsWith("cf1-");
    }

    @Test
    void two_sweepers_never_take_the_same_row_and_a_taken_row_is_due_one_reservation_later() throws Exception {
        for (int n = 0; n < 200; n++) {
            mysql.log.append(List.of(claim(new OrderStep("order-" + n, "capture"))));
        }
        mysql.jdbc.update("update charge_fence set due_at = utc_timestamp(6) - interval 1 second");
        ExecutorService sweepers = Executors.newFixedThreadPool(4);
        List<Future<List<OrderStep>>> sweeps = sweepers.invokeAll(IntStream.range(0, 8)
                .mapToObj(n -> (Callable<List<OrderStep>>) () -> mysql.log.takeDue(25, Duration.ofSeconds(60)))
                .toList());
        sweepers.shutdown();
        List<OrderStep> taken = new ArrayList<>();
        for (Future<List<OrderStep>> sweep : sweeps) {
            taken.addAll(sweep.get());
        }
        taken.addAll(mysql.log.takeDue(500, Duration.ofSeconds(60)));

        assertThat(taken).doesNotHaveDuplicates().hasSize(200);
        assertThat(mysql.log.takeDue(500, Duration.ofSeconds(60))).isEmpty();
        Set<Integer> waits = new HashSet<>(mysql.jdbc.queryForList(
                "select timestampdiff(second, utc_timestamp(6), due_at) from charge_fence", Integer.class));
        assertThat(waits).allMatch(wait -> wait > 30 && wait <= 60);
    }

    @Test
    void a_charge_at_rest_is_due_never() {
        mysql.log.append(List.of(claim(STEP)));
        mysql.log.append(List.of(then(mysql.stored(STEP), stored("ch_1"), new Acked(null))));

        assertThat(mysql.jdbc.queryForObject(
                        "select count(*) from charge_fence where due_at is not null", Integer.class))
                .isZero();
    }

    @Test
    void a_request_row_that_makes_no_valid_intent_does_not_hold_up_its_neighbours() {
        mysql.jdbc.update("insert into charge_request (order_id, step, amount_minor, currency, source, provider)"
                + " values ('bad', 'capture', 5, 'XXQ', 'pm', 'acme'), ('good', 'capture', 5, 'EUR', 'pm', 'acme')");
        OrderStep good = new OrderStep("good", "capture");

        var snapshot = mysql.log.load(List.of(good, new OrderStep("bad", "capture")));

        assertThat(snapshot.charges()).containsOnlyKeys(good);
        assertThat(snapshot.of(good).request().intent().amountMinor()).isEqualTo(5);
    }

    private static ReferenceStored stored(String reference) {
        return new ReferenceStored(new ProviderReference(reference), Via.ANSWER);
    }
}
