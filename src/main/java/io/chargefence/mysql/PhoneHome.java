package io.chargefence.mysql;

import org.axonframework.updates.configuration.CommandLineUsagePropertyProvider;
import org.axonframework.updates.configuration.EnvironmentVariableUsagePropertyProvider;

/**
 * Axon reports usage data to its maker, writes a file into the user's home and prints an advertisement into the log. Money
 * software does not, unless told to.
 */
final class PhoneHome {

    private static final String NO_ADVERTISEMENT = "disable-axoniq-console-message";

    private PhoneHome() {}

    /** To be called before anything of Axon starts. What the host said about it stands, either way. */
    static void off() {
        boolean said = System.getProperty(CommandLineUsagePropertyProvider.DISABLED_KEY) != null
                || System.getenv(EnvironmentVariableUsagePropertyProvider.DISABLED_KEY) != null;
        if (!said) {
            System.setProperty(CommandLineUsagePropertyProvider.DISABLED_KEY, "true");
        }
        if (System.getProperty(NO_ADVERTISEMENT) == null) {
            System.setProperty(NO_ADVERTISEMENT, "true");
        }
    }
}
