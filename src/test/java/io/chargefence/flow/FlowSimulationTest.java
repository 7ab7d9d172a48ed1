package io.chargefence.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.chargefence.flow.Simulation.Rig;
import io.chargefence.provider.ProviderTraits;
import io.chargefence.provider.ProviderTraits.KeysCover;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Thousands of lives, new ones at every run. A failure prints its seed; {@code -Dsimulation.seed=N -Dtest=FlowSimulationTest} lives
 * it again with its trace.
 */
class FlowSimulationTest {

    private static final int SEEDS = Integer.getInteger("simulation.seeds", 4_000);
    private static final ProviderTraits NEITHER = ProviderTraits.cautious();
    private static final ProviderTraits LOOK_UP = NEITHER.withLookUp(Duration.ofSeconds(3));
    private static final ProviderTraits KEYS = NEITHER.withKeys(Duration.ofDays(30), KeysCover.SERVER_ERRORS_TOO);
    private static final ProviderTraits BOTH = KEYS.withLookUp(Duration.ofSeconds(3));

    static Stream<Arguments> providers() {
        return Stream.of(
                Arguments.of("neither", NEITHER),
                Arguments.of("look-up", LOOK_UP),
                Arguments.of("keys", KEYS),
                Arguments.of("keys and look-up", BOTH));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("providers")
    void nobody_is_charged_twice_and_nobody_is_forgotten(String name, ProviderTraits traits)
            throws InterruptedException {
        Long only = Long.getLong("simulation.seed");
        long first = only != null ? only : System.nanoTime();
        int charged = 0;
        for (long seed = first; seed < first + (only != null ? 1 : SEEDS); seed++) {
            Simulation simulation = new Simulation(seed, Rig.sound(traits));
            try {
                simulation.live().checkAtRest();
            } catch (AssertionError | RuntimeException broken) {
                throw new AssertionError(
                        "seed %d, provider with %s: %s%n%s"
                                .formatted(seed, name, broken.getMessage(), only == null ? "" : simulation.trace),
                        broken);
            }
            charged += simulation.provider.ledger.size();
        }
        System.out.printf(
                "simulation: provider with %s, seeds %d to %d, %d charges%n", name, first, first + SEEDS - 1, charged);
        assertThat(charged).isGreaterThan(only != null ? -1 : SEEDS / 2);
    }

    /** The simulation would notice: each of these is broken on purpose. */
    static Stream<Arguments> broken() {
        return Stream.of(
                Arguments.of("a store without a fence", new Rig(NEITHER, false, false, true, false), "charged twice"),
                Arguments.of(
                        "a provider without keys that is taken for one with keys",
                        new Rig(KEYS, false, true, true, false),
                        "charged twice"),
                Arguments.of("no sweeper", new Rig(BOTH, true, true, false, false), "not at rest"),
                Arguments.of(
                        "an ack at the read and no sweeper", new Rig(BOTH, true, true, false, true), "not at rest"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("broken")
    void what_is_broken_on_purpose_is_found(String name, Rig rig, String symptom) throws InterruptedException {
        for (long seed = 0; seed < 4_000; seed++) {
            try {
                new Simulation(seed, rig).live().checkAtRest();
            } catch (AssertionError found) {
                if (found.getMessage().contains(symptom)) {
                    return;
                }
            } catch (IllegalStateException folded) {
                // a stream that two workers wrote: found as well, but not by its symptom
            }
        }
        throw new AssertionError(name + " was not found in 4000 lives");
    }

    @Test
    void the_same_seed_is_the_same_life() throws InterruptedException {
        List<String> first = new Simulation(42, Rig.sound(BOTH)).live().trace;
        assertThat(new Simulation(42, Rig.sound(BOTH)).live().trace).isEqualTo(first);
    }
}
