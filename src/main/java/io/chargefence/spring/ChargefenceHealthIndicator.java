package io.chargefence.spring;

import io.chargefence.Invariant;
import io.chargefence.OrderStep;
import io.chargefence.flow.Flow;
import io.chargefence.redis.RedisDeliveries;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * MySQL decides. Redis away is a detail, since requests commit all the same. An excess is an alert and never DOWN: nobody wants
 * the pods restarted in the middle of a payment incident.
 */
final class ChargefenceHealthIndicator extends AbstractHealthIndicator {

    /** Asked for by primary key and not there: the cheapest question that needs the tables. */
    private static final OrderStep PROBE = new OrderStep("chargefence", "health");

    private final ChargefenceStore store;
    private final LedgerWatch watch;
    private final RedisDeliveries deliveries;
    private final Flow flow;
    private final boolean worker;

    ChargefenceHealthIndicator(
            ChargefenceStore store, LedgerWatch watch, RedisDeliveries deliveries, Flow flow, boolean worker) {
        super("the Chargefence tables cannot be read");
        this.store = store;
        this.watch = watch;
        this.deliveries = deliveries;
        this.flow = flow;
        this.worker = worker;
    }

    @Override
    protected void doHealthCheck(Health.Builder health) {
        store.views().find(PROBE);
        Invariant invariant = watch.ledger().invariant();
        health.up()
                .withDetail("store", store.product())
                .withDetail("durability", durability())
                .withDetail("transport", transport())
                .withDetail("worker", workerState())
                .withDetail("invariant", figures(invariant))
                .withDetail("ALERT", !invariant.holds());
    }

    private String durability() {
        return store.isDurable() ? "ok" : "weak; a power failure of MySQL can lose a committed claim";
    }

    private String transport() {
        return deliveries.isReachable() ? "up" : "away, requests commit, the sweeper catches up";
    }

    private Map<String, Object> workerState() {
        Map<String, Object> state = new LinkedHashMap<>();
        state.put("enabled", worker);
        state.put("running", flow.worker().isRunning());
        state.put("inFlight", flow.worker().inFlight());
        state.put("sweeperRunning", flow.sweeper().isRunning());
        return state;
    }

    private Map<String, Object> figures(Invariant invariant) {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("chargesSeen", invariant.chargesSeen());
        figures.put("fencesCharged", invariant.fencesCharged());
        figures.put("excess", invariant.excess());
        Instant at = watch.last().at();
        figures.put("readAt", at.equals(Instant.EPOCH) ? "not yet" : at.toString());
        return figures;
    }
}
