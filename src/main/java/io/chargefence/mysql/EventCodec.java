package io.chargefence.mysql;

import org.axonframework.messaging.MetaData;
import org.axonframework.serialization.SerializedType;
import org.axonframework.serialization.json.JacksonSerializer;

/**
 * Events as JSON under stable names. Axon's own serializer would store Java class names and load whatever class a row names;
 * this one reads our events and Axon's metadata, and throws at anything else.
 */
final class EventCodec extends JacksonSerializer {

    private EventCodec(Builder builder) {
        super(builder);
    }

    static EventCodec create() {
        return new EventCodec(JacksonSerializer.builder().objectMapper(Json.newMapper()));
    }

    @Override
    @SuppressWarnings({"rawtypes", "unchecked"})
    public SerializedType typeForClass(Class type) {
        EventType event = type == null ? null : EventType.ofClass(type);
        return event == null ? super.typeForClass(type) : event.wire();
    }

    /** Axon would take an unknown name for an unknown type and go on; a fold that skips an event tells a wrong story. */
    @Override
    public Class<?> classForType(SerializedType type) {
        if (MetaData.class.getName().equals(type.getName())) {
            return MetaData.class;
        }
        return EventType.ofWire(type).javaClass();
    }
}
