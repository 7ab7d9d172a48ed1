package io.chargefence.demo;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Orders of one to three steps, in currencies of two, zero and three decimals. The same seed makes the same file. */
final class GeneratedOrders {

    private static final String[] STEPS = {"deposit", "balance", "shipping"};

    private GeneratedOrders() {}

    static Path write(Path file, int steps, long seed) throws IOException {
        Random random = new Random(seed);
        List<String> lines = new ArrayList<>();
        lines.add("orderId,step,amount,currency");
        for (int order = 1; lines.size() <= steps; order++) {
            int stepsOfOrder = 1 + random.nextInt(STEPS.length);
            for (int step = 0; step < stepsOfOrder && lines.size() <= steps; step++) {
                lines.add("ord-%d-%d,%s,%s".formatted(seed, order, STEPS[step], amount(random)));
            }
        }
        Files.createDirectories(file.toAbsolutePath().getParent());
        return Files.write(file, lines);
    }

    private static String amount(Random random) {
        int minor = 50 + random.nextInt(50_000);
        return switch (random.nextInt(10)) {
            case 0 -> minor + ",JPY";
            case 1 -> BigDecimal.valueOf(minor * 10L, 3) + ",KWD";
            default -> BigDecimal.valueOf(minor, 2) + ",EUR";
        };
    }
}
