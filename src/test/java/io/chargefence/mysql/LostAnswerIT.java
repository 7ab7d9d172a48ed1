package io.chargefence.mysql;

import static io.chargefence.mysql.Stories.charged;
import static io.chargefence.mysql.Stories.claim;
import static io.chargefence.mysql.Stories.step;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.chargefence.OrderStep;
import io.chargefence.flow.ChargeLog.Entry;
import io.chargefence.flow.StoreUnavailableException;
import io.chargefence.mysql.Faults.AtCommit;
import io.chargefence.mysql.Faults.AtStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever the connection does, append tells the truth, and nothing is recorded twice. */
class LostAnswerIT {

    private Faults faults;
    private Store store;

    @BeforeEach
    void open() {
        store = Store.over(pool -> faults = new Faults(pool));
        faults.commitsSeen.set(0);
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void a_commit_whose_answer_was_lost_is_a_success() {
        faults.commits.add(AtCommit.ANSWER_LOST);
        List<Entry> claims = claims();

        assertThat(store.log.append(claims)).isEmpty();

        assertThat(faults.commitsSeen).hasValue(1);
        requireRecordedOnce(claims);
    }

    @Test
    void a_commit_that_never_arrived_is_done_again() {
        faults.commits.add(AtCommit.NEVER_ARRIVED);
        List<Entry> claims = claims();

        assertThat(store.log.append(claims)).isEmpty();

        assertThat(faults.commitsSeen).hasValue(2);
        requireRecordedOnce(claims);
    }

    @Test
    void the_lost_answer_to_an_outcome_is_a_success_too() {
        store.log.append(claims());
        List<Entry> outcomes =
                Stories.steps(3).stream().map(store::saga).map(Stories::charged).toList();
        faults.commits.add(AtCommit.ANSWER_LOST);

        assertThat(store.log.append(outcomes)).isEmpty();

        outcomes.forEach(outcome -> assertThat(store.saga(outcome.orderStep())).isEqualTo(outcome.after()));
        assertThat(store.count("charge_event")).isEqualTo(12);
    }

    @Test
    void a_lost_answer_waits_for_the_server_to_come_back() throws Exception {
        faults.commits.add(AtCommit.ANSWER_LOST_AND_AWAY);
        List<Entry> claims = claims();

        CompletableFuture<Set<OrderStep>> appended = CompletableFuture.supplyAsync(() -> store.log.append(claims));
        await().until(() -> faults.connectionsRefused.get() >= 2);
        assertThat(appended).isNotDone();
        faults.away.set(false);

        assertThat(appended.get()).isEmpty();
        requireRecordedOnce(claims);
    }

    @Test
    void only_a_stopping_process_leaves_a_lost_answer_open() {
        faults.commits.add(AtCommit.ANSWER_LOST_AND_AWAY);

        CompletableFuture<Set<OrderStep>> appended = CompletableFuture.supplyAsync(() -> store.log.append(claims()));
        await().until(() -> faults.connectionsRefused.get() >= 2);
        store.stopping.set(true);

        assertThatThrownBy(appended::join)
                .hasCauseInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("not known");
    }

    @Test
    void a_lost_race_after_a_lost_answer_is_told_by_the_events_own_ids() {
        Entry winner = claim(step("order-0"));
        store.log.append(List.of(winner));
        faults.commits.add(AtCommit.NEVER_ARRIVED);

        assertThat(store.log.append(claims())).containsExactly(step("order-0"));

        assertThat(store.saga(step("order-0"))).isEqualTo(winner.after());
        assertThat(store.count("charge_fence")).isEqualTo(3);
    }

    @Test
    void a_server_that_is_away_before_anything_was_sent_is_unavailable_at_once() {
        faults.away.set(true);
        assertThatThrownBy(() -> store.log.append(claims())).isInstanceOf(StoreUnavailableException.class);
        assertThatThrownBy(() -> store.log.load(List.of(step("order-0"))))
                .isInstanceOf(StoreUnavailableException.class);
        assertThat(store.count("charge_fence")).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"INTO charge_fence", "INTO charge_event", "DELETE FROM charge_request"})
    void a_deadlock_is_done_again_wherever_it_happens(String statement) {
        faults.statements.add(new AtStatement(statement, Faults.deadlock()));
        faults.statements.add(new AtStatement(statement, Faults.deadlock()));
        List<Entry> claims = claims();

        assertThat(store.log.append(claims)).isEmpty();

        requireRecordedOnce(claims);
    }

