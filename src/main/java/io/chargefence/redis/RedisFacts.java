package io.chargefence.redis;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.api.sync.RedisCommands;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the server is set to.
 *
 * @param maxmemoryPolicy null where CONFIG is forbidden
 */
public record RedisFacts(String version, @Nullable String maxmemoryPolicy) {

    /** Whether the server may remove our keys to make room. They carry no expiry, so only the allkeys policies can. */
    public boolean mayEvict() {
        return maxmemoryPolicy != null && maxmemoryPolicy.startsWith("allkeys-");
    }

    static RedisFacts read(RedisCommands<String, byte[]> redis) {
        String version = redis.info("server")
                .lines()
                .filter(line -> line.startsWith("redis_version:"))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElse("unknown");
        return new RedisFacts(version, policy(redis));
    }

    private static @Nullable String policy(RedisCommands<String, byte[]> redis) {
        try {
            Map<String, ?> found = redis.configGet("maxmemory-policy");
            Object policy = found.get("maxmemory-policy");
            return policy instanceof byte[] bytes
                    ? new String(bytes, StandardCharsets.UTF_8)
                    : (policy == null ? null : policy.toString());
        } catch (RedisCommandExecutionException forbidden) {
            return null;
        }
    }
}
