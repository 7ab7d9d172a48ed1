package io.chargefence.testing;

import java.util.LinkedHashMap;
import java.util.Map;

/** A payment intent of the simulated provider. */
record Payment(String id, long amount, String currency, Map<String, String> metadata, long created, boolean charged) {

    private static final String DECLINE_CODE = "insufficient_funds";

    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("id", id);
        json.put("object", "payment_intent");
        json.put("amount", amount);
        json.put("amount_received", charged ? amount : 0);
        json.put("currency", currency);
        json.put("created", created);
        json.put("metadata", metadata);
        json.put("status", charged ? "succeeded" : "requires_payment_method");
        json.put("latest_charge", charged ? "ch_" + id.substring(3) : null);
        json.put("last_payment_error", charged ? null : declineError());
        return json;
    }

    /** The answer to the call that was declined. */
    Map<String, Object> decline() {
        Map<String, Object> error = declineError();
        error.put("payment_intent", json());
        return Map.of("error", error);
    }

    static Map<String, Object> error(String type, String code, String message) {
        Map<String, Object> error = new LinkedHashMap<>();
        error.put("type", type);
        error.put("code", code);
        error.put("message", message);
        return Map.of("error", error);
    }

    private static Map<String, Object> declineError() {
        Map<String, Object> error = new LinkedHashMap<>();
        error.put("type", "card_error");
        error.put("code", "card_declined");
        error.put("decline_code", DECLINE_CODE);
        error.put("message", "Your card has insufficient funds.");
        return error;
    }
}
