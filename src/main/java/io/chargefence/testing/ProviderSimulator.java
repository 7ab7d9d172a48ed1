package io.chargefence.testing;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.chargefence.OrderStep;
import io.chargefence.testing.PaymentBook.Answer;
import io.chargefence.testing.PaymentBook.Stored;
import io.chargefence.testing.ProviderLedger.Entry;
import io.chargefence.testing.ProviderLedger.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A payment provider on loopback that speaks the part of Stripe's PaymentIntents API that the Stripe adapter uses. It keeps its
 * own ledger on disk and takes scripts: decline, charge and fail in every way, kill the process that called.
 *
 * <p>Its admin interface: {@code POST /_simulator/scripts} (order_id, step, script, times), {@code POST /_simulator/kills}
 * (every_ms), {@code GET /_simulator/stats}.
 */
public final class ProviderSimulator implements AutoCloseable {

    /** Request header in which a caller may give its process id, to be killed by. */
    public static final String CALLER_PID = "X-Caller-Pid";

    private final SimulatorSettings settings;
    private final ProviderLedger ledger;
    private final PaymentBook book;
    private final LookUps lists;
    private final Scripts scripts;
    private final HttpServer server;
    private final ExecutorService threads;
    private final AtomicLong calls = new AtomicLong();
    private final AtomicLong lookUps = new AtomicLong();

