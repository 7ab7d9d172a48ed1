package io.chargefence.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.chargefence.OrderStep;
import io.chargefence.testing.ProviderLedger.Kind;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ProviderSimulatorKillTest {

    private static final OrderStep STEP = new OrderStep("order-17", "capture");

    @TempDir
    Path folder;

    /** Calls once, and exits with 0 when it got a 200. */
    static final class Caller {
        public static void main(String[] arguments) throws Exception {
            HttpRequest request = HttpRequest.newBuilder(URI.create(arguments[0] + "/v1/payment_intents"))
                    .header("Authorization", "Bearer sk_test_1")
                    .header("Content-Type", "application/x-www-form-urlencoded")
                    .header(
                            "X-Caller-Pid",
                            Long.toString(ProcessHandle.current().pid()))
                    .POST(HttpRequest.BodyPublishers.ofString("amount=100&currency=eur&payment_method=pm_card"
                            + "&metadata[order_id]=order-17&metadata[step]=capture"))
                    .build();
            HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
            Thread.sleep(60_000); // the ack would come here
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"CHARGE_THEN_KILL_CALLER", "ANSWER_THEN_KILL_CALLER"})
    void the_caller_is_really_killed_right_after_the_money_moved(Script script) throws Exception {
        try (ProviderSimulator simulator =
                ProviderSimulator.start(SimulatorSettings.keyless(folder.resolve("ledger.jsonl")))) {
            simulator.script(STEP, script, 1);
            Process caller = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            System.getProperty("java.class.path"),
                            Caller.class.getName(),
                            simulator.baseUrl().toString())
                    .start();

            assertThat(caller.waitFor(50, TimeUnit.SECONDS)).isTrue();
            assertThat(caller.exitValue()).isEqualTo(128 + 9);
            assertThat(simulator.charges(STEP)).isEqualTo(1);
            assertThat(simulator.ledger())
                    .filteredOn(entry -> entry.kind() == Kind.KILL)
                    .hasSize(1);
        }
    }

    @Test
    void a_torn_last_line_of_the_ledger_is_left_out() throws Exception {
        Path file = folder.resolve("ledger.jsonl");
        try (ProviderLedger ledger = new ProviderLedger(file)) {
            ledger.append(new ProviderLedger.Entry(Kind.CHARGE, "pi_1", "o", "s", 1, "eur", "k", 1));
        }
        Files.writeString(file, Files.readString(file) + "{\"kind\":\"CHA");

        assertThat(ProviderLedger.read(file)).hasSize(1);
    }
}
