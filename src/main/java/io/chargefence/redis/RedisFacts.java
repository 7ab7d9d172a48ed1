package io.chargefence.redis;

import org.jspecify.annotations.Nullable;

/**
 * What Redis says of itself, for the checks at start. From INFO rather than CONFIG, which hosted services forbid; null where
 * INFO is forbidden too.
 *
 * @param version for example {@code 7.2.4}
 * @param maxmemory bytes; 0 means no limit
 * @param evictionPolicy {@code maxmemory-policy}, for example {@code noeviction}
 * @param appendonly whether what Redis took survives its restart; if not, the sweeper brings it back
 */
public record RedisFacts(
        @Nullable String version,
        @Nullable Long maxmemory,
        @Nullable String evictionPolicy,
        @Nullable Boolean appendonly) {

    static final RedisFacts UNKNOWN = new RedisFacts(null, null, null, null);

    static RedisFacts of(String info) {
        Info values = Info.ofLines(info);
        String aof = values.text("aof_enabled");
        return new RedisFacts(
                values.text("redis_version"),
                values.number("maxmemory"),
                values.text("maxmemory_policy"),
                aof == null ? null : aof.equals("1"));
    }

    /**
     * Whether Redis may drop our streams when it is full. The volatile policies spare keys that do not expire; ours do not. A
     * policy counts also while no limit is set: the limit comes later, and nobody thinks of us then.
     */
    public boolean evicting() {
        return evictionPolicy != null && evictionPolicy.startsWith("allkeys-");
    }

    /** Below 6.2 there is no XPENDING with IDLE, and no delivery could be taken over. */
    public boolean tooOld() {
        if (version == null || !version.matches("\\d{1,6}\\.\\d{1,6}.*")) {
            return false;
        }
        String[] parts = version.split("\\D", 3);
        int major = Integer.parseInt(parts[0]);
        return major < 6 || major == 6 && Integer.parseInt(parts[1]) < 2;
    }
}
