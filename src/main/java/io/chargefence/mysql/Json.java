package io.chargefence.mysql;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.deser.std.FromStringDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import io.chargefence.ChargefenceException;
import io.chargefence.IdempotencyKey;
import io.chargefence.Intent;
import io.chargefence.ProviderReference;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How our values look as JSON: in events, and in the JSON columns. Strict both ways, since what is read wrongly is charged
 * wrongly: nothing unknown, nothing missing, no class names in the data.
 */
final class Json {

    private static final TypeReference<TreeMap<String, String>> TEXTS = new TypeReference<>() {};
    private static final ObjectMapper MAPPER = newMapper();

    private Json() {}

    /** Ours alone: a host's own settings for its JSON must not change the log. */
    static ObjectMapper newMapper() {
        return JsonMapper.builder()
                .addModule(new JavaTimeModule())
                .addModule(values())
                .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
                .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
                .enable(DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .build();
    }

    static String of(Intent intent) {
        return write(intent);
    }

    static String of(Map<String, String> texts) {
        return write(texts);
    }

    /** @throws ChargefenceException when it is no intent */
    static Intent intent(String json) {
        try {
            return MAPPER.readValue(json, Intent.class);
        } catch (JsonProcessingException unreadable) {
            throw unreadable("an intent", unreadable);
        }
    }

    /** @throws ChargefenceException when it is no object of texts */
    static SortedMap<String, String> texts(@Nullable String json) {
        if (json == null) {
            return new TreeMap<>();
        }
        try {
            SortedMap<String, String> texts = MAPPER.readValue(json, TEXTS);
            return texts == null ? new TreeMap<>() : texts;
        } catch (JsonProcessingException unreadable) {
            throw unreadable("an object of texts", unreadable);
        }
    }

    private static String write(Object value) {
        try {
            return MAPPER.writeValueAsString(value);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Without the cause's text, which may quote the value. */
    private static ChargefenceException unreadable(String what, JsonProcessingException cause) {
        return new ChargefenceException(
                "not %s: %s at %s".formatted(what, cause.getClass().getSimpleName(), cause.getLocation()));
    }

    private static SimpleModule values() {
        return new SimpleModule("chargefence")
                .addSerializer(IdempotencyKey.class, ToStringSerializer.instance)
                .addDeserializer(IdempotencyKey.class, text(IdempotencyKey.class, IdempotencyKey::new))
                .addSerializer(ProviderReference.class, ToStringSerializer.instance)
                .addDeserializer(ProviderReference.class, text(ProviderReference.class, ProviderReference::new));
    }

    private static <T> JsonDeserializer<T> text(Class<T> type, Function<String, T> reader) {
        return new FromStringDeserializer<>(type) {
            private static final long serialVersionUID = 1L;

            @Override
            protected T _deserialize(String value, DeserializationContext context) {
                return reader.apply(value);
            }
        };
    }
}
