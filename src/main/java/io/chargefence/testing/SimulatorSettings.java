package io.chargefence.testing;

import java.nio.file.Path;
import java.time.Duration;

/**
 * How the simulated provider behaves.
 *
 * @param host to listen on; loopback unless other hosts are to reach it
 * @param port 0 takes a free one
 * @param ledger file of what it did; an existing one is gone on with
 * @param faults share of order steps, 0 to 1, to which something other than an approval happens at their first call
 * @param seed of the choice; the same seed does the same to the same order step
 * @param latency added to every call
 * @param hang how long it says nothing when it hangs
 * @param killEvery the caller is killed at most once in this time, right after a charge; zero: never
 */
public record SimulatorSettings(
        String host,
        int port,
        ProviderMode mode,
        Path ledger,
        double faults,
        long seed,
        Duration latency,
        Duration hang,
        Duration killEvery) {

    /** Keyless, without faults, on a free port. */
    public static SimulatorSettings keyless(Path ledger) {
        return new SimulatorSettings(
                "127.0.0.1",
                0,
                ProviderMode.KEYLESS,
                ledger,
                0,
                1,
                Duration.ZERO,
                Duration.ofSeconds(5),
                Duration.ZERO);
    }

    public SimulatorSettings mode(ProviderMode other) {
        return new SimulatorSettings(host, port, other, ledger, faults, seed, latency, hang, killEvery);
    }

    public SimulatorSettings hang(Duration other) {
        return new SimulatorSettings(host, port, mode, ledger, faults, seed, latency, other, killEvery);
    }
}
