package io.chargefence.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chargefence.ChargefenceException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedisSettingsTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    @Test
    void consumer_names_are_unique_within_one_process_too() {
        RedisSettings one = RedisSettings.defaults(SECOND);
        assertThat(one.consumerName()).contains("-" + ProcessHandle.current().pid() + "-");
        assertThat(RedisSettings.defaults(SECOND).consumerName()).isNotEqualTo(one.consumerName());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a{b}:", "a b:", "é:", "a\n:"})
    void a_prefix_that_would_break_a_key_is_refused_by_name(String prefix) {
        assertThatThrownBy(() -> new RedisSettings(prefix, "g", 4, "c", SECOND, SECOND, SECOND))
                .isInstanceOf(ChargefenceException.class)
                .hasMessageContaining("keyPrefix '" + prefix + "'");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 257})
    void a_number_of_partitions_that_makes_no_sense_is_refused(int partitions) {
        assertThatThrownBy(() -> new RedisSettings("p:", "g", partitions, "c", SECOND, SECOND, SECOND))
                .isInstanceOf(ChargefenceException.class)
                .hasMessageContaining("partitions '" + partitions + "'");
    }

    @Test
    void a_duration_of_nothing_is_refused() {
        assertThatThrownBy(() -> new RedisSettings("p:", "g", 4, "c", Duration.ZERO, SECOND, SECOND))
                .hasMessageContaining("reservation 'PT0S'");
    }

    @ParameterizedTest
    @CsvSource({
        "6.2.0, false",
        "6.2.11, false",
        "7.0.15, false",
        "8.10.1, false",
        "10.0, false",
        "6.0.16, true",
        "5.0.7, true",
        "valkey, false"
    })
    void versions_without_what_we_need_are_told(String version, boolean tooOld) {
        assertThat(RedisFacts.of("redis_version:" + version + "\r\n").tooOld()).isEqualTo(tooOld);
    }

    @ParameterizedTest
    @CsvSource({
        "noeviction, 100, false",
        "allkeys-lru, 100, true",
        "allkeys-random, 100, true",
        "allkeys-lru, 0, true",
        "volatile-lru, 100, false",
        "volatile-ttl, 100, false"
    })
    void only_policies_that_may_drop_keys_that_do_not_expire_are_evicting(String policy, long max, boolean evicting) {
        String info = "# Memory\r\nmaxmemory:" + max + "\r\nmaxmemory_policy:" + policy + "\r\n";
        assertThat(RedisFacts.of(info).evicting()).isEqualTo(evicting);
    }

    @Test
    void what_redis_does_not_tell_is_unknown() {
        assertThat(RedisFacts.of("")).isEqualTo(RedisFacts.UNKNOWN);
        assertThat(RedisFacts.UNKNOWN.evicting()).isFalse();
        assertThat(RedisFacts.UNKNOWN.tooOld()).isFalse();
    }
}
