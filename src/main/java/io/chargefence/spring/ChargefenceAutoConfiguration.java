package io.chargefence.spring;

import com.fasterxml.uuid.Generators;
import io.chargefence.ChargeAlertListener;
import io.chargefence.Charges;
import io.chargefence.flow.CircuitBreakers;
import io.chargefence.flow.Evidence;
import io.chargefence.flow.Flow;
import io.chargefence.flow.FlowPorts;
import io.chargefence.flow.Operations;
import io.chargefence.flow.Providers;
import io.chargefence.provider.PaymentProvider;
import io.chargefence.redis.RedisDeliveries;
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

    @Bean
    @ConditionalOnMissingBean
    CheckedSettings chargefenceCheckedSettings(ChargefenceProperties properties, Environment environment) {
        return CheckedSettings.of(properties, environment);
    }

    /** After the host's own migrations: its Flyway refuses a schema that is not empty and has no history yet. */
    @Bean
    @ConditionalOnMissingBean
    @DependsOnDatabaseInitialization
    ChargefenceStore chargefenceStore(
            CheckedSettings settings,
            ObjectProvider<DataSource> dataSources,
            ObjectProvider<PlatformTransactionManager> transactions,
            Stopping stopping) {
        return ChargefenceStore.open(
                settings.properties(),
                OnlyBean.of(dataSources, "DataSource"),
                OnlyBean.of(transactions, "PlatformTransactionManager"),
                stopping::isSet);
    }

    @Bean
    @ConditionalOnMissingBean
    Stopping chargefenceStopping() {
        return new Stopping();
    }

    @Bean
    @ConditionalOnMissingBean
    Providers chargefenceProviders(CheckedSettings settings, ObjectProvider<PaymentProvider> providers) {
        return KnownProviders.of(
                settings.properties(), providers.orderedStream().toList());
    }

    /** Everything the flow reaches, as a bean: whoever tries the flow against deaths stands between it and the world here. */
    @Bean
    @ConditionalOnMissingBean
    FlowPorts chargefencePorts(
            CheckedSettings settings,
            ChargefenceStore store,
            RedisDeliveries deliveries,
            ObjectProvider<MicrometerFlowListener> meters,
            ObjectProvider<ChargeAlertListener> alertListeners) {
        return new FlowPorts(
                store.log(),
                store.outbox(),
                deliveries,
                store.views(),
                breakers(settings.properties().circuit()),
                AlertListeners.listeners(meters, alertListeners),
                Generators.timeBasedEpochGenerator()::generate,
                () -> ThreadLocalRandom.current().nextDouble(),
                System::nanoTime);
    }

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    Flow chargefenceFlow(
            CheckedSettings settings,
            ChargefenceStore store,
            RedisDeliveries deliveries,
            WorkerName workerName,
            Providers providers,
            FlowPorts ports) {
        ChargefenceProperties properties = settings.properties();
        RedisChecks.check(deliveries, properties.transport().requireNoeviction());
        log.info(
                "Chargefence: worker {} ({}), providers {}, {}",
                workerName.value(),
                properties.worker().enabled() ? "calls providers" : "requests and sweeps only",
                providers.ids(),
                store.product());
        return new Flow(FlowSettingsOf.properties(properties, workerName), ports, providers);
    }

    @Bean
    @ConditionalOnMissingBean
    Charges chargefenceCharges(Flow flow) {
        return flow.charges();
    }

    @Bean
    @ConditionalOnMissingBean
    Operations chargefenceOperations(Flow flow) {
        return flow.operations();
    }

    @Bean
    @ConditionalOnMissingBean
    Evidence chargefenceEvidence(Flow flow) {
        return flow.evidence();
    }

    @Bean
    @ConditionalOnMissingBean
    ChargefenceLifecycle chargefenceLifecycle(Flow flow, CheckedSettings settings, Stopping stopping) {
        return new ChargefenceLifecycle(flow, settings.properties().worker().enabled(), stopping);
    }

    @Bean(initMethod = "start", destroyMethod = "stop")
    @ConditionalOnMissingBean
    LedgerWatch chargefenceLedgerWatch(ChargefenceStore store, CheckedSettings settings) {
        return new LedgerWatch(store.views(), settings.properties().metrics().ledgerRefresh());
    }

    private static CircuitBreakers breakers(ChargefenceProperties.Circuit circuit) {
        return circuit.enabled() ? new Resilience4jCircuitBreakers(circuit) : CircuitBreakers.NONE;
    }
}
