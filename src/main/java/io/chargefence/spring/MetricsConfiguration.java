package io.chargefence.spring;

import io.chargefence.flow.Flow;
import io.chargefence.flow.FlowListener;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Meters, where there is a registry. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBean(MeterRegistry.class)
class MetricsConfiguration {

    @Bean
    @ConditionalOnMissingBean(MicrometerFlowListener.class)
    FlowListener chargefenceMicrometerFlowListener(MeterRegistry registry, ChargefenceProperties properties) {
        return new MicrometerFlowListener(registry, properties.metrics().maxSteps());
    }

    @Bean(initMethod = "start", destroyMethod = "stop")
    @ConditionalOnMissingBean
    LedgerMeters chargefenceLedgerMeters(
            MeterRegistry registry, ChargefenceStore store, Flow flow, ChargefenceProperties properties) {
        return new LedgerMeters(
                registry,
                store.views(),
                () -> flow.worker().inFlight(),
                store.isDurable(),
                properties.metrics().ledgerRefresh());
    }
}
