package io.chargefence.redis;

import io.chargefence.OrderStep;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import java.util.zip.CRC32;

/**
 * The names of our keys. Partition p of the work stream is {@code <prefix>charges:{p}}: the braces keep each partition on one
 * node of a cluster. The partition of an order is CRC-32 of its id's UTF-8 bytes, modulo the number of partitions.
 */
final class RedisKeys {

    private final String prefix;
    private final int partitions;

    RedisKeys(RedisSettings settings) {
        this.prefix = settings.keyPrefix();
        this.partitions = settings.partitions();
    }

    String stream(int partition) {
        return prefix + "charges:{" + partition + "}";
    }

    String streamOf(OrderStep orderStep) {
        return stream(partitionOf(orderStep));
    }

    int partitionOf(OrderStep orderStep) {
        CRC32 crc = new CRC32();
        crc.update(orderStep.orderId().getBytes(StandardCharsets.UTF_8));
        return (int) (crc.getValue() % partitions);
    }

    List<String> streams() {
        return IntStream.range(0, partitions).mapToObj(this::stream).toList();
    }

    int partitionOf(String stream) {
        return Integer.parseInt(stream.substring(stream.lastIndexOf('{') + 1, stream.length() - 1));
    }

    String quarantine() {
        return prefix + "quarantine";
    }
}
