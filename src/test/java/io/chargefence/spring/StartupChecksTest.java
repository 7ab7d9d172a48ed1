package io.chargefence.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chargefence.mysql.MysqlFacts;
import io.chargefence.redis.RedisFacts;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.mock.env.MockEnvironment;

class StartupChecksTest {

    @Test
    void the_defaults_pass() {
        assertThatCode(() -> check(Map.of())).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "chargefence.worker.call-timeout | 60s | chargefence.transport.reservation is 1m | start-within + call-timeout + margin",
                "chargefence.transport.reservation | 35s | chargefence.transport.reservation is 35s | longer than",
                "chargefence.transport.block | 5s | chargefence.transport.block is 5s | command-timeout",
                "chargefence.worker.concurrency | 0 | chargefence.worker.concurrency is 0 | at least 1",
                "chargefence.transport.partitions | 0 | chargefence.transport.partitions is 0 | at least 1",
                "chargefence.retry.jitter | 1.5 | chargefence.retry.jitter is 1.5 | between 0 and 1",
                "chargefence.stripe.api-key | changeme | chargefence.stripe.api-key is a sample | refused by api.stripe.com",
                "chargefence.stripe.api-key | sk_test_your-api-key | chargefence.stripe.api-key is a sample | refused by",
            })
    void a_setting_that_could_lose_money_is_refused_by_name_value_rule_and_fix(
            String property, String value, String found, String rule) {
        assertThatThrownBy(() -> check(Map.of(property, value)))
                .isInstanceOfSatisfying(ChargefenceStartupException.class, refused -> {
                    assertThat(refused).hasMessageContaining(found).hasMessageContaining(rule);
                    assertThat(refused.fix()).isNotBlank();
                });
    }

    @Test
    void a_key_is_never_repeated_in_a_refusal() {
        assertThatThrownBy(() -> check(Map.of("chargefence.stripe.api-key", "sk_live_example_123")))
                .hasMessageNotContaining("sk_live_example_123");
        assertThat(bind(Map.of("chargefence.stripe.api-key", "sk_live_1")).toString())
                .doesNotContain("sk_live_1");
    }

    @Test
    void a_sample_key_is_fine_for_a_simulator_on_this_machine() {
        assertThatCode(() -> check(Map.of(
                        "chargefence.stripe.api-key",
                        "sample",
                        "chargefence.stripe.api-base",
                        "http://127.0.0.1:12111")))
                .doesNotThrowAnyException();
    }

    @Test
    void a_prefix_that_a_cache_would_clear_is_refused() {
        MockEnvironment environment =
                new MockEnvironment().withProperty("spring.cache.redis.key-prefix", "chargefence:");
        assertThatThrownBy(() -> StartupChecks.settings(bind(Map.of()), environment))
                .isInstanceOf(ChargefenceStartupException.class)
                .hasMessageContaining("spring.cache.redis.key-prefix is 'chargefence:'");
        MockEnvironment session = new MockEnvironment().withProperty("spring.session.data.redis.namespace", "charge");
        assertThatThrownBy(() -> StartupChecks.settings(bind(Map.of()), session))
                .hasMessageContaining("spring.session.data.redis.namespace");
        assertThatThrownBy(() -> check(Map.of("chargefence.transport.key-prefix", " ")))
                .hasMessageContaining("key-prefix is empty");
    }

    @Test
    void a_redis_that_may_evict_our_streams_is_refused_unless_told_otherwise() {
        RedisFacts evicting = new RedisFacts("7.0.15", 0L, "allkeys-lru", true);
        assertThatThrownBy(() -> StartupChecks.redis(evicting, true))
                .isInstanceOfSatisfying(ChargefenceStartupException.class, refused -> {
                    assertThat(refused).hasMessageContaining("maxmemory-policy of Redis is 'allkeys-lru'");
                    assertThat(refused.fix()).contains("chargefence.transport.require-noeviction=false");
                });
        assertThatThrownBy(() -> StartupChecks.redis(new RedisFacts("6.0.16", 0L, "noeviction", true), false))
                .hasMessageContaining("Redis is version 6.0.16");
        assertThatCode(() -> StartupChecks.redis(evicting, false)).doesNotThrowAnyException();
        assertThatCode(() -> StartupChecks.redis(new RedisFacts(null, null, null, null), true))
                .doesNotThrowAnyException();
    }

    @Test
    void columns_under_a_collation_and_a_lax_sql_mode_are_refused_and_weak_durability_is_not() {
        assertThatCode(() -> StartupChecks.mysql(facts("varbinary(255)", "STRICT_TRANS_TABLES", 1, "ROW")))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> StartupChecks.mysql(facts("varchar(255)", "STRICT_TRANS_TABLES", 1, "ROW")))
                .hasMessageContaining("charge_fence.order_id");
        assertThatThrownBy(() -> StartupChecks.mysql(facts("varbinary(255)", "NO_ENGINE_SUBSTITUTION", 1, "ROW")))
                .hasMessageContaining("sql_mode of our session is 'NO_ENGINE_SUBSTITUTION'");
        assertThatThrownBy(() -> StartupChecks.mysql(facts("varbinary(255)", "STRICT_ALL_TABLES", 1, "STATEMENT")))
                .hasMessageContaining("binlog_format is STATEMENT");
        MysqlFacts weak = facts("varbinary(255)", "STRICT_ALL_TABLES", 2, "ROW");
        assertThatCode(() -> StartupChecks.mysql(weak)).doesNotThrowAnyException();
        assertThat(StartupChecks.isDurable(weak)).isFalse();
    }

    private static MysqlFacts facts(String idType, String sqlMode, int flush, String binlogFormat) {
        MysqlFacts.Column id = new MysqlFacts.Column(idType, null);
        return new MysqlFacts(
                "MySQL",
                "8.4.0",
                flush,
                1,
                true,
                binlogFormat,
                false,
                sqlMode,
                "UTC",
                "REPEATABLE-READ",
                Map.of("charge_request.order_id", id, "charge_fence.order_id", id, "charge_event.order_id", id),
                List.of());
    }

    @Test
    void the_failure_analyzer_shows_what_was_found_and_what_to_do() {
        ChargefenceStartupException refused = new ChargefenceStartupException("x is 1", "it must be 2", "Set it to 2.");
        FailureAnalysis analysis = new ChargefenceFailureAnalyzer().analyze(new IllegalStateException(refused));

        assertThat(analysis.getDescription()).contains("Chargefence does not start", "x is 1: it must be 2.");
        assertThat(analysis.getAction()).isEqualTo("Set it to 2.");
    }

    private static void check(Map<String, String> properties) {
        StartupChecks.settings(bind(properties), new MockEnvironment());
    }

    private static ChargefenceProperties bind(Map<String, String> properties) {
        return new Binder(new MapConfigurationPropertySource(properties))
                .bindOrCreate("chargefence", ChargefenceProperties.class);
    }
}
