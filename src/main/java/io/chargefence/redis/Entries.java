package io.chargefence.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.chargefence.InvalidChargeException;
import io.chargefence.OrderStep;
import io.chargefence.flow.Deliveries.Delivery;
import io.lettuce.core.StreamMessage;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The form of a stream entry: {@code v=1}, {@code orderId}, {@code step}, all UTF-8. No amount and no token, so that nothing
 * in Redis can change what is charged. Further fields are let through; a field that appears twice is not.
 */
final class Entries {

    private static final byte[] V = "v".getBytes(UTF_8);
    private static final byte[] V1 = "1".getBytes(UTF_8);
    private static final byte[] ORDER_ID = "orderId".getBytes(UTF_8);
    private static final byte[] STEP = "step".getBytes(UTF_8);

    private Entries() {}

    static Map<byte[], byte[]> encode(OrderStep orderStep) {
        Map<byte[], byte[]> fields = new LinkedHashMap<>();
        fields.put(V, V1);
        fields.put(ORDER_ID, orderStep.orderId().getBytes(UTF_8));
        fields.put(STEP, orderStep.step().getBytes(UTF_8));
        return fields;
    }

    /** Never throws: what cannot be read comes out without an order step, for the quarantine. */
    static Delivery decode(int partition, StreamMessage<byte[], byte[]> message, int takeovers) {
        Map<byte[], byte[]> body = message.getBody();
        String id = partition + "/" + message.getId();
        return new Delivery(id, orderStep(body), takeovers, RawFields.shown(body));
    }

    private static @Nullable OrderStep orderStep(Map<byte[], byte[]> body) {
        byte[] version = only(V, body);
        if (version == null || !Arrays.equals(version, V1)) {
            return null;
        }
        String orderId = text(only(ORDER_ID, body));
        String step = text(only(STEP, body));
        if (orderId == null || step == null) {
            return null;
        }
        try {
            return new OrderStep(orderId, step);
        } catch (InvalidChargeException unreadable) {
            return null;
        }
    }

    private static byte @Nullable [] only(byte[] name, Map<byte[], byte[]> body) {
        byte[] found = null;
        for (Map.Entry<byte[], byte[]> field : body.entrySet()) {
            if (Arrays.equals(field.getKey(), name)) {
                if (found != null) {
                    return null;
                }
                found = field.getValue();
            }
        }
        return found;
    }

    /** Strict: an id that had to be repaired would be another id. */
    private static @Nullable String text(byte @Nullable [] bytes) {
        if (bytes == null || bytes.length > OrderStep.ORDER_ID_BYTES_MAX) {
            return null;
        }
        try {
            return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException notUtf8) {
            return null;
        }
    }
}
