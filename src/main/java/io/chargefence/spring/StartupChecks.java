package io.chargefence.spring;

import io.chargefence.mysql.MysqlFacts;
import io.chargefence.redis.RedisFacts;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.env.Environment;

/** What is looked at before anything runs. What could lose money is refused; what the host may have reasons for is a warning. */
final class StartupChecks {

    private static final Logger log = LoggerFactory.getLogger(StartupChecks.class);

    private static final Pattern SAMPLE_SECRET = Pattern.compile(
            "(?i).*(sample|example|changeme|change-me|your[-_]?(api[-_]?)?key|placeholder|xxxx).*|secret|password|sk_test_?|\\s*");
    private static final List<String> FOREIGN_PREFIXES = List.of(
            "spring.cache.redis.key-prefix", "spring.session.redis.namespace", "spring.session.data.redis.namespace");

    private StartupChecks() {}

    static void settings(ChargefenceProperties properties, Environment environment) {
        reservation(properties);
        counts(properties);
        keyPrefix(properties.transport().keyPrefix(), environment);
        stripeKey(properties.stripe());
    }

    /** A message must not come back to another worker while the first may still be calling. */
    private static void reservation(ChargefenceProperties properties) {
        ChargefenceProperties.Worker worker = properties.worker();
        Duration reservation = properties.transport().reservation();
        Duration needed = worker.startWithin().plus(worker.callTimeout()).plus(worker.margin());
        if (needed.compareTo(reservation) >= 0) {
            throw new ChargefenceStartupException(
                    "chargefence.transport.reservation is %s".formatted(text(reservation)),
                    ("it must be longer than start-within + call-timeout + margin of chargefence.worker (%s + %s + %s = %s),"
                                    + " or a delivery comes back while its call is still running")
                            .formatted(
                                    text(worker.startWithin()),
                                    text(worker.callTimeout()),
                                    text(worker.margin()),
                                    text(needed)),
                    "Set chargefence.transport.reservation above %s, or chargefence.worker.call-timeout lower."
                            .formatted(text(needed)));
        }
        Duration block = properties.transport().block();
        Duration commandTimeout = properties.transport().commandTimeout();
        if (block.compareTo(commandTimeout) >= 0) {
            throw new ChargefenceStartupException(
                    "chargefence.transport.block is %s".formatted(text(block)),
                    "it must be shorter than chargefence.transport.command-timeout (%s), or every quiet read times out"
                            .formatted(text(commandTimeout)),
                    "Set chargefence.transport.block below %s.".formatted(text(commandTimeout)));
        }
    }

    private static void counts(ChargefenceProperties properties) {
        positive("chargefence.worker.concurrency", properties.worker().concurrency());
        positive("chargefence.worker.batch-size", properties.worker().batchSize());
        positive("chargefence.transport.partitions", properties.transport().partitions());
        positive("chargefence.outbox.batch-size", properties.outbox().batchSize());
        positive("chargefence.retry.calls-max", properties.retry().callsMax());
        positive("chargefence.retry.takeovers-max", properties.retry().takeoversMax());
        double jitter = properties.retry().jitter();
        if (jitter < 0 || jitter > 1) {
            throw new ChargefenceStartupException(
                    "chargefence.retry.jitter is " + jitter, "it must be between 0 and 1", "Set it to 0.2.");
        }
    }

    private static void positive(String property, int value) {
        if (value < 1) {
            throw new ChargefenceStartupException(
                    property + " is " + value, "it must be at least 1", "Set it to 1 or more.");
        }
    }

    /** A cache that clears its keys must not clear ours. */
    private static void keyPrefix(String ours, Environment environment) {
        if (ours.isBlank()) {
            throw new ChargefenceStartupException(
                    "chargefence.transport.key-prefix is empty",
                    "our keys could not be told from others in the same Redis",
                    "Set it to something of its own, for example chargefence:");
        }
        for (String property : FOREIGN_PREFIXES) {
            String theirs = environment.getProperty(property);
            if (theirs != null && !theirs.isEmpty() && ours.startsWith(theirs)) {
                throw new ChargefenceStartupException(
                        "chargefence.transport.key-prefix is '%s' and %s is '%s'".formatted(ours, property, theirs),
                        "a cache or session store that clears its keys would clear ours",
                        "Give chargefence.transport.key-prefix a beginning of its own.");
            }
        }
    }

