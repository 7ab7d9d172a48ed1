package io.chargefence.redis;

import io.chargefence.ChargefenceException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

/**
 * How one process uses Redis.
 *
 * @param keyPrefix begins every key of ours; must not be the prefix of a cache or session store in the same Redis
 * @param group the consumer group; one per deployment
 * @param partitions streams that charges are spread over; the same in every process. When it changes, entries in streams
 *     that nobody reads any more stay there, and the sweeper publishes their charges again
 * @param consumerName unique per process, see {@link #uniqueConsumerName()}: two processes with one name would take each
 *     other's deliveries for their own
 * @param reservation how long a delivery belongs to the worker that read it; longer than a provider call and its margin
 * @param connectTimeout how long opening a connection may take
 * @param commandTimeout how long Redis may take to answer; a blocking read may take this much longer than it blocks
 */
public record RedisSettings(
        String keyPrefix,
        String group,
        int partitions,
        String consumerName,
        Duration reservation,
        Duration connectTimeout,
        Duration commandTimeout) {

    public static final String DEFAULT_KEY_PREFIX = "chargefence:";
    public static final String DEFAULT_GROUP = "chargefence";
    public static final int DEFAULT_PARTITIONS = 4;
    public static final Duration DEFAULT_CONNECT_TIMEOUT = Duration.ofSeconds(2);
    public static final Duration DEFAULT_COMMAND_TIMEOUT = Duration.ofSeconds(3);

    private static final int PARTITIONS_MAX = 256;
    /** No braces: the only hash tag in a key is the one around the partition number. */
    private static final Pattern NAME = Pattern.compile("[\\x21-\\x7e&&[^{}]]{1,128}");

    public RedisSettings {
        checkName("keyPrefix", keyPrefix);
        checkName("group", group);
        checkName("consumerName", consumerName);
        if (partitions < 1 || partitions > PARTITIONS_MAX) {
            throw refused("partitions", partitions, "must be 1 to " + PARTITIONS_MAX);
        }
        checkPositive("reservation", reservation);
        checkPositive("connectTimeout", connectTimeout);
        checkPositive("commandTimeout", commandTimeout);
    }

    public static RedisSettings defaults(Duration reservation) {
        return new RedisSettings(
                DEFAULT_KEY_PREFIX,
                DEFAULT_GROUP,
                DEFAULT_PARTITIONS,
                uniqueConsumerName(),
                reservation,
                DEFAULT_CONNECT_TIMEOUT,
                DEFAULT_COMMAND_TIMEOUT);
    }

    /** Host, process id and a random part: containers share host names and process ids. */
    public static String uniqueConsumerName() {
        String random = Long.toString(ThreadLocalRandom.current().nextLong(Long.MAX_VALUE), 36)
                .toLowerCase(Locale.ROOT);
        return hostName() + "-" + ProcessHandle.current().pid() + "-" + random;
    }

    private static String hostName() {
        try {
            String host = InetAddress.getLocalHost().getHostName().replaceAll("[^A-Za-z0-9._-]", "_");
            return host.substring(0, Math.min(host.length(), 64));
        } catch (UnknownHostException nameless) {
            return "host";
        }
    }

    private static void checkName(String setting, String value) {
        if (!NAME.matcher(value).matches()) {
            throw refused(setting, value, "must be 1 to 128 visible ASCII characters without braces");
        }
    }

    private static void checkPositive(String setting, Duration value) {
        if (value.toMillis() < 1) {
            throw refused(setting, value, "must be at least one millisecond");
        }
    }

    private static ChargefenceException refused(String setting, Object value, String rule) {
        return new ChargefenceException("Redis setting %s '%s' %s.".formatted(setting, value, rule));
    }
}
