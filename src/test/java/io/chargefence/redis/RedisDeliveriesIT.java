package io.chargefence.redis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.chargefence.OrderStep;
import io.chargefence.flow.Deliveries.Delivery;
import io.lettuce.core.Consumer;
import io.lettuce.core.Range;
import io.lettuce.core.StreamMessage;
import io.lettuce.core.XReadArgs.StreamOffset;
import io.lettuce.core.XTrimArgs;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The contract and what is particular to Redis streams, on a real server. */
class RedisDeliveriesIT extends DeliveriesContract {

    private static final Duration RESERVATION = Duration.ofMillis(400);
    private static final AtomicInteger TESTS = new AtomicInteger();
    private static LocalRedis server;

    private final String prefix = "t" + TESTS.incrementAndGet() + ":";
    private final List<RedisDeliveries> workers = new ArrayList<>();

    @BeforeAll
    static void startServer() {
        server = new LocalRedis();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @AfterEach
    void closeWorkers() {
        workers.forEach(RedisDeliveries::close);
    }

    @Override
    RedisDeliveries worker() {
        RedisDeliveries worker = new RedisDeliveries(server.uri(), settings("c" + workers.size()));
        workers.add(worker);
        return worker;
    }

    private RedisSettings settings(String consumerName) {
        return new RedisSettings(
                prefix, "workers", 4, consumerName, RESERVATION, Duration.ofSeconds(5), Duration.ofSeconds(5));
    }

    /** By the server's own clock: until everything that is pending now has been so for a reservation. */
    @Override
    void reservationPasses() {
        await().atMost(LONG).until(() -> IntStream.range(0, 4).allMatch(this::allIdle));
    }

    private boolean allIdle(int partition) {
        return server.admin().exists(key(partition)) == 0
                || server.admin().xinfoGroups(key(partition)).isEmpty()
                || server
                        .admin()
                        .xpending(key(partition), "workers", Range.unbounded(), io.lettuce.core.Limit.from(1000))
                        .stream()
                        .allMatch(pending -> pending.getMsSinceLastDelivery() > RESERVATION.toMillis());
    }

    private String key(int partition) {
        return prefix + "charges:{" + partition + "}";
    }

    private int partitionOf(String orderId) {
        return new RedisKeys(prefix, 4).partitionOf(orderId);
    }

    @Test
    void after_the_ack_the_stream_and_its_pending_list_are_empty() {
        RedisDeliveries worker = worker();
        publish(worker, steps(40));
        assertThat(worker.stats().length()).isEqualTo(40);
        List<Delivery> read = readAll(worker, 40);
        assertThat(worker.stats().pending()).isEqualTo(40);
        worker.ack(read);
        assertThat(worker.stats().length()).isZero();
        assertThat(worker.stats().pending()).isZero();
    }

    @Test
    void an_entry_carries_the_order_step_and_nothing_else() {
        publish(worker(), List.of(new OrderStep("ORD-1", "deposit")));
        assertThat(server.admin().xrange(key(partitionOf("ORD-1")), Range.unbounded()))
                .singleElement()
                .extracting(StreamMessage::getBody)
                .isEqualTo(Map.of("v", "1", "orderId", "ORD-1", "step", "deposit"));
    }

    @Test
    void what_was_published_before_there_was_a_group_is_delivered() {
        Map<String, String> fields = Map.of("v", "1", "orderId", "ORD-old", "step", "deposit");
        server.admin().xadd(key(2), fields);
        assertThat(readAll(worker(), 1))
                .extracting(Delivery::id)
                .first()
                .asString()
                .startsWith("2/");
    }

    @Test
    void a_busy_partition_does_not_starve_the_others() {
        RedisDeliveries worker = worker();
        OrderStep loud = new OrderStep("loud", "deposit");
        OrderStep quiet = steps(50).stream()
                .filter(step -> partitionOf(step.orderId()) != partitionOf("loud"))
                .findFirst()
                .orElseThrow();
        publish(worker, java.util.Collections.nCopies(500, loud));
        publish(worker, List.of(quiet));
        assertThat(worker.read(8, SHORT)).extracting(Delivery::orderStep).contains(quiet);
        publish(worker, List.of(quiet));
        List<OrderStep> one = new ArrayList<>();
        IntStream.range(0, 8).forEach(n -> worker.read(1, SHORT).forEach(d -> one.add(d.orderStep())));
        assertThat(one).as("eight reads of one").contains(quiet);
    }

    @Test
    void after_the_server_was_emptied_reading_goes_on() {
        RedisDeliveries worker = worker();
        publish(worker, steps(10));
        List<Delivery> lost = readAll(worker, 10);
        server.admin().flushall();
        publish(worker, steps(10));
        assertThat(readAll(worker, 10)).hasSize(10);
        worker.ack(lost);
        assertThat(worker.takeOver(10)).isEmpty();
    }

    @Test
    void after_a_stream_was_deleted_take_over_and_read_go_on() {
        RedisDeliveries worker = worker();
        publish(worker, steps(20));
        List<Delivery> lost = readAll(worker, 20);
        server.admin().del(key(0), key(1), key(2), key(3));
        assertThat(worker.takeOver(10)).isEmpty();
        worker.ack(lost);
        publish(worker, steps(20));
        assertThat(readAll(worker, 20)).hasSize(20);
    }

    @Test
    void a_read_that_is_blocked_while_its_stream_is_deleted_goes_on() {
        RedisDeliveries worker = worker();
        worker.read(10, SHORT);
        CompletableFuture<List<Delivery>> reading = CompletableFuture.supplyAsync(() -> worker.read(10, LONG));
        await().atMost(LONG).until(() -> server.admin().clientList().contains("cmd=xreadgroup"));
        server.admin().del(key(0), key(1), key(2), key(3));
        publish(worker(), steps(1));
        assertThat(reading.join()).hasSize(1);
    }

    @Test
    void after_the_group_was_destroyed_what_is_left_is_delivered_again() {
        RedisDeliveries worker = worker();
        publish(worker, steps(30));
        List<Delivery> read = readAll(worker, 30);
        worker.ack(read.subList(0, 10));
        IntStream.range(0, 4).forEach(partition -> server.admin().xgroupDestroy(key(partition), "workers"));
        assertThat(ids(readAll(worker, 20))).isEqualTo(ids(read.subList(10, 30)));
    }

    @Test
    void ghosts_are_never_handed_out_and_leave_the_pending_list() {
        RedisDeliveries dead = worker();
        publish(dead, steps(60));
        List<Delivery> read = readAll(dead, 60);
        List<Delivery> deleted = IntStream.range(0, 60)
                .filter(n -> n % 3 == 1)
                .mapToObj(read::get)
                .toList();
        deleted.forEach(ghost -> server.admin().xdel(key(partition(ghost)), entryId(ghost)));
        reservationPasses();

        RedisDeliveries heir = worker();
        List<Delivery> taken = heir.takeOver(1000);
        assertThat(taken).hasSize(40).allMatch(delivery -> delivery.orderStep() != null);
        assertThat(ids(taken)).doesNotContainAnyElementsOf(ids(deleted));
        assertThat(heir.stats().pending()).isEqualTo(40);
    }

    @Test
    void more_ghosts_than_there_is_room_for_do_not_hide_what_lies_behind_them() {
        RedisDeliveries dead = worker();
        publish(dead, steps(60));
        List<Delivery> read = readAll(dead, 60);
        publish(dead, List.of(new OrderStep("ORD-alive", "deposit")));
        readAll(dead, 1);
        read.forEach(ghost -> server.admin().xdel(key(partition(ghost)), entryId(ghost)));
        reservationPasses();
        assertThat(worker().takeOver(5)).hasSize(1);
        assertThat(dead.stats().pending()).isEqualTo(1);
    }

    @Test
    void the_loser_of_a_race_for_a_take_over_does_not_ack_what_the_winner_has() {
        RedisDeliveries one = worker();
        RedisDeliveries other = worker();
        publish(one, steps(50));
        readAll(one, 50);
        for (int round = 0; round < 10; round++) {
            reservationPasses();
            CompletableFuture<List<Delivery>> beside = CompletableFuture.supplyAsync(() -> other.takeOver(50));
            int taken = one.takeOver(50).size() + beside.join().size();
            assertThat(taken).isEqualTo(50);
            assertThat(one.stats().pending()).isEqualTo(50);
        }
    }

    @Test
    void a_trimmed_stream_leaves_no_ghosts() {
        RedisDeliveries dead = worker();
        publish(dead, steps(30));
        readAll(dead, 30);
        IntStream.range(0, 4).forEach(partition -> server.admin().xtrim(key(partition), new XTrimArgs().maxlen(0)));
        reservationPasses();
        assertThat(worker().takeOver(100)).isEmpty();
        assertThat(dead.stats().pending()).isZero();
    }

    @Test
    void an_entry_that_was_acked_but_not_deleted_is_cleared_away() {
        RedisDeliveries worker = worker();
        publish(worker, steps(20));
        List<Delivery> read = readAll(worker, 20);
        server.admin().xack(key(partition(read.get(0))), "workers", entryId(read.get(0)));
        worker.ack(read.subList(1, 20));
        publish(worker, steps(40));
        assertThat(worker.stats().length()).isEqualTo(41);
        worker.takeOver(1);
        assertThat(worker.stats().length())
                .as("the one is gone, the unread are not")
                .isEqualTo(40);
        assertThat(readAll(worker, 40)).hasSize(40);
    }

    @Test
    void clearing_away_never_touches_what_is_pending() {
        RedisDeliveries worker = worker();
        publish(worker, steps(40));
        List<Delivery> read = readAll(worker, 40);
        worker.ack(read.subList(0, 20));
        worker.takeOver(1);
        assertThat(worker.stats().length()).isEqualTo(20);
        reservationPasses();
        assertThat(ids(worker().takeOver(100))).isEqualTo(ids(read.subList(20, 40)));
    }

    @Test
    void garbage_among_good_ones_comes_out_as_unreadable_and_stops_nobody() {
        RedisDeliveries worker = worker();
        List<Map<String, String>> garbage = garbage();
        for (int n = 0; n < garbage.size(); n++) {
            server.admin().xadd(key(n % 4), garbage.get(n));
        }
        publish(worker, steps(100));
        List<Delivery> read = readAll(worker, 100 + garbage.size());
        List<Delivery> unreadable =
                read.stream().filter(delivery -> delivery.orderStep() == null).toList();
        assertThat(unreadable).hasSize(garbage.size());
        assertThat(unreadable).allSatisfy(delivery -> {
            assertThat(delivery.raw()).isNotEmpty().hasSizeLessThanOrEqualTo(RawFields.FIELDS_MAX + 1);
            assertThat(delivery.raw().toString()).hasSizeLessThan(RawFields.TOTAL_MAX + 4096);
            worker.quarantine(delivery, "cannot be read");
        });
        worker.ack(read);
        assertThat(worker.stats().length()).isZero();
        assertThat(worker.stats().quarantined()).isEqualTo(garbage.size());
    }

    private static List<Map<String, String>> garbage() {
        Map<String, String> many = new LinkedHashMap<>();
        IntStream.range(0, 100).forEach(n -> many.put("f" + n, "x".repeat(1000)));
        String notUtf8 = new String(new byte[] {'O', (byte) 0xff}, ISO_8859_1);
        return List.of(
                Map.of("nothing", "known"),
                Map.of("v", "1", "orderId", "ORD-1"),
                Map.of("v", "1", "step", "deposit"),
                Map.of("v", "2", "orderId", "ORD-1", "step", "deposit"),
                Map.of("orderId", "ORD-1", "step", "deposit"),
                Map.of("v", "1", "orderId", " ORD-1", "step", "deposit"),
                Map.of("v", "1", "orderId", "", "step", "deposit"),
                Map.of("v", "1", "orderId", "ORD-1", "step", "Not A Step"),
                Map.of("v", "1", "orderId", "x".repeat(1_000_000), "step", "deposit"),
                Map.of("v", "1", "orderId", "4111111111111111", "step", "deposit"),
                Map.of("v", "1", "orderId", notUtf8 + "\n\u0000", "step", "deposit"),
                many);
    }

    @Test
    void a_card_number_in_a_forged_entry_does_not_get_into_the_quarantine() {
        RedisDeliveries worker = worker();
        server.admin().xadd(key(0), Map.of("4111111111111111", "pan 4111 1111 1111 1111 here", "v", "1"));
        List<Delivery> read = readAll(worker, 1);
        worker.quarantine(read.get(0), "cannot be read: 4111111111111111");
        String kept = server.admin()
                .xrange(prefix + "quarantine", Range.unbounded())
                .get(0)
                .getBody()
                .toString();
        assertThat(kept)
                .doesNotContain("1111")
                .contains("[card number]")
                .contains(read.get(0).id());
    }

    @Test
    void reaping_removes_names_with_nothing_pending_and_no_others() {
        RedisCommands<String, String> admin = server.admin();
        RedisDeliveries worker = worker();
        publish(worker, steps(1));
        int partition = partitionOf("ORD-0");
        worker.takeOver(1); // makes the group
        admin.xreadgroup(Consumer.from("workers", "dead-with-pending"), StreamOffset.lastConsumed(key(partition)));
        IntStream.range(0, 50)
                .forEach(n -> admin.xgroupCreateconsumer(key(partition), Consumer.from("workers", "gone-" + n)));

        assertThat(worker.reapConsumers(Duration.ofHours(1)))
                .as("not idle long enough")
                .isZero();
        assertThat(worker.reapConsumers(Duration.ZERO)).isEqualTo(50);
        assertThat(worker.stats().partitions().get(partition).consumers()).isEqualTo(1);
        reservationPasses();
        assertThat(worker.takeOver(10)).hasSize(1);
    }

    @Test
    void a_worker_that_closes_takes_its_name_off_unless_it_still_holds_something() {
        RedisDeliveries idle = worker();
        RedisDeliveries holding = worker();
        idle.read(1, Duration.ZERO);
        publish(holding, steps(1));
        readAll(holding, 1);
        idle.close();
        holding.close();
        holding.close();

        RedisDeliveries other = worker();
        assertThat(other.stats().partitions().get(partitionOf("ORD-0")).consumers())
                .isEqualTo(1);
        reservationPasses();
        assertThat(other.takeOver(1)).hasSize(1);
    }

    @Test
    void the_id_of_another_transport_is_refused() {
        assertThatThrownBy(() -> worker().ack(List.of(new Delivery("x", null, 0, Map.of()))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'x'");
    }

    @Test
    void the_server_tells_its_facts() {
        RedisFacts facts = worker().facts();
        assertThat(facts.version()).matches("\\d+\\.\\d+\\.\\d+");
        assertThat(facts.tooOld()).isFalse();
        assertThat(facts.evictionPolicy()).isEqualTo("noeviction");
        assertThat(facts.evicting()).isFalse();
        assertThat(facts.maxmemory()).isZero();
        assertThat(facts.appendonly()).isFalse();
    }

    @Test
    void stats_of_streams_that_are_not_there_yet_are_zeros() {
        RedisTransportStats stats = worker().stats();
        assertThat(stats.partitions()).hasSize(4);
        assertThat(stats.length() + stats.pending() + stats.quarantined()).isZero();
    }

    private static int partition(Delivery delivery) {
        return Integer.parseInt(delivery.id().split("/")[0]);
    }

    private static String entryId(Delivery delivery) {
        return delivery.id().split("/")[1];
    }
}
