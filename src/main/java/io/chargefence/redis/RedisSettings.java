package io.chargefence.redis;

import java.time.Duration;

/**
 * How the transport is set up.
 *
 * @param uri for example {@code redis://localhost:6379}
 * @param keyPrefix of every key, for example {@code chargefence:}
 * @param group consumer group, the same in all workers
 * @param partitions number of streams; the same in all processes
 * @param consumerName unique per process: two processes with one name would take each other's deliveries for their own
 * @param reservation how long a delivery belongs to the worker that read it
 * @param commandTimeout of every command; longer than a blocking read
 */
public record RedisSettings(
        String uri,
        String keyPrefix,
        String group,
        int partitions,
        String consumerName,
        Duration reservation,
        Duration commandTimeout) {}