    private static void stripeKey(ChargefenceProperties.Stripe stripe) {
        String key = stripe.apiKey();
        if (key != null
                && SAMPLE_SECRET.matcher(key).matches()
                && !isLoopback(stripe.apiBase().getHost())) {
            throw new ChargefenceStartupException(
                    "chargefence.stripe.api-key is a sample, not a key",
                    "with it every charge would be refused by "
                            + stripe.apiBase().getHost(),
                    "Set the account's own secret key, from the environment or a secret store.");
        }
    }

    static void mysql(MysqlFacts facts) {
        List<String> loose = looseColumns(facts);
        if (!loose.isEmpty()) {
            throw new ChargefenceStartupException(
                    "the id columns " + loose + " are not VARBINARY, or are missing",
                    "under a collation ORD-1 and ord-1 are one order, and one of them is never charged",
                    "Let Chargefence make its tables (chargefence.schema.mode=migrate), or run its migrations unchanged.");
        }
        if (!facts.sqlMode().toUpperCase(Locale.ROOT).matches(".*STRICT_(TRANS|ALL)_TABLES.*")) {
            throw new ChargefenceStartupException(
                    "sql_mode of our session is '" + facts.sqlMode() + "'",
                    "without STRICT_TRANS_TABLES the server cuts values that do not fit instead of refusing them",
                    "Add sessionVariables=sql_mode='STRICT_TRANS_TABLES,…' to the JDBC URL, or set it on the server.");
        }
        if (Boolean.TRUE.equals(facts.logBin()) && "STATEMENT".equalsIgnoreCase(facts.binlogFormat())) {
            throw new ChargefenceStartupException(
                    "binlog_format is STATEMENT",
                    "our transactions are READ COMMITTED, and the server refuses their writes under it",
                    "Set binlog_format=ROW.");
        }
        if (!isDurable(facts)) {
            log.warn(
                    "innodb_flush_log_at_trx_commit is {} and sync_binlog is {} on {}: a claim that was committed can be lost in"
                            + " a power failure or a failover. With a provider that honours keys nothing is charged twice for"
                            + " that; with any other it can be. Set both to 1.",
                    facts.innodbFlushLogAtTrxCommit(),
                    facts.syncBinlog(),
                    facts.product());
        }
    }

    /** Whether a committed claim survives a power failure of the server. */
    static boolean isDurable(MysqlFacts facts) {
        boolean flushed = Integer.valueOf(1).equals(facts.innodbFlushLogAtTrxCommit());
        boolean synced =
                !Boolean.TRUE.equals(facts.logBin()) || Integer.valueOf(1).equals(facts.syncBinlog());
        return flushed && synced;
    }

    private static List<String> looseColumns(MysqlFacts facts) {
        return Stream.of("charge_request.order_id", "charge_fence.order_id", "charge_event.order_id")
                .filter(name -> {
                    MysqlFacts.Column column = facts.keyColumns().get(name);
                    return column == null
                            || !column.type().toLowerCase(Locale.ROOT).startsWith("varbinary");
                })
                .toList();
    }

    static void redis(RedisFacts facts, boolean refuse) {
        if (facts.tooOld()) {
            throw new ChargefenceStartupException(
                    "Redis is version " + facts.version(),
                    "before 6.2 a delivery of a worker that died cannot be taken over",
                    "Use Redis 6.2 or later.");
        }
        if (!facts.evicting()) {
            return;
        }
        String found = "maxmemory-policy of Redis is '" + facts.evictionPolicy() + "'";
        if (refuse) {
            throw new ChargefenceStartupException(
                    found,
                    "Redis may evict our streams to make room for a cache; nothing is lost then, but every charge waits for a"
                            + " sweep",
                    "Set maxmemory-policy to noeviction or a volatile policy, use a Redis of its own, or set"
                            + " chargefence.transport.require-noeviction=false.");
        }
        log.warn("{}: Redis may evict our streams; nothing is lost then, but charges wait for a sweep", found);
    }

    static String text(Duration duration) {
        return duration.toString().substring(2).toLowerCase(Locale.ROOT);
    }

    private static boolean isLoopback(@Nullable String host) {
        try {
            return host != null
                    && (host.equals("localhost") || InetAddress.getByName(host).isLoopbackAddress());
        } catch (UnknownHostException unknown) {
            return false;
        }
    }
}
