package io.chargefence.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.chargefence.mysql.MysqlFacts;
import io.chargefence.redis.RedisFacts;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.mock.env.MockEnvironment;

class StartupChecksTest {

    private static final MysqlFacts.Column ID = new MysqlFacts.Column("varbinary(255)", null);

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
                "chargefence.outbox.sweep-interval | 0s | chargefence.outbox.sweep-interval is 0s | at least one millisecond",
                "chargefence.metrics.ledger-refresh | 0s | chargefence.metrics.ledger-refresh is 0s | one millisecond",
                "chargefence.worker.shutdown-grace | -1s | chargefence.worker.shutdown-grace is -1s | not be negative",
                "chargefence.worker.margin | 0s | chargefence.worker.margin is 0s | at least one millisecond",
                "chargefence.in-doubt.look-up-delays | '' | look-up-delays is empty | never be asked about",
                "chargefence.circuit.failure-rate | 0 | chargefence.circuit.failure-rate is 0.0 | per cent",
                "chargefence.retry.multiplier | NaN | chargefence.retry.multiplier is NaN | at least 1",
                "chargefence.namespace | ' ' | chargefence.namespace is empty | told apart",
                "chargefence.schema.history-table | FLYWAY_schema_history | is 'FLYWAY_schema_history' | a table of its own",
                "chargefence.transport.key-prefix | ' ' | chargefence.transport.key-prefix is empty | visible ASCII",
                "chargefence.transport.key-prefix | cf{1}: | chargefence.transport.key-prefix is 'cf{1}:' | braces",
                "chargefence.transport.key-prefix | spring:session:cf: | is 'spring:session:cf:' and | clears the other's",
                "chargefence.transport.redis-uri | localhost | chargefence.transport.redis-uri is no Redis URI | password",
                "chargefence.stripe.api-key | '' | chargefence.stripe.api-key is empty | refused by",
                "chargefence.stripe.api-key | sk_test_sample | is a sample, not a key | refused by",
                "chargefence.stripe.api-key | <your key> | is a sample, not a key | refused by",
                "chargefence.stripe.api-key | secret | is a sample, not a key | refused by",
                "chargefence.stripe.api-key | sk_test_your-api-key | chargefence.stripe.api-key is a sample | refused by",
            })
    void a_setting_that_could_lose_money_is_refused_by_name_value_rule_and_fix(
            String property, String value, String found, String rule) {
        FailureAnalysis shown = shown(() -> check(Map.of(property, value)));

        assertThat(shown.getDescription())
                .startsWith("Chargefence does not start. ")
                .contains(found, rule);
        assertThat(shown.getAction()).isNotBlank();
    }

    /** As a person sees it: through the analyzer that Boot would ask. */
    private static FailureAnalysis shown(ThrowingCallable start) {
        Throwable refused = catchThrowable(start);
        assertThat(refused).isInstanceOf(ChargefenceStartupException.class);
        return new ChargefenceFailureAnalyzer().analyze(new IllegalStateException("context failed", refused));
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
        assertThatThrownBy(() -> CheckedSettings.of(bind(Map.of()), environment))
                .isInstanceOf(ChargefenceStartupException.class)
                .hasMessageContaining("spring.cache.redis.key-prefix is 'chargefence:'");
        MockEnvironment session = new MockEnvironment().withProperty("spring.session.data.redis.namespace", "charge");
        assertThatThrownBy(() -> CheckedSettings.of(bind(Map.of()), session))
                .hasMessageContaining("spring.session.data.redis.namespace");
        MockEnvironment inside =
                new MockEnvironment().withProperty("spring.cache.redis.key-prefix", "chargefence:cache:");
        assertThatThrownBy(() -> CheckedSettings.of(bind(Map.of()), inside)).hasMessageContaining("clears the other's");
    }

    @Test
    void a_redis_that_may_evict_our_streams_is_refused_unless_told_otherwise() {
        RedisFacts evicting = new RedisFacts("7.0.15", 0L, "allkeys-lru", true);
        assertThatThrownBy(() -> RedisChecks.check(evicting, true))
                .isInstanceOfSatisfying(ChargefenceStartupException.class, refused -> {
                    assertThat(refused).hasMessageContaining("maxmemory-policy of Redis is 'allkeys-lru'");
                    assertThat(refused.fix()).contains("chargefence.transport.require-noeviction=false");
                });
        assertThatThrownBy(() -> RedisChecks.check(new RedisFacts("6.0.16", 0L, "noeviction", true), false))
                .hasMessageContaining("Redis is version 6.0.16");
        assertThatCode(() -> RedisChecks.check(evicting, false)).doesNotThrowAnyException();
        assertThatCode(() -> RedisChecks.check(new RedisFacts(null, null, null, null), true))
                .doesNotThrowAnyException();
    }

    @Test
    void columns_under_a_collation_and_a_lax_sql_mode_are_refused_and_weak_durability_is_not() {
        assertThatCode(() -> StoreChecks.check(facts("varbinary(255)", "STRICT_TRANS_TABLES", 1, "ROW")))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> StoreChecks.check(facts("varchar(255)", "STRICT_TRANS_TABLES", 1, "ROW")))
                .hasMessageContaining("charge_fence.order_id")
                .hasMessageContaining("ORD-1 and ord-1 are one order");
        MysqlFacts.Column padded = new MysqlFacts.Column("varchar(255)", "utf8mb4_bin");
        assertThatThrownBy(
                        () -> StoreChecks.check(facts(padded, "ascii_bin", "STRICT_ALL_TABLES", 1, "ROW", List.of())))
                .as("a _bin collation passes over a space at the end")
                .hasMessageContaining("charge_fence.order_id");
        assertThatThrownBy(() -> StoreChecks.check(without("charge_fence")))
                .hasMessageContaining("the tables [charge_fence] are missing");
        assertThatThrownBy(() -> StoreChecks.check(stepsUnder("utf8mb4_general_ci")))
                .hasMessageContaining("charge_event.step");
        assertThatThrownBy(() -> StoreChecks.check(facts("varbinary(255)", "NO_ENGINE_SUBSTITUTION", 1, "ROW")))
                .hasMessageContaining("sql_mode of our session is 'NO_ENGINE_SUBSTITUTION'");
        assertThatThrownBy(() -> StoreChecks.check(facts("varbinary(255)", "STRICT_ALL_TABLES", 1, "STATEMENT")))
                .hasMessageContaining("binlog_format is STATEMENT");
        MysqlFacts weak = facts("varbinary(255)", "STRICT_ALL_TABLES", 2, "ROW");
        assertThatCode(() -> StoreChecks.check(weak)).doesNotThrowAnyException();
        assertThat(StoreChecks.isDurable(weak)).isFalse();
    }

    private static MysqlFacts facts(String idType, String sqlMode, int flush, String binlogFormat) {
        return facts(new MysqlFacts.Column(idType, null), "ascii_bin", sqlMode, flush, binlogFormat, List.of());
    }

    private static MysqlFacts without(String table) {
        return facts(ID, "ascii_bin", "STRICT_ALL_TABLES", 1, "ROW", List.of(table));
    }

    private static MysqlFacts stepsUnder(String collation) {
        return facts(ID, collation, "STRICT_ALL_TABLES", 1, "ROW", List.of());
    }

    private static MysqlFacts facts(
            MysqlFacts.Column id,
            String stepCollation,
            String sqlMode,
            int flush,
            String binlogFormat,
            List<String> missing) {
        Map<String, MysqlFacts.Column> columns = new HashMap<>();
        for (String table : List.of("charge_request", "charge_fence", "charge_event")) {
            columns.put(table + ".order_id", id);
            columns.put(table + ".step", new MysqlFacts.Column("varchar(64)", stepCollation));
        }
        String isolation = "REPEATABLE-READ";
        return new MysqlFacts(
                "MySQL", "8.4.0", flush, 1, true, binlogFormat, false, sqlMode, "UTC", isolation, columns, missing);
    }

    @Test
    void the_failure_analyzer_shows_what_was_found_and_what_to_do() {
        ChargefenceStartupException refused = new ChargefenceStartupException("x is 1", "it must be 2", "Set it to 2.");
        FailureAnalysis analysis = new ChargefenceFailureAnalyzer().analyze(new IllegalStateException(refused));

        assertThat(analysis.getDescription()).contains("Chargefence does not start", "x is 1: it must be 2.");
        assertThat(analysis.getAction()).isEqualTo("Set it to 2.");
    }

    private static void check(Map<String, String> properties) {
        CheckedSettings.of(bind(properties), new MockEnvironment());
    }

    private static ChargefenceProperties bind(Map<String, String> properties) {
        return new Binder(new MapConfigurationPropertySource(properties))
                .bindOrCreate("chargefence", ChargefenceProperties.class);
    }
}