    @Test
    void a_deadlock_at_the_commit_is_done_again() {
        faults.commits.add(AtCommit.DEADLOCK);
        List<Entry> claims = claims();
        assertThat(store.log.append(claims)).isEmpty();
        requireRecordedOnce(claims);
    }

    @ParameterizedTest
    @CsvSource({"1205,40001", "1020,HY000"})
    void so_are_a_lock_wait_that_timed_out_and_a_record_that_changed(int code, String state) {
        faults.statements.add(new AtStatement("INTO charge_fence", new SQLException("any text", state, code)));
        List<Entry> claims = claims();
        assertThat(store.log.append(claims)).isEmpty();
        requireRecordedOnce(claims);
    }

    @Test
    void a_deadlock_that_does_not_end_is_unavailable_and_nothing_is_recorded() {
        for (int i = 0; i < 50; i++) {
            faults.statements.add(new AtStatement("INTO charge_event", Faults.deadlock()));
        }
        assertThatThrownBy(() -> store.log.append(claims())).isInstanceOf(StoreUnavailableException.class);
        assertThat(store.count("charge_fence")).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"INTO charge_fence", "INTO charge_event", "DELETE FROM charge_request"})
    void a_connection_that_breaks_in_the_middle_is_no_loss(String statement) {
        faults.statements.add(new AtStatement(statement, Faults.connectionLost()));
        List<Entry> claims = claims();

        assertThat(store.log.append(claims)).isEmpty();

        requireRecordedOnce(claims);
    }

    @Test
    void what_the_server_refuses_for_another_reason_is_no_lost_race() {
        faults.statements.add(new AtStatement(
                "INTO charge_fence", new SQLException("duplicate entry, says this text", "HY000", 1290)));
        assertThatThrownBy(() -> store.log.append(claims())).isInstanceOf(StoreUnavailableException.class);
        assertThat(store.count("charge_fence")).isZero();
    }

    @Test
    void an_outage_in_the_middle_of_the_single_tries_never_hides_what_was_recorded() {
        store.log.append(List.of(claim(step("order-0"))));
        List<Entry> claims = claims();
        store.sql.execute("ALTER TABLE charge_fence ADD CONSTRAINT refuse CHECK (order_id <> 'order-2')");

        assertThat(store.log.append(claims)).containsExactlyInAnyOrder(step("order-0"), step("order-2"));

        assertThat(store.saga(step("order-1"))).isEqualTo(claims.get(1).after());
    }

    @Test
    void a_step_on_a_lost_connection_is_not_recorded_twice() {
        store.log.append(List.of(claim(step("order-0"))));
        Entry outcome = charged(store.saga(step("order-0")));
        faults.statements.add(new AtStatement("UPDATE", Faults.connectionLost()));
        faults.commits.add(AtCommit.ANSWER_LOST);

        assertThat(store.log.append(List.of(outcome))).isEmpty();

        assertThat(store.eventsOf(step("order-0"))).hasSize(4);
    }

    private static List<Entry> claims() {
        return Stories.steps(3).stream().map(Stories::claim).toList();
    }

    private void requireRecordedOnce(List<Entry> claims) {
        for (Entry claim : claims) {
            assertThat(store.saga(claim.orderStep())).isEqualTo(claim.after());
            assertThat(store.eventsOf(claim.orderStep())).isEqualTo(claim.events());
        }
        assertThat(store.count("charge_fence")).isEqualTo(claims.size());
        assertThat(store.count("charge_event")).isEqualTo(2L * claims.size());
    }
}
