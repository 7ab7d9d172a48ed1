package io.chargefence.standalone;

import io.chargefence.testing.ProviderSimulatorMain;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** What the runnable jar does. */
@Command(
        name = "chargefence",
        mixinStandardHelpOptions = true,
        subcommands = {WorkerCommand.class, BackendCommand.class, ProviderSimulatorMain.class},
        description = "Charges each step of an order exactly once in effect.")
public final class ChargefenceMain {

    public static void main(String[] arguments) {
        int exitCode = new CommandLine(new ChargefenceMain())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(arguments);
        System.exit(exitCode);
    }
}
