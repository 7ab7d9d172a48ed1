package io.chargefence.mysql;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.FromStringDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import io.chargefence.IdempotencyKey;
import io.chargefence.ProviderReference;
import io.chargefence.saga.ChargeEvent;
import java.io.IOException;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.axonframework.serialization.SerializedType;
import org.axonframework.serialization.SimpleSerializedType;
import org.axonframework.serialization.UnknownSerializedType;
import org.axonframework.serialization.json.JacksonSerializer;

/**
 * Events as readable JSON under stable names and revisions. The names are wire format: a refactoring of a class cannot orphan
 * a stored fact, and a name that is not known is never skipped.
 */
final class EventSerializer extends JacksonSerializer {

    static final String REVISION = "1";

    private static final Map<String, Class<?>> TYPES = Stream.of(ChargeEvent.class.getPermittedSubclasses())
            .collect(Collectors.toMap(Class::getSimpleName, Function.identity()));

    EventSerializer() {
        super(JacksonSerializer.builder().objectMapper(mapper()));
    }

    @Override
    @SuppressWarnings("rawtypes")
    public SerializedType typeForClass(Class type) {
        return ChargeEvent.class.isAssignableFrom(type)
                ? new SimpleSerializedType(type.getSimpleName(), REVISION)
                : super.typeForClass(type);
    }

    @Override
    @SuppressWarnings("rawtypes")
    public Class classForType(SerializedType type) {
        Class<?> known = TYPES.get(type.getName());
        if (known == null) {
            return super.classForType(type);
        }
        return REVISION.equals(type.getRevision()) ? known : UnknownSerializedType.class;
    }

    /** Own mapper, no default typing, times as ISO text. An unknown field stops the reading. */
    static ObjectMapper mapper() {
        SimpleModule values = new SimpleModule("chargefence")
                .addSerializer(IdempotencyKey.class, new AsText<>(IdempotencyKey.class, IdempotencyKey::value))
                .addSerializer(ProviderReference.class, new AsText<>(ProviderReference.class, ProviderReference::value))
                .addDeserializer(IdempotencyKey.class, new FromText<>(IdempotencyKey.class, IdempotencyKey::new))
                .addDeserializer(
                        ProviderReference.class, new FromText<>(ProviderReference.class, ProviderReference::new));
        return JsonMapper.builder()
                .addModule(new JavaTimeModule())
                .addModule(values)
                .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
                .build();
    }

    private static final class AsText<T> extends StdSerializer<T> {

        private static final long serialVersionUID = 1L;
        private final transient Function<T, String> text;

        AsText(Class<T> type, Function<T, String> text) {
            super(type);
            this.text = text;
        }

        @Override
        public void serialize(T value, JsonGenerator json, SerializerProvider provider) throws IOException {
            json.writeString(text.apply(value));
        }
    }

    private static final class FromText<T> extends FromStringDeserializer<T> {

        private static final long serialVersionUID = 1L;
        private final transient Function<String, T> value;

        FromText(Class<T> type, Function<String, T> value) {
            super(type);
            this.value = value;
        }

        @Override
        public T deserialize(JsonParser json, DeserializationContext context) throws IOException {
            return value.apply(json.getText());
        }

        @Override
        protected T _deserialize(String text, DeserializationContext context) {
            return value.apply(text);
        }
    }
}
