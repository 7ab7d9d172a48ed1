package io.chargefence.spring;

import static io.chargefence.spring.HostApplication.awaitAcked;
import static org.assertj.core.api.Assertions.assertThat;

import io.chargefence.Charges;
import io.chargefence.flow.Flow;
import io.chargefence.flow.Operations;
import io.chargefence.spring.HostApplication.Checkout;
import io.chargefence.stripe.StripeProvider;
import io.micrometer.core.instrument.MeterRegistry;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** What is switched on by being there, and off by not. */
class ConditionsIT {

    private static final String KEY = "chargefence.stripe.api-key=sk_live_51Habcdefgh";

    private final HostApplication host = new HostApplication();

    @Test
    void disabled_means_nothing_of_it_is_there() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(ChargefenceAutoConfiguration.class))
                .withPropertyValues("chargefence.enabled=false")
                .run(context ->
                        assertThat(context.getBeanDefinitionNames()).noneMatch(name -> name.startsWith("chargefence")));
    }

    @Test
    void without_health_metrics_stripe_and_spring_data_on_the_class_path_it_still_charges() {
        host.shop()
                .withClassLoader(new FilteredClassLoader(
                        "org.springframework.boot.health", "com.stripe", "org.springframework.boot.data.redis"))
                .withPropertyValues(KEY)
                .run(context -> {
                    assertThat(context.containsBean("chargefenceHealthIndicator"))
                            .isFalse();
                    assertThat(context.containsBean("chargefenceStripeProvider"))
                            .isFalse();
                    context.getBean(Checkout.class).place("order-17", 100);
                    awaitAcked(context, "order-17");
                });
    }

    @Test
    void stripe_is_there_when_its_key_is_set_and_makes_no_other_provider_default() {
        host.bare().withPropertyValues(KEY).run(context -> assertThat(context).hasSingleBean(StripeProvider.class));
        host.shop().run(context -> assertThat(context).doesNotHaveBean(StripeProvider.class));
    }

    @Test
    void without_a_registry_there_are_no_meters_and_health_still_has_its_figures() {
        host.bare().withBean(TestProvider.class).run(context -> {
            assertThat(context).doesNotHaveBean(MeterRegistry.class);
            assertThat(context).doesNotHaveBean(MicrometerFlowListener.class);
            assertThat(context).doesNotHaveBean(LedgerMeters.class);
            assertThat(context).hasSingleBean(ChargefenceHealthIndicator.class);
        });
    }

    @Test
    void health_can_be_switched_off_as_any_indicator_can() {
        host.shop()
                .withPropertyValues("management.health.chargefence.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(ChargefenceHealthIndicator.class));
    }

    @Test
    void the_transport_is_the_hosts_redis_unless_another_is_named() {
        host.shop()
                .withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class))
                .withPropertyValues(HostApplication.springDataRedis())
                .withPropertyValues("chargefence.transport.redis-uri=", "chargefence.outbox.sweep-interval=1h")
                .run(context -> {
                    context.getBean(Checkout.class).place("order-17", 100);
                    awaitAcked(context, "order-17");
                });
    }

    @Test
    void a_bean_of_the_hosts_takes_the_place_of_ours_and_none_of_ours_is_primary() {
        Charges recording = (Charges) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Charges.class}, (proxy, method, arguments) -> null);
        host.shop().withBean("mine", Charges.class, () -> recording).run(context -> {
            assertThat(context.getBean(Charges.class)).isSameAs(recording);
            assertThat(context).hasSingleBean(Operations.class).hasSingleBean(Flow.class);
            for (String name : context.getBeanDefinitionNames()) {
                if (name.startsWith("chargefence")) {
                    assertThat(context.getBeanFactory().getBeanDefinition(name).isPrimary())
                            .as(name)
                            .isFalse();
                }
            }
        });
    }
}
