package io.chargefence.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.chargefence.CardNumbers;
import io.chargefence.OrderStep;
import io.chargefence.flow.Deliveries;
import io.chargefence.flow.TransportUnavailableException;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.XAddArgs;
import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.tracing.Tracing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Deliveries on Redis streams: partitioned by order, one consumer group, entries that carry ids and nothing else.
 *
 * <p>Has a client and threads of its own, so that the host's Redis client, its tracing and its time-outs are neither used nor
 * disturbed. Construction does not connect: Redis may be away, and every method works again by itself once it is back.
 * Needs one primary (alone or behind Sentinel), Redis 6.2 or later; the keys are ready for a cluster, this class is not.
 */
public final class RedisDeliveries implements Deliveries, AutoCloseable {

    /** The quarantine is for eyes, not for work, so it may forget its oldest; the work streams never do. */
    static final int QUARANTINE_MAX = 10_000;

    private final RedisKeys keys;
    private final ClientResources resources;
    private final RedisClient client;
    private final Link commands;
    private final Link blockingReads;
    private final Streams streams;
    private final Reader reader;
    private final TakeOver takeOver;
    private final Housekeeping housekeeping;
    private final AtomicBoolean closed = new AtomicBoolean();

    public RedisDeliveries(RedisURI uri, RedisSettings settings) {
        RedisURI ours = ours(uri, settings);
        this.keys = new RedisKeys(settings.keyPrefix(), settings.partitions());
        this.resources = ownResources();
        this.client = RedisClient.create(resources);
        client.setOptions(options(settings));
        this.commands = new Link(client, ours, settings);
        this.blockingReads = new Link(client, ours, settings);
        this.streams = new Streams(commands, keys, settings);
        this.reader = new Reader(streams, blockingReads);
        this.takeOver = new TakeOver(streams, settings.reservation());
        this.housekeeping = new Housekeeping(streams, settings);
    }

    private static RedisURI ours(RedisURI uri, RedisSettings settings) {
        RedisURI ours = RedisURI.builder(uri).build();
        ours.setTimeout(settings.commandTimeout()); // bounds the handshake too, which is 60 s otherwise
        if (ours.getClientName() == null) {
            ours.setClientName("chargefence");
        }
        return ours;
    }

    private static ClientResources ownResources() {
        return ClientResources.builder()
                .ioThreadPoolSize(2)
                .computationThreadPoolSize(2)
                .commandLatencyRecorder(CommandLatencyRecorder.disabled())
                .tracing(Tracing.disabled())
                .build();
    }

