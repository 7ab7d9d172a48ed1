package io.chargefence.redis;

import io.chargefence.OrderStep;
import io.chargefence.flow.Deliveries;
import io.chargefence.flow.TransportUnavailableException;
import io.lettuce.core.Consumer;
import io.lettuce.core.RedisBusyException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.StreamMessage;
import io.lettuce.core.XAddArgs;
import io.lettuce.core.XGroupCreateArgs;
import io.lettuce.core.XReadArgs;
import io.lettuce.core.XReadArgs.StreamOffset;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Deliveries through partitioned Redis Streams and one consumer group. Never trims: an entry goes when it is acked. A group that
 * is gone (FLUSHALL, DEL, a failover) is made again at 0, so that nothing that waits is passed over.
 */
public final class RedisDeliveries implements Deliveries, AutoCloseable {

    private static final int QUARANTINE_ENTRIES_MAX = 10_000;

    private final RedisSettings settings;
    private final RedisKeys keys;
    private final RedisConnections connections;
    private final TakeOver takeOver;
    private int firstPartition;

    public RedisDeliveries(RedisSettings settings) {
        this.settings = settings;
        this.keys = new RedisKeys(settings);
        this.connections = new RedisConnections(settings.uri(), settings.commandTimeout());
        this.takeOver = new TakeOver(settings, keys);
    }

    @Override
    public CompletionStage<Void> publish(Collection<OrderStep> orderSteps) {
        try {
            RedisAsyncCommands<String, byte[]> redis = connections.commands().async();
            CompletableFuture<?>[] added = orderSteps.stream()
                    .map(step -> redis.xadd(keys.streamOf(step), StreamEntries.write(step)))
                    .map(RedisFuture::toCompletableFuture)
                    .toArray(CompletableFuture[]::new);
            return CompletableFuture.allOf(added)
                    .exceptionallyCompose(
                            failed -> CompletableFuture.failedFuture(RedisConnections.unavailable(unwrapped(failed))));
        } catch (TransportUnavailableException | RedisException failed) {
            return CompletableFuture.failedFuture(RedisConnections.unavailable(failed));
        }
    }

    @Override
    public List<Delivery> read(int max, Duration block) {
        List<String> streams = nextStreams(max);
        XReadArgs arguments =
                XReadArgs.Builder.count(Math.max(1, max / streams.size())).block(Math.max(1, block.toMillis()));
        return withGroups(() -> deliveries(connections
                .blocking()
                .sync()
                .xreadgroup(Consumer.from(settings.group(), settings.consumerName()), arguments, offsets(streams))));
    }

    @Override
    public List<Delivery> takeOver(int max) {
        return withGroups(() -> takeOver.from(connections.commands().sync(), max));
    }

    /** XACK before XDEL: before Redis 7, an entry that is deleted first stays pending for ever. */
    @Override
    public void ack(Collection<Delivery> deliveries) {
        Map<String, List<String>> byStream = new LinkedHashMap<>();
        for (Delivery delivery : deliveries) {
            int slash = delivery.id().indexOf('/');
            String stream = keys.stream(Integer.parseInt(delivery.id().substring(0, slash)));
            byStream.computeIfAbsent(stream, key -> new ArrayList<>())
                    .add(delivery.id().substring(slash + 1));
        }
        available(() -> {
            RedisAsyncCommands<String, byte[]> redis = connections.commands().async();
            List<RedisFuture<?>> sent = new ArrayList<>();
            byStream.forEach((stream, ids) -> {
                String[] all = ids.toArray(String[]::new);
                sent.add(redis.xack(stream, settings.group(), all));
                sent.add(redis.xdel(stream, all));
            });
            return awaitAll(sent);
        });
    }

    @Override
    public void quarantine(Delivery delivery, String reason) {
        Map<String, byte[]> fields = new LinkedHashMap<>();
        fields.put("reason", StreamEntries.bytes(reason));
        fields.put("delivery", StreamEntries.bytes(delivery.id()));
        delivery.raw().forEach((field, value) -> fields.put("raw." + field, StreamEntries.bytes(value)));
        XAddArgs bounded = XAddArgs.Builder.maxlen(QUARANTINE_ENTRIES_MAX).approximateTrimming();
        available(() -> connections.commands().sync().xadd(keys.quarantine(), bounded, fields));
    }

    /** Settings of the server, for the checks at start. */
    public RedisFacts facts() {
        return available(() -> RedisFacts.read(connections.commands().sync()));
    }

    /** Whether Redis answers right now. */
    public boolean isReachable() {
        try {
            return "PONG".equals(available(() -> connections.commands().sync().ping()));
        } catch (TransportUnavailableException away) {
            return false;
        }
    }

    @Override
    public void close() {
        try {
            takeOver.leave(connections.commands().sync());
        } catch (RuntimeException away) {
            // whoever is left reaps our name later
        }
        connections.close();
    }

    /** COUNT is per stream: fewer streams when less than one for each is wanted, starting from another one each time. */
    private List<String> nextStreams(int max) {
        int count = Math.min(Math.max(1, max), settings.partitions());
        int first = firstPartition;
        firstPartition = (firstPartition + count) % settings.partitions();
        return IntStream.range(first, first + count)
                .map(partition -> partition % settings.partitions())
                .mapToObj(keys::stream)
                .toList();
    }

    @SuppressWarnings("unchecked")
    private static StreamOffset<String>[] offsets(List<String> streams) {
        return streams.stream().map(StreamOffset::lastConsumed).toArray(StreamOffset[]::new);
    }

    private List<Delivery> deliveries(List<StreamMessage<String, byte[]>> messages) {
        return messages.stream().map(message -> delivery(keys, message, 0)).toList();
    }

    static Delivery delivery(RedisKeys keys, StreamMessage<String, byte[]> message, int takeovers) {
        String id = keys.partitionOf(message.getStream()) + "/" + message.getId();
        OrderStep orderStep = StreamEntries.read(message.getBody());
        return new Delivery(id, orderStep, takeovers, StreamEntries.raw(message.getBody()));
    }

    private List<Delivery> withGroups(Supplier<List<Delivery>> reading) {
        return available(() -> {
            try {
                return reading.get();
            } catch (RedisCommandExecutionException failed) {
                if (!String.valueOf(failed.getMessage()).startsWith("NOGROUP")) {
                    throw failed;
                }
                createGroups();
                return reading.get();
            }
        });
    }

    private void createGroups() {
        RedisCommands<String, byte[]> redis = connections.commands().sync();
        for (String stream : keys.streams()) {
            try {
                redis.xgroupCreate(
                        StreamOffset.from(stream, "0"), settings.group(), XGroupCreateArgs.Builder.mkstream());
            } catch (RedisBusyException thereAlready) {
                // another worker made it
            }
        }
    }

    private Void awaitAll(List<RedisFuture<?>> sent) {
        try {
            CompletableFuture.allOf(
                            sent.stream().map(RedisFuture::toCompletableFuture).toArray(CompletableFuture[]::new))
                    .orTimeout(settings.commandTimeout().toMillis() * 2, TimeUnit.MILLISECONDS)
                    .join();
            return null;
        } catch (CompletionException failed) {
            throw RedisConnections.unavailable(unwrapped(failed));
        }
    }

    private static <T> T available(Supplier<T> command) {
        try {
            return command.get();
        } catch (RedisException failed) {
            throw RedisConnections.unavailable(failed);
        }
    }

    private static Throwable unwrapped(Throwable failed) {
        return failed instanceof CompletionException && failed.getCause() != null ? failed.getCause() : failed;
    }
}
