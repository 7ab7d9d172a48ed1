package io.chargefence.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.chargefence.flow.TransportUnavailableException;
import io.lettuce.core.Consumer;
import io.lettuce.core.XTrimArgs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Removes what would pile up over the years: names of processes that are gone, and entries that nobody will ever read. */
final class Housekeeping {

    /** Of a process that is gone, not of one that stands still: a name that is deleted loses what it reads meanwhile. */
    private static final int IDLE_RESERVATIONS = 10;

    private static final Duration IDLE_MIN = Duration.ofHours(1);

    private final Streams streams;
    private final Duration reservation;
    private final String self;
    private long dueAtNanos = System.nanoTime();

    Housekeeping(Streams streams, RedisSettings settings) {
        this.streams = streams;
        this.reservation = settings.reservation();
        this.self = settings.consumerName();
    }

    private record Named(int partition, String name, long idleMs, long pending) {}

    /** At most once per reservation. Nothing depends on it, so a failure only means later. */
    synchronized void whenDue() {
        if (System.nanoTime() - dueAtNanos < 0) {
            return;
        }
        dueAtNanos = System.nanoTime() + reservation.toNanos();
        try {
            Duration idle = reservation.multipliedBy(IDLE_RESERVATIONS);
            reapConsumers(idle.compareTo(IDLE_MIN) < 0 ? IDLE_MIN : idle);
            trimAcked();
        } catch (TransportUnavailableException later) {
            // the caller's own commands tell it
        }
    }

    /** Never one that has something pending: deleting it would drop its deliveries. They are taken over first. */
    int reapConsumers(Duration idle) {
        return delete(consumers().stream()
                .filter(one -> !one.name().equals(self) && one.pending() == 0 && one.idleMs() >= idle.toMillis())
                .toList());
    }

    int deleteSelf() {
        return delete(consumers().stream()
                .filter(one -> one.name().equals(self) && one.pending() == 0)
                .toList());
    }

    private List<Named> consumers() {
        List<List<Object>> answers = streams.ask(
                "list consumers",
                (redis, key) -> Link.unless(
                        "ERR no such key",
                        Link.unless("NOGROUP", redis.xinfoConsumers(key, streams.group), List.of()),
                        List.of()));
        List<Named> named = new ArrayList<>();
        for (int partition = 0; partition < answers.size(); partition++) {
            for (Object consumer : answers.get(partition)) {
                Info info = Info.ofList(consumer);
                String name = String.valueOf(info.text("name"));
                named.add(new Named(partition, name, info.numberOr0("idle"), info.numberOr0("pending")));
            }
        }
        return named;
    }

    private int delete(List<Named> gone) {
        if (!gone.isEmpty()) {
            streams.link.call(
                    "delete consumers",
                    redis -> Link.all(gone.stream()
                            .map(one -> redis.xgroupDelconsumer(
                                    streams.keys.charges(one.partition()),
                                    Consumer.from(streams.group, one.name().getBytes(UTF_8))))
                            .toList()));
        }
        return gone.size();
    }

    /**
     * An entry that was acked but not deleted (the connection broke in between) is never delivered again and never deleted.
     * Everything below the oldest pending entry is such, as the group delivers in order.
     */
    void trimAcked() {
        List<Info> groups = groups();
        for (int partition = 0; partition < groups.size(); partition++) {
            byte[] key = streams.keys.charges(partition);
            String keep = firstToKeep(key, groups.get(partition));
            if (keep != null) {
                streams.link.call(
                        "trim",
                        redis -> redis.xtrim(key, new XTrimArgs().minId(keep).exactTrimming()));
            }
        }
    }

    /** Each branch decides by one answer, so by one moment: the group may be made anew between two of them. */
    private @Nullable String firstToKeep(byte[] key, Info group) {
        String delivered = group.text("last-delivered-id");
        Long pending = group.number("pending");
        if (delivered == null || pending == null) {
            return null;
        }
        if (pending == 0) {
            return after(delivered);
        }
        return streams.link.call(
                "look at the oldest delivery",
                redis -> redis.xpending(key, streams.group)
                        .thenApply(summary -> summary.getCount() == 0
                                ? null
                                : summary.getMessageIds().getLower().getValue()));
    }

    private static String after(String id) {
        int dash = id.indexOf('-');
        return id.substring(0, dash + 1) + (Long.parseUnsignedLong(id.substring(dash + 1)) + 1);
    }

    /** Our group on each partition; empty where there is none. */
    List<Info> groups() {
        List<List<Object>> answers = streams.ask(
                "look at the groups",
                (redis, key) -> Link.unless("ERR no such key", redis.xinfoGroups(key), List.of()));
        String ours = new String(streams.group, UTF_8);
        return answers.stream()
                .map(groups -> groups.stream()
                        .map(Info::ofList)
                        .filter(group -> ours.equals(group.text("name")))
                        .findFirst()
                        .orElseGet(() -> Info.ofList(List.of())))
                .toList();
    }
}
