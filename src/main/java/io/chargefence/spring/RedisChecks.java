package io.chargefence.spring;

import io.chargefence.flow.TransportUnavailableException;
import io.chargefence.redis.RedisDeliveries;
import io.chargefence.redis.RedisFacts;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What Redis must be to deliver in time. It holds no truth, so nothing is lost when it is otherwise, only late. */
final class RedisChecks {

    private static final Logger log = LoggerFactory.getLogger(RedisChecks.class);

    private RedisChecks() {}

    /** A Redis that is away is no reason not to start: requests commit, and the sweeper catches up. */
    static void check(RedisDeliveries deliveries, boolean requireNoeviction) {
        try {
            check(deliveries.facts(), requireNoeviction);
        } catch (TransportUnavailableException away) {
            log.warn("Redis does not answer at start; requests commit, the sweeper catches up: {}", away.getMessage());
        }
    }

    static void check(RedisFacts facts, boolean requireNoeviction) {
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
        if (requireNoeviction) {
            throw new ChargefenceStartupException(
                    found,
                    "Redis may evict our streams to make room for a cache; nothing is lost then, but every charge waits for a"
                            + " sweep",
                    "Set maxmemory-policy to noeviction or a volatile policy, use a Redis of its own, or set"
                            + " chargefence.transport.require-noeviction=false.");
        }
        log.warn("{}: Redis may evict our streams; nothing is lost then, but charges wait for a sweep", found);
    }
}
