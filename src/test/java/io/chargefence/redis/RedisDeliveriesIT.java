package io.chargefence.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.chargefence.OrderStep;
import io.chargefence.embedded.EmbeddedRedis;
import io.chargefence.embedded.TestStores;
import io.chargefence.flow.Deliveries.Delivery;
import io.chargefence.flow.TransportUnavailableException;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RedisDeliveriesIT {

    private static final Duration BLOCK = Duration.ofMillis(50);
    private static final Duration RESERVATION = Duration.ofMillis(200);
    private static final OrderStep STEP = new OrderStep("order-17", "capture");

    private final String prefix = TestStores.uniquePrefix();
    private final List<RedisDeliveries> open = new ArrayList<>();
    private RedisClient client;
    private RedisCommands<String, String> redis;
    private RedisDeliveries deliveries;

    @BeforeEach
    void connect() {
        client = RedisClient.create(TestStores.redisUri());
        redis = client.connect().sync();
        deliveries = worker("a", TestStores.redisUri());
    }

    @AfterEach
    void close() {
        open.forEach(RedisDeliveries::close);
        client.shutdown();
    }

    private RedisDeliveries worker(String name, String uri) {
        RedisDeliveries worker = new RedisDeliveries(new RedisSettings(
                RedisURI.create(uri), prefix, "chargefence", 4, name, RESERVATION, Duration.ofSeconds(5)));
        open.add(worker);
        return worker;
    }

    @Test
    void what_is_published_is_read_once_and_after_the_ack_nothing_is_left() {
        publish(steps(100));
        List<Delivery> read = readAll(deliveries, 100);
        deliveries.ack(read);
        deliveries.ack(read);

        assertThat(read).extracting(Delivery::orderStep).containsExactlyInAnyOrderElementsOf(steps(100));
        assertThat(read).noneMatch(Delivery::redelivered);
        assertThat(lengths()).isZero();
        assertThat(pending()).isZero();
    }

    @Test
    void a_read_never_brings_more_than_it_was_asked_for() {
        publish(steps(200));
        for (int max : List.of(1, 2, 3, 5, 7, 16)) {
            assertThat(deliveries.read(max, BLOCK)).isNotEmpty().hasSizeLessThanOrEqualTo(max);
        }
    }

    @Test
    void two_workers_never_get_the_same_fresh_delivery() {
        publish(steps(100));
        RedisDeliveries other = worker("b", TestStores.redisUri());
        List<Delivery> all = new ArrayList<>();
        for (int n = 0; n < 60; n++) {
            all.addAll(deliveries.read(4, BLOCK));
            all.addAll(other.read(4, BLOCK));
        }

        assertThat(all).extracting(Delivery::id).doesNotHaveDuplicates().hasSize(100);
    }

    @Test
    void what_a_worker_does_not_finish_is_taken_over_after_the_reservation_and_counted() {
        publish(List.of(STEP));
        Delivery first = readAll(deliveries, 1).get(0);
        RedisDeliveries other = worker("b", TestStores.redisUri());
        assertThat(first.takeovers()).isZero();

        Delivery second = takeOver(other);
        assertThat(second.id()).isEqualTo(first.id());
        assertThat(second.orderStep()).isEqualTo(STEP);
        assertThat(second.takeovers()).isEqualTo(1);
        assertThat(takeOver(deliveries).takeovers()).isEqualTo(2);
        deliveries.ack(List.of(first));
        assertThat(pending()).isZero();
    }

    @Test
    void a_flushed_redis_is_set_up_again_and_reading_goes_on() {
        publish(steps(10));
        readAll(deliveries, 10);
        redis.flushall();
        publish(List.of(STEP));

        assertThat(readAll(deliveries, 1)).extracting(Delivery::orderStep).containsExactly(STEP);
        redis.keys(prefix + "charges*").forEach(redis::del);
        publish(List.of(STEP));
        assertThat(readAll(deliveries, 1)).hasSize(1);
    }

    @Test
    void a_group_that_was_destroyed_is_made_again_at_the_beginning() {
        publish(steps(10));
        deliveries.read(1, BLOCK);
        for (int p = 0; p < 4; p++) {
            redis.xgroupDestroy(prefix + "charges:{" + p + "}", "chargefence");
        }

        assertThat(readAll(deliveries, 10)).hasSize(10);
    }

    @Test
    void entries_that_were_deleted_while_pending_are_never_handed_out_and_do_not_stay_pending() {
        publish(steps(20));
        List<Delivery> read = readAll(deliveries, 20);
        for (Delivery delivery : read.subList(0, 15)) {
            String[] id = delivery.id().split("/");
            redis.xdel(prefix + "charges:{" + id[0] + "}", id[1]);
        }
        RedisDeliveries other = worker("b", TestStores.redisUri());
        List<Delivery> taken = new ArrayList<>();
        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            taken.addAll(other.takeOver(100));
            other.ack(taken);
            assertThat(pending()).isZero();
        });

        assertThat(taken).extracting(Delivery::orderStep).doesNotContainNull();
        assertThat(new HashSet<>(taken.stream().map(Delivery::id).toList())).hasSize(5);
    }

    @Test
    void garbage_among_good_entries_comes_out_unread_and_holds_nobody_up() {
        String stream = prefix + "charges:{0}";
        redis.xadd(stream, Map.of("x", "y"));
        redis.xadd(stream, Map.of("v", "2", "orderId", "o", "step", "s"));
        redis.xadd(stream, Map.of("v", "1", "orderId", " padded ", "step", "s"));
        redis.xadd(stream, Map.of("v", "1", "orderId", "x".repeat(1_000_000), "step", "s"));
        redis.xadd(stream, Map.of("v", "1", "orderId", "o", "step", "s", "card", "4111111111111111"));
        publish(steps(20));

        List<Delivery> read = readAll(deliveries, 25);
        List<Delivery> unread =
                read.stream().filter(delivery -> delivery.orderStep() == null).toList();
        assertThat(unread).hasSize(4);
        unread.forEach(delivery -> deliveries.quarantine(delivery, "cannot be read"));
        deliveries.ack(read);

        assertThat(redis.xlen(prefix + "quarantine")).isEqualTo(4);
        assertThat(pending()).isZero();
        assertThat(read).noneMatch(delivery -> delivery.raw().toString().contains("4111111111111111"));
        assertThat(read).allMatch(delivery -> delivery.raw().toString().length() < 20_000);
    }

    @Test
    void ids_of_every_odd_kind_arrive_byte_for_byte() {
        List<OrderStep> odd = Stream.of("{tag}", "a'b\"c\\d", "😀", "ÖRD-1", "e\u0301", "%s $1", "x".repeat(255), "a b")
                .map(id -> new OrderStep(id, "capture"))
                .toList();
        publish(odd);

        assertThat(readAll(deliveries, odd.size()))
                .extracting(Delivery::orderStep)
                .containsExactlyInAnyOrderElementsOf(odd);
    }

    @Test
    void entries_carry_ids_only() {
        publish(List.of(STEP));
        String stream = redis.keys(prefix + "charges*").get(0);

        assertThat(redis.xrange(stream, io.lettuce.core.Range.unbounded())
                        .get(0)
                        .getBody())
                .containsOnlyKeys("v", "orderId", "step");
    }

    @Test
    void names_of_dead_workers_are_removed_unless_something_is_pending_under_them() {
        publish(List.of(STEP));
        RedisDeliveries dead = worker("dead", TestStores.redisUri());
        readAll(dead, 1);
        RedisDeliveries idle = worker("idle", TestStores.redisUri());
        readAll(idle, 0);
        RedisSettings own = new RedisSettings(
                RedisURI.create(TestStores.redisUri()),
                prefix,
                "chargefence",
                4,
                "a",
                RESERVATION,
                Duration.ofSeconds(5));
        var bytes = client.connect(io.lettuce.core.codec.RedisCodec.of(
                io.lettuce.core.codec.StringCodec.UTF8, io.lettuce.core.codec.ByteArrayCodec.INSTANCE));
        new TakeOver(own, new RedisKeys(own)).reap(bytes.sync(), Duration.ZERO);

        assertThat(consumerNames()).contains("dead").doesNotContain("idle");
        assertThat(takeOver(deliveries).orderStep()).isEqualTo(STEP);
    }

    @Test
    void a_redis_that_is_killed_is_unavailable_and_then_works_again() {
        try (EmbeddedRedis own = EmbeddedRedis.start()) {
            RedisDeliveries worker = worker("k", own.uri());
            worker.publish(List.of(STEP)).toCompletableFuture().join();
            Delivery delivery = readAll(worker, 1).get(0);
            own.kill();

            assertThatThrownBy(() -> worker.read(1, BLOCK)).isInstanceOf(TransportUnavailableException.class);
            assertThatThrownBy(() -> worker.ack(List.of(delivery))).isInstanceOf(TransportUnavailableException.class);
            assertThatThrownBy(() -> worker.takeOver(1)).isInstanceOf(TransportUnavailableException.class);
            assertThatThrownBy(() ->
                            worker.publish(List.of(STEP)).toCompletableFuture().join())
                    .hasCauseInstanceOf(TransportUnavailableException.class);
            assertThat(worker.isReachable()).isFalse();
            own.restart();
            await().atMost(Duration.ofSeconds(60)).ignoreExceptions().until(() -> {
                worker.publish(List.of(STEP)).toCompletableFuture().join();
                return !worker.read(1, BLOCK).isEmpty();
            });
        }
    }

    @Test
    void a_worker_starts_while_redis_is_away() {
        RedisDeliveries early = worker("early", "redis://127.0.0.1:1");

        assertThatThrownBy(
                        () -> early.publish(List.of(STEP)).toCompletableFuture().join())
                .hasCauseInstanceOf(TransportUnavailableException.class);
        assertThatThrownBy(() -> early.read(1, BLOCK))
                .isInstanceOf(TransportUnavailableException.class)
                .hasMessageContaining("nothing is lost");
    }

    @Test
    void the_facts_tell_what_could_evict_our_keys() {
        assertThat(deliveries.facts().mayEvict()).isFalse();
        assertThat(new RedisFacts("7", "allkeys-lru").mayEvict()).isTrue();
        assertThat(new RedisFacts("7", "volatile-lru").mayEvict()).isFalse();
    }

    private void publish(List<OrderStep> steps) {
        deliveries.publish(steps).toCompletableFuture().join();
    }

    private static List<Delivery> readAll(RedisDeliveries worker, int expected) {
        List<Delivery> all = new ArrayList<>();
        await().atMost(Duration.ofSeconds(60)).until(() -> {
            all.addAll(worker.read(64, BLOCK));
            return all.size() >= expected;
        });
        return all;
    }

    private static Delivery takeOver(RedisDeliveries worker) {
        List<Delivery> taken = new ArrayList<>();
        await().atMost(Duration.ofSeconds(60)).until(() -> {
            taken.addAll(worker.takeOver(10));
            return !taken.isEmpty();
        });
        return taken.get(0);
    }

    private static List<OrderStep> steps(int count) {
        return IntStream.range(0, count)
                .mapToObj(n -> new OrderStep("order-" + n, "capture"))
                .toList();
    }

    private long lengths() {
        return redis.keys(prefix + "charges*").stream().mapToLong(redis::xlen).sum();
    }

    private long pending() {
        return redis.keys(prefix + "charges*").stream()
                .mapToLong(stream -> redis.xpending(stream, "chargefence").getCount())
                .sum();
    }

    private Set<String> consumerNames() {
        Set<String> names = new HashSet<>();
        redis.keys(prefix + "charges*")
                .forEach(stream -> redis.xinfoConsumers(stream, "chargefence")
                        .forEach(consumer -> names.add(String.valueOf(((List<?>) consumer).get(1)))));
        return names;
    }
}