    private static ClientOptions options(RedisSettings settings) {
        return ClientOptions.builder()
                .autoReconnect(false)
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .protocolVersion(ProtocolVersion.RESP2)
                // Ours are in Link: Lettuce's own would cut off a read that blocks for longer than a command may take.
                .timeoutOptions(TimeoutOptions.builder().timeoutCommands(false).build())
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(settings.connectTimeout())
                        .keepAlive(true)
                        .build())
                .build();
    }

    @Override
    public CompletionStage<Void> publish(Collection<OrderStep> orderSteps) {
        if (orderSteps.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        List<OrderStep> steps = List.copyOf(orderSteps);
        return commands.start(
                "publish " + steps.size() + " charges",
                Duration.ZERO,
                redis -> Link.all(steps.stream()
                                .map(step -> redis.xadd(
                                        keys.charges(keys.partitionOf(step.orderId())), Entries.encode(step)))
                                .toList())
                        .thenApply(ids -> null));
    }

    /** One reader at a time: a second caller waits for the first. */
    @Override
    public List<Delivery> read(int max, Duration block) {
        return reader.read(max, block);
    }

    /** Also this process's own, when it has held them for longer than the reservation: it does not seem to work on them. */
    @Override
    public List<Delivery> takeOver(int max) {
        List<Delivery> taken = takeOver.takeOver(max);
        housekeeping.whenDue();
        return taken;
    }

    /** First from the pending list, then from the stream: before Redis 7 the other order leaves ids pending for ever. */
    @Override
    public void ack(Collection<Delivery> deliveries) {
        if (deliveries.isEmpty()) {
            return;
        }
        Map<Integer, List<String>> byPartition = new TreeMap<>();
        deliveries.forEach(delivery -> byPartition
                .computeIfAbsent(partition(delivery), first -> new ArrayList<>())
                .add(delivery.id().substring(delivery.id().indexOf('/') + 1)));
        commands.call("ack " + deliveries.size() + " deliveries", redis -> {
            List<CompletionStage<Long>> answers = new ArrayList<>();
            byPartition.forEach((partition, list) -> {
                String[] ids = list.toArray(String[]::new);
                answers.add(redis.xack(keys.charges(partition), streams.group, ids));
                answers.add(redis.xdel(keys.charges(partition), ids));
            });
            return Link.all(answers);
        });
    }

    private int partition(Delivery delivery) {
        String id = delivery.id();
        if (!id.matches("\\d{1,3}/\\d{1,20}-\\d{1,20}")) {
            throw new IllegalArgumentException("Delivery id '" + id + "' is none of this transport's.");
        }
        return Integer.parseInt(id, 0, id.indexOf('/'), 10);
    }

    @Override
    public void quarantine(Delivery delivery, String reason) {
        Map<byte[], byte[]> kept = new LinkedHashMap<>();
        kept.put(bytes("deliveryId"), bytes(delivery.id()));
        kept.put(bytes("reason"), bytes(CardNumbers.masked(reason)));
        delivery.raw()
                .forEach((name, value) ->
                        kept.put(bytes("raw." + CardNumbers.masked(name)), bytes(CardNumbers.masked(value))));
        XAddArgs capped = new XAddArgs().maxlen(QUARANTINE_MAX).approximateTrimming();
        commands.call("quarantine delivery " + delivery.id(), redis -> redis.xadd(keys.quarantine(), capped, kept));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    /** Asks Redis about itself, for the checks at start. Unknown where the user may not ask. */
    public RedisFacts facts() {
        return RedisFacts.of(commands.call("ask for server facts", redis -> Link.unless("NOPERM", redis.info(), "")));
    }

    /** Whether Redis answers right now. */
    public boolean isReachable() {
        try {
            facts();
            return true;
        } catch (TransportUnavailableException away) {
            return false;
        }
    }

    /** Two cheap commands per partition. */
    public RedisTransportStats stats() {
        List<Info> groups = housekeeping.groups();
        List<Long> lengths = streams.ask("measure the streams", (redis, key) -> redis.xlen(key));
        List<RedisTransportStats.Partition> partitions = new ArrayList<>();
        for (int number = 0; number < lengths.size(); number++) {
            Info group = groups.get(number);
            partitions.add(new RedisTransportStats.Partition(
                    number,
                    lengths.get(number),
                    group.numberOr0("pending"),
                    group.number("lag"),
                    group.numberOr0("consumers")));
        }
        long quarantined = commands.call("measure the quarantine", redis -> redis.xlen(keys.quarantine()));
        return new RedisTransportStats(partitions, quarantined);
    }

    /**
     * Removes the names of processes that have not read for this long and have nothing pending. {@link #takeOver} does it now
     * and then by itself.
     *
     * @return how many names, counted per partition
     */
    public int reapConsumers(Duration idle) {
        return housekeeping.reapConsumers(idle);
    }

    /** Takes this process's name off the group unless it still has deliveries, which others then take over. */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        try {
            housekeeping.deleteSelf();
        } catch (TransportUnavailableException away) {
            // reaped by the others later
        }
        commands.close();
        blockingReads.close();
        client.shutdown(0, 2, TimeUnit.SECONDS);
        resources.shutdown(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(2, TimeUnit.SECONDS);
    }
}
