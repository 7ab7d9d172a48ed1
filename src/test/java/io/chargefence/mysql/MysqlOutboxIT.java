package io.chargefence.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import io.chargefence.Intent;
import io.chargefence.OrderStep;
import io.chargefence.saga.Sagas;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.transaction.support.TransactionTemplate;

class MysqlOutboxIT {

    private static final OrderStep STEP = new OrderStep("order-17", "capture");
    private static final Intent OTHER = new Intent(5, "EUR", "pm_card", "acme", new TreeMap<>());

    private final MysqlFixture mysql = new MysqlFixture();
    private final MysqlOutbox outbox = new MysqlOutbox(mysql.pool, mysql.transactions, Duration.ofSeconds(5));
    private final TransactionTemplate order = new TransactionTemplate(mysql.transactions);

    @AfterEach
    void close() {
        mysql.close();
    }

    @Test
    void a_request_commits_with_the_order_and_rolls_back_with_it() {
        order.executeWithoutResult(transaction -> {
            assertThat(outbox.inTransaction()).isTrue();
            outbox.file(STEP, Sagas.INTENT);
            transaction.setRollbackOnly();
        });
        assertThat(mysql.count("charge_request")).isZero();

        order.executeWithoutResult(transaction -> outbox.file(STEP, Sagas.INTENT));
        assertThat(mysql.count("charge_request")).isEqualTo(1);
        assertThat(outbox.inTransaction()).isFalse();
    }

    @Test
    void the_same_request_again_finds_the_recorded_intent_and_the_transaction_goes_on() {
        order.executeWithoutResult(transaction -> outbox.file(STEP, Sagas.INTENT));
        order.executeWithoutResult(transaction -> {
            assertThat(outbox.file(STEP, Sagas.INTENT)).isEqualTo(Sagas.INTENT);
            assertThat(outbox.file(STEP, OTHER)).isEqualTo(Sagas.INTENT);
            assertThat(outbox.file(new OrderStep("order-18", "capture"), OTHER)).isNull();
        });

        assertThat(mysql.count("charge_request")).isEqualTo(2);
    }

    @Test
    void a_request_for_a_claimed_step_finds_the_intent_behind_the_fence() {
        mysql.log.append(List.of(MysqlFixture.claim(STEP)));

        order.executeWithoutResult(
                transaction -> assertThat(outbox.file(STEP, OTHER)).isEqualTo(Sagas.INTENT));
        assertThat(mysql.count("charge_request")).isZero();
    }

    @Test
    void of_two_transactions_at_once_the_second_sees_the_first_although_its_snapshot_is_older() throws Exception {
        CountDownLatch snapshotTaken = new CountDownLatch(1);
        CountDownLatch firstCommitted = new CountDownLatch(1);
        ExecutorService other = Executors.newSingleThreadExecutor();
        Future<Intent> second = other.submit(() -> order.execute(transaction -> {
            mysql.jdbc.queryForList("select * from charge_request");
            snapshotTaken.countDown();
            await(firstCommitted);
            return outbox.file(STEP, OTHER);
        }));
        await(snapshotTaken);
        order.executeWithoutResult(transaction -> outbox.file(STEP, Sagas.INTENT));
        firstCommitted.countDown();

        assertThat(second.get()).isEqualTo(Sagas.INTENT);
        other.shutdown();
    }

    @Test
    void a_conflict_is_noted_beside_a_waiting_request_and_only_there() {
        assertThat(outbox.noteConflict(STEP, OTHER)).isFalse();
        order.executeWithoutResult(transaction -> outbox.file(STEP, Sagas.INTENT));

        assertThat(outbox.noteConflict(STEP, OTHER)).isTrue();
        assertThat(mysql.log.load(List.of(STEP)).of(STEP).request().conflict()).isEqualTo(OTHER);
    }

    @Test
    void attributes_and_odd_ids_come_back_as_they_went_in() {
        TreeMap<String, String> attributes = new TreeMap<>();
        attributes.put("note", "\"quoted\" \\ back 😀 {1}");
        Intent intent = new Intent(5, "KWD", "pm_😀", "acme", attributes);
        OrderStep odd = new OrderStep("{tag}'\"\\ 😀 %s", "a-1.b_2");
        order.executeWithoutResult(transaction -> outbox.file(odd, intent));

        assertThat(mysql.log.load(List.of(odd)).of(odd).request().intent()).isEqualTo(intent);
    }

    @Test
    void what_is_to_run_after_the_transaction_runs_after_it() {
        List<String> ran = new ArrayList<>();
        order.executeWithoutResult(transaction -> {
            outbox.afterCommit(() -> ran.add("committed"));
            outbox.afterCompletion(() -> ran.add("completed"));
            assertThat(ran).isEmpty();
        });
        order.executeWithoutResult(transaction -> {
            outbox.afterCommit(() -> ran.add("never"));
            outbox.afterCompletion(() -> ran.add("rolled back"));
            transaction.setRollbackOnly();
        });

        assertThat(ran).containsExactly("committed", "completed", "rolled back");
    }

    @Test
    void a_new_request_is_left_to_the_publication_after_the_commit_for_a_while() {
        order.executeWithoutResult(transaction -> outbox.file(STEP, Sagas.INTENT));
        assertThat(mysql.log.takeUnclaimed(10, Duration.ofSeconds(60))).isEmpty();
        mysql.jdbc.update("update charge_request set due_at = utc_timestamp(6)");
        assertThat(mysql.log.takeUnclaimed(10, Duration.ofSeconds(60))).containsExactly(STEP);
    }

    @Test
    void a_request_that_another_program_inserted_is_due_at_once() {
        mysql.jdbc.update("insert into charge_request (order_id, step, amount_minor, currency, source, provider)"
                + " values ('order-17', 'capture', 5, 'EUR', 'pm', 'acme')");
        assertThat(mysql.log.takeUnclaimed(10, Duration.ofSeconds(60))).containsExactly(STEP);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException stopNow) {
            throw new IllegalStateException(stopNow);
        }
    }
}
