package io.chargefence.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The answers of XINFO (flat lists of names and values) and INFO (lines {@code name:value}), by name. */
final class Info {

    private final Map<String, String> values = new HashMap<>();

    private Info() {}

    /** @param flat name, value, name, value … */
    static Info ofList(Object flat) {
        Info info = new Info();
        List<?> list = (List<?>) flat;
        for (int at = 0; at + 1 < list.size(); at += 2) {
            @Nullable Object value = list.get(at + 1);
            if (value != null) {
                info.values.put(text(list.get(at)), text(value));
            }
        }
        return info;
    }

    static Info ofLines(String lines) {
        Info info = new Info();
        lines.lines()
                .map(line -> line.split(":", 2))
                .filter(parts -> parts.length == 2)
                .forEach(parts -> info.values.put(parts[0], parts[1].strip()));
        return info;
    }

    @Nullable
    String text(String name) {
        return values.get(name);
    }

    /** Null also when the server gives no number, as Redis does for a lag that it does not know. */
    @Nullable
    Long number(String name) {
        String value = values.get(name);
        return value != null && value.matches("-?\\d{1,18}") ? Long.valueOf(value) : null;
    }

    long numberOr0(String name) {
        Long number = number(name);
        return number == null ? 0 : number;
    }

    private static String text(Object value) {
        return value instanceof byte[] bytes ? new String(bytes, UTF_8) : String.valueOf(value);
    }
}
