package io.chargefence.mysql;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rows that make no sense: written by hand, or by a newer version. They are left alone, so that no charge is made from them
 * and the rest of their batch goes on; each is reported once per process.
 */
final class Unreadable {

    private static final Logger log = LoggerFactory.getLogger(Unreadable.class);
    private static final int REMEMBERED_MAX = 10_000;
    private static final int BYTES_SHOWN = 6;

    private final Set<String> reported = ConcurrentHashMap.newKeySet();

    void report(String table, Object key, Exception why) {
        if (reported.size() >= REMEMBERED_MAX) {
            reported.clear();
        }
        if (reported.add(table + " " + key)) {
            log.error(
                    "{}: its row in {} cannot be read and is left alone until it is corrected; no provider is called for"
                            + " it. {}",
                    key,
                    table,
                    why.getMessage());
        }
    }

    /** A key that is no order step's, by its bytes: as text it could forge a log line, and whole it could be a card number. */
    static String name(byte[] orderId, @Nullable String step) {
        byte[] shown = Arrays.copyOf(orderId, Math.min(orderId.length, BYTES_SHOWN));
        return "order id of %d bytes from x'%s', step %s"
                .formatted(orderId.length, HexFormat.of().formatHex(shown), step);
    }
}
