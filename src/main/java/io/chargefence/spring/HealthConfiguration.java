package io.chargefence.spring;

import io.chargefence.flow.ChargeViews.Ledger;
import io.chargefence.flow.Flow;
import io.chargefence.redis.RedisDeliveries;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Health, where Boot's health support is there. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(name = "org.springframework.boot.health.contributor.HealthIndicator")
class HealthConfiguration {

    @Bean
    @ConditionalOnMissingBean
    ChargefenceHealthIndicator chargefenceHealthIndicator(
            ChargefenceStore store, RedisDeliveries deliveries, Flow flow, ChargefenceProperties properties) {
        return new ChargefenceHealthIndicator(
                store, deliveries, flow, properties.worker().enabled());
    }

    /**
     * MySQL decides. Redis away is a detail, since requests commit all the same. An excess is an alert and never DOWN: nobody
     * wants the pods restarted in the middle of a payment incident.
     */
    static final class ChargefenceHealthIndicator extends AbstractHealthIndicator {

        private final ChargefenceStore store;
        private final RedisDeliveries deliveries;
        private final Flow flow;
        private final boolean worker;

        ChargefenceHealthIndicator(ChargefenceStore store, RedisDeliveries deliveries, Flow flow, boolean worker) {
            super("the Chargefence tables cannot be read");
            this.store = store;
            this.deliveries = deliveries;
            this.flow = flow;
            this.worker = worker;
        }

        @Override
        protected void doHealthCheck(Health.Builder health) {
            Ledger ledger = store.views().ledger();
            health.up()
                    .withDetail("store", store.product())
                    .withDetail("durable", store.isDurable())
                    .withDetail("transport", transport())
                    .withDetail("worker", workerState())
                    .withDetail("steps", ledger.steps())
                    .withDetail("chargesSeen", ledger.invariant().chargesSeen())
                    .withDetail("fencesCharged", ledger.invariant().fencesCharged())
                    .withDetail("excess", ledger.invariant().excess())
                    .withDetail("alert", !ledger.invariant().holds());
        }

        private String transport() {
            return deliveries.isReachable() ? "up" : "away; requests commit, the sweeper catches up";
        }

        private String workerState() {
            if (!worker) {
                return "disabled";
            }
            return flow.worker().isRunning() ? "running, " + flow.worker().inFlight() + " in flight" : "stopped";
        }
    }
}
