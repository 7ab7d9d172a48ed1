package io.chargefence.testing;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Payments retrieved by id and listed newest first, where the simulated provider can be asked at all. */
final class LookUps {

    private static final String PATH = "/v1/payment_intents";
    private static final int LIST_MAX = 100;

    private final ProviderMode mode;
    private final PaymentBook book;

    LookUps(ProviderMode mode, PaymentBook book) {
        this.mode = mode;
        this.book = book;
    }

    void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        if (mode == ProviderMode.KEYLESS) {
            Http.respond(exchange, 403, Payment.error("invalid_request_error", null, "This provider cannot be asked."));
        } else if (path.startsWith(PATH + "/")) {
            retrieve(exchange, path.substring(PATH.length() + 1));
        } else {
            list(exchange, Http.form(String.valueOf(exchange.getRequestURI().getRawQuery())));
        }
    }

    private void retrieve(HttpExchange exchange, String id) throws IOException {
        Payment payment = book.find(id);
        if (payment == null) {
            Http.respond(
                    exchange,
                    404,
                    Payment.error("invalid_request_error", "resource_missing", "No such payment_intent"));
        } else {
            Http.respond(exchange, 200, payment.json());
        }
    }

    private void list(HttpExchange exchange, Map<String, String> query) throws IOException {
        int limit = Math.min(LIST_MAX, Integer.parseInt(query.getOrDefault("limit", "10")));
        List<Payment> found = book.list(
                Long.parseLong(query.getOrDefault("created[gte]", "0")),
                Long.parseLong(query.getOrDefault("created[lte]", "" + Long.MAX_VALUE)),
                query.get("starting_after"),
                limit + 1);
        Map<String, Object> page = new LinkedHashMap<>();
        page.put("object", "list");
        page.put("url", PATH);
        page.put("has_more", found.size() > limit);
        page.put("data", found.stream().limit(limit).map(Payment::json).toList());
        Http.respond(exchange, 200, page);
    }
}
