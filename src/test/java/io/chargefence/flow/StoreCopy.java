package io.chargefence.flow;

import io.chargefence.OrderStep;
import io.chargefence.flow.ChargeLog.Requested;
import io.chargefence.saga.ChargeSaga;
import io.chargefence.saga.RecordedEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/** What a lagging replica holds: the store as it was a while ago. */
final class StoreCopy {

    private final Map<OrderStep, ChargeSaga> fences;
    private final Map<OrderStep, Instant> due;
    private final Map<UUID, List<RecordedEvent>> events = new HashMap<>();
    private final Map<OrderStep, Requested> requests;
    private final Map<OrderStep, Instant> requestsDue;

    StoreCopy(MemoryStore store) {
        fences = new TreeMap<>(store.fences);
        due = new HashMap<>(store.due);
        store.events.forEach((charge, stream) -> events.put(charge, new ArrayList<>(stream)));
        requests = new TreeMap<>(store.requests);
        requestsDue = new HashMap<>(store.requestsDue);
    }

    /** An order that the copy never saw is lost with its charge request; that is the order back end's loss, not tried here. */
    boolean knows(OrderStep step) {
        return fences.containsKey(step) || requests.containsKey(step);
    }

    void restoreInto(MemoryStore store) {
        replace(store.fences, fences);
        replace(store.due, due);
        store.events.clear();
        events.forEach((charge, stream) -> store.events.put(charge, new ArrayList<>(stream)));
        replace(store.requests, requests);
        replace(store.requestsDue, requestsDue);
    }

    private static <K, V> void replace(Map<K, V> target, Map<K, V> source) {
        target.clear();
        target.putAll(source);
    }
}
