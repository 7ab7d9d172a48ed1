package io.chargefence.spring;

import static io.chargefence.spring.HostApplication.awaitAcked;
import static io.chargefence.spring.HostApplication.jdbc;
import static org.assertj.core.api.Assertions.assertThat;

import io.chargefence.embedded.TestStores;
import io.chargefence.spring.HostApplication.Checkout;
import io.lettuce.core.RedisClient;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.axonframework.commandhandling.CommandBus;
import org.axonframework.common.jdbc.ConnectionProvider;
import org.axonframework.common.transaction.TransactionManager;
import org.axonframework.config.Configuration;
import org.axonframework.config.DefaultConfigurer;
import org.axonframework.eventsourcing.eventstore.EventStorageEngine;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.eventsourcing.eventstore.inmemory.InMemoryEventStorageEngine;
import org.axonframework.serialization.Serializer;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/** A host with its own Axon, its own Flyway and its own Redis client. */
class HostUntouchedIT {

    private static final Configuration AXON = DefaultConfigurer.defaultConfiguration(false)
            .configureEmbeddedEventStore(c -> new InMemoryEventStorageEngine())
            .buildConfiguration();

    private final HostApplication host = new HostApplication();

    static class Axon {

        @Bean
        Configuration hostAxon() {
            return AXON;
        }

        @Bean
        CommandBus hostCommandBus() {
            return AXON.commandBus();
        }

        @Bean
        EventStore hostEventStore() {
            return AXON.eventStore();
        }
    }

    private ApplicationContextRunner hostWithItsOwn() {
        return host.shop()
                .withConfiguration(
                        AutoConfigurations.of(FlywayAutoConfiguration.class, DataRedisAutoConfiguration.class))
                .withUserConfiguration(Axon.class)
                .withPropertyValues("spring.flyway.locations=classpath:db/host")
                .withPropertyValues(HostApplication.springDataRedis());
    }

    @Test
    void its_axon_beans_are_the_same_ones_alone_and_see_none_of_our_events() {
        hostWithItsOwn().run(context -> {
            context.getBean(Checkout.class).place("order-17", 100);
            awaitAcked(context, "order-17");

            assertThat(context.getBean(Configuration.class)).isSameAs(AXON);
            assertThat(context.getBean(CommandBus.class)).isSameAs(AXON.commandBus());
            assertThat(context.getBean(EventStore.class)).isSameAs(AXON.eventStore());
            for (Class<?> axon : List.of(
                    EventStorageEngine.class, TransactionManager.class, ConnectionProvider.class, Serializer.class)) {
                assertThat(context.getBeansOfType(axon)).as(axon.getName()).isEmpty();
            }
            assertThat(AXON.eventStore().openStream(null).hasNextAvailable()).isFalse();
        });
    }

    @Test
    void its_flyway_history_has_its_scripts_and_ours_has_ours() {
        hostWithItsOwn().run(context -> {
            assertThat(context.getBeansOfType(Flyway.class)).hasSize(1);
            assertThat(scripts(context, "flyway_schema_history")).containsExactly("V1__host.sql");
            assertThat(scripts(context, "chargefence_schema_history")).containsExactly(migrations());
        });
        hostWithItsOwn().run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void its_redis_keys_and_client_stay_as_they_are() {
        hostWithItsOwn().run(context -> {
            StringRedisTemplate redis = context.getBean(StringRedisTemplate.class);
            String key = TestStores.uniquePrefix() + "basket";
            redis.opsForValue().set(key, "kept");
            context.getBean(Checkout.class).place("order-17", 100);
            awaitAcked(context, "order-17");

            assertThat(redis.opsForValue().get(key)).isEqualTo("kept");
            assertThat(redis.keys(host.prefix + "*")).isNotEmpty().allMatch(ours -> !ours.equals(key));
            assertThat(context.getBeansOfType(RedisConnectionFactory.class)).hasSize(1);
            assertThat(context.getBeansOfType(RedisClient.class)).isEmpty();
        });
    }

    /** Every script there is, so that a new one needs no new line here. */
    private static String[] migrations() {
        String[] scripts = Path.of("migrations").toFile().list();
        Arrays.sort(scripts);
        return scripts;
    }

    private static List<String> scripts(ApplicationContext context, String history) {
        return jdbc(context)
                .queryForList(
                        "select script from " + history + " where type = 'SQL' order by installed_rank", String.class);
    }
}
