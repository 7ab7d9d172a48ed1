package io.chargefence.standalone;

import io.chargefence.testing.ProviderSimulatorMain;
import org.springframework.beans.BeansException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ParseResult;

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
                .setExecutionExceptionHandler(ChargefenceMain::failed)
                .execute(arguments);
        System.exit(exitCode);
    }

    /** A sentence instead of a stack trace. A context that did not start has told its own already. */
    private static int failed(Exception cause, CommandLine command, ParseResult parsed) {
        if (!(cause instanceof BeansException)) {
            command.getErr().println(command.getColorScheme().errorText(String.valueOf(cause.getMessage())));
        }
        return cause instanceof IllegalArgumentException ? ExitCode.USAGE : ExitCode.SOFTWARE;
    }
}
