package io.chargefence.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.chargefence.IdempotencyKey;
import io.chargefence.Intent;
import io.chargefence.OrderStep;
import io.chargefence.ProviderReference;
import io.chargefence.provider.DeclineKind;
import io.chargefence.provider.NoAnswerReason;
import io.chargefence.provider.NotChargedReason;
import io.chargefence.saga.ChargeEvent;
import io.chargefence.saga.ChargeEvent.Acked;
import io.chargefence.saga.ChargeEvent.ConflictSeen;
import io.chargefence.saga.ChargeEvent.Declined;
import io.chargefence.saga.ChargeEvent.EvidenceSeen;
import io.chargefence.saga.ChargeEvent.FenceClaimed;
import io.chargefence.saga.ChargeEvent.NoAnswer;
import io.chargefence.saga.ChargeEvent.NotCharged;
import io.chargefence.saga.ChargeEvent.Parked;
import io.chargefence.saga.ChargeEvent.ParkedReason;
import io.chargefence.saga.ChargeEvent.ProviderCalled;
import io.chargefence.saga.ChargeEvent.ReferenceStored;
import io.chargefence.saga.ChargeEvent.Released;
import io.chargefence.saga.ChargeEvent.Via;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.axonframework.serialization.SerializedObject;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The events' names, revisions and fields are wire format: these files are never changed, only added to. */
class EventSerializerTest {

    private static final Path FILES = Path.of("src/test/resources/events");
    private static final Instant AT = Instant.parse("2026-12-01T10:00:00.123456Z");

    private final EventSerializer serializer = new EventSerializer();
    private final ObjectMapper json = new ObjectMapper();

    @TestFactory
    Stream<DynamicTest> every_event_is_written_and_read_as_its_golden_file_says() {
        return samples().values().stream()
                .map(event -> DynamicTest.dynamicTest(event.getClass().getSimpleName(), () -> {
                    SerializedObject<String> written = serializer.serialize(event, String.class);
                    Path file = FILES.resolve(written.getType().getName() + "-"
                            + written.getType().getRevision() + ".json");

                    assertThat(json.readTree(written.getData())).isEqualTo(json.readTree(Files.readString(file)));
                    ChargeEvent read = serializer.deserialize(written);
                    assertThat(read).isEqualTo(event);
                }));
    }

    @Test
    void every_kind_of_event_has_a_sample() {
        assertThat(samples().keySet()).containsExactlyInAnyOrder(ChargeEvent.class.getPermittedSubclasses());
    }

    private static Map<Class<?>, ChargeEvent> samples() {
        OrderStep step = new OrderStep("order-17", "capture");
        TreeMap<String, String> attributes = new TreeMap<>(Map.of("channel", "web"));
        Intent intent = new Intent(12_900, "EUR", "pm_card", "acme", attributes);
        Map<Class<?>, ChargeEvent> samples = new java.util.LinkedHashMap<>();
        Stream.of(
                        new FenceClaimed(step, intent),
                        new ProviderCalled(
                                1, 2, new IdempotencyKey("cf1-0123456789"), "ab".repeat(32), AT, AT.plusSeconds(60)),
                        new NoAnswer(NoAnswerReason.TIMED_OUT, "no answer in 20 s", false),
                        new NotCharged(NotChargedReason.THROTTLED, "429", AT),
                        new ReferenceStored(new ProviderReference("pi_1"), Via.LOOK_UP),
                        new Declined("insufficient_funds", DeclineKind.SOFT),
                        new Parked(ParkedReason.CALLS_EXHAUSTED),
                        new Released("ada", "the account was repaired", true),
                        new Acked("3/1700000000000-0"),
                        new ConflictSeen(intent),
                        new EvidenceSeen("charged as well", new ProviderReference("pi_2")))
                .forEach(event -> samples.put(event.getClass(), event));
        return samples;
    }
}
