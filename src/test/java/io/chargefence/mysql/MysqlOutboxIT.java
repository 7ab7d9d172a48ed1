package io.chargefence.mysql;

import static io.chargefence.mysql.Stories.INTENT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.chargefence.Intent;
import io.chargefence.OrderStep;
import io.chargefence.flow.ChargeLog.Requested;
import io.chargefence.flow.StoreUnavailableException;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionTemplate;

class MysqlOutboxIT {

    private static final OrderStep STEP = Stories.step("order-1");
    private static final Intent OTHER = new Intent(1, "EUR", "tok", "acme", new TreeMap<>());

    private static Store store;

    @BeforeAll
    static void open() {
        store = Store.fresh();
        store.sql.execute("CREATE TABLE host_order (id INT PRIMARY KEY)");
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
        store.sql.update("DELETE FROM host_order");
    }

    @Test
    void a_request_commits_with_its_order() {
        store.transaction().executeWithoutResult(status -> {
            store.sql.update("INSERT INTO host_order VALUES (1)");
            assertThat(store.outbox.file(STEP, INTENT)).isNull();
        });
        Requested request = store.known(STEP).request();
        assertThat(request.intent()).isEqualTo(INTENT);
        assertThat(request.traceparent()).isEqualTo("00-trace-parent-01");
        Instant due = store.views.find(STEP).orElseThrow().dueAt();
        assertThat(due)
                .isBetween(
                        request.requestedAt().plus(Store.GRACE).minusMillis(1),
                        request.requestedAt().plus(Store.GRACE).plusMillis(500));
    }

    @Test
    void a_request_rolls_back_with_its_order() {
        store.transaction().executeWithoutResult(status -> {
            store.outbox.file(STEP, INTENT);
            status.setRollbackOnly();
        });
        assertThat(store.count("charge_request")).isZero();
    }

    @Test
    void it_knows_whether_a_transaction_is_open_on_our_database() {
        assertThat(store.outbox.inTransaction()).isFalse();
        assertThat(store.transaction().<Boolean>execute(status -> store.outbox.inTransaction()))
                .isTrue();
        try (Store other = Store.fresh()) {
            TransactionTemplate elsewhere = new TransactionTemplate(new DataSourceTransactionManager(other.dataSource));
            assertThat(elsewhere.<Boolean>execute(status -> store.outbox.inTransaction()))
                    .isFalse();
        }
    }

    @Test
    void the_same_request_again_changes_nothing_in_one_transaction_or_in_two() {
        store.transaction().executeWithoutResult(status -> {
            store.outbox.file(STEP, INTENT);
            assertThat(store.outbox.file(STEP, INTENT)).isEqualTo(INTENT);
        });
        assertThat(file(STEP, INTENT)).isEqualTo(INTENT);
        assertThat(store.count("charge_request")).isEqualTo(1);
    }

    @Test
    void another_intent_gets_the_recorded_one_and_the_transaction_stays_usable() {
        file(STEP, INTENT);
        store.transaction().executeWithoutResult(status -> {
            store.sql.update("INSERT INTO host_order VALUES (1)");
            assertThat(store.outbox.file(STEP, OTHER)).isEqualTo(INTENT);
            store.sql.update("INSERT INTO host_order VALUES (2)");
        });
        assertThat(store.count("host_order")).isEqualTo(2);
        assertThat(store.known(STEP).request().intent()).isEqualTo(INTENT);
    }

