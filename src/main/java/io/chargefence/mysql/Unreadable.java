package io.chargefence.mysql;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rows that make no sense: written by hand, or by a newer version. They are left alone, so that no charge is made from them
 * and the rest of their batch goes on; each is reported once per process.
 */
final class Unreadable {

    private static final Logger log = LoggerFactory.getLogger(Unreadable.class);
    private static final int REMEMBERED_MAX = 10_000;

    private final Set<String> reported = ConcurrentHashMap.newKeySet();

    void report(String table, Object key, Exception why) {
        if (reported.size() >= REMEMBERED_MAX) {
            reported.clear();
        }
        if (reported.add(table + " " + key)) {
            log.error(
                    "{}: its row in {} cannot be read and is left alone, no provider is called for it: {}; correct the row",
                    key,
                    table,
                    why.getMessage());
        }
    }
}
