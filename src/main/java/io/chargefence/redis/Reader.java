package io.chargefence.redis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.chargefence.flow.Deliveries.Delivery;
import io.chargefence.flow.TransportUnavailableException;
import io.lettuce.core.StreamMessage;
import io.lettuce.core.XReadArgs;
import io.lettuce.core.XReadArgs.StreamOffset;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads what nobody has read yet, on a connection of its own, since a blocking read holds up whatever is behind it.
 *
 * <p>Redis counts per stream, so the room is shared out: a blocking read of an equal share from each partition, then the rest
 * from those that had more. With less room than partitions, as many partitions as there is room for, in turns.
 */
final class Reader {

    private static final Duration SLICE = Duration.ofMillis(20);

    private final Streams streams;
    private final Link blocking;
    private final Map<String, Integer> partitionByKey = new HashMap<>();

    /** @param blocking a connection that nothing else uses */
    Reader(Streams streams, Link blocking) {
        this.streams = streams;
        this.blocking = blocking;
        for (int partition = 0; partition < streams.keys.partitions(); partition++) {
            partitionByKey.put(new String(streams.keys.charges(partition), ISO_8859_1), partition);
        }
    }

    synchronized List<Delivery> read(int max, Duration block) {
        if (max < 1) {
            return List.of();
        }
        return max < streams.keys.partitions() ? inSlices(max, block) : fill(max, block);
    }

    private List<Delivery> inSlices(int max, Duration block) {
        long until = System.nanoTime() + block.toNanos();
        List<Delivery> got = onceAround(max);
        while (got.isEmpty() && until - System.nanoTime() > 0) {
            got = fill(max, SLICE);
        }
        return got;
    }

    /** What is there already must not wait for the slices of other partitions. */
    private List<Delivery> onceAround(int max) {
        List<Delivery> got = List.of();
        for (int asked = 0; got.isEmpty() && asked < streams.keys.partitions(); asked += max) {
            got = fill(max, Duration.ZERO);
        }
        return got;
    }

    private List<Delivery> fill(int max, Duration block) {
        List<Integer> asked = streams.turn(Math.min(max, streams.keys.partitions()));
        int share = max / asked.size();
        Map<Integer, List<Delivery>> came = ask(asked, share, block);
        List<Delivery> got = flat(came);
        while (got.size() < max && !(asked = full(came, share)).isEmpty()) {
            int room = max - got.size();
            asked = asked.subList(0, Math.min(room, asked.size()));
            share = room / asked.size();
            came = more(asked, share);
            got.addAll(flat(came));
        }
        return got;
    }

    private Map<Integer, List<Delivery>> ask(List<Integer> partitions, int count, Duration block) {
        return streams.withGroups(() -> readGroup(partitions, count, block));
    }

    /** What the first read brought is in our hands: a failure of the second must not lose it. */
    private Map<Integer, List<Delivery>> more(List<Integer> partitions, int count) {
        try {
            return readGroup(partitions, count, Duration.ZERO);
        } catch (TransportUnavailableException later) {
            return Map.of();
        }
    }

    private Map<Integer, List<Delivery>> readGroup(List<Integer> partitions, int count, Duration block) {
        XReadArgs args = new XReadArgs().count(count);
        if (block.toMillis() > 0) { // BLOCK 0 means for ever
            args.block(block.toMillis());
        }
        List<StreamMessage<byte[], byte[]>> messages = blocking.call(
                "read deliveries", block, redis -> redis.xreadgroup(streams.self, args, from(partitions)));
        Map<Integer, List<Delivery>> came = new HashMap<>();
        for (StreamMessage<byte[], byte[]> message : messages) {
            Integer partition = partitionByKey.get(new String(message.getStream(), ISO_8859_1));
            came.computeIfAbsent(partition, first -> new ArrayList<>()).add(Entries.decode(partition, message, 0));
        }
        return came;
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // a generic array, as the driver wants it
    private StreamOffset<byte[]>[] from(List<Integer> partitions) {
        return partitions.stream()
                .map(partition -> StreamOffset.lastConsumed(streams.keys.charges(partition)))
                .toArray(StreamOffset[]::new);
    }

    private static List<Delivery> flat(Map<Integer, List<Delivery>> came) {
        List<Delivery> all = new ArrayList<>();
        came.values().forEach(all::addAll);
        return all;
    }

    private static List<Integer> full(Map<Integer, List<Delivery>> came, int share) {
        return came.keySet().stream()
                .filter(partition -> came.get(partition).size() >= share)
                .toList();
    }
}
