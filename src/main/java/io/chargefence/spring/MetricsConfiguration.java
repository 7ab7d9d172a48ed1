package io.chargefence.spring;

import io.chargefence.flow.Flow;
import io.chargefence.provider.PaymentProvider;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Meters, where there is a registry. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBean(MeterRegistry.class)
class MetricsConfiguration {

    @Bean
    @ConditionalOnMissingBean
    MicrometerFlowListener chargefenceMicrometerFlowListener(
            MeterRegistry registry, CheckedSettings settings, ObjectProvider<PaymentProvider> providers) {
        return new MicrometerFlowListener(
                registry,
                settings.properties().metrics().maxSteps(),
                providers.orderedStream().map(PaymentProvider::id).toList());
    }

    @Bean
    @ConditionalOnMissingBean
    LedgerMeters chargefenceLedgerMeters(MeterRegistry registry, LedgerWatch watch, ChargefenceStore store, Flow flow) {
        return LedgerMeters.register(registry, watch, () -> flow.worker().inFlight(), store.isDurable());
    }
}
