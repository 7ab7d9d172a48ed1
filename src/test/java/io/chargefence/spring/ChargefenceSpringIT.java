package io.chargefence.spring;

import static io.chargefence.spring.HostApplication.PATIENCE;
import static io.chargefence.spring.HostApplication.awaitAcked;
import static io.chargefence.spring.HostApplication.events;
import static io.chargefence.spring.HostApplication.jdbc;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.chargefence.ChargeAlert;
import io.chargefence.ChargeConflictException;
import io.chargefence.ChargeStage;
import io.chargefence.Charges;
import io.chargefence.MissingTransactionException;
import io.chargefence.embedded.TestStores;
import io.chargefence.flow.Flow;
import io.chargefence.spring.HostApplication.Checkout;
import io.chargefence.spring.HostApplication.Pager;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

class ChargefenceSpringIT {

    private static final Duration LONGER_THAN_A_STOP_THAT_DOES_NOT_WAIT = Duration.ofSeconds(5);

    private final HostApplication host = new HostApplication();

    @Test
    void a_charge_requested_with_an_order_is_made_once() {
        host.shop().run(context -> {
            context.getBean(Checkout.class).place("order-17", 100);
            context.getBean(Checkout.class).place("order-17", 100);

            assertThat(awaitAcked(context, "order-17").isCharged()).isTrue();
            assertThat(context.getBean(TestProvider.class).calls).hasSize(1);
            assertThat(context.getBean(Charges.class).invariant().holds()).isTrue();
            assertThat(events(jdbc(context), "order-17"))
                    .containsExactly("FenceClaimed", "ProviderCalled", "ReferenceStored", "Acked");
        });
    }

    @Test
    void a_request_without_a_transaction_is_refused_and_one_that_rolls_back_is_never_charged() {
        host.shop().run(context -> {
            Checkout checkout = context.getBean(Checkout.class);
            assertThatThrownBy(() -> checkout.placeWithoutTransaction("order-1"))
                    .isInstanceOf(MissingTransactionException.class)
                    .hasMessageContaining("@Transactional");
            assertThatThrownBy(() -> checkout.placeAndFail("order-2")).isInstanceOf(IllegalStateException.class);
            checkout.place("order-3", 100);
            awaitAcked(context, "order-3");

            Charges charges = context.getBean(Charges.class);
            assertThat(charges.state("order-1", "deposit")).isEmpty();
            assertThat(charges.state("order-2", "deposit")).isEmpty();
            assertThat(context.getBean(TestProvider.class).calls)
                    .extracting(call -> call.orderStep().orderId())
                    .containsExactly("order-3");
        });
    }

    @Test
    void a_conflict_is_recorded_and_told_although_the_callers_transaction_rolls_back() {
        host.shop().run(context -> {
            Checkout checkout = context.getBean(Checkout.class);
            checkout.place("order-17", 100);
            awaitAcked(context, "order-17");

            assertThatThrownBy(() -> checkout.place("order-17", 200)).isInstanceOf(ChargeConflictException.class);

            assertThat(events(jdbc(context), "order-17")).endsWith("Acked", "ConflictSeen");
            assertThat(context.getBean(Pager.class).alerts)
                    .extracting(ChargeAlert::kind)
                    .containsExactly(ChargeAlert.Kind.CONFLICT);
            assertThat(context.getBean(MeterRegistry.class)
                            .get("chargefence.alerts")
                            .tag("kind", "conflict")
                            .counter()
                            .count())
                    .isEqualTo(1);
        });
    }

    @Test
    void meters_are_there_with_0_and_then_tell_what_happened() {
        host.shop().run(context -> {
            MeterRegistry meters = context.getBean(MeterRegistry.class);
            for (String gauge :
                    new String[] {"ledger.charges", "ledger.fences", "ledger.excess", "parked", "indoubt"}) {
                assertThat(meters.get("chargefence." + gauge).gauge().value()).isZero();
            }
            assertThat(meters.get("chargefence.indoubt.age.max").timeGauge().value())
                    .isZero();
            assertThat(meters.get("chargefence.worker.inflight").gauge().value())
                    .isBetween(0.0, 16.0);
            assertThat(meters.get("chargefence.steps").gauges()).hasSameSizeAs(ChargeStage.values());

            context.getBean(Checkout.class).place("order-17", 100);
            awaitAcked(context, "order-17");

            assertThat(meters.get("chargefence.provider.calls")
                            .tags("outcome", "charged", "provider", "acme")
                            .timer()
                            .count())
                    .isEqualTo(1);
            assertThat(meters.get("chargefence.fence.claims")
                            .tags("step", "deposit", "result", "claimed")
                            .counter()
                            .count())
                    .isEqualTo(1);
            assertThat(meters.get("chargefence.durability").gauge().value()).isEqualTo(1);
            await().atMost(PATIENCE).untilAsserted(() -> {
                assertThat(meters.get("chargefence.ledger.fences").gauge().value())
                        .isEqualTo(1);
                assertThat(meters.get("chargefence.ledger.charges").gauge().value())
                        .isEqualTo(1);
                assertThat(meters.get("chargefence.steps")
                                .tag("stage", "acked")
                                .gauge()
                                .value())
                        .isEqualTo(1);
            });
        });
    }

    @Test
    void a_process_with_its_worker_off_files_and_sweeps_and_calls_nobody() {
        host.shop().withPropertyValues("chargefence.worker.enabled=false").run(context -> {
            context.getBean(Checkout.class).place("order-17", 100);

            Flow flow = context.getBean(Flow.class);
            assertThat(flow.worker().isRunning()).isFalse();
            assertThat(flow.sweeper().isRunning()).isTrue();
            assertThat(context.getBean(Charges.class)
                            .state("order-17", "deposit")
                            .orElseThrow()
                            .stage())
                    .isEqualTo(ChargeStage.UNCLAIMED);
        });
        host.shop().run(context -> awaitAcked(context, "order-17"));
    }

    @Test
    void a_stop_waits_for_the_call_in_flight_and_records_its_answer() {
        CountDownLatch answer = new CountDownLatch(1);
        host.shop().run(context -> {
            TestProvider provider = context.getBean(TestProvider.class);
            provider.holdUp(answer);
            context.getBean(Checkout.class).place("order-17", 100);
            await().atMost(PATIENCE).until(() -> provider.calls.size() == 1);

            Thread stop = new Thread(context::close);
            stop.start();
            await().during(LONGER_THAN_A_STOP_THAT_DOES_NOT_WAIT)
                    .atMost(PATIENCE)
                    .until(stop::isAlive);
            answer.countDown();
            stop.join(PATIENCE.toMillis());

            assertThat(stop.isAlive()).isFalse();
        });
        try (HikariDataSource pool = TestStores.dataSource(host.schema)) {
            assertThat(events(new JdbcTemplate(pool), "order-17"))
                    .containsExactly("FenceClaimed", "ProviderCalled", "ReferenceStored", "Acked");
        }
    }

    @Test
    void what_was_stopped_says_that_it_cannot_be_started_again() {
        host.shop().run(context -> {
            ChargefenceLifecycle lifecycle = context.getBean(ChargefenceLifecycle.class);
            lifecycle.stop();
            assertThat(lifecycle.isRunning()).isFalse();
            assertThat(lifecycle.isPauseable()).isFalse();
            assertThatThrownBy(lifecycle::start).hasMessageContaining("restart the application");
        });
    }
}
