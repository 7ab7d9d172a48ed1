package io.chargefence.demo;

import io.lettuce.core.Consumer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.StreamMessage;
import io.lettuce.core.XAutoClaimArgs;
import io.lettuce.core.XReadArgs;
import io.lettuce.core.XReadArgs.StreamOffset;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * <b>The incident, not the product.</b> A queue worker as shops write it: read, call the provider, ack. Nothing stands between a
 * message that comes again and the provider. Run by {@code mvn -Pdemo -Dfence=off}.
 */
final class NaiveWorker {

    static final String STREAM = "naive:charges";
    static final String GROUP = "naive";

    private static final Duration RESERVATION = Duration.ofSeconds(4);

    private final RedisCommands<String, String> redis;
    private final URI provider;
    private final Consumer<String> self;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private NaiveWorker(RedisCommands<String, String> redis, URI provider, String name) {
        this.redis = redis;
        this.provider = provider;
        this.self = Consumer.from(GROUP, name + "-" + ProcessHandle.current().pid());
    }

    public static void main(String[] arguments) throws Exception {
        RedisClient client = RedisClient.create(arguments[0]);
        new NaiveWorker(client.connect().sync(), URI.create(arguments[1] + "/v1/payment_intents"), arguments[2]).work();
    }

    private void work() throws InterruptedException {
        while (true) {
            for (StreamMessage<String, String> message : next()) {
                if (charge(message.getBody())) {
                    redis.xack(STREAM, GROUP, message.getId()); // dies before this line: charged, and delivered again
                    redis.xdel(STREAM, message.getId());
                }
            }
        }
    }

    private List<StreamMessage<String, String>> next() {
        List<StreamMessage<String, String>> messages = new ArrayList<>(redis.xautoclaim(
                        STREAM,
                        new XAutoClaimArgs<String>()
                                .consumer(self)
                                .minIdleTime(RESERVATION)
                                .startId("0")
                                .count(4))
                .getMessages());
        messages.addAll(
                redis.xreadgroup(self, XReadArgs.Builder.count(4).block(200), StreamOffset.lastConsumed(STREAM)));
        return messages;
    }

    /** Whether the message is done with: a decline is, a failure is tried again. */
    private boolean charge(Map<String, String> order) throws InterruptedException {
        String form =
                "amount=%s&currency=%s&confirm=true&payment_method=pm_card_visa&metadata[order_id]=%s&metadata[step]=%s"
                        .formatted(
                                order.get("amount"),
                                order.get("currency"),
                                encoded(order.get("orderId")),
                                encoded(order.get("step")));
        HttpRequest request = HttpRequest.newBuilder(provider)
                .timeout(Duration.ofSeconds(2))
                .header("Authorization", "Bearer sk_test_simulator")
                .header("Content-Type", "application/x-www-form-urlencoded")
                .header("X-Caller-Pid", Long.toString(ProcessHandle.current().pid()))
                .POST(HttpRequest.BodyPublishers.ofString(form))
                .build();
        try {
            int status =
                    http.send(request, HttpResponse.BodyHandlers.ofString()).statusCode();
            return status == 200 || status == 402;
        } catch (IOException failed) {
            return false;
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
