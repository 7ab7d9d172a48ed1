package io.chargefence.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.chargefence.OrderStep;
import io.chargefence.flow.Deliveries.Delivery;
import io.chargefence.flow.TransportUnavailableException;
import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A real server that is killed, paused, filled and cut off. */
class RedisFaultsIT {

    private static final Duration SHORT = Duration.ofMillis(50);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final OrderStep STEP = new OrderStep("ORD-1", "deposit");
    private static final Delivery DELIVERY = new Delivery("0/1-1", STEP, 0, Map.of("v", "1"));

    private final LocalRedis server = new LocalRedis();
    private RedisDeliveries worker;

    @BeforeEach
    void connect() {
        worker = new RedisDeliveries(server.uri(), settings(Duration.ofMillis(700)));
    }

    @AfterEach
    void stop() {
        server.resume();
        worker.close();
        server.close();
    }

    private static RedisSettings settings(Duration timeout) {
        return new RedisSettings(
                "chargefence:",
                "workers",
                4,
                RedisSettings.uniqueConsumerName(),
                Duration.ofMillis(200),
                timeout,
                timeout);
    }

    @Test
    void it_can_be_made_while_redis_is_away_and_works_once_it_is_there() {
        server.kill();
        worker.close();
        worker = new RedisDeliveries(server.uri(), settings(Duration.ofMillis(700)));
        everythingIsUnavailable();
        server.start();
        worksAgain();
    }

    @Test
    void after_a_kill_and_a_restart_it_works_again() {
        worksAgain();
        server.kill();
        everythingIsUnavailable();
        server.start();
        worksAgain();
    }

    @Test
    void a_blocked_read_is_told_of_a_kill_at_once() {
        worksAgain();
        CompletableFuture<Throwable> reading =
                CompletableFuture.supplyAsync(() -> catchThrowable(() -> worker.read(10, PATIENCE)));
        await().atMost(PATIENCE).until(() -> server.admin().clientList().contains("cmd=xreadgroup"));
        server.kill();
        assertThat(reading.orTimeout(10, TimeUnit.SECONDS).join()).isInstanceOf(TransportUnavailableException.class);
    }

    @Test
    void a_server_that_stands_still_is_a_time_out_and_fine_later() {
        worksAgain();
        server.pause();
        everythingIsUnavailable();
        server.resume();
        worksAgain();
    }

    @Test
    void a_publish_never_holds_up_the_caller() {
        worksAgain();
        server.pause();
        long from = System.nanoTime();
        List<CompletionStage<Void>> published = new ArrayList<>();
        IntStream.range(0, 1000).forEach(n -> published.add(worker.publish(List.of(STEP))));
        assertThat(Duration.ofNanos(System.nanoTime() - from)).isLessThan(Duration.ofMillis(600));
        published.forEach(stage -> assertThat(failure(stage)).isInstanceOf(TransportUnavailableException.class));
    }

    @Test
    void a_cut_connection_costs_at_most_one_call() {
        worksAgain();
        for (int n = 0; n < 5; n++) {
            server.admin().clientKill(KillArgs.Builder.skipme());
            catchThrowable(() -> worker.stats());
            catchThrowable(() -> worker.read(1, SHORT));
            assertThat(worker.stats().partitions()).hasSize(4);
            assertThat(worker.read(1, SHORT)).isEmpty();
        }
    }

    @Test
    void a_read_may_block_for_longer_than_a_command_may_take() {
        worksAgain();
        assertThat(worker.read(10, Duration.ofMillis(1500))).isEmpty();
    }

    @Test
    void connections_that_went_silent_are_replaced() throws Exception {
        try (SilentProxy proxy = new SilentProxy(server.uri().getPort())) {
            worker.close();
            worker = new RedisDeliveries(RedisURI.create("127.0.0.1", proxy.port()), settings(Duration.ofMillis(700)));
            worksAgain();
            proxy.silenceOpenConnections();
            everyConnectionTimesOut();
            assertThat(worker.stats().partitions()).hasSize(4);
            assertThat(worker.read(1, SHORT)).isEmpty();
        }
    }

    private void everyConnectionTimesOut() {
        unavailable(() -> worker.stats());
        unavailable(() -> worker.read(10, SHORT));
    }

    @Test
    void a_primary_that_was_demoted_is_unavailable_until_there_is_a_primary_again() {
        worksAgain();
        server.admin().replicaof("127.0.0.1", 1);
        assertThat(failure(worker.publish(List.of(STEP))))
                .isInstanceOf(TransportUnavailableException.class)
                .hasMessageContaining("READONLY");
        unavailable(() -> worker.read(10, SHORT));
        server.admin().replicaofNoOne();
        worksAgain();
    }

