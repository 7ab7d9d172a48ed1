package io.chargefence.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.chargefence.OrderStep;
import io.chargefence.embedded.EmbeddedMariaDb;
import io.chargefence.flow.ChargeLog.Entry;
import io.chargefence.flow.StoreUnavailableException;
import io.chargefence.saga.ChargeSaga;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** SIGKILL in the middle of load, again and again: whatever append said is true afterwards. */
class KilledServerIT {

    private static final int WORKERS = 4;
    private static final int KILLS = 4;
    private static final int BATCH = 5;

    private final Map<OrderStep, ChargeSaga> recorded = new ConcurrentHashMap<>();
    private final Set<OrderStep> notRecorded = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean working = new AtomicBoolean(true);
    private final AtomicInteger numbers = new AtomicInteger();

    @Test
    void what_append_said_is_true_after_every_kill() throws Exception {
        try (EmbeddedMariaDb server = EmbeddedMariaDb.start();
                Store store = Store.on(pool(server))) {
            List<CompletableFuture<Void>> workers = IntStream.range(0, WORKERS)
                    .mapToObj(i -> CompletableFuture.runAsync(() -> work(store)))
                    .toList();
            for (int i = 0; i < KILLS; i++) {
                int before = recorded.size();
                await().atMost(Duration.ofSeconds(60)).until(() -> recorded.size() > before + 50);
                server.kill();
                server.restart();
            }
            working.set(false);
            for (CompletableFuture<Void> worker : workers) {
                worker.get();
            }
            requireTruth(store);
        }
    }

    private void work(Store store) {
        while (working.get()) {
            List<Entry> claims = IntStream.range(0, BATCH)
                    .mapToObj(i -> Stories.claim(Stories.step("order-" + numbers.incrementAndGet())))
                    .toList();
            try {
                Set<OrderStep> refused = store.log.append(claims);
                assertThat(refused).as("nobody else wants these").isEmpty();
                claims.forEach(claim -> recorded.put(claim.orderStep(), claim.after()));
            } catch (StoreUnavailableException away) {
                claims.forEach(claim -> notRecorded.add(claim.orderStep()));
            }
        }
    }

    private void requireTruth(Store store) {
        assertThat(store.log.load(notRecorded).charges()).isEmpty();
        assertThat(store.count("charge_fence")).isEqualTo(recorded.size());
        assertThat(store.count("charge_event")).isEqualTo(2L * recorded.size());
        recorded.forEach((orderStep, saga) -> assertThat(store.saga(orderStep)).isEqualTo(saga));
    }

    private static HikariDataSource pool(EmbeddedMariaDb server) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(server.jdbcUrl("kill"));
        pool.setUsername(server.username());
        pool.setPassword(server.password());
        pool.setConnectionTimeout(500);
        return pool;
    }
}
