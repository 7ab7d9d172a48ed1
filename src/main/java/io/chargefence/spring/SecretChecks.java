package io.chargefence.spring;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.regex.Pattern;

/** A sample that was left in the settings, told before the first charge is refused for it. Never shows a key. */
final class SecretChecks {

    private static final Pattern SAMPLE = Pattern.compile("(?i)\\s*|secret|password|sk_(test|live)_?"
            + "|.*(sample|example|change-?me|your[-_]?(api[-_]?|secret[-_]?)?key|placeholder|xxxx|<.*>).*");

    private SecretChecks() {}

    static void check(ChargefenceProperties.Stripe stripe) {
        String key = stripe.apiKey();
        if (key == null || isLoopback(stripe.apiBase()) || !SAMPLE.matcher(key).matches()) {
            return;
        }
        throw new ChargefenceStartupException(
                "chargefence.stripe.api-key is " + (key.isBlank() ? "empty" : "a sample, not a key"),
                "with it every charge would be refused by " + stripe.apiBase().getHost(),
                "Set the account's own secret key, from the environment or a secret store. A sample is fine only where"
                        + " chargefence.stripe.api-base is this machine.");
    }

    private static boolean isLoopback(URI base) {
        String host = base.getHost();
        try {
            return host != null && InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException unknown) {
            return false;
        }
    }
}
