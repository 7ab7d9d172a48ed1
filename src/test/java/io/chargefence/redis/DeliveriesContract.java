package io.chargefence.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.chargefence.OrderStep;
import io.chargefence.flow.Deliveries;
import io.chargefence.flow.Deliveries.Delivery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the flow relies on, whatever is behind the port. */
abstract class DeliveriesContract {

    static final Duration SHORT = Duration.ofMillis(50);
    static final Duration LONG = Duration.ofSeconds(5);

    /** Another worker on the same transport. Closed by the subclass. */
    abstract Deliveries worker();

    /** Lets one reservation pass for deliveries that were read before. */
    abstract void reservationPasses();

    @Test
    void what_is_published_is_delivered_and_after_the_ack_never_again() {
        Deliveries worker = worker();
        publish(worker, steps(20));

        List<Delivery> read = readAll(worker, 20);
        assertThat(read).extracting(Delivery::orderStep).containsExactlyInAnyOrderElementsOf(steps(20));
        assertThat(read).allMatch(delivery -> delivery.takeovers() == 0 && !delivery.redelivered());
        worker.ack(read);

        reservationPasses();
        assertThat(worker.takeOver(100)).isEmpty();
        assertThat(worker.read(100, SHORT)).isEmpty();
    }

    @Test
    void delivery_ids_are_unique_over_everything() {
        Deliveries worker = worker();
        publish(worker, steps(200));
        assertThat(readAll(worker, 200)).extracting(Delivery::id).doesNotHaveDuplicates();
    }

    @Test
    void two_workers_never_get_the_same_first_delivery() {
        Deliveries one = worker();
        Deliveries other = worker();
        publish(one, steps(100));

        List<Delivery> read = new ArrayList<>();
        await().atMost(LONG).until(() -> {
            read.addAll(one.read(7, SHORT));
            read.addAll(other.read(7, SHORT));
            return read.size() >= 100;
        });
        assertThat(read).extracting(Delivery::orderStep).containsExactlyInAnyOrderElementsOf(steps(100));
    }

    @Test
    void within_the_reservation_nothing_is_taken_over() {
        Deliveries one = worker();
        Deliveries other = worker();
        reservationPasses();
        publish(one, steps(5));
        readAll(one, 5);
        assertThat(other.takeOver(100)).isEmpty();
    }

    @Test
    void what_is_not_acked_is_taken_over_once_per_reservation_and_counted() {
        Deliveries dead = worker();
        Deliveries heir = worker();
        publish(dead, steps(10));
        readAll(dead, 10);

        for (int takeovers = 1; takeovers <= 3; takeovers++) {
            reservationPasses();
            int expected = takeovers;
            List<Delivery> taken = heir.takeOver(100);
            assertThat(taken).extracting(Delivery::orderStep).containsExactlyInAnyOrderElementsOf(steps(10));
            assertThat(taken).allMatch(delivery -> delivery.takeovers() == expected && delivery.redelivered());
            assertThat(heir.takeOver(100)).as("again within the reservation").isEmpty();
        }
    }

    @Test
    void a_take_over_keeps_the_id_and_an_ack_by_the_new_owner_ends_it() {
        Deliveries dead = worker();
        Deliveries heir = worker();
        publish(dead, steps(10));
        List<Delivery> read = readAll(dead, 10);
        reservationPasses();
        List<Delivery> taken = heir.takeOver(100);
        assertThat(ids(taken)).isEqualTo(ids(read));
        heir.ack(taken);
        reservationPasses();
        assertThat(heir.takeOver(100)).isEmpty();
        assertThat(heir.read(100, SHORT)).isEmpty();
    }