    @Test
    void a_claimed_step_is_known_behind_the_fence() {
        store.log.append(List.of(Stories.claim(STEP)));
        assertThat(file(STEP, OTHER)).isEqualTo(INTENT);
        assertThat(store.count("charge_request")).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"READ COMMITTED", "REPEATABLE READ"})
    void of_two_transactions_at_once_the_second_gets_the_firsts_intent(String isolation) throws Exception {
        CountDownLatch filed = new CountDownLatch(1);
        CountDownLatch second = new CountDownLatch(1);
        CompletableFuture<Void> first =
                CompletableFuture.runAsync(() -> store.transaction().executeWithoutResult(status -> {
                    store.outbox.file(STEP, INTENT);
                    filed.countDown();
                    await(second);
                }));
        filed.await();
        CompletableFuture<Intent> other = CompletableFuture.supplyAsync(() -> {
            TransactionTemplate transaction = store.transaction();
            transaction.setIsolationLevelName("ISOLATION_" + isolation.replace(' ', '_'));
            return transaction.execute(status -> {
                store.sql.queryForObject("SELECT count(*) FROM charge_request", Long.class); // its snapshot
                second.countDown();
                return store.outbox.file(STEP, OTHER);
            });
        });
        first.get();
        assertThat(other.get(20, TimeUnit.SECONDS)).isEqualTo(INTENT);
    }

    @Test
    void a_snapshot_from_before_the_winner_does_not_hide_it() {
        repeatable(store).executeWithoutResult(status -> {
            store.sql.queryForObject("SELECT count(*) FROM charge_request", Long.class);
            CompletableFuture.runAsync(() -> file(STEP, INTENT)).join();
            assertThat(store.outbox.file(STEP, OTHER)).isEqualTo(INTENT);
        });
    }

    /** MariaDB's snapshot isolation, on by default from 11.8. */
    @Test
    void when_the_server_rolled_the_order_back_the_rest_of_it_cannot_be_committed() {
        assumeThat(MysqlFacts.read(store.dataSource).product()).isEqualTo("MariaDB");
        try (Store own = Store.fresh()) {
            own.sql.execute("CREATE TABLE host_order (id INT PRIMARY KEY)");
            assertThatThrownBy(() -> repeatable(own).executeWithoutResult(status -> orderOnOldSnapshot(own)))
                    .isInstanceOf(UnexpectedRollbackException.class);
            assertThat(own.count("host_order")).isZero();
        }
    }

    private static void orderOnOldSnapshot(Store own) {
        own.sql.execute("SET SESSION innodb_snapshot_isolation = ON");
        own.count("charge_request"); // the snapshot
        own.sql.update("INSERT INTO host_order VALUES (1)");
        CompletableFuture.runAsync(() -> own.transaction().execute(status -> own.outbox.file(STEP, INTENT)))
                .join();
        assertThatThrownBy(() -> own.outbox.file(STEP, INTENT))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("do it again");
        own.sql.update("INSERT INTO host_order VALUES (2)");
    }

    private static TransactionTemplate repeatable(Store own) {
        TransactionTemplate repeatable = own.transaction();
        repeatable.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
        return repeatable;
    }

    @Test
    void a_claim_that_an_old_snapshot_hides_is_left_to_the_worker() {
        repeatable(store).executeWithoutResult(status -> {
            store.sql.queryForObject("SELECT count(*) FROM charge_fence", Long.class);
            CompletableFuture.runAsync(() -> store.log.append(List.of(Stories.claim(STEP))))
                    .join();
            assertThat(store.outbox.file(STEP, OTHER)).isNull();
        });
        assertThat(store.known(STEP).saga().intent()).isEqualTo(INTENT);
        assertThat(store.known(STEP).request().intent()).isEqualTo(OTHER);
    }

    @Test
    void a_refused_intent_is_noted_beside_the_request_although_the_caller_rolls_back() {
        file(STEP, INTENT);
        store.transaction().executeWithoutResult(status -> {
            store.outbox.file(STEP, OTHER);
            store.outbox.afterCompletion(
                    () -> assertThat(store.outbox.noteConflict(STEP, OTHER)).isTrue());
            status.setRollbackOnly();
        });
        assertThat(store.known(STEP).request().conflict()).isEqualTo(OTHER);
        assertThat(store.outbox.noteConflict(STEP, OTHER)).as("again").isTrue();
    }

    @Test
    void there_is_nothing_to_note_a_conflict_beside_once_the_step_is_claimed() {
        assertThat(store.outbox.noteConflict(STEP, OTHER)).isFalse();
    }

    @Test
    void actions_run_after_the_commit_and_after_the_end_and_do_not_disturb_it() {
        AtomicReference<String> seen = new AtomicReference<>("");
        store.transaction().executeWithoutResult(status -> {
            store.outbox.afterCommit(() -> seen.updateAndGet(before -> before + "commit "));
            store.outbox.afterCommit(() -> {
                throw new IllegalStateException("Redis is away");
            });
            store.outbox.afterCompletion(() -> seen.updateAndGet(before -> before + "end"));
        });
        assertThat(seen).hasValue("commit end");

        seen.set("");
        store.transaction().executeWithoutResult(status -> {
            store.outbox.afterCommit(() -> seen.set("commit"));
            store.outbox.afterCompletion(() -> seen.set("end"));
            status.setRollbackOnly();
        });
        assertThat(seen).hasValue("end");
    }

    @Test
    void a_claim_may_be_made_right_after_the_commit_on_the_same_thread() {
        store.transaction().executeWithoutResult(status -> {
            store.outbox.file(STEP, INTENT);
            store.outbox.afterCommit(() ->
                    assertThat(store.log.append(List.of(Stories.claim(STEP)))).isEmpty());
        });
        assertThat(store.saga(STEP).intent()).isEqualTo(INTENT);
        assertThat(store.count("charge_request")).isZero();
    }

    private static Intent file(OrderStep orderStep, Intent intent) {
        return store.transaction().execute(status -> store.outbox.file(orderStep, intent));
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await(20, TimeUnit.SECONDS);
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }
}
