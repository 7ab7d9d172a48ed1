package io.chargefence.redis;

import io.chargefence.CardNumbers;
import io.chargefence.InvalidChargeException;
import io.chargefence.OrderStep;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What stands in a stream entry: a version and the order step. No amount, no token: Redis cannot change a charge. */
final class StreamEntries {

    static final String VERSION = "1";

    private static final int ORDER_STEP_BYTES_MAX = 1024;
    private static final int RAW_FIELDS_MAX = 32;
    private static final int RAW_BYTES_MAX = 4096;

    private StreamEntries() {}

    static Map<String, byte[]> write(OrderStep orderStep) {
        Map<String, byte[]> fields = new LinkedHashMap<>();
        fields.put("v", bytes(VERSION));
        fields.put("orderId", bytes(orderStep.orderId()));
        fields.put("step", bytes(orderStep.step()));
        return fields;
    }

    /** Null when the entry is not ours to read: missing fields, another version, an impossible id. */
    static @Nullable OrderStep read(Map<String, byte[]> fields) {
        try {
            String version = text(fields.get("v"));
            String orderId = text(fields.get("orderId"));
            String step = text(fields.get("step"));
            return VERSION.equals(version) && orderId != null && step != null ? new OrderStep(orderId, step) : null;
        } catch (InvalidChargeException impossible) {
            return null;
        }
    }

    /** The fields as they came, for a person: cut to size, card numbers masked, other bytes than text as Base64. */
    static Map<String, String> raw(Map<String, byte[]> fields) {
        Map<String, String> raw = new LinkedHashMap<>();
        fields.entrySet().stream()
                .limit(RAW_FIELDS_MAX)
                .forEach(field -> raw.put(shown(bytes(field.getKey())), shown(field.getValue())));
        return raw;
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static @Nullable String text(byte @Nullable [] bytes) {
        return bytes == null || bytes.length > ORDER_STEP_BYTES_MAX ? null : decoded(bytes);
    }

    private static @Nullable String decoded(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException notText) {
            return null;
        }
    }

    private static String shown(byte[] bytes) {
        byte[] start = bytes.length <= RAW_BYTES_MAX ? bytes : java.util.Arrays.copyOf(bytes, RAW_BYTES_MAX);
        String text = decoded(start);
        String shown = text == null ? "base64:" + Base64.getEncoder().encodeToString(start) : CardNumbers.masked(text);
        return bytes.length <= RAW_BYTES_MAX ? shown : shown + "… (" + bytes.length + " bytes)";
    }
}
