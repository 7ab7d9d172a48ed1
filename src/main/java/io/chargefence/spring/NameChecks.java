package io.chargefence.spring;

import io.lettuce.core.RedisURI;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/** Names of ours that must not be names of the host's: whoever clears or migrates by name would take the other's. */
final class NameChecks {

    private static final String HOST_HISTORY = "spring.flyway.table";

    /** With what holds when nothing is set; a cache has no prefix of its own then. */
    private static final SortedMap<String, String> FOREIGN_PREFIXES = new TreeMap<>(Map.of(
            "spring.cache.redis.key-prefix", "",
            "spring.session.redis.namespace", "spring:session",
            "spring.session.data.redis.namespace", "spring:session"));

    private NameChecks() {}

    static void check(ChargefenceProperties properties, Environment environment) {
        namespace(properties.namespace());
        historyTable(properties.schema().historyTable(), environment);
        keyPrefix(properties.transport().keyPrefix(), environment);
        redisUri(properties.transport().redisUri());
    }

    private static void namespace(String namespace) {
        if (namespace.isBlank()) {
            throw new ChargefenceStartupException(
                    "chargefence.namespace is empty",
                    "two deployments on one provider account could not be told apart, and one would get the other's charges",
                    "Leave it out for 'default', or give each deployment a name of its own and never change it.");
        }
    }

    private static void historyTable(String ours, Environment environment) {
        String theirs = environment.getProperty(HOST_HISTORY, "flyway_schema_history");
        if (ours.isBlank() || ours.equalsIgnoreCase(theirs)) {
            throw new ChargefenceStartupException(
                    "chargefence.schema.history-table is '%s'".formatted(ours),
                    "it must be a table of its own: in the application's (%s = '%s') its Flyway would find our scripts"
                            .formatted(HOST_HISTORY, theirs),
                    "Leave it out for chargefence_schema_history.");
        }
    }

    private static void keyPrefix(String ours, Environment environment) {
        if (!ours.matches("[\\x21-\\x7e&&[^{}]]{1,128}")) {
            throw new ChargefenceStartupException(
                    "chargefence.transport.key-prefix is " + (ours.isBlank() ? "empty" : "'" + ours + "'"),
                    "it must be 1 to 128 visible ASCII characters without braces, so that our keys can be told from others",
                    "Leave it out for chargefence:");
        }
        FOREIGN_PREFIXES.forEach((property, fallback) -> {
            String theirs = environment.getProperty(property, fallback);
            if (!theirs.isEmpty() && (ours.startsWith(theirs) || theirs.startsWith(ours))) {
                throw new ChargefenceStartupException(
                        "chargefence.transport.key-prefix is '%s' and %s is '%s'".formatted(ours, property, theirs),
                        "one begins with the other, so whoever clears the one's keys clears the other's",
                        "Give chargefence.transport.key-prefix a beginning of its own, for example chargefence:");
            }
        });
    }

    /** The URI may hold a password, so it is not repeated. */
    private static void redisUri(@Nullable String uri) {
        if (!StringUtils.hasText(uri)) {
            return;
        }
        try {
            RedisURI.create(uri);
        } catch (IllegalArgumentException odd) {
            throw new ChargefenceStartupException(
                    "chargefence.transport.redis-uri is no Redis URI",
                    "it is not shown here since it may hold a password",
                    "Set it like redis://host:6379 or rediss://user:password@host:6380/0, or leave it out for"
                            + " spring.data.redis.");
        }
    }
}
