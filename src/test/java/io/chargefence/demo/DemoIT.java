package io.chargefence.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.chargefence.testing.ProviderMode;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Small demos, with real workers that are really killed. */
class DemoIT {

    @TempDir
    Path home;

    @ParameterizedTest
    @EnumSource(names = {"KEYLESS", "LOOKUP"})
    void workers_that_are_killed_right_after_a_charge_charge_nobody_twice(ProviderMode mode) throws Exception {
        String told = run(options(mode, true, 120), 0);

        assertThat(told)
                .containsPattern("steps 120 · charged \\d+ · declined \\d+ · parked \\d+ · refused 0 · kills [1-9]");
        assertThat(told).containsPattern("charged twice 0 · lost 0 · unrecorded 0\\s*$");
    }

    @Test
    void without_a_fence_the_same_kills_charge_somebody_twice() throws Exception {
        assertThat(run(options(ProviderMode.KEYLESS, false, 120), 0)).containsPattern("charged twice [1-9]\\d*\\s*$");
    }

    private String run(DemoOptions options, int exitCode) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int exit = new Demo(options, new PrintStream(out, true, StandardCharsets.UTF_8)).run(home);
        String told = out.toString(StandardCharsets.UTF_8);
        assertThat(exit).as(told).isEqualTo(exitCode);
        return told;
    }

    private static DemoOptions options(ProviderMode mode, boolean fence, int steps) {
        return new DemoOptions(null, steps, "", "", mode, 0.1, fence, 5, Duration.ofSeconds(2), 2, 12);
    }
}
