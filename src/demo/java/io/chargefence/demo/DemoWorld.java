package io.chargefence.demo;

import io.chargefence.embedded.EmbeddedMariaDb;
import io.chargefence.embedded.EmbeddedRedis;
import io.chargefence.standalone.ChargefenceMain;
import io.chargefence.testing.ProviderLedger;
import io.chargefence.testing.ProviderSimulatorMain;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Everything the demo starts: database, Redis, the provider and the workers, each a process of its own. */
final class DemoWorld implements AutoCloseable {

    private final DemoOptions options;
    private final Path home;
    private final EmbeddedMariaDb mariaDb;
    private final EmbeddedRedis redis;
    private final ChildProcess provider;
    private final URI providerUrl;
    private final List<ChildProcess> workers = new ArrayList<>();

    DemoWorld(DemoOptions options, Path home) throws IOException, InterruptedException {
        this.options = options;
        this.home = home;
        Files.createDirectories(home);
        Files.deleteIfExists(ledger());
        Files.deleteIfExists(home.resolve("provider.log"));
        mariaDb = EmbeddedMariaDb.start();
        redis = EmbeddedRedis.start();
        provider = new ChildProcess(
                        "provider", home.resolve("provider.log"), ProviderSimulatorMain.class, providerArguments())
                .start();
        providerUrl = awaitProvider();
    }

    private List<String> providerArguments() {
        return List.of(
                "--port=0",
                "--mode=" + options.mode(),
                "--ledger=" + ledger(),
                "--faults=" + options.faults(),
                "--seed=" + options.seed(),
                "--latency-ms=60",
                "--hang-ms=2600",
                "--kill-every-ms=" + options.killEvery().toMillis(),
                "--parent-pid=" + ProcessHandle.current().pid());
    }

    /** The line that the provider prints when it is up tells its address. */
    private URI awaitProvider() throws IOException, InterruptedException {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
        while (System.nanoTime() < until && provider.isAlive()) {
            for (String line : Files.readAllLines(home.resolve("provider.log"))) {
                if (line.contains(" on http://")) {
                    return URI.create(line.replaceAll(".* on (http://\\S+) .*", "$1"));
                }
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
        throw new IOException("the provider simulator did not start; see " + home.resolve("provider.log"));
    }

    void startWorkers() {
        for (int n = 1; n <= options.workers(); n++) {
            Path log = home.resolve("worker-" + n + ".log");
            workers.add(new ChildProcess("worker-" + n, log, DemoWorker.class, workerArguments()).start());
        }
    }

    private List<String> workerArguments() {
        List<String> arguments = new ArrayList<>(
                List.of("worker", "--parent-pid=" + ProcessHandle.current().pid()));
        settings().forEach((name, value) -> arguments.add("--" + name + "=" + value));
        return arguments;
    }

    void startNaiveWorkers() {
        for (int n = 1; n <= options.workers(); n++) {
            Path log = home.resolve("naive-worker-" + n + ".log");
            workers.add(new ChildProcess(
                            "naive-worker-" + n,
                            log,
                            NaiveWorker.class,
                            List.of(redis.uri(), providerUrl.toString(), "worker-" + n))
                    .start());
        }
    }

    void keepWorkersAlive() {
        workers.forEach(ChildProcess::keepAlive);
    }

    /** Short limits, so that a kill is got over in seconds; their proportions are those of the defaults. */
    Map<String, Object> settings() {
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put("spring.datasource.url", mariaDb.jdbcUrl("chargefence"));
        settings.put("spring.datasource.username", mariaDb.username());
        settings.put("spring.datasource.password", mariaDb.password());
        settings.put("chargefence.transport.redis-uri", redis.uri());
        settings.put("chargefence.transport.reservation", "6s");
        settings.put("chargefence.transport.block", "200ms");
        settings.put("chargefence.outbox.publish-grace", "3s");
        settings.put("chargefence.outbox.sweep-interval", "200ms");
        settings.put("chargefence.worker.concurrency", "16");
        settings.put("chargefence.worker.call-timeout", "2s");
        settings.put("chargefence.worker.start-within", "1s");
        settings.put("chargefence.worker.margin", "1s");
        settings.put("chargefence.retry.backoff", "300ms");
        settings.put("chargefence.retry.max-backoff", "3s");
        settings.put("chargefence.in-doubt.look-up-delays", "500ms,1s,2s");
        settings.put("chargefence.circuit.enabled", "false");
        settings.put("chargefence.stripe.api-key", "sk_test_simulator");
        settings.put("chargefence.stripe.api-base", providerUrl);
        settings.put("chargefence.stripe.look-up-lag", "500ms");
        settings.put("chargefence.stripe.clock-skew", "2s");
        settings.put("chargefence.stripe.keys", options.mode() == io.chargefence.testing.ProviderMode.KEYED);
        settings.put("chargefence.stripe.look-up", options.mode() != io.chargefence.testing.ProviderMode.KEYLESS);
        return settings;
    }

    /** Without a fence the last open order would be charged and its worker killed for ever. */
    void stopKills() {
        HttpRequest stop = HttpRequest.newBuilder(providerUrl.resolve("/_simulator/kills"))
                .POST(HttpRequest.BodyPublishers.ofString("every_ms=0"))
                .build();
        try {
            HttpClient.newHttpClient().send(stop, HttpResponse.BodyHandlers.discarding());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException stopNow) {
            Thread.currentThread().interrupt();
        }
    }

    String redisUri() {
        return redis.uri();
    }

    Path ledger() {
        return home.resolve("ledger.jsonl").toAbsolutePath();
    }

    List<ProviderLedger.Entry> readLedger() {
        return ProviderLedger.read(ledger());
    }

    Path home() {
        return home;
    }

    @Override
    public void close() {
        workers.forEach(ChildProcess::close);
        provider.close();
        redis.close();
        mariaDb.close();
    }

    /** The standalone worker, and its own process id in every request, so that the provider can kill it. */
    static final class DemoWorker {

        private DemoWorker() {}

        public static void main(String[] arguments) {
            List<String> all = new ArrayList<>(List.of(arguments));
            all.add("--chargefence.stripe.headers.X-Caller-Pid="
                    + ProcessHandle.current().pid());
            ChargefenceMain.main(all.toArray(String[]::new));
        }
    }
}
