package io.chargefence.mysql;

import com.fasterxml.uuid.Generators;
import io.chargefence.IdempotencyKey;
import io.chargefence.Intent;
import io.chargefence.OrderStep;
import io.chargefence.ProviderReference;
import io.chargefence.flow.ChargeLog.Entry;
import io.chargefence.saga.ChargeEvent;
import io.chargefence.saga.ChargeEvent.Acked;
import io.chargefence.saga.ChargeEvent.FenceClaimed;
import io.chargefence.saga.ChargeEvent.ProviderCalled;
import io.chargefence.saga.ChargeEvent.ReferenceStored;
import io.chargefence.saga.ChargeEvent.Via;
import io.chargefence.saga.ChargeSaga;
import io.chargefence.saga.RecordedEvent;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Entries as the flow would make them. */
final class Stories {

    static final Instant NOW = Instant.parse("2026-12-01T10:00:00.123456Z");
    static final Instant DUE = NOW.plusSeconds(35);
    static final Intent INTENT =
            new Intent(12_900, "EUR", "pm_card_ü", "acme", new TreeMap<>(Map.of("channel", "web \"quoted\" \\ 😀")));
    static final Map<String, String> METADATA = Map.of("worker", "w-1", "delivery", "7-0");

    private Stories() {}

    static OrderStep step(String orderId) {
        return new OrderStep(orderId, "deposit");
    }

    static List<OrderStep> steps(int count) {
        return IntStream.range(0, count).mapToObj(i -> step("order-" + i)).toList();
    }

    static UUID id() {
        return Generators.timeBasedEpochGenerator().generate();
    }

    static Entry claim(OrderStep orderStep) {
        return claim(orderStep, INTENT);
    }

    static Entry claim(OrderStep orderStep, Intent intent) {
        return entry(null, DUE, new FenceClaimed(orderStep, intent), called(orderStep, 1));
    }

    static ProviderCalled called(OrderStep orderStep, int call) {
        return new ProviderCalled(
                1,
                call,
                IdempotencyKey.of("test", orderStep, 1),
                "ab".repeat(32),
                NOW.plusSeconds(25),
                NOW.plus(1, ChronoUnit.DAYS));
    }

    static Entry charged(ChargeSaga before) {
        return entry(
                before,
                null,
                new ReferenceStored(new ProviderReference("ch_" + before.chargeId()), Via.ANSWER),
                new Acked("7-0"));
    }

    static Entry entry(@Nullable ChargeSaga before, @Nullable Instant dueAt, ChargeEvent... events) {
        List<RecordedEvent> recorded = new ArrayList<>();
        long sequence = before == null ? 0 : before.sequence() + 1;
        for (ChargeEvent event : events) {
            recorded.add(new RecordedEvent(id(), sequence++, NOW, event));
        }
        ChargeSaga after = before == null ? ChargeSaga.of(id(), recorded) : before;
        if (before != null) {
            for (RecordedEvent event : recorded) {
                after = after.after(event);
            }
        }
        return new Entry(before, recorded, after, dueAt, before == null, METADATA);
    }
}
