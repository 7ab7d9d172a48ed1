package io.chargefence.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.Consumer;
import io.lettuce.core.XGroupCreateArgs;
import io.lettuce.core.XReadArgs.StreamOffset;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** The partitions, our group on them and our name in it. */
final class Streams {

    final Link link;
    final RedisKeys keys;
    final byte[] group;
    final Consumer<byte[]> self;
    private final AtomicInteger turn = new AtomicInteger();

    Streams(Link link, RedisKeys keys, RedisSettings settings) {
        this.link = link;
        this.keys = keys;
        this.group = settings.group().getBytes(UTF_8);
        this.self = Consumer.from(group, settings.consumerName().getBytes(UTF_8));
    }

    /** Does it, and once more after making the groups when one of them is gone: first start, emptied Redis, failover. */
    <T> T withGroups(Supplier<T> work) {
        try {
            return work.get();
        } catch (GroupGoneException gone) {
            createGroups();
            return work.get();
        }
    }

    /** At 0, never at the end: what was published before the group was there is still to be delivered. */
    private void createGroups() {
        XGroupCreateArgs makeStream = new XGroupCreateArgs().mkstream(true);
        ask(
                "create the consumer groups",
                (redis, key) -> Link.unless(
                        "BUSYGROUP", redis.xgroupCreate(StreamOffset.from(key, "0-0"), group, makeStream), ""));
    }

    /** One command for each partition, in one write; answers in the order of the partitions. */
    <T> List<T> ask(String doing, BiFunction<RedisAsyncCommands<byte[], byte[]>, byte[], CompletionStage<T>> command) {
        return link.call(doing, redis -> {
            List<CompletionStage<T>> answers = new ArrayList<>();
            for (int partition = 0; partition < keys.partitions(); partition++) {
                answers.add(command.apply(redis, keys.charges(partition)));
            }
            return Link.all(answers);
        });
    }

    /** The next {@code width} partitions, each time beginning where the last turn ended, so that none comes always last. */
    List<Integer> turn(int width) {
        int first = turn.getAndUpdate(at -> (at + (width == keys.partitions() ? 1 : width)) % keys.partitions());
        return IntStream.range(first, first + width)
                .mapToObj(at -> at % keys.partitions())
                .toList();
    }
}
