package io.chargefence.redis;

import io.chargefence.flow.Deliveries.Delivery;
import io.lettuce.core.Consumer;
import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import io.lettuce.core.StreamMessage;
import io.lettuce.core.XAutoClaimArgs;
import io.lettuce.core.XPendingArgs;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.models.stream.PendingMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Takes over what other workers did not finish, and clears away what they left: ghosts and names. */
final class TakeOver {

    private static final Duration NAME_IDLE_MIN = Duration.ofHours(1);

    private final RedisSettings settings;
    private final RedisKeys keys;
    private long reapAtNanos;
    private int firstPartition;

    TakeOver(RedisSettings settings, RedisKeys keys) {
        this.settings = settings;
        this.keys = keys;
        this.reapAtNanos = System.nanoTime();
    }

    List<Delivery> from(RedisCommands<String, byte[]> redis, int max) {
        reapNow(redis);
        List<Delivery> taken = new ArrayList<>();
        firstPartition = (firstPartition + 1) % settings.partitions();
        for (int n = 0; n < settings.partitions() && taken.size() < max; n++) {
            String stream = keys.stream((firstPartition + n) % settings.partitions());
            taken.addAll(fromStream(redis, stream, max - taken.size()));
        }
        return taken;
    }

    /** XPENDING first: it tells how often each was delivered, and which ids are ghosts. */
    private List<Delivery> fromStream(RedisCommands<String, byte[]> redis, String stream, int max) {
        List<PendingMessage> idle = redis.xpending(
                stream,
                XPendingArgs.Builder.xpending(settings.group(), Range.unbounded(), Limit.from(max))
                        .idle(settings.reservation()));
        if (idle.isEmpty()) {
            return List.of();
        }
        List<StreamMessage<String, byte[]>> claimed =
                claim(redis, stream, idle.get(0).getId(), idle.size());
        dropGhosts(redis, stream, idle, claimed);
        Map<String, Long> deliveries =
                idle.stream().collect(Collectors.toMap(PendingMessage::getId, PendingMessage::getRedeliveryCount));
        return claimed.stream()
                .map(message -> RedisDeliveries.delivery(
                        keys,
                        message,
                        deliveries.getOrDefault(message.getId(), 1L).intValue()))
                .toList();
    }

    private List<StreamMessage<String, byte[]>> claim(
            RedisCommands<String, byte[]> redis, String stream, String from, int count) {
        XAutoClaimArgs<String> arguments = new XAutoClaimArgs<String>()
                .consumer(Consumer.from(settings.group(), settings.consumerName()))
                .minIdleTime(settings.reservation())
                .startId(from)
                .count(count);
        return redis.xautoclaim(stream, arguments).getMessages().stream()
                .filter(message -> message != null
                        && message.getBody() != null
                        && !message.getBody().isEmpty())
                .toList();
    }

    /** Entries that were deleted or trimmed while pending: before Redis 7 nothing else removes them from the pending list. */
    private void dropGhosts(
            RedisCommands<String, byte[]> redis,
            String stream,
            List<PendingMessage> idle,
            List<StreamMessage<String, byte[]>> claimed) {
        Set<String> there = claimed.stream().map(StreamMessage::getId).collect(Collectors.toSet());
        idle.stream()
                .map(PendingMessage::getId)
                .filter(id -> !there.contains(id))
                .filter(id -> redis.xrange(stream, Range.create(id, id)).isEmpty())
                .forEach(ghost -> redis.xack(stream, settings.group(), ghost));
    }

    /** Names of processes that are gone. One that still has something pending is kept: deleting it would drop that. */
    private void reapNow(RedisCommands<String, byte[]> redis) {
        if (System.nanoTime() < reapAtNanos) {
            return;
        }
        reapAtNanos = System.nanoTime() + settings.reservation().toNanos();
        reap(redis, NAME_IDLE_MIN);
    }

    void reap(RedisCommands<String, byte[]> redis, Duration idleMin) {
        for (String stream : keys.streams()) {
            for (Map<String, Object> consumer : consumers(redis, stream)) {
                String name = text(consumer.get("name"));
                boolean gone = (Long) consumer.get("idle") >= idleMin.toMillis() && (Long) consumer.get("pending") == 0;
                if (gone && !name.equals(settings.consumerName())) {
                    redis.xgroupDelconsumer(stream, Consumer.from(settings.group(), name));
                }
            }
        }
    }

    /** Takes our own name out where nothing is pending under it. */
    void leave(RedisCommands<String, byte[]> redis) {
        for (String stream : keys.streams()) {
            consumers(redis, stream).stream()
                    .filter(consumer -> text(consumer.get("name")).equals(settings.consumerName()))
                    .filter(consumer -> (Long) consumer.get("pending") == 0)
                    .forEach(own ->
                            redis.xgroupDelconsumer(stream, Consumer.from(settings.group(), settings.consumerName())));
        }
    }

    private List<Map<String, Object>> consumers(RedisCommands<String, byte[]> redis, String stream) {
        return redis.xinfoConsumers(stream, settings.group()).stream()
                .map(TakeOver::fields)
                .toList();
    }

    private static Map<String, Object> fields(Object flat) {
        List<?> pairs = (List<?>) flat;
        Map<String, Object> fields = new java.util.HashMap<>();
        for (int n = 0; n + 1 < pairs.size(); n += 2) {
            fields.put(text(pairs.get(n)), pairs.get(n + 1));
        }
        return fields;
    }

    private static String text(Object value) {
        return value instanceof byte[] bytes
                ? new String(bytes, java.nio.charset.StandardCharsets.UTF_8)
                : String.valueOf(value);
    }
}
