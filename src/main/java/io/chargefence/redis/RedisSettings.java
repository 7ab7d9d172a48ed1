package io.chargefence.redis;

import io.lettuce.core.RedisURI;
import java.time.Duration;

/**
 * How the transport is set up.
 *
 * @param uri where Redis is
 * @param keyPrefix of every key, for example {@code chargefence:}
 * @param group consumer group, the same in all workers
 * @param partitions number of streams; the same in all processes
 * @param consumerName unique per process: two processes with one name would take each other's deliveries for their own
 * @param reservation how long a delivery belongs to the worker that read it
 * @param commandTimeout of every command; longer than a blocking read
 */
public record RedisSettings(
        RedisURI uri,
        String keyPrefix,
        String group,
        int partitions,
        String consumerName,
        Duration reservation,
        Duration commandTimeout) {}
