package io.chargefence.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;

/**
 * Every key of ours, and which stream an order belongs to.
 *
 * <p>{@code {prefix}charges:{0}} … {@code {prefix}charges:{n-1}}, with the braces in the key: they are the cluster hash tag.
 * {@code {prefix}quarantine} for what cannot be read or matches nothing.
 */
final class RedisKeys {

    private final String prefix;
    private final List<byte[]> charges = new ArrayList<>();

    RedisKeys(String prefix, int partitions) {
        this.prefix = prefix;
        for (int partition = 0; partition < partitions; partition++) {
            charges.add((prefix + "charges:{" + partition + "}").getBytes(UTF_8));
        }
    }

    int partitions() {
        return charges.size();
    }

    byte[] charges(int partition) {
        return charges.get(partition);
    }

    byte[] quarantine() {
        return (prefix + "quarantine").getBytes(UTF_8);
    }

    /**
     * CRC-32 (the one of zip and PHP's {@code crc32()}) of the order id's UTF-8 bytes, modulo partitions: the same in every
     * JVM and every language, and all steps of an order in one stream.
     */
    int partitionOf(String orderId) {
        CRC32 crc = new CRC32();
        crc.update(orderId.getBytes(UTF_8));
        return (int) (crc.getValue() % partitions());
    }
}
