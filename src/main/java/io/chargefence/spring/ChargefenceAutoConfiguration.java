package io.chargefence.spring;

import com.fasterxml.uuid.Generators;
import io.chargefence.ChargeAlert;
import io.chargefence.ChargeAlertListener;
import io.chargefence.Charges;
import io.chargefence.flow.CircuitBreakers;
import io.chargefence.flow.Flow;
import io.chargefence.flow.FlowListener;
import io.chargefence.flow.FlowListeners;
import io.chargefence.flow.FlowLog;
import io.chargefence.flow.FlowPorts;
import io.chargefence.flow.FlowSettings;
import io.chargefence.flow.Operations;
import io.chargefence.flow.Providers;
import io.chargefence.flow.TransportUnavailableException;
import io.chargefence.provider.PaymentProvider;
import io.chargefence.redis.RedisDeliveries;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * Sets Chargefence up on the host's DataSource, transaction manager and Redis. Nothing of the host's is touched: own Flyway run
 * and history, own Axon configuration, own Redis client, own threads.
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration",
            "org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration",
            "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration",
            "org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration",
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
        })
@ConditionalOnProperty(prefix = "chargefence", name = "enabled", matchIfMissing = true)
@EnableConfigurationProperties(ChargefenceProperties.class)
@Import({
    TransportConfiguration.OfHost.class,
    TransportConfiguration.class,
    StripeConfiguration.class,
    MetricsConfiguration.class,
    HealthConfiguration.class
})
public class ChargefenceAutoConfiguration {

    private static final Logger log = LoggerFactory.getLogger(ChargefenceAutoConfiguration.class);

    /** After the host's own migrations: its Flyway refuses a schema that is not empty and has no history yet. */
    @Bean
    @ConditionalOnMissingBean
    @DependsOnDatabaseInitialization
    ChargefenceStore chargefenceStore(
            ChargefenceProperties properties,
            Environment environment,
            ObjectProvider<DataSource> dataSources,
            ObjectProvider<PlatformTransactionManager> transactions,
            Stopping stopping) {
        StartupChecks.settings(properties, environment);
        return ChargefenceStore.open(
                properties,
                only(dataSources, "DataSource"),
                only(transactions, "PlatformTransactionManager"),
                stopping::isSet);
    }

    @Bean
    @ConditionalOnMissingBean
    Stopping chargefenceStopping() {
        return new Stopping();
    }

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    Flow chargefenceFlow(
            ChargefenceProperties properties,
            ChargefenceStore store,
            RedisDeliveries deliveries,
            WorkerName workerName,
            ObjectProvider<PaymentProvider> providers,
            ObjectProvider<FlowListener> listeners,
            ObjectProvider<ChargeAlertListener> alertListeners) {
        checkRedis(deliveries, properties.transport().requireNoeviction());
        FlowPorts ports = new FlowPorts(
                store.log(),
                store.outbox(),
                deliveries,
                store.views(),
                breakers(properties),
                listeners(listeners, alertListeners),
                Generators.timeBasedEpochGenerator()::generate,
                () -> ThreadLocalRandom.current().nextDouble(),
                System::nanoTime);
        Providers known = providers(properties, providers);
        log.info(
                "Chargefence: worker {} ({}), providers {}, {}",
                workerName.value(),
                properties.worker().enabled() ? "calls providers" : "requests and sweeps only",
                known.ids(),
                store.product());
        return new Flow(settings(properties, workerName), ports, known);
    }

    @Bean
    @ConditionalOnMissingBean
    Charges charges(Flow flow) {
        return flow.charges();
    }

    @Bean
    @ConditionalOnMissingBean
    Operations chargefenceOperations(Flow flow) {
        return flow.operations();
    }

    @Bean
    @ConditionalOnMissingBean
    ChargefenceLifecycle chargefenceLifecycle(Flow flow, ChargefenceProperties properties, Stopping stopping) {
        return new ChargefenceLifecycle(flow, properties.worker().enabled(), stopping);
    }

    private static FlowSettings settings(ChargefenceProperties properties, WorkerName workerName) {
        return new FlowSettings(
                properties.namespace(),
                workerName.value(),
                properties.worker().concurrency(),
                properties.worker().batchSize(),
                properties.transport().reservation(),
                properties.transport().block(),
                properties.outbox().sweepInterval(),
                properties.outbox().batchSize(),
                properties.worker().shutdownGrace(),
                LimitsOf.properties(properties));
    }

    private static CircuitBreakers breakers(ChargefenceProperties properties) {
        return properties.circuit().enabled()
                ? new Resilience4jCircuitBreakers(properties.circuit())
                : CircuitBreakers.NONE;
    }

    private static FlowListeners listeners(
            ObjectProvider<FlowListener> listeners, ObjectProvider<ChargeAlertListener> alertListeners) {
        List<FlowListener> all = new ArrayList<>();
        all.add(new FlowLog());
        listeners.orderedStream().forEach(all::add);
        alertListeners
                .orderedStream()
                .forEach(listener -> all.add(new FlowListener() {
                    @Override
                    public void alert(ChargeAlert alert) {
                        listener.onAlert(alert);
                    }
                }));
        return new FlowListeners(all);
    }

    private static Providers providers(ChargefenceProperties properties, ObjectProvider<PaymentProvider> beans) {
        List<PaymentProvider> providers = beans.orderedStream().toList();
        if (providers.isEmpty()) {
            throw new ChargefenceStartupException(
                    "there is no PaymentProvider bean",
                    "no charge could be requested or made",
                    "Declare a bean that implements io.chargefence.provider.PaymentProvider, or add stripe-java and set"
                            + " chargefence.stripe.api-key.");
        }
        try {
            return new Providers(providers, properties.defaultProvider());
        } catch (IllegalArgumentException odd) {
            throw new ChargefenceStartupException(
                    odd.getMessage(),
                    "each charge must name one provider and no other",
                    "Give each PaymentProvider an id of its own, and set chargefence.default-provider to one of them.");
        }
    }

    /** A Redis that is away is no reason not to start: requests commit, and the sweeper catches up. */
    private static void checkRedis(RedisDeliveries deliveries, boolean refuse) {
        try {
            StartupChecks.redis(deliveries.facts(), refuse);
        } catch (TransportUnavailableException away) {
            log.warn("Redis does not answer at start; requests commit, the sweeper catches up: {}", away.getMessage());
        }
    }

    private static <T> T only(ObjectProvider<T> beans, String what) {
        T only = beans.getIfUnique();
        if (only == null) {
            long count = beans.stream().count();
            throw new ChargefenceStartupException(
                    "there " + (count == 0 ? "is no " + what : "are " + count + " beans of type " + what)
                            + " and none is primary",
                    "the charge must commit with the order, in the order's own database",
                    count == 0
                            ? "Configure the application's database (spring.datasource.url) and its transactions."
                            : "Mark the one that stores the orders as @Primary.");
        }
        return only;
    }
}
