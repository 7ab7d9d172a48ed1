package io.chargefence.spring;

import io.chargefence.ChargeStage;
import io.chargefence.Invariant;
import io.chargefence.flow.ChargeViews;
import io.chargefence.flow.ChargeViews.Ledger;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The figures that count the whole table. Read on a thread of its own every now and then, never by a scrape or a health probe:
 * those come every few seconds from several places, and a large table would be counted for each. When MySQL does not answer, the
 * last reading stands.
 */
final class LedgerWatch {

    private static final Logger log = LoggerFactory.getLogger(LedgerWatch.class);

    /**
     * @param ledger the figures; zeros at first
     * @param at when they were read, by this machine's clock; EPOCH: not yet
     */
    record Reading(Ledger ledger, Instant at) {}

    private final ChargeViews views;
    private final Duration refresh;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "chargefence-ledger");
        thread.setDaemon(true);
        return thread;
    });
    private volatile Reading reading = new Reading(
            new Ledger(new EnumMap<>(ChargeStage.class), new Invariant(0, 0, 0), Duration.ZERO), Instant.EPOCH);

    LedgerWatch(ChargeViews views, Duration refresh) {
        this.views = views;
        this.refresh = refresh;
    }

    void start() {
        timer.scheduleWithFixedDelay(this::read, 0, refresh.toMillis(), TimeUnit.MILLISECONDS);
    }

    void stop() {
        timer.shutdownNow();
    }

    Reading last() {
        return reading;
    }

    Ledger ledger() {
        return reading.ledger();
    }

    private void read() {
        try {
            reading = new Reading(views.ledger(), Instant.now());
        } catch (RuntimeException away) {
            log.debug("the ledger's figures were not read; the last ones stand", away);
        }
    }
}
