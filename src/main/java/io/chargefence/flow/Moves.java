package io.chargefence.flow;

import io.chargefence.flow.ChargeLog.Entry;
import io.chargefence.flow.ChargeLog.Known;
import io.chargefence.flow.Deliveries.Delivery;
import io.chargefence.saga.ChargeEvent;
import io.chargefence.saga.ChargeSaga;
import io.chargefence.saga.Decision;
import io.chargefence.saga.RecordedEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Turns decisions into entries for the log: numbers the events, folds them, notes who and why. */
final class Moves {

    private final Supplier<UUID> ids;
    private final String workerName;

    Moves(Supplier<UUID> ids, String workerName) {
        this.ids = ids;
        this.workerName = workerName;
    }

    Move of(Fact fact, Known known, Decision decision, Instant now) {
        ChargeSaga before = known.saga();
        boolean settlesRequest = known.request() != null;
        if (decision.events().isEmpty() && decision.dueAt() == null && !settlesRequest) {
            return new Move(fact, known, decision, before, Optional.empty());
        }
        List<RecordedEvent> events = recorded(decision.events(), before, now);
        ChargeSaga after = fold(before, events);
        Entry entry =
                new Entry(before, events, after, decision.dueAt(), settlesRequest, metadata(fact.delivery(), known));
        return new Move(fact, known, decision, after, Optional.of(entry));
    }

    private List<RecordedEvent> recorded(List<ChargeEvent> events, @Nullable ChargeSaga before, Instant now) {
        List<RecordedEvent> recorded = new ArrayList<>();
        long sequence = before == null ? 0 : before.sequence() + 1;
        for (ChargeEvent event : events) {
            recorded.add(new RecordedEvent(ids.get(), sequence++, now, event));
        }
        return recorded;
    }

    private ChargeSaga fold(@Nullable ChargeSaga before, List<RecordedEvent> events) {
        if (before == null) {
            return ChargeSaga.of(ids.get(), events);
        }
        ChargeSaga saga = before;
        for (RecordedEvent event : events) {
            saga = saga.after(event);
        }
        return saga;
    }

    private Map<String, String> metadata(@Nullable Delivery delivery, Known known) {
        Map<String, String> metadata = new LinkedHashMap<>();
        metadata.put("worker", workerName);
        if (delivery != null) {
            metadata.put("delivery", delivery.id());
            metadata.put("redelivered", Boolean.toString(delivery.redelivered()));
        }
        if (known.request() != null && known.request().traceparent() != null) {
            metadata.put("traceparent", known.request().traceparent());
        }
        return metadata;
    }
}