    @Test
    void many_threads_share_one_transport() {
        List<CompletableFuture<Void>> publishers = IntStream.range(0, 8)
                .mapToObj(thread -> CompletableFuture.runAsync(() -> IntStream.range(0, 100)
                        .forEach(n -> worker.publish(List.of(new OrderStep("ORD-" + thread + "-" + n, "deposit")))
                                .toCompletableFuture()
                                .join())))
                .toList();
        Set<OrderStep> seen = new HashSet<>();
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(1)).until(() -> {
            List<Delivery> read = worker.read(50, SHORT);
            worker.ack(read);
            read.forEach(delivery -> seen.add(delivery.orderStep()));
            return seen.size() == 800;
        });
        assertThat(publishers).allMatch(publisher -> !publisher.isCompletedExceptionally());
    }

    @Test
    void a_full_server_refuses_what_is_published_and_still_delivers() {
        worker.publish(List.of(STEP)).toCompletableFuture().join();
        server.admin().configSet("maxmemory", "1");
        assertThat(failure(worker.publish(List.of(STEP))))
                .isInstanceOf(TransportUnavailableException.class)
                .hasMessageContaining("OOM");
        assertThatThrownBy(() -> worker.quarantine(DELIVERY, "cannot be read"))
                .isInstanceOf(TransportUnavailableException.class);
        server.admin().configSet("maxmemory", "0");
        worksAgain();
    }

    @Test
    void a_key_of_another_kind_in_our_place_is_told_by_name() {
        server.admin().set("chargefence:charges:{1}", "not a stream");
        assertThatThrownBy(() -> worker.read(10, SHORT))
                .isInstanceOf(TransportUnavailableException.class)
                .hasMessageContaining("WRONGTYPE");
        server.admin().del("chargefence:charges:{1}");
        worksAgain();
    }

    @Test
    void a_server_that_may_evict_our_streams_is_recognised() {
        server.admin().configSet("maxmemory-policy", "allkeys-lru");
        assertThat(worker.facts().evicting()).as("a limit may come later").isTrue();
        server.admin().configSet("maxmemory", "100mb");
        assertThat(worker.facts().evicting()).isTrue();
        server.admin().configSet("maxmemory-policy", "volatile-lru");
        assertThat(worker.facts().evicting()).as("our keys do not expire").isFalse();
    }

    @Test
    void a_user_who_may_use_our_streams_and_nothing_else_is_enough() {
        server.admin()
                .dispatch(
                        io.lettuce.core.protocol.CommandType.ACL,
                        new io.lettuce.core.output.StatusOutput<>(io.lettuce.core.codec.StringCodec.UTF8),
                        new io.lettuce.core.protocol.CommandArgs<>(io.lettuce.core.codec.StringCodec.UTF8)
                                .add("SETUSER")
                                .add("cf")
                                .add("on")
                                .add(">s3cret-word")
                                .add("~chargefence:*")
                                .add("+@stream")
                                .add("+ping"));
        worker.close();
        worker = new RedisDeliveries(
                RedisURI.builder(server.uri())
                        .withAuthentication("cf", "s3cret-word")
                        .build(),
                settings(Duration.ofSeconds(2)));
        worksAgain();
        assertThat(worker.stats().length()).isZero();
        assertThat(worker.facts()).isEqualTo(RedisFacts.UNKNOWN);
    }

    @Test
    void a_wrong_password_is_told_without_repeating_it() {
        worker.close();
        worker = new RedisDeliveries(
                RedisURI.builder(server.uri())
                        .withAuthentication("nobody", "s3cret-word")
                        .build(),
                settings(Duration.ofSeconds(2)));
        assertThatThrownBy(() -> worker.stats())
                .isInstanceOf(TransportUnavailableException.class)
                .hasMessageContaining("127.0.0.1")
                .hasMessageContaining("WRONGPASS")
                .hasMessageNotContaining("s3cret");
    }

    @Test
    void an_interrupted_read_keeps_the_interrupt_and_says_so() {
        worksAgain();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> worker.read(10, PATIENCE))
                .isInstanceOf(TransportUnavailableException.class)
                .hasMessageContaining("interrupted");
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void after_close_everything_is_unavailable() {
        worksAgain();
        worker.close();
        everythingIsUnavailable();
    }

    private void everythingIsUnavailable() {
        assertThat(failure(worker.publish(List.of(STEP)))).isInstanceOf(TransportUnavailableException.class);
        unavailable(() -> worker.read(10, SHORT));
        unavailable(() -> worker.read(1, SHORT));
        unavailable(() -> worker.takeOver(10));
        unavailable(() -> worker.ack(List.of(DELIVERY)));
        unavailable(() -> worker.quarantine(DELIVERY, "cannot be read"));
        unavailable(() -> worker.reapConsumers(Duration.ofHours(1)));
        unavailable(() -> worker.stats());
        unavailable(() -> worker.facts());
    }

    private static void unavailable(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(TransportUnavailableException.class)
                .hasMessageMatching("Redis at 127\\.0\\.0\\.1:\\d+: could not .+ \\(.+\\)\\. No charge is changed .+");
    }

    private static Throwable failure(CompletionStage<Void> stage) {
        return stage.handle((ok, failed) -> failed).toCompletableFuture().join();
    }

    /** By itself: nothing but being used again. */
    private void worksAgain() {
        Set<OrderStep> seen = new HashSet<>();
        await().atMost(PATIENCE)
                .ignoreExceptionsInstanceOf(TransportUnavailableException.class)
                .until(() -> {
                    if (!seen.contains(STEP)) {
                        worker.publish(List.of(STEP));
                    }
                    List<Delivery> read = new ArrayList<>(worker.read(10, SHORT));
                    read.addAll(worker.takeOver(10));
                    worker.ack(read);
                    read.forEach(delivery -> seen.add(delivery.orderStep()));
                    return seen.contains(STEP) && worker.stats().length() == 0;
                });
    }
}
