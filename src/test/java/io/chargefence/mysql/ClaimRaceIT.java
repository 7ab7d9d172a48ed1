package io.chargefence.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import io.chargefence.OrderStep;
import io.chargefence.flow.ChargeLog.Entry;
import io.chargefence.saga.ChargeSaga;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many workers, the same steps, at the same moment. */
class ClaimRaceIT {

    private static final int THREADS = 8;
    private static final int STEPS = 100;

    @ParameterizedTest
    @ValueSource(ints = {1, 10, STEPS})
    void each_step_is_claimed_exactly_once_however_the_batches_are_cut(int batch) throws Exception {
        try (Store store = Store.fresh()) {
            List<List<Entry>> won = race(() -> claimAll(store, batch));

            List<OrderStep> winners =
                    won.stream().flatMap(List::stream).map(Entry::orderStep).toList();
            assertThat(winners).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(Stories.steps(STEPS));
            won.stream()
                    .flatMap(List::stream)
                    .forEach(claim -> assertThat(store.saga(claim.orderStep())).isEqualTo(claim.after()));
            assertThat(store.count("charge_fence")).isEqualTo(STEPS);
            assertThat(store.count("charge_event")).isEqualTo(2 * STEPS);
            if (batch == 1) {
                requireNoGaps(store);
            }
        }
    }

    @Test
    void each_outcome_is_recorded_exactly_once() throws Exception {
        try (Store store = Store.fresh()) {
            store.log.append(Stories.steps(STEPS).stream().map(Stories::claim).toList());
            Map<OrderStep, ChargeSaga> doubt = store.log.load(Stories.steps(STEPS)).charges().values().stream()
                    .map(known -> known.saga())
                    .collect(Collectors.toMap(ChargeSaga::orderStep, saga -> saga));

            List<List<Entry>> won = race(() -> appendShuffled(
                    store, doubt.values().stream().map(Stories::charged).toList(), 10));

            assertThat(won.stream().flatMap(List::stream).map(Entry::orderStep))
                    .doesNotHaveDuplicates()
                    .hasSize(STEPS);
            assertThat(store.count("charge_event")).isEqualTo(4 * STEPS);
            assertThat(store.views.ledger().invariant().excess()).isZero();
        }
    }

    private static List<Entry> claimAll(Store store, int batch) {
        return appendShuffled(
                store, Stories.steps(STEPS).stream().map(Stories::claim).toList(), batch);
    }

    /** Shuffled, so that no two workers come in the same order. */
    private static List<Entry> appendShuffled(Store store, List<Entry> entries, int batch) {
        List<Entry> shuffled = new ArrayList<>(entries);
        Collections.shuffle(shuffled, new Random(System.nanoTime()));
        List<Entry> won = new ArrayList<>();
        for (int from = 0; from < shuffled.size(); from += batch) {
            List<Entry> part = shuffled.subList(from, Math.min(from + batch, shuffled.size()));
            Set<OrderStep> refused = new HashSet<>(store.log.append(part));
            part.stream().filter(entry -> !refused.contains(entry.orderStep())).forEach(won::add);
        }
        return won;
    }

    private static void requireNoGaps(Store store) {
        assertThat(store.sql.queryForObject(
                        "SELECT max(global_index) - min(global_index) + 1 FROM charge_event", Long.class))
                .isEqualTo(2L * STEPS);
    }

    private static <T> List<T> race(Callable<T> work) throws Exception {
        CyclicBarrier start = new CyclicBarrier(THREADS);
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<T>> running = IntStream.range(0, THREADS)
                    .mapToObj(i -> threads.submit(() -> {
                        start.await();
                        return work.call();
                    }))
                    .toList();
            List<T> results = new ArrayList<>();
            for (Future<T> one : running) {
                results.add(one.get());
            }
            return results;
        } finally {
            threads.shutdownNow();
        }
    }
}
