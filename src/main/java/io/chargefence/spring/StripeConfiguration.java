package io.chargefence.spring;

import io.chargefence.stripe.StripeProvider;
import io.chargefence.stripe.StripeSettings;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Stripe, when stripe-java is there and a key is set. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(name = "com.stripe.StripeClient")
@ConditionalOnProperty(prefix = "chargefence.stripe", name = "api-key")
class StripeConfiguration {

    @Bean
    @ConditionalOnMissingBean
    StripeProvider chargefenceStripeProvider(CheckedSettings settings) {
        ChargefenceProperties.Stripe stripe = settings.properties().stripe();
        return new StripeProvider(new StripeSettings(
                stripe.id(),
                stripe.apiKey(),
                stripe.apiBase(),
                stripe.connectTimeout(),
                stripe.keys(),
                stripe.lookUp(),
                stripe.lookUpLag(),
                stripe.clockSkew(),
                stripe.headers()));
    }
}