    private ProviderSimulator(SimulatorSettings settings) throws IOException {
        this.settings = settings;
        List<Entry> before = ProviderLedger.read(settings.ledger());
        ledger = new ProviderLedger(settings.ledger());
        book = new PaymentBook(settings.mode(), ledger, before);
        lists = new LookUps(settings.mode(), book);
        scripts = new Scripts(settings);
        threads = Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "provider-simulator");
            thread.setDaemon(true);
            return thread;
        });
        server = HttpServer.create(new InetSocketAddress(settings.host(), settings.port()), 512);
        server.setExecutor(threads);
        server.createContext("/v1/payment_intents", this::payments);
        server.createContext("/_simulator", this::admin);
    }

    public static ProviderSimulator start(SimulatorSettings settings) {
        try {
            ProviderSimulator simulator = new ProviderSimulator(settings);
            simulator.server.start();
            return simulator;
        } catch (IOException failed) {
            throw new UncheckedIOException("the provider simulator could not be started", failed);
        }
    }

    public URI baseUrl() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** The next {@code times} calls of this step do this; after that they are approved. */
    public void script(OrderStep orderStep, Script script, int times) {
        scripts.tell(orderStep, script, times);
    }

    /** Requests to charge that came in, replays included. */
    public long calls() {
        return calls.get();
    }

    public long lookUps() {
        return lookUps.get();
    }

    public List<Entry> ledger() {
        return ProviderLedger.read(settings.ledger());
    }

    /** How often this order step was charged. */
    public long charges(OrderStep orderStep) {
        return ledger().stream()
                .filter(entry ->
                        entry.kind() == Kind.CHARGE && entry.orderStep().equals(orderStep))
                .count();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
        try {
            ledger.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private void payments(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            String bearer = exchange.getRequestHeaders().getFirst("Authorization");
            if (bearer == null || !bearer.startsWith("Bearer ") || bearer.length() < 8) {
                Http.respond(
                        exchange,
                        401,
                        Payment.error("invalid_request_error", "api_key_missing", "No API key provided."));
            } else if (exchange.getRequestMethod().equals("POST")) {
                create(exchange, Http.form(new String(body, StandardCharsets.UTF_8)));
            } else {
                lookUps.incrementAndGet();
                sleep(settings.latency());
                lists.answer(exchange);
            }
        }
    }

    private void create(HttpExchange exchange, Map<String, String> form) throws IOException {
        calls.incrementAndGet();
        PaymentRequest request;
        try {
            request = PaymentRequest.of(form, exchange.getRequestHeaders().getFirst("Idempotency-Key"));
        } catch (RuntimeException odd) {
            Http.respond(
                    exchange,
                    400,
                    Payment.error("invalid_request_error", "parameter_invalid_integer", odd.getMessage()));
            return;
        }
        Stored stored = book.begin(request.key(), request.parameters());
        if (stored == null) {
            execute(exchange, request);
        } else {
            replay(exchange, request, stored);
        }
    }

    private void replay(HttpExchange exchange, PaymentRequest request, Stored stored) throws IOException {
        if (stored.answer() == null) {
            Http.respond(
                    exchange,
                    409,
                    Payment.error(
                            "idempotency_error",
                            "idempotency_key_in_use",
                            "The first request with this key is in progress."));
        } else if (!stored.parameters().isEmpty() && !stored.parameters().equals(request.parameters())) {
            Http.respond(
                    exchange,
                    400,
                    Payment.error(
                            "idempotency_error",
                            null,
                            "Keys can only be used with the same parameters they were first used with."));
        } else {
            exchange.getResponseHeaders().set("Idempotent-Replayed", "true");
            Http.respond(exchange, stored.answer().status(), stored.answer().body());
        }
    }

    private void execute(HttpExchange exchange, PaymentRequest request) throws IOException {
        String pid = exchange.getRequestHeaders().getFirst(CALLER_PID);
        Script script = scripts.next(request.orderStep(), request.source(), pid != null);
        if (script == Script.KILL_CALLER_THEN_CHARGE) {
            kill(pid, request.orderStep());
        }
        sleep(script == Script.SLOW ? settings.hang() : settings.latency());
        Answer answer = answer(request, script);
        if (script == Script.HANG) {
            sleep(settings.hang());
        }
        book.end(request.key(), request.parameters(), script.executes() ? answer : null);
        switch (script) {
            case CHARGE_THEN_DROP,
                    HANG,
                    KILL_CALLER_THEN_CHARGE -> {} // closing the exchange without an answer drops the connection
            case CHARGE_THEN_HANG -> sleep(settings.hang());
            case CHARGE_THEN_KILL_CALLER -> kill(pid, request.orderStep());
            case ANSWER_THEN_KILL_CALLER -> {
                Http.respond(exchange, answer.status(), answer.body());
                kill(pid, request.orderStep());
            }
            case APPROVE, DECLINE, CHARGE_THEN_500, THROTTLE, FAIL_500, SLOW ->
                Http.respond(exchange, answer.status(), answer.body());
        }
    }

    private Answer answer(PaymentRequest request, Script script) {
        if (script.charges()) {
            Payment payment = book.execute(request, true);
            return script == Script.CHARGE_THEN_500 ? serverError() : new Answer(200, payment.json());
        }
        return switch (script) {
            case DECLINE -> new Answer(402, book.execute(request, false).decline());
            case THROTTLE ->
                new Answer(429, Payment.error("invalid_request_error", "rate_limit", "Too many requests."));
            default -> serverError();
        };
    }

    private static Answer serverError() {
        return new Answer(500, Payment.error("api_error", null, "An unknown error occurred."));
    }

    private void admin(HttpExchange exchange) throws IOException {
        try (exchange) {
            Map<String, String> form =
                    Http.form(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            switch (exchange.getRequestURI().getPath()) {
                case "/_simulator/scripts" ->
                    script(
                            new OrderStep(form.get("order_id"), form.get("step")),
                            Script.valueOf(form.get("script")),
                            Integer.parseInt(form.getOrDefault("times", "1")));
                case "/_simulator/kills" ->
                    scripts.killEvery(Duration.ofMillis(Long.parseLong(form.get("every_ms")))
                            .toNanos());
                default -> {}
            }
            Http.respond(exchange, 200, stats());
        }
    }

    private Map<String, Object> stats() {
        Map<Kind, Long> kinds = ledger().stream().collect(Collectors.groupingBy(Entry::kind, Collectors.counting()));
        Map<String, Object> stats = new LinkedHashMap<>();
        stats.put("calls", calls.get());
        stats.put("lookUps", lookUps.get());
        stats.put("charges", kinds.getOrDefault(Kind.CHARGE, 0L));
        stats.put("declines", kinds.getOrDefault(Kind.DECLINE, 0L));
        stats.put("kills", kinds.getOrDefault(Kind.KILL, 0L));
        return stats;
    }

    /** SIGKILL, noted in the ledger first, with the step whose call it ended. */
    private void kill(@Nullable String pid, OrderStep called) {
        if (pid != null) {
            ledger.append(new Entry(
                    Kind.KILL, pid, called.orderId(), called.step(), 0, "", "", System.currentTimeMillis() / 1000));
            ProcessHandle.of(Long.parseLong(pid)).ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    private static void sleep(Duration time) {
        try {
            TimeUnit.NANOSECONDS.sleep(time.toNanos());
        } catch (InterruptedException stopNow) {
            Thread.currentThread().interrupt();
        }
    }
}
