package io.chargefence.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.chargefence.ChargefenceException;
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
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.axonframework.messaging.MetaData;
import org.axonframework.serialization.SerializationException;
import org.axonframework.serialization.SerializedObject;
import org.axonframework.serialization.SimpleSerializedObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The files under {@code events/} are what logs out there hold. A change that makes one of these fail needs a new revision of
 * the event and an upcaster, never a new file in the old one's place.
 */
class EventCodecTest {

    private static final Instant AT = Instant.parse("2026-12-01T10:00:00.123456Z");
    private static final Intent INTENT =
            new Intent(12_900, "EUR", "pm_card_visa", "acme", new TreeMap<>(Map.of("channel", "web", "note", "ü 😀")));

    private final EventCodec codec = EventCodec.create();

    static List<ChargeEvent> events() {
        return List.of(
                new FenceClaimed(new OrderStep("ÖRD-1", "deposit"), INTENT),
                new ProviderCalled(
                        1, 2, new IdempotencyKey("cf1-0123456789"), "ab".repeat(32), AT, AT.plusSeconds(86_400)),
                new NoAnswer(NoAnswerReason.TIMED_OUT, "nothing within 20 s", false),
                new NotCharged(NotChargedReason.THROTTLED, "429", AT),
                new ReferenceStored(new ProviderReference("ch_1"), Via.LOOK_UP),
                new Declined("insufficient_funds", DeclineKind.SOFT),
                new Parked(ParkedReason.CANNOT_TELL),
                new Released("jane", "asked the provider", true),
                new Acked("1764583200000-0"),
                new ConflictSeen(INTENT),
                new EvidenceSeen("charged again", new ProviderReference("ch_2")));
    }

    static Stream<ChargeEvent> eventsWithNothingOptional() {
        return Stream.of(
                new ProviderCalled(1, 1, new IdempotencyKey("cf1-0123456789"), "ab", AT, null),
                new NotCharged(NotChargedReason.REFUSED, "", null),
                new Acked(null),
                new EvidenceSeen("declined", null),
                new ConflictSeen(new Intent(1, "JPY", "t", "a", new TreeMap<>())));
    }

    @ParameterizedTest
    @MethodSource("events")
    void an_event_looks_as_its_golden_file_says(ChargeEvent event) throws IOException {
        SerializedObject<String> written = codec.serialize(event, String.class);

        assertThat(written.getType().getName()).isEqualTo(event.getClass().getSimpleName());
        assertThat(written.getType().getRevision()).isEqualTo("1");
        ObjectMapper plain = new ObjectMapper();
        assertThat(plain.readTree(written.getData())).isEqualTo(plain.readTree(golden(event)));
    }

    @ParameterizedTest
    @MethodSource("events")
    void a_golden_file_is_read_as_its_event(ChargeEvent event) throws IOException {
        assertThat(read(golden(event), event.getClass().getSimpleName(), "1")).isEqualTo(event);
    }

    @ParameterizedTest
    @MethodSource("eventsWithNothingOptional")
    void what_is_optional_may_be_missing(ChargeEvent event) {
        SerializedObject<String> written = codec.serialize(event, String.class);
        assertThat(codec.<String, Object>deserialize(written)).isEqualTo(event);
    }

    @Test
    void every_event_there_is_has_a_name_and_a_golden_file() {
        List<Class<?>> all = Arrays.asList(ChargeEvent.class.getPermittedSubclasses());
        assertThat(events().stream().<Class<?>>map(ChargeEvent::getClass)).containsExactlyInAnyOrderElementsOf(all);
        assertThat(Arrays.stream(EventType.values()).<Class<?>>map(EventType::javaClass))
                .containsExactlyInAnyOrderElementsOf(all);
    }

    @ParameterizedTest
    @CsvSource({
        "RefundAsked,1",
        "FenceClaimed,2",
        "io.chargefence.saga.ChargeEvent$Acked,1",
        "java.util.HashMap,",
        "Acked,"
    })
    void an_unknown_name_or_revision_stops_the_reading(String name, String revision) {
        assertThatThrownBy(() -> read("{\"delivery\":null}", name, revision))
                .isInstanceOf(ChargefenceException.class)
                .hasMessageContaining(name)
                .hasMessageContaining("newer version");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"reason\":\"CANNOT_TELL\",\"more\":1}",
                "{\"reason\":\"NO_SUCH_REASON\"}",
                "{\"reason\":0}",
                "[\"io.chargefence.saga.ChargeEvent$Parked\",{\"reason\":\"CANNOT_TELL\"}]",
                "{\"@class\":\"java.util.HashMap\",\"reason\":\"CANNOT_TELL\"}",
                "{\"reason\":\"CANNOT_TELL\"} {}",
                "not json"
            })
    void json_that_is_not_exactly_the_event_stops_the_reading(String json) {
        assertThatThrownBy(() -> read(json, "Parked", "1")).isInstanceOf(SerializationException.class);
    }

    @Test
    void a_number_that_is_missing_is_not_taken_for_zero() {
        assertThatThrownBy(() -> read(
                        "{\"attempt\":1,\"idempotencyKey\":\"cf1-0123456789\",\"requestHash\":\"ab\","
                                + "\"deadline\":\"2026-12-01T10:00:00Z\",\"resendSafeUntil\":null}",
                        "ProviderCalled",
                        "1"))
                .isInstanceOf(SerializationException.class);
    }

    @Test
    void metadata_is_a_plain_object_of_texts() {
        MetaData metadata = MetaData.from(Map.of("worker", "w-1"));
        SerializedObject<String> written = codec.serialize(metadata, String.class);
        assertThat(written.getData()).isEqualTo("{\"worker\":\"w-1\"}");
        assertThat(codec.<String, Object>deserialize(written)).isEqualTo(metadata);
    }

    private Object read(String json, String name, String revision) {
        return codec.deserialize(new SimpleSerializedObject<>(json, String.class, name, revision));
    }

    private static String golden(ChargeEvent event) throws IOException {
        String file = "/events/" + event.getClass().getSimpleName() + "-1.json";
        try (InputStream in = EventCodecTest.class.getResourceAsStream(file)) {
            assertThat(in).as(file).isNotNull();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
