package io.chargefence.spring;

import io.chargefence.mysql.SchemaMigration;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings under {@code chargefence}.
 *
 * @param enabled whether anything of Chargefence is set up
 * @param namespace part of every idempotency key; tells deployments apart that share a provider account. Changing it while charges
 *     are in doubt lets a provider take their resend for a new charge
 * @param defaultProvider provider of requests that name none; needed only with several providers
 */
@ConfigurationProperties("chargefence")
public record ChargefenceProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("default") String namespace,
        @Nullable String defaultProvider,
        @DefaultValue Schema schema,
        @DefaultValue Outbox outbox,
        @DefaultValue Transport transport,
        @DefaultValue Worker worker,
        @DefaultValue Retry retry,
        @DefaultValue InDoubt inDoubt,
        @DefaultValue Circuit circuit,
        @DefaultValue Metrics metrics,
        @DefaultValue Stripe stripe) {

    /**
     * @param mode migrate: bring the tables up to date at start; validate: refuse to start when they are not; none: do not look
     * @param historyTable Flyway's history of our migrations; never the application's own
     */
    public record Schema(
            @DefaultValue("migrate") SchemaMigration.Mode mode,
            @DefaultValue("chargefence_schema_history") String historyTable) {}

    /**
     * @param publishGrace how long the sweeper leaves a new request to the publication after the commit
     * @param sweepInterval pause between two sweeps for what is due
     * @param batchSize rows a sweep takes at once
     */
    public record Outbox(
            @DefaultValue("5s") Duration publishGrace,
            @DefaultValue("500ms") Duration sweepInterval,
            @DefaultValue("100") int batchSize) {}

    /**
     * @param redisUri for example redis://localhost:6379; left out: the application's own Redis (spring.data.redis)
     * @param keyPrefix of every Redis key
     * @param group consumer group, the same in all workers
     * @param partitions number of streams, the same in all processes
     * @param reservation how long a delivery belongs to the worker that read it; longer than a call and its margin
     * @param block how long a read waits for deliveries
     * @param connectTimeout of a connection to Redis; while it is away a request waits for it once in a while
     * @param commandTimeout of a Redis command; longer than block
     * @param requireNoeviction refuse to start when Redis may evict our keys; false: only warn
     */
    public record Transport(
            @Nullable String redisUri,
            @DefaultValue("chargefence:") String keyPrefix,
            @DefaultValue("chargefence") String group,
            @DefaultValue("4") int partitions,
            @DefaultValue("60s") Duration reservation,
            @DefaultValue("1s") Duration block,
            @DefaultValue("2s") Duration connectTimeout,
            @DefaultValue("5s") Duration commandTimeout,
            @DefaultValue("true") boolean requireNoeviction) {}

    /**
     * @param enabled false: this process requests and asks, and sweeps, but calls no provider
     * @param concurrency provider calls in flight; what a kill can leave in doubt
     * @param batchSize deliveries read at once
     * @param callTimeout hard limit of one provider call
     * @param startWithin a call that is not on its way this long after its claim is not sent
     * @param margin added wherever two clocks or processes must not overlap
     * @param shutdownGrace how long a stop waits for calls in flight
     */
    public record Worker(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("16") int concurrency,
            @DefaultValue("64") int batchSize,
            @DefaultValue("20s") Duration callTimeout,
            @DefaultValue("5s") Duration startWithin,
            @DefaultValue("10s") Duration margin,
            @DefaultValue("30s") Duration shutdownGrace) {}

    /**
     * @param callsMax transmissions per attempt, then parked
     * @param backoff first wait after proof that a call was not executed
     * @param multiplier what the wait grows by
     * @param maxBackoff the longest wait
     * @param jitter share of a wait that is random, 0 to 1
     * @param takeoversMax takeovers of a delivery without a new event, then parked
     */
    public record Retry(
            @DefaultValue("3") int callsMax,
            @DefaultValue("2s") Duration backoff,
            @DefaultValue("3") double multiplier,
            @DefaultValue("1m") Duration maxBackoff,
            @DefaultValue("0.2") double jitter,
            @DefaultValue("10") int takeoversMax) {}

    /**
     * @param lookUpDelays waits between look-ups of a charge in doubt; the last repeats
     * @param giveUpAfter then parked; nothing waits longer
     */
    public record InDoubt(
            @DefaultValue({"5s", "30s", "2m", "10m", "1h"}) List<Duration> lookUpDelays,
            @DefaultValue("24h") Duration giveUpAfter) {}

    /**
     * @param enabled whether calls are held back while a provider fails; never decides a charge
     * @param failureRate per cent of calls without an answer that opens the circuit
     * @param minimumCalls calls before the rate counts
     * @param openFor how long it stays open before some calls are tried
     */
    public record Circuit(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("50") float failureRate,
            @DefaultValue("20") int minimumCalls,
            @DefaultValue("30s") Duration openFor) {}

    /**
     * @param ledgerRefresh how often the figures that count the whole table are read
     * @param maxSteps distinct values of the step tag; the rest is other
     */
    public record Metrics(
            @DefaultValue("15s") Duration ledgerRefresh,
            @DefaultValue("50") int maxSteps) {}

    /**
     * @param apiKey secret key; setting it makes the Stripe provider
     * @param id of the provider
     * @param apiBase where Stripe is
     * @param connectTimeout of one connection
     * @param keys whether idempotency keys are honoured
     * @param lookUp whether payments can be listed
     * @param lookUpLag how long a payment may stay hidden from a list
     * @param clockSkew how far Stripe's clock and the database's may be apart
     * @param headers sent with each request, for a proxy
     */
    public record Stripe(
            @Nullable String apiKey,
            @DefaultValue("stripe") String id,
            @DefaultValue("https://api.stripe.com") URI apiBase,
            @DefaultValue("5s") Duration connectTimeout,
            @DefaultValue("true") boolean keys,
            @DefaultValue("true") boolean lookUp,
            @DefaultValue("5s") Duration lookUpLag,
            @DefaultValue("2m") Duration clockSkew,
            @DefaultValue Map<String, String> headers) {

        /** Without the key. */
        @Override
        public String toString() {
            return "Stripe[id=%s, apiBase=%s]".formatted(id, apiBase);
        }
    }
}