    @Test
    void two_workers_never_take_over_the_same_delivery() {
        Deliveries dead = worker();
        publish(dead, steps(50));
        readAll(dead, 50);
        reservationPasses();
        List<Delivery> taken = new ArrayList<>(worker().takeOver(30));
        taken.addAll(worker().takeOver(30));
        assertThat(taken).extracting(Delivery::orderStep).containsExactlyInAnyOrderElementsOf(steps(50));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 7, 64})
    void a_read_or_a_take_over_never_brings_more_than_was_asked_for_and_nothing_is_left_out(int max) {
        Deliveries worker = worker();
        publish(worker, steps(100));
        Set<OrderStep> seen = new HashSet<>();
        while (seen.size() < 100) {
            List<Delivery> read = worker.read(max, SHORT);
            assertThat(read).as("after %d", seen.size()).hasSizeBetween(1, max);
            read.forEach(delivery -> seen.add(delivery.orderStep()));
        }
        reservationPasses();
        assertThat(worker.takeOver(max)).hasSize(max);
    }

    @Test
    void a_full_read_is_full_even_when_all_lies_with_few_orders() {
        Deliveries worker = worker();
        OrderStep one = new OrderStep("ORD-1", "deposit");
        publish(worker, java.util.Collections.nCopies(64, one));
        assertThat(worker.read(50, LONG)).hasSize(50);
    }

    @Test
    void a_read_that_may_not_wait_finds_what_is_there_wherever_it_is() {
        Deliveries worker = worker();
        for (OrderStep step : steps(12)) {
            publish(worker, List.of(step));
            assertThat(worker.read(1, Duration.ZERO))
                    .extracting(Delivery::orderStep)
                    .containsExactly(step);
        }
        assertThat(worker.read(1, Duration.ZERO)).isEmpty();
    }

    @Test
    void asking_for_nothing_brings_nothing() {
        Deliveries worker = worker();
        publish(worker, steps(3));
        publish(worker, List.of());
        assertThat(worker.read(0, LONG)).isEmpty();
        assertThat(worker.takeOver(0)).isEmpty();
        worker.ack(List.of());
        assertThat(readAll(worker, 3)).hasSize(3);
    }

    @Test
    void a_read_waits_for_what_is_published_meanwhile() throws Exception {
        Deliveries worker = worker();
        Deliveries publisher = worker();
        worker.read(10, SHORT);
        var reading = java.util.concurrent.CompletableFuture.supplyAsync(() -> worker.read(10, LONG));
        publish(publisher, steps(1));
        assertThat(reading.get(LONG.toMillis(), java.util.concurrent.TimeUnit.MILLISECONDS))
                .hasSize(1);
    }

    @Test
    void a_repeated_ack_is_harmless() {
        Deliveries worker = worker();
        publish(worker, steps(2));
        List<Delivery> read = readAll(worker, 2);
        worker.ack(read);
        publish(worker, List.of(new OrderStep("ORD-new", "deposit")));
        worker.ack(read);
        assertThat(readAll(worker, 1))
                .extracting(Delivery::orderStep)
                .containsExactly(new OrderStep("ORD-new", "deposit"));
    }

    @Test
    void the_ack_of_a_zombie_is_harmless() {
        Deliveries zombie = worker();
        Deliveries heir = worker();
        publish(zombie, steps(5));
        List<Delivery> read = readAll(zombie, 5);
        reservationPasses();
        List<Delivery> taken = heir.takeOver(10);
        zombie.ack(read);
        heir.ack(taken);
        reservationPasses();
        assertThat(heir.takeOver(10)).isEmpty();
        assertThat(heir.read(10, SHORT)).isEmpty();
    }

    @Test
    void the_same_step_may_be_published_again_at_any_time() {
        Deliveries worker = worker();
        publish(worker, steps(1));
        worker.ack(readAll(worker, 1));
        publish(worker, steps(1));
        assertThat(readAll(worker, 1)).extracting(Delivery::orderStep).isEqualTo(steps(1));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ORD-1",
                "ord-1",
                "{tag}",
                "}{",
                "a'b\"c\\d",
                "café",
                "cafe\u0301",
                "😀",
                "😁",
                "a\u200bb",
                "a\u202eb",
                "*",
                "$",
                ">",
                "0-0",
                "MAXLEN",
                "1/2-3",
                "${x}",
                "<img src=x onerror=alert(1)>",
                "١٢٣"
            })
    void an_order_id_comes_back_byte_for_byte(String orderId) {
        Deliveries worker = worker();
        OrderStep step = new OrderStep(orderId, "deposit");
        publish(worker, List.of(step));
        assertThat(readAll(worker, 1)).extracting(Delivery::orderStep).containsExactly(step);
    }

    @Test
    void the_longest_ids_come_back_byte_for_byte() {
        Deliveries worker = worker();
        OrderStep ascii = new OrderStep("x".repeat(255), "s".repeat(64));
        OrderStep wide = new OrderStep("😀".repeat(63) + "abc", "a.b_c-9");
        publish(worker, List.of(ascii, wide));
        assertThat(readAll(worker, 2)).extracting(Delivery::orderStep).containsExactlyInAnyOrder(ascii, wide);
    }

    @Test
    void what_matches_nothing_can_be_put_into_quarantine_and_acked() {
        Deliveries worker = worker();
        publish(worker, steps(1));
        List<Delivery> read = readAll(worker, 1);
        worker.quarantine(read.get(0), "matches no request and no fence");
        worker.quarantine(new Delivery(read.get(0).id(), null, 0, Map.of()), "cannot be read");
        worker.ack(read);
        assertThat(worker.read(10, SHORT)).isEmpty();
    }

    static void publish(Deliveries worker, Collection<OrderStep> steps) {
        worker.publish(steps).toCompletableFuture().join();
    }

    static List<OrderStep> steps(int count) {
        return IntStream.range(0, count)
                .mapToObj(n -> new OrderStep("ORD-" + n, "deposit"))
                .toList();
    }

    static List<Delivery> readAll(Deliveries worker, int count) {
        List<Delivery> all = new ArrayList<>();
        await().atMost(LONG).until(() -> {
            all.addAll(worker.read(count, SHORT));
            return all.size() >= count;
        });
        assertThat(all).hasSize(count);
        return all;
    }

    static Set<String> ids(List<Delivery> deliveries) {
        Set<String> ids = new HashSet<>();
        deliveries.forEach(delivery -> ids.add(delivery.id()));
        return ids;
    }
}
