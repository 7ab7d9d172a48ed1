package io.chargefence.stripe;

import io.chargefence.IdempotencyKey;
import io.chargefence.Intent;
import io.chargefence.OrderStep;
import io.chargefence.provider.LookUp;
import io.chargefence.provider.ProviderCall;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/** A call as the flow makes it. */
final class StripeFixture {

    static final OrderStep STEP = new OrderStep("order-17", "capture");
    static final IdempotencyKey KEY = IdempotencyKey.of("default", STEP, 1);

    private StripeFixture() {}

    static StripeProvider provider(URI base) {
        return new StripeProvider(StripeSettings.of("sk_test_1").at(base));
    }

    static ProviderCall call() {
        return call(12_900, "EUR", Duration.ofSeconds(2));
    }

    static ProviderCall call(long amountMinor, String currency, Duration timeout) {
        Intent intent =
                new Intent(amountMinor, currency, "pm_card_visa", "stripe", new TreeMap<>(Map.of("channel", "web")));
        return new ProviderCall(STEP, intent, 1, 1, KEY, timeout);
    }

    static LookUp lookUp() {
        Instant now = Instant.now();
        return new LookUp(
                STEP, call().intent(), 1, KEY, now.minusSeconds(5), now.plusSeconds(5), Duration.ofSeconds(5));
    }

    static String payment(String status) {
        return payment(status, 12_900, "eur", KEY.value());
    }

    static String payment(String status, long amount, String currency, String key) {
        return """
                {"id":"pi_1","object":"payment_intent","status":"%s","amount":%d,"amount_received":%d,"currency":"%s",
                 "created":1,"metadata":{"order_id":"order-17","step":"capture","chargefence_key":"%s"}}""".formatted(status, amount, amount, currency, key);
    }

    static String error(String type, String code, String declineCode) {
        return """
                {"error":{"type":"%s","code":"%s","decline_code":%s,"message":"no: 4111111111111111"}}""".formatted(type, code, declineCode == null ? "null" : "\"" + declineCode + "\"");
    }
}
