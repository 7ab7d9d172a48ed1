package io.chargefence.demo;

import io.chargefence.ChargeRequest;
import io.chargefence.Intent;
import io.chargefence.standalone.CsvOrders.Line;
import io.chargefence.testing.ProviderLedger;
import io.chargefence.testing.ProviderLedger.Entry;
import io.chargefence.testing.ProviderLedger.Kind;
import io.lettuce.core.RedisClient;
import io.lettuce.core.XGroupCreateArgs;
import io.lettuce.core.XReadArgs.StreamOffset;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** <b>The incident, not the product.</b> The same orders and the same kills, with {@link NaiveWorker} and no fence. */
final class NaiveShop {

    private static final Duration PATIENCE = Duration.ofMinutes(20);

    private final DemoWorld world;
    private final PrintStream out;

    NaiveShop(DemoWorld world, PrintStream out) {
        this.world = world;
        this.out = out;
    }

    int run(List<Line> lines, int rate) throws InterruptedException {
        try (RedisClient client = RedisClient.create(world.redisUri())) {
            RedisCommands<String, String> redis = client.connect().sync();
            redis.xgroupCreate(
                    StreamOffset.from(NaiveWorker.STREAM, "0"), NaiveWorker.GROUP, XGroupCreateArgs.Builder.mkstream());
            world.startNaiveWorkers();
            place(redis, lines, rate);
        }
        return tell(lines);
    }

    private void place(RedisCommands<String, String> redis, List<Line> lines, int rate) throws InterruptedException {
        List<ChargeRequest> requests = lines.stream()
                .filter(line -> line.request() != null)
                .map(Line::request)
                .toList();
        long until = System.nanoTime() + PATIENCE.toNanos();
        int placed = 0;
        long open = requests.size();
        try (Progress progress = new Progress("charging", requests.size())) {
            while ((placed < requests.size() || open > 0) && System.nanoTime() < until) {
                int upTo = Math.min(requests.size(), placed + Math.max(1, rate / 5));
                requests.subList(placed, upTo).forEach(request -> redis.xadd(NaiveWorker.STREAM, message(request)));
                placed = upTo;
                if (placed == requests.size()) {
                    world.stopKills();
                }
                world.keepWorkersAlive();
                open = redis.xlen(NaiveWorker.STREAM);
                progress.at(placed - open, open + " open");
                TimeUnit.MILLISECONDS.sleep(200);
            }
        }
    }

    private static Map<String, String> message(ChargeRequest request) {
        Intent intent = request.intent("naive");
        return Map.of(
                "orderId", request.orderStep().orderId(),
                "step", request.orderStep().step(),
                "amount", Long.toString(intent.amountMinor()),
                "currency", intent.currency().toLowerCase());
    }

    private int tell(List<Line> lines) {
        List<Entry> ledger = world.readLedger();
        var charges = ProviderLedger.chargesByStep(ledger);
        long twice = charges.values().stream().filter(of -> of.size() > 1).count();
        long refused = lines.stream().filter(line -> line.request() == null).count();
        out.println();
        out.println(
                "This is the incident: an ack after the HTTP call is not a fence. Each of these orders was charged more than once:");
        charges.entrySet().stream()
                .filter(of -> of.getValue().size() > 1)
                .limit(10)
                .forEach(of -> out.printf(
                        "  %s: %d charges%n", of.getKey(), of.getValue().size()));
        out.printf(
                "steps %d · charged %d · declined %d · refused %d · kills %d%n",
                lines.size(), charges.size(), count(ledger, Kind.DECLINE), refused, count(ledger, Kind.KILL));
        out.printf(
                "provider charges %d · steps charged %d · charged twice %d%n",
                charges.values().stream().mapToLong(List::size).sum(), charges.size(), twice);
        return 0;
    }

    private static long count(List<Entry> ledger, Kind kind) {
        return ledger.stream().filter(entry -> entry.kind() == kind).count();
    }
}
