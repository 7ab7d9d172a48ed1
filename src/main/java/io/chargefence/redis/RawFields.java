package io.chargefence.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.chargefence.CardNumbers;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The fields of an entry for a person to see: card numbers masked, cut to a sane size. Bytes that are not UTF-8 come out as
 * {@code bytes:} with {@code \xNN} for each byte that is not visible ASCII, so that the readable part stays readable, and a
 * card number in it stays masked.
 */
final class RawFields {

    static final int FIELDS_MAX = 32;
    static final int FIELD_MAX = 4096;
    /** Of all fields together: ten thousand of these may lie in the quarantine. */
    static final int TOTAL_MAX = 16_384;

    private static final int NAME_MAX = 64;
    /** Longer than a card number in groups: one that begins before the cut must be seen whole to be masked. */
    private static final int BEYOND_CUT = 64;

    private RawFields() {}

    static Map<String, String> shown(Map<byte[], byte[]> body) {
        Map<String, String> shown = new LinkedHashMap<>();
        int room = TOTAL_MAX;
        for (Map.Entry<byte[], byte[]> field : body.entrySet()) {
            if (shown.size() == FIELDS_MAX) {
                shown.put("…", (body.size() - FIELDS_MAX) + " more fields");
                break;
            }
            String value = text(field.getValue(), Math.min(room, FIELD_MAX));
            room = Math.max(0, room - value.length());
            shown.put(unusedName(text(field.getKey(), NAME_MAX), shown), value);
        }
        return shown;
    }

    private static String unusedName(String name, Map<String, String> shown) {
        String unused = name;
        for (int n = 2; shown.containsKey(unused); n++) {
            unused = name + "#" + n;
        }
        return unused;
    }

    static String text(byte[] bytes, int max) {
        ByteBuffer window = ByteBuffer.wrap(bytes, 0, Math.min(bytes.length, max + BEYOND_CUT));
        String text = CardNumbers.masked(decoded(window, window.limit() < bytes.length));
        if (text.length() <= max && window.limit() == bytes.length) {
            return text;
        }
        int end = Math.min(text.length(), max);
        boolean splitsPair = end > 0 && Character.isHighSurrogate(text.charAt(end - 1));
        return text.substring(0, splitsPair ? end - 1 : end) + "… (" + bytes.length + " bytes)";
    }

    private static String decoded(ByteBuffer window, boolean cut) {
        CharBuffer chars = CharBuffer.allocate(window.remaining());
        // Not the end of input when cut: half a character at the cut is no error then.
        if (UTF_8.newDecoder().decode(window.duplicate(), chars, !cut).isError()) {
            return escaped(window);
        }
        return chars.flip().toString();
    }

    private static String escaped(ByteBuffer window) {
        StringBuilder escaped = new StringBuilder("bytes:");
        while (window.hasRemaining()) {
            int one = window.get() & 0xff;
            if (one >= 0x20 && one < 0x7f && one != '\\') {
                escaped.append((char) one);
            } else {
                escaped.append("\\x%02x".formatted(one));
            }
        }
        return escaped.toString();
    }
}
