package io.chargefence.redis;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What lies in Redis at this moment.
 *
 * @param quarantined entries kept for a person to see
 */
public record RedisTransportStats(List<Partition> partitions, long quarantined) {

    /**
     * One stream.
     *
     * @param length entries, read or not
     * @param pending entries that a worker has read and not acked
     * @param lag entries that no worker has read; null where the server cannot tell (before Redis 7)
     * @param consumers names in the group, of living and of gone processes
     */
    public record Partition(
            int number, long length, long pending, @Nullable Long lag, long consumers) {}

    public RedisTransportStats {
        partitions = List.copyOf(partitions);
    }

    public long length() {
        return partitions.stream().mapToLong(Partition::length).sum();
    }

    public long pending() {
        return partitions.stream().mapToLong(Partition::pending).sum();
    }
}
