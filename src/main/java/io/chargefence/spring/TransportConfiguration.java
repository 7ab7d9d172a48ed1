package io.chargefence.spring;

import io.chargefence.redis.RedisDeliveries;
import io.chargefence.redis.RedisSettings;
import io.lettuce.core.RedisURI;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.StringUtils;

/** Our own Redis client, on the host's Redis unless told otherwise. */
@Configuration(proxyBeanMethods = false)
class TransportConfiguration {

    private static final String DEFAULT_URI = "redis://localhost:6379";

    /** Where the host's Redis is. */
    @FunctionalInterface
    interface HostRedis {
        RedisURI uri();
    }

    @Bean
    @ConditionalOnMissingBean
    WorkerName chargefenceWorkerName() {
        return new WorkerName(RedisSettings.uniqueConsumerName());
    }

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    RedisDeliveries chargefenceDeliveries(
            CheckedSettings settings, WorkerName workerName, ObjectProvider<HostRedis> hostRedis) {
        ChargefenceProperties.Transport transport = settings.properties().transport();
        HostRedis host = hostRedis.getIfAvailable(() -> () -> RedisURI.create(DEFAULT_URI));
        RedisURI uri = StringUtils.hasText(transport.redisUri()) ? RedisURI.create(transport.redisUri()) : host.uri();
        return new RedisDeliveries(
                uri,
                new RedisSettings(
                        transport.keyPrefix(),
                        transport.group(),
                        transport.partitions(),
                        workerName.value(),
                        transport.reservation(),
                        transport.connectTimeout(),
                        transport.commandTimeout()));
    }

    /** Through Boot's connection details, so that Testcontainers and Docker Compose support work for us too. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails")
    static class OfHost {

        /** Asked only when no URI is set: a host on a cluster may still name a single Redis for us. */
        @Bean
        @ConditionalOnBean(DataRedisConnectionDetails.class)
        HostRedis chargefenceHostRedis(DataRedisConnectionDetails details) {
            return () -> uri(details);
        }

        private static RedisURI uri(DataRedisConnectionDetails details) {
            DataRedisConnectionDetails.Standalone server = details.getStandalone();
            // Boot tells a single server beside a cluster too: localhost, where nobody asked for it.
            if (server == null || isMany(details)) {
                throw new ChargefenceStartupException(
                        "spring.data.redis names a cluster, sentinels or replicas",
                        "only a single Redis is supported as the transport so far",
                        "Set chargefence.transport.redis-uri to a single Redis.");
            }
            RedisURI.Builder uri = RedisURI.builder()
                    .withHost(server.getHost())
                    .withPort(server.getPort())
                    .withDatabase(server.getDatabase())
                    .withSsl(details.getSslBundle() != null);
            authenticate(uri, details.getUsername(), details.getPassword());
            return uri.build();
        }

        private static boolean isMany(DataRedisConnectionDetails details) {
            return details.getCluster() != null || details.getSentinel() != null || details.getMasterReplica() != null;
        }

        private static void authenticate(RedisURI.Builder uri, @Nullable String username, @Nullable String password) {
            if (password == null) {
                return;
            }
            if (username == null) {
                uri.withPassword(password.toCharArray());
            } else {
                uri.withAuthentication(username, password.toCharArray());
            }
        }
    }
}
