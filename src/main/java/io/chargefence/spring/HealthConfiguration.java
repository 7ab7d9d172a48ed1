package io.chargefence.spring;

import io.chargefence.flow.Flow;
import io.chargefence.redis.RedisDeliveries;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Health, where Boot's health support is there. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(name = "org.springframework.boot.health.contributor.HealthIndicator")
class HealthConfiguration {

    /** The condition stands here and not on the class: its own class is gone when Boot's health support is. */
    @Bean
    @ConditionalOnEnabledHealthIndicator("chargefence")
    @ConditionalOnMissingBean
    ChargefenceHealthIndicator chargefenceHealthIndicator(
            ChargefenceStore store,
            LedgerWatch watch,
            RedisDeliveries deliveries,
            Flow flow,
            CheckedSettings settings) {
        return new ChargefenceHealthIndicator(
                store, watch, deliveries, flow, settings.properties().worker().enabled());
    }
}
