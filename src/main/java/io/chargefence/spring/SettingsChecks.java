package io.chargefence.spring;

import java.time.Duration;
import java.util.Locale;

/** Times and counts that must fit together, or a delivery comes back while its call is still running. */
final class SettingsChecks {

    private SettingsChecks() {}

    static void check(ChargefenceProperties properties) {
        counts(properties);
        shares(properties);
        durations(properties);
        lookUpDelays(properties.inDoubt());
        reservation(properties);
        block(properties.transport());
    }

    private static void reservation(ChargefenceProperties properties) {
        ChargefenceProperties.Worker worker = properties.worker();
        Duration reservation = properties.transport().reservation();
        Duration needed = worker.startWithin().plus(worker.callTimeout()).plus(worker.margin());
        if (needed.compareTo(reservation) >= 0) {
            throw new ChargefenceStartupException(
                    "chargefence.transport.reservation is %s".formatted(text(reservation)),
                    ("it must be longer than start-within + call-timeout + margin of chargefence.worker (%s + %s + %s = %s),"
                                    + " or a delivery comes back while its call is still running")
                            .formatted(
                                    text(worker.startWithin()),
                                    text(worker.callTimeout()),
                                    text(worker.margin()),
                                    text(needed)),
                    "Set chargefence.transport.reservation above %s, or chargefence.worker.call-timeout lower."
                            .formatted(text(needed)));
        }
    }

    private static void block(ChargefenceProperties.Transport transport) {
        if (transport.block().compareTo(transport.commandTimeout()) >= 0) {
            throw new ChargefenceStartupException(
                    "chargefence.transport.block is %s".formatted(text(transport.block())),
                    "it must be shorter than chargefence.transport.command-timeout (%s), or every quiet read times out"
                            .formatted(text(transport.commandTimeout())),
                    "Set chargefence.transport.block below %s.".formatted(text(transport.commandTimeout())));
        }
    }

    private static void counts(ChargefenceProperties properties) {
        atLeastOne("chargefence.worker.concurrency", properties.worker().concurrency());
        atLeastOne("chargefence.worker.batch-size", properties.worker().batchSize());
        atLeastOne("chargefence.transport.partitions", properties.transport().partitions());
        atLeastOne("chargefence.outbox.batch-size", properties.outbox().batchSize());
        atLeastOne("chargefence.retry.calls-max", properties.retry().callsMax());
        atLeastOne("chargefence.retry.multiplier", properties.retry().multiplier());
        atLeastOne("chargefence.retry.takeovers-max", properties.retry().takeoversMax());
        atLeastOne("chargefence.circuit.minimum-calls", properties.circuit().minimumCalls());
        atLeastOne("chargefence.metrics.max-steps", properties.metrics().maxSteps());
    }

    private static void shares(ChargefenceProperties properties) {
        double jitter = properties.retry().jitter();
        if (!(jitter >= 0 && jitter <= 1)) {
            throw new ChargefenceStartupException(
                    "chargefence.retry.jitter is " + jitter,
                    "it is the random share of a wait and must be between 0 and 1",
                    "Set it to 0.2.");
        }
        float rate = properties.circuit().failureRate();
        if (!(rate > 0 && rate <= 100)) {
            throw new ChargefenceStartupException(
                    "chargefence.circuit.failure-rate is " + rate,
                    "it is per cent and must be above 0 and at most 100",
                    "Set it to 50, or chargefence.circuit.enabled=false.");
        }
    }

    private static void durations(ChargefenceProperties properties) {
        longerThanZero("chargefence.outbox.sweep-interval", properties.outbox().sweepInterval());
        longerThanZero("chargefence.transport.block", properties.transport().block());
        longerThanZero(
                "chargefence.transport.connect-timeout", properties.transport().connectTimeout());
        longerThanZero("chargefence.worker.start-within", properties.worker().startWithin());
        longerThanZero("chargefence.worker.call-timeout", properties.worker().callTimeout());
        longerThanZero("chargefence.worker.margin", properties.worker().margin());
        longerThanZero("chargefence.retry.backoff", properties.retry().backoff());
        longerThanZero("chargefence.retry.max-backoff", properties.retry().maxBackoff());
        longerThanZero(
                "chargefence.in-doubt.give-up-after", properties.inDoubt().giveUpAfter());
        longerThanZero("chargefence.circuit.open-for", properties.circuit().openFor());
        longerThanZero(
                "chargefence.metrics.ledger-refresh", properties.metrics().ledgerRefresh());
        notNegative("chargefence.outbox.publish-grace", properties.outbox().publishGrace());
        notNegative("chargefence.worker.shutdown-grace", properties.worker().shutdownGrace());
    }

    private static void lookUpDelays(ChargefenceProperties.InDoubt inDoubt) {
        if (inDoubt.lookUpDelays().isEmpty()) {
            throw new ChargefenceStartupException(
                    "chargefence.in-doubt.look-up-delays is empty",
                    "a charge in doubt would never be asked about",
                    "Set it to 5s,30s,2m,10m,1h.");
        }
        inDoubt.lookUpDelays().forEach(delay -> longerThanZero("chargefence.in-doubt.look-up-delays", delay));
    }

    private static void atLeastOne(String property, Number value) {
        if (!(value.doubleValue() >= 1)) {
            throw new ChargefenceStartupException(
                    property + " is " + value, "it must be at least 1", "Set it to 1 or more.");
        }
    }

    private static void longerThanZero(String property, Duration value) {
        if (value.toMillis() < 1) {
            throw new ChargefenceStartupException(
                    property + " is " + text(value),
                    "it must be at least one millisecond",
                    "Leave it out for its default, or set it longer.");
        }
    }

    private static void notNegative(String property, Duration value) {
        if (value.isNegative()) {
            throw new ChargefenceStartupException(
                    property + " is " + text(value), "it must not be negative", "Set it to 0s or longer.");
        }
    }

    private static String text(Duration duration) {
        return duration.toString().substring(2).toLowerCase(Locale.ROOT);
    }
}
