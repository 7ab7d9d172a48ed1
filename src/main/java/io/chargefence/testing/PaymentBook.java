package io.chargefence.testing;

import io.chargefence.testing.ProviderLedger.Entry;
import io.chargefence.testing.ProviderLedger.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What the simulated provider remembers: payments, and answers under keys. All of it comes back from the ledger. */
final class PaymentBook {

    private final ProviderMode mode;
    private final ProviderLedger ledger;
    private final List<Payment> payments = new ArrayList<>();
    private final Map<String, Payment> byId = new HashMap<>();
    private final Map<String, Stored> byKey = new HashMap<>();

    /**
     * An answer under a key.
     *
     * @param answer null while the first request is in flight
     */
    record Stored(String parameters, @Nullable Answer answer) {}

    /** A status and a body. */
    record Answer(int status, Map<String, Object> body) {}

    PaymentBook(ProviderMode mode, ProviderLedger ledger, List<Entry> before) {
        this.mode = mode;
        this.ledger = ledger;
        before.stream().filter(entry -> entry.kind() != Kind.KILL).forEach(this::remember);
    }

    private void remember(Entry entry) {
        Map<String, String> metadata =
                Map.of("order_id", entry.orderId(), "step", entry.step(), "chargefence_key", entry.key());
        boolean charged = entry.kind() == Kind.CHARGE;
        Payment payment = new Payment(entry.id(), entry.amount(), entry.currency(), metadata, entry.created(), charged);
        keep(payment);
        Answer answer = charged ? new Answer(200, payment.json()) : new Answer(402, payment.decline());
        byKey.put(entry.key(), new Stored("", answer));
    }

    /** What is stored under the key, or null after marking it as in flight. Without keys: always null. */
    synchronized @Nullable Stored begin(@Nullable String key, String parameters) {
        if (mode != ProviderMode.KEYED || key == null) {
            return null;
        }
        Stored stored = byKey.get(key);
        if (stored == null) {
            byKey.put(key, new Stored(parameters, null));
        }
        return stored;
    }

    /** @param answer null when the request was not executed, so that the key is free again */
    synchronized void end(@Nullable String key, String parameters, @Nullable Answer answer) {
        if (mode != ProviderMode.KEYED || key == null) {
            return;
        }
        if (answer == null) {
            byKey.remove(key);
        } else {
            byKey.put(key, new Stored(parameters, answer));
        }
    }

    /** Moves the money, or refuses to; in the ledger before anybody hears of it. */
    Payment execute(PaymentRequest request, boolean charges) {
        String id = "pi_" + UUID.randomUUID().toString().replace("-", "");
        long created = System.currentTimeMillis() / 1000;
        Payment payment = new Payment(id, request.amount(), request.currency(), request.metadata(), created, charges);
        ledger.append(new Entry(
                charges ? Kind.CHARGE : Kind.DECLINE,
                id,
                request.orderStep().orderId(),
                request.orderStep().step(),
                request.amount(),
                request.currency(),
                request.key() == null ? "" : request.key(),
                created));
        keep(payment);
        return payment;
    }

    synchronized @Nullable Payment find(String id) {
        return byId.get(id);
    }

    /** Newest first. */
    synchronized List<Payment> list(long createdFrom, long createdTo, @Nullable String startingAfter, int limit) {
        List<Payment> page = new ArrayList<>();
        boolean begun = startingAfter == null;
        for (int n = payments.size() - 1; n >= 0 && page.size() < limit; n--) {
            Payment payment = payments.get(n);
            if (begun && payment.created() >= createdFrom && payment.created() <= createdTo) {
                page.add(payment);
            }
            begun = begun || payment.id().equals(startingAfter);
        }
        return page;
    }

    private synchronized void keep(Payment payment) {
        payments.add(payment);
        byId.put(payment.id(), payment);
    }
}
