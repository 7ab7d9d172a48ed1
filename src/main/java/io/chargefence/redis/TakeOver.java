package io.chargefence.redis;

import io.chargefence.flow.Deliveries.Delivery;
import io.chargefence.flow.TransportUnavailableException;
import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import io.lettuce.core.StreamMessage;
import io.lettuce.core.XAutoClaimArgs;
import io.lettuce.core.XPendingArgs;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.models.stream.ClaimedMessages;
import io.lettuce.core.models.stream.PendingMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Takes over what was read longer ago than the reservation, whoever read it (also this process: an entry that it has held for
 * so long is stuck), and clears ghosts: ids that are pending though their entry is deleted.
 *
 * <p>XPENDING with IDLE first, then XAUTOCLAIM from the oldest of those ids. XPENDING says how often each was delivered, and
 * which ids are ghosts: XAUTOCLAIM reports those in a third list that Lettuce drops, or, before Redis 7, as nulls without an id,
 * and keeps them for ever. That two workers do not get the same entry is XAUTOCLAIM's own doing: it looks at the idle time again.
 */
final class TakeOver {

    private final Streams streams;
    private final Duration reservation;

    TakeOver(Streams streams, Duration reservation) {
        this.streams = streams;
        this.reservation = reservation;
    }

    private record Stale(int partition, String id, int deliveries) {}

    private record Claimed(List<Delivery> deliveries, List<Stale> missing) {}

    List<Delivery> takeOver(int max) {
        List<Delivery> taken = new ArrayList<>();
        boolean goOn = max > 0;
        while (goOn && taken.size() < max) {
            try {
                goOn = takeSome(max - taken.size(), taken);
            } catch (TransportUnavailableException away) {
                if (taken.isEmpty()) {
                    throw away;
                }
                goOn = false; // what is taken is in our hands
            }
        }
        return taken;
    }

    /** @return whether there may be more: ghosts take up room in the question, but not in the answer */
    private boolean takeSome(int room, List<Delivery> taken) {
        List<Stale> stale = streams.withGroups(() -> findStale(room));
        if (stale.isEmpty()) {
            return false;
        }
        Claimed claimed = claim(stale);
        taken.addAll(claimed.deliveries());
        int ghosts = dropGhosts(claimed.missing());
        return ghosts > 0;
    }

    private List<Stale> findStale(int room) {
        List<List<PendingMessage>> pending = streams.ask(
                "look for abandoned deliveries",
                (redis, key) -> redis.xpending(
                        key,
                        new XPendingArgs<byte[]>()
                                .group(streams.group)
                                .range(Range.unbounded())
                                .limit(Limit.from(room))
                                .idle(reservation)));
        return shareOut(pending, room);
    }

    /** The oldest of each partition first, then the second oldest, until there is no room. */
    private List<Stale> shareOut(List<List<PendingMessage>> pending, int room) {
        List<Integer> order = streams.turn(pending.size());
        List<Stale> stale = new ArrayList<>();
        int longest = pending.stream().mapToInt(List::size).max().orElse(0);
        for (int rank = 0; rank < longest; rank++) {
            for (int partition : order) {
                List<PendingMessage> here = pending.get(partition);
                if (rank < here.size() && stale.size() < room) {
                    PendingMessage one = here.get(rank);
                    stale.add(new Stale(partition, one.getId(), atMostInt(one.getRedeliveryCount())));
                }
            }
        }
        return stale;
    }

    private Claimed claim(List<Stale> stale) {
        Map<Integer, Map<String, Stale>> byPartition = new LinkedHashMap<>();
        for (Stale one : stale) {
            byPartition
                    .computeIfAbsent(one.partition(), first -> new LinkedHashMap<>())
                    .put(one.id(), one);
        }
        List<List<StreamMessage<byte[], byte[]>>> answers =
                each("take over deliveries", byPartition.entrySet(), (redis, partition) -> {
                    XAutoClaimArgs<byte[]> idleStill = new XAutoClaimArgs<byte[]>()
                            .consumer(streams.self)
                            .minIdleTime(reservation)
                            .startId(partition.getValue().keySet().iterator().next())
                            .count(partition.getValue().size());
                    return redis.xautoclaim(streams.keys.charges(partition.getKey()), idleStill)
                            .thenApply(ClaimedMessages::getMessages);
                });
        return sorted(byPartition, answers);
    }

    private static Claimed sorted(
            Map<Integer, Map<String, Stale>> byPartition, List<List<StreamMessage<byte[], byte[]>>> answers) {
        List<Delivery> deliveries = new ArrayList<>();
        List<Stale> missing = new ArrayList<>();
        int at = 0;
        for (Map.Entry<Integer, Map<String, Stale>> asked : byPartition.entrySet()) {
            Map<String, Stale> open = new HashMap<>(asked.getValue());
            for (StreamMessage<byte[], byte[]> message : answers.get(at++)) {
                if (hasBody(message)) {
                    Stale one = open.remove(message.getId());
                    deliveries.add(Entries.decode(asked.getKey(), message, one == null ? 1 : one.deliveries()));
                }
            }
            missing.addAll(open.values());
        }
        return new Claimed(deliveries, missing);
    }

    /** Not claimed: either another worker was faster, or the entry is deleted. Only the latter is removed. */
    private int dropGhosts(List<Stale> missing) {
        List<List<StreamMessage<byte[], byte[]>>> entries = each(
                "look for deleted entries",
                missing,
                (redis, one) -> redis.xrange(streams.keys.charges(one.partition()), Range.create(one.id(), one.id())));
        List<Stale> ghosts = new ArrayList<>();
        for (int at = 0; at < missing.size(); at++) {
            if (entries.get(at).isEmpty()) {
                ghosts.add(missing.get(at));
            }
        }
        each(
                "drop deleted entries",
                ghosts,
                (redis, ghost) -> redis.xack(streams.keys.charges(ghost.partition()), streams.group, ghost.id()));
        return ghosts.size();
    }

    private interface Command<Q, A> extends BiFunction<RedisAsyncCommands<byte[], byte[]>, Q, CompletionStage<A>> {}

    private <Q, A> List<A> each(String doing, Collection<Q> questions, Command<Q, A> command) {
        if (questions.isEmpty()) {
            return List.of();
        }
        return streams.link.call(doing, redis -> {
            Function<Q, CompletionStage<A>> issue = question -> command.apply(redis, question);
            return Link.all(questions.stream().map(issue).toList());
        });
    }

    private static boolean hasBody(StreamMessage<byte[], byte[]> message) {
        return message != null && message.getId() != null && message.getBody() != null;
    }

    private static int atMostInt(long count) {
        return (int) Math.min(count, Integer.MAX_VALUE);
    }
}
