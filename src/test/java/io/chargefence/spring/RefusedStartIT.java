package io.chargefence.spring;

import static io.chargefence.spring.HostApplication.jdbc;
import static org.assertj.core.api.Assertions.assertThat;

import io.chargefence.embedded.TestStores;
import io.chargefence.provider.PaymentProvider;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.PlatformTransactionManager;

/** Every refusal that needs a context, as Boot would show it. */
class RefusedStartIT {

    private final HostApplication host = new HostApplication();

    @Test
    void a_host_without_a_database_or_transactions() {
        refused(
                new ApplicationContextRunner()
                        .withConfiguration(AutoConfigurations.of(ChargefenceAutoConfiguration.class)),
                "there is no DataSource",
                "spring.datasource.url");
        refused(
                new ApplicationContextRunner()
                        .withConfiguration(AutoConfigurations.of(
                                DataSourceAutoConfiguration.class, ChargefenceAutoConfiguration.class))
                        .withPropertyValues(host.database()),
                "there is no PlatformTransactionManager",
                "its transactions");
    }

    @Test
    void a_host_with_two_databases_and_no_primary_one() {
        refused(
                host.shop()
                        .withBean("orders", DataSource.class, DriverManagerDataSource::new)
                        .withBean("archive", DataSource.class, DriverManagerDataSource::new),
                "there are 2 beans of type DataSource and none is primary",
                "@Primary");
    }

    @Test
    void a_transaction_manager_of_another_database() {
        refused(
                host.shop()
                        .withBean(
                                "other",
                                PlatformTransactionManager.class,
                                () -> new DataSourceTransactionManager(TestStores.dataSource(TestStores.newSchema()))),
                "the PlatformTransactionManager (DataSourceTransactionManager) and the DataSource do not belong together",
                "@Primary");
    }

    @Test
    void a_database_that_does_not_answer() {
        refused(
                host.shop()
                        .withPropertyValues(
                                "spring.datasource.url=jdbc:mysql://127.0.0.1:1/x",
                                "spring.datasource.hikari.connection-timeout=1000"),
                "the DataSource gives no connection",
                "Start MySQL");
    }

    @Test
    void no_provider_two_with_one_id_and_a_default_that_is_none_of_them() {
        refused(host.bare(), "there is no PaymentProvider bean", "chargefence.worker.enabled=false");
        refused(
                host.shop().withBean("second", PaymentProvider.class, TestProvider::new),
                "two payment providers have the id 'acme'",
                "an id of its own");
        refused(
                host.shop().withPropertyValues("chargefence.default-provider=nobody"),
                "the default provider 'nobody' is none of [acme]",
                "chargefence.default-provider");
    }

    @Test
    void a_process_without_worker_may_be_without_provider() {
        host.bare()
                .withPropertyValues("chargefence.worker.enabled=false")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void a_schema_that_is_behind_missing_or_altered() {
        refused(
                host.shop().withPropertyValues("chargefence.schema.mode=validate"),
                "Pending: V001 charge request",
                "chargefence.schema.mode=migrate");
        refused(
                host.shop().withPropertyValues("chargefence.schema.mode=none"),
                "the tables [charge_event, charge_fence, charge_request] are missing",
                "chargefence.schema.mode=migrate");
        host.shop().run(context -> jdbc(context).update("update chargefence_schema_history set checksum = 1"));
        refused(host.shop(), "chargefence.schema.mode is 'migrate' and the tables are not", "unchanged");
    }

    @Test
    void order_ids_under_a_collation() {
        host.shop()
                .run(
                        context -> jdbc(context)
                                .execute(
                                        "alter table charge_fence modify order_id varchar(255) character set utf8mb4 not null"));
        refused(host.shop(), "the columns [charge_fence.order_id]", "unchanged");
    }

    @Test
    void a_session_that_cuts_what_does_not_fit() {
        refused(
                host.shop()
                        .withPropertyValues("spring.datasource.hikari.connection-init-sql=set sql_mode='ANSI_QUOTES'"),
                "sql_mode of our session is",
                "STRICT_TRANS_TABLES");
    }

    @Test
    void a_sample_key_is_told_before_anything_is_made_of_it() {
        refused(
                host.shop().withPropertyValues("chargefence.stripe.api-key="),
                "chargefence.stripe.api-key is empty",
                "secret store");
        refused(
                host.shop().withPropertyValues("chargefence.transport.key-prefix= "),
                "chargefence.transport.key-prefix is empty",
                "chargefence:");
    }

    @Test
    void a_redis_that_may_evict_unless_told_otherwise() {
        withPolicy("allkeys-lru", runner -> {
            refused(runner, "maxmemory-policy of Redis is 'allkeys-lru'", "require-noeviction=false");
            runner.withPropertyValues("chargefence.transport.require-noeviction=false")
                    .run(context -> assertThat(context).hasNotFailed());
            return runner;
        });
        withPolicy("volatile-lru", runner -> {
            runner.run(context -> assertThat(context).hasNotFailed());
            return runner;
        });
    }

    @Test
    void a_cluster_is_no_transport_yet_unless_a_single_redis_is_named() {
        ApplicationContextRunner cluster = host.shop()
                .withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class))
                .withPropertyValues("spring.data.redis.cluster.nodes=127.0.0.1:1");
        refused(
                cluster.withPropertyValues("chargefence.transport.redis-uri="),
                "spring.data.redis names a cluster",
                "chargefence.transport.redis-uri");
        cluster.run(context -> assertThat(context).hasNotFailed());
    }

    private void withPolicy(String policy, UnaryOperator<ApplicationContextRunner> test) {
        RedisClient client = RedisClient.create(TestStores.redisUri());
        try (StatefulRedisConnection<String, String> redis = client.connect()) {
            redis.sync().configSet("maxmemory-policy", policy);
            try {
                test.apply(host.shop());
            } finally {
                redis.sync().configSet("maxmemory-policy", "noeviction");
            }
        } finally {
            client.shutdown();
        }
    }

    private static void refused(ApplicationContextRunner runner, String found, String fix) {
        runner.run(context -> {
            FailureAnalysis shown = new ChargefenceFailureAnalyzer().analyze(context.getStartupFailure());
            assertThat(shown).as("a refusal with: " + found).isNotNull();
            assertThat(shown.getDescription())
                    .startsWith("Chargefence does not start. ")
                    .contains(found);
            assertThat(shown.getAction()).contains(fix);
        });
    }
}
