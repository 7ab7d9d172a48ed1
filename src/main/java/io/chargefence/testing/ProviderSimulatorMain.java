package io.chargefence.testing;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The provider simulator as a process of its own. */
@Command(
        name = "simulator",
        mixinStandardHelpOptions = true,
        description = "A payment provider to try Chargefence against, with a ledger of its own.")
public final class ProviderSimulatorMain implements Callable<Integer> {

    @Option(names = "--host", defaultValue = "127.0.0.1", description = "to listen on (default: ${DEFAULT-VALUE})")
    String host;

    @Option(names = "--port", defaultValue = "12111", description = "0 takes a free one (default: ${DEFAULT-VALUE})")
    int port;

    @Option(
            names = "--mode",
            defaultValue = "KEYLESS",
            description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
    ProviderMode mode;

    @Option(names = "--ledger", required = true, description = "file of what it did; an existing one is gone on with")
    Path ledger;

    @Option(
            names = "--faults",
            defaultValue = "0",
            description = "share of order steps that do not simply succeed, 0 to 1")
    double faults;

    @Option(names = "--seed", defaultValue = "1", description = "of the choice of faults")
    long seed;

    @Option(names = "--latency-ms", defaultValue = "0", description = "added to every call")
    long latencyMs;

    @Option(names = "--hang-ms", defaultValue = "5000", description = "how long it says nothing when it hangs")
    long hangMs;

    @Option(names = "--kill-every-ms", defaultValue = "0", description = "kill a caller right after a charge; 0: never")
    long killEveryMs;

    @Option(names = "--parent-pid", description = "exit when this process is gone")
    Long parentPid;

    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    /** Modes may be written in any case. */
    static CommandLine commandLine() {
        return new CommandLine(new ProviderSimulatorMain()).setCaseInsensitiveEnumValuesAllowed(true);
    }

    @Override
    public Integer call() throws Exception {
        SimulatorSettings settings = new SimulatorSettings(
                host,
                port,
                mode,
                ledger,
                faults,
                seed,
                Duration.ofMillis(latencyMs),
                Duration.ofMillis(hangMs),
                Duration.ofMillis(killEveryMs));
        try (ProviderSimulator simulator = ProviderSimulator.start(settings)) {
            System.out.printf("provider simulator on %s mode=%s ledger=%s%n", simulator.baseUrl(), mode, ledger);
            waitForTheEnd();
        }
        return 0;
    }

    private void waitForTheEnd() throws Exception {
        Optional<ProcessHandle> parent = parentPid == null ? Optional.empty() : ProcessHandle.of(parentPid);
        if (parent.isPresent()) {
            parent.get().onExit().get();
        } else {
            Thread.currentThread().join();
        }
    }
}
