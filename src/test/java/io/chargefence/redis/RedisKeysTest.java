package io.chargefence.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.cluster.SlotHash;
import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedisKeysTest {

    private final RedisKeys keys = new RedisKeys("shop:", 4);

    /** Computed with another implementation of CRC-32: producers in other languages must find the same stream. */
    @ParameterizedTest
    @CsvSource({"ORD-1, 4, 1", "ord-1, 4, 3", "😀, 4, 0", "123456789, 256, 38"})
    void an_order_belongs_to_the_same_partition_for_ever(String orderId, int partitions, int partition) {
        assertThat(new RedisKeys("", partitions).partitionOf(orderId)).isEqualTo(partition);
    }

    @Test
    void the_partition_number_is_the_cluster_hash_tag() {
        assertThat(new String(keys.charges(3), StandardCharsets.UTF_8)).isEqualTo("shop:charges:{3}");
        assertThat(SlotHash.getSlot(keys.charges(3))).isEqualTo(SlotHash.getSlot("3"));
        assertThat(new String(keys.quarantine(), StandardCharsets.UTF_8)).isEqualTo("shop:quarantine");
    }

    @Test
    void orders_in_sequence_are_spread_evenly() {
        int[] counts = new int[4];
        IntStream.range(0, 10_000).forEach(n -> counts[keys.partitionOf("ORD-" + n)]++);
        assertThat(IntStream.of(counts)).allMatch(count -> count > 2_000 && count < 3_000);
    }
}
