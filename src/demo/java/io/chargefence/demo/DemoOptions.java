package io.chargefence.demo;

import io.chargefence.testing.ProviderMode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;

/**
 * What the demo is told by system properties ({@code mvn -Pdemo -Dorders=…}).
 *
 * @param orders CSV file with a header; null: one is generated
 * @param count steps of the generated file
 * @param fence off: the naive handler that acks after the HTTP call
 * @param killEvery a worker is killed about this often, right after a charge
 * @param rate orders placed a second
 */
record DemoOptions(
        Path orders,
        int count,
        String columns,
        String currency,
        ProviderMode mode,
        double faults,
        boolean fence,
        long seed,
        Duration killEvery,
        int workers,
        int rate) {

    static DemoOptions fromSystemProperties() {
        String orders = text("orders", "");
        boolean fence = !text("fence", "on").equalsIgnoreCase("off");
        return new DemoOptions(
                orders.isEmpty() ? null : Path.of(orders),
                Integer.parseInt(text("orders.count", "400")),
                text("columns", ""),
                text("currency", ""),
                fence ? ProviderMode.valueOf(text("provider", "keyed").toUpperCase(Locale.ROOT)) : ProviderMode.KEYLESS,
                Double.parseDouble(text("faults", "0.1")),
                fence,
                Long.parseLong(text("seed", "1")),
                Duration.ofMillis(Long.parseLong(text("kill.every.ms", "3000"))),
                Integer.parseInt(text("workers", "2")),
                Integer.parseInt(text("rate", "0")));
    }

    /** Arrivals over about half a minute, faster for long files, so that there is time to kill somebody. */
    int rateFor(long steps) {
        return rate > 0 ? rate : (int) Math.max(16, Math.min(80, steps / 30));
    }

    private static String text(String name, String otherwise) {
        String value = System.getProperty("demo." + name, "");
        return value.isBlank() ? otherwise : value.strip();
    }
}
