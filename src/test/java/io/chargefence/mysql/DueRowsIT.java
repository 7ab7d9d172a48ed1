package io.chargefence.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import io.chargefence.ChargeView;
import io.chargefence.OrderStep;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DueRowsIT {

    private static final Duration RESERVATION = Duration.ofMinutes(1);

    private Store store;

    @BeforeEach
    void open() {
        store = Store.fresh();
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void what_is_due_is_taken_once_per_reservation_and_oldest_first() {
        store.log.append(Stories.steps(3).stream().map(Stories::claim).toList());
        due("charge_fence", "order-0", "- INTERVAL 1 SECOND");
        due("charge_fence", "order-1", "- INTERVAL 1 HOUR");
        due("charge_fence", "order-2", "+ INTERVAL 1 HOUR");
        ChargeView before = view("order-0");

        assertThat(store.log.takeDue(10, RESERVATION))
                .containsExactly(Stories.step("order-1"), Stories.step("order-0"));
        assertThat(store.log.takeDue(10, RESERVATION)).isEmpty();

        Instant now = store.log.load(List.of()).now();
        assertThat(view("order-0").dueAt()).isBetween(now.plusSeconds(50), now.plusSeconds(60));
        assertThat(view("order-0").updatedAt())
                .as("nothing happened to the charge")
                .isEqualTo(before.updatedAt());
    }

    @Test
    void no_more_are_taken_than_asked_for() {
        store.log.append(Stories.steps(5).stream().map(Stories::claim).toList());
        store.sql.update("UPDATE charge_fence SET due_at = utc_timestamp(6)");
        assertThat(store.log.takeDue(2, RESERVATION)).hasSize(2);
        assertThat(store.log.takeDue(10, RESERVATION)).hasSize(3);
    }

    @Test
    void a_charge_at_rest_is_never_due() {
        store.log.append(List.of(Stories.claim(Stories.step("order-0"))));
        store.log.append(List.of(Stories.charged(store.saga(Stories.step("order-0")))));
        assertThat(store.log.takeDue(10, RESERVATION)).isEmpty();
    }

    @Test
    void requests_are_taken_after_their_grace() {
        OrderStep orderStep = Stories.step("order-0");
        store.transaction().execute(status -> store.outbox.file(orderStep, Stories.INTENT));
        assertThat(store.log.takeUnclaimed(10, RESERVATION)).isEmpty();

        due("charge_request", "order-0", "- INTERVAL 1 SECOND");
        assertThat(store.log.takeUnclaimed(10, RESERVATION)).containsExactly(orderStep);
        assertThat(store.log.takeUnclaimed(10, RESERVATION)).isEmpty();
    }

    @Test
    void an_id_that_makes_no_sense_is_left_out_and_the_others_go_on() {
        store.sql.update("INSERT INTO charge_request (order_id, step, amount_minor, currency, source, provider) VALUES"
                + " (' blank ', 'deposit', 100, 'EUR', 'tok', 'acme'), (x'ff80', 'deposit', 100, 'EUR', 'tok', 'acme'),"
                + " ('good', 'deposit', 100, 'EUR', 'tok', 'acme')");
        assertThat(store.log.takeUnclaimed(10, RESERVATION)).containsExactly(Stories.step("good"));
        assertThat(store.log.takeUnclaimed(10, RESERVATION)).isEmpty();
    }

    @Test
    void two_sweepers_never_get_the_same_row() throws Exception {
        int charges = 400;
        store.log.append(Stories.steps(charges).stream().map(Stories::claim).toList());
        store.sql.update("UPDATE charge_fence SET due_at = utc_timestamp(6)");
        CyclicBarrier start = new CyclicBarrier(2);

        List<CompletableFuture<List<OrderStep>>> sweepers = IntStream.range(0, 2)
                .mapToObj(i -> CompletableFuture.supplyAsync(() -> sweepAll(start)))
                .toList();

        List<OrderStep> taken = new ArrayList<>();
        for (CompletableFuture<List<OrderStep>> sweeper : sweepers) {
            taken.addAll(sweeper.get());
        }
        taken.addAll(store.log.takeDue(charges, RESERVATION)); // what one skipped because the other held it
        assertThat(taken).doesNotHaveDuplicates().hasSize(charges);
    }

    @Test
    void a_sweep_beside_busy_workers_disturbs_neither() throws Exception {
        store.log.append(Stories.steps(100).stream().map(Stories::claim).toList());
        store.sql.update("UPDATE charge_fence SET due_at = utc_timestamp(6)");
        AtomicBoolean working = new AtomicBoolean(true);
        CompletableFuture<Void> sweeper = CompletableFuture.runAsync(() -> {
            while (working.get()) {
                store.log.takeDue(20, Duration.ofNanos(1_000));
            }
        });
        for (int i = 0; i < 100; i += 10) {
            assertThat(store.log.append(Stories.steps(100).subList(i, i + 10).stream()
                            .map(store::saga)
                            .map(Stories::charged)
                            .toList()))
                    .isEmpty();
        }
        working.set(false);
        sweeper.get();
    }

    private List<OrderStep> sweepAll(CyclicBarrier start) {
        List<OrderStep> taken = new ArrayList<>();
        try {
            start.await();
        } catch (Exception broken) {
            throw new IllegalStateException(broken);
        }
        for (List<OrderStep> some = store.log.takeDue(7, RESERVATION);
                !some.isEmpty();
                some = store.log.takeDue(7, RESERVATION)) {
            taken.addAll(some);
        }
        return taken;
    }

    private ChargeView view(String orderId) {
        return store.views.find(Stories.step(orderId)).orElseThrow();
    }

    private void due(String table, String orderId, String offset) {
        store.sql.update(
                "UPDATE " + table + " SET due_at = utc_timestamp(6) " + offset + " WHERE order_id = ?", orderId);
    }
}
