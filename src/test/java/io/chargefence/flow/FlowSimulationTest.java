package io.chargefence.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.chargefence.evidence.Evidences;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Thousands of lives of the production classes of {@code saga} and {@code flow}, new ones at every run, until
 * {@code -Dsimulation.seeds} are lived or {@code -Dsimulation.minutes} are over. A failure prints the command that lives it
 * again with its trace.
 */
class FlowSimulationTest {

    private static final long SEEDS = Long.getLong("simulation.seeds", 20_000);
    private static final long MINUTES = Long.getLong("simulation.minutes", 5);
    private static final int SEEDS_THAT_REACH_EVERYTHING = 20_000;
    private static final int MUTANT_SEEDS = 40_000;
    private static final Map<String, Long> FOUND = new TreeMap<>();

    private final Coverage coverage = new Coverage();
    private final AtomicLong lived = new AtomicLong();
    private final AtomicLong charges = new AtomicLong();
    private final AtomicReference<AssertionError> violation = new AtomicReference<>();

    @Test
    void nobody_is_charged_twice_and_nobody_is_forgotten() {
        Long only = Long.getLong("simulation.seed");
        if (only != null) {
            liveAgain(only);
            return;
        }
        long first = System.nanoTime();
        long began = System.nanoTime();
        long until = began + Duration.ofMinutes(MINUTES).toNanos();
        LongStream.range(first, first + SEEDS)
                .parallel()
                .takeWhile(seed -> violation.get() == null && System.nanoTime() < until)
                .forEach(this::live);
        if (violation.get() != null) {
            throw violation.get();
        }
        report(first, System.nanoTime() - began);
    }

    private void live(long seed) {
        Simulation simulation = Simulation.sound(seed, coverage, false);
        try {
            simulation.live();
            lived.incrementAndGet();
            charges.addAndGet(simulation.provider.ledger.size());
        } catch (AssertionError | RuntimeException broken) {
            violation.compareAndSet(null, told(seed, simulation, broken));
        }
    }

    private static AssertionError told(long seed, Simulation simulation, Throwable broken) {
        return new AssertionError(
                "seed %d, provider %s: %s%nLive it again with its trace:%n  mvn test -Dtest=FlowSimulationTest -Dsimulation.seed=%d"
                        .formatted(seed, simulation.kind, broken.getMessage(), seed),
                broken);
    }

    /** The trace goes to the output: a failure's own message is cut by those who report it. */
    private void liveAgain(long seed) {
        Simulation simulation = Simulation.sound(seed, coverage, true);
        try {
            simulation.live();
        } catch (AssertionError | RuntimeException broken) {
            simulation.trace.forEach(System.out::println);
            throw told(seed, simulation, broken);
        }
    }

    private void report(long first, long nanos) {
        double seconds = nanos / 1e9;
        System.out.println(coverage.table());
        System.out.printf(
                "simulation: seeds %d to %d, %d lives, %d charges, %.0f lives a second, 0 violations, %d of %d pairs of fault and stage reached%n",
                first,
                first + SEEDS - 1,
                lived.get(),
                charges.get(),
                lived.get() / seconds,
                Coverage.listed() - coverage.missed().size(),
                Coverage.listed());
        Evidences.write(
                "simulation",
                Map.of(
                        "seeds",
                        lived.get(),
                        "firstSeed",
                        first,
                        "charges",
                        charges.get(),
                        "violations",
                        0,
                        "livesPerSecond",
                        Math.round(lived.get() / seconds),
                        "faults",
                        Fault.values().length,
                        "pairsListed",
                        Coverage.listed(),
                        "pairsReached",
                        Coverage.listed() - coverage.missed().size()));
        assertThat(charges.get()).isGreaterThan(lived.get());
        if (lived.get() >= SEEDS_THAT_REACH_EVERYTHING) {
            assertThat(coverage.missed())
                    .as("pairs of fault and stage that were never reached: this run says nothing of them")
                    .isEmpty();
        }
    }

    /** The simulation would notice. */
    @ParameterizedTest
    @EnumSource(value = Mutant.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void what_is_broken_on_purpose_is_found(Mutant mutant) {
        for (long seed = 0; seed < MUTANT_SEEDS; seed++) {
            try {
                Simulation.broken(seed, mutant).live();
            } catch (AssertionError found) {
                if (found.getMessage().contains(mutant.symptom)) {
                    FOUND.put(mutant.name(), seed);
                    Evidences.write("mutants", Map.of("tried", Mutant.values().length - 1, "found", FOUND));
                    return;
                }
            } catch (IllegalStateException folded) {
                // a stream that two workers wrote: found as well, but not by its symptom
            }
        }
        fail("%s (%s) was not found in %d lives", mutant, mutant.shows, MUTANT_SEEDS);
    }

    @Test
    void the_same_seed_is_the_same_life() {
        for (long seed : List.of(42L, 43L, 44L, 45L)) {
            List<String> first = Simulation.sound(seed, new Coverage(), true).live().trace;
            assertThat(Simulation.sound(seed, new Coverage(), true).live().trace)
                    .isEqualTo(first);
        }
    }

    @Test
    void a_failing_life_tells_the_command_that_lives_it_again() {
        Simulation simulation = Simulation.sound(42, new Coverage(), false);
        assertThat(told(42, simulation, new AssertionError("order-1/capture was charged twice")))
                .hasMessageContaining("order-1/capture was charged twice")
                .hasMessageContaining("mvn test -Dtest=FlowSimulationTest -Dsimulation.seed=42");
    }
}
