package io.chargefence.mysql;

import io.chargefence.ChargefenceException;
import io.chargefence.saga.ChargeEvent;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.axonframework.serialization.SerializedType;
import org.axonframework.serialization.SimpleSerializedType;
import org.jspecify.annotations.Nullable;

/**
 * The names of the events in the log. Wire format: a class may be renamed, its entry here never is. A change of an event's
 * JSON is a new revision and an upcaster from the old one.
 */
enum EventType {
    FENCE_CLAIMED("FenceClaimed", "1", ChargeEvent.FenceClaimed.class),
    PROVIDER_CALLED("ProviderCalled", "1", ChargeEvent.ProviderCalled.class),
    NO_ANSWER("NoAnswer", "1", ChargeEvent.NoAnswer.class),
    NOT_CHARGED("NotCharged", "1", ChargeEvent.NotCharged.class),
    REFERENCE_STORED("ReferenceStored", "1", ChargeEvent.ReferenceStored.class),
    DECLINED("Declined", "1", ChargeEvent.Declined.class),
    PARKED("Parked", "1", ChargeEvent.Parked.class),
    RELEASED("Released", "1", ChargeEvent.Released.class),
    ACKED("Acked", "1", ChargeEvent.Acked.class),
    CONFLICT_SEEN("ConflictSeen", "1", ChargeEvent.ConflictSeen.class),
    EVIDENCE_SEEN("EvidenceSeen", "1", ChargeEvent.EvidenceSeen.class);

    private static final Map<Class<?>, EventType> BY_CLASS =
            Map.copyOf(Arrays.stream(values()).collect(Collectors.toMap(type -> type.javaClass, type -> type)));
    private static final Map<String, EventType> BY_NAME =
            Map.copyOf(Arrays.stream(values()).collect(Collectors.toMap(type -> type.typeName, type -> type)));

    private final String typeName;
    private final String revision;
    private final Class<? extends ChargeEvent> javaClass;

    EventType(String typeName, String revision, Class<? extends ChargeEvent> javaClass) {
        this.typeName = typeName;
        this.revision = revision;
        this.javaClass = javaClass;
    }

    /** Null when the class is no event's. */
    static @Nullable EventType ofClass(Class<?> javaClass) {
        return BY_CLASS.get(javaClass);
    }

    /** @throws ChargefenceException for a name or a revision that this version does not know: nothing is skipped */
    static EventType ofWire(SerializedType wire) {
        EventType type = BY_NAME.get(wire.getName());
        if (type == null || !type.revision.equals(wire.getRevision())) {
            throw new ChargefenceException(
                    ("The log holds an event '%s' of revision '%s', which this version of Chargefence"
                                    + " does not know, so the charge cannot be told. Most likely a newer version wrote it: run that"
                                    + " version. Nothing was changed.")
                            .formatted(wire.getName(), wire.getRevision()));
        }
        return type;
    }

    SerializedType wire() {
        return new SimpleSerializedType(typeName, revision);
    }

    Class<? extends ChargeEvent> javaClass() {
        return javaClass;
    }
}
