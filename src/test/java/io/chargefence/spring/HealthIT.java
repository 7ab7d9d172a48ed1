package io.chargefence.spring;

import static io.chargefence.spring.HostApplication.PATIENCE;
import static io.chargefence.spring.HostApplication.awaitAcked;
import static io.chargefence.spring.HostApplication.jdbc;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.chargefence.spring.HostApplication.Checkout;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ApplicationContext;

class HealthIT {

    private final HostApplication host = new HostApplication();

    @Test
    void health_tells_store_transport_worker_invariant_and_durability() {
        host.shop().run(context -> {
            context.getBean(Checkout.class).place("order-17", 100);
            awaitAcked(context, "order-17");
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(invariant(context)).containsEntry("fencesCharged", 1L));

            Health health = health(context);
            assertThat(health.getStatus()).isEqualTo(Status.UP);
            assertThat(health.getDetails())
                    .containsEntry("durability", "ok")
                    .containsEntry("transport", "up")
                    .containsEntry("ALERT", false);
            assertThat((String) health.getDetails().get("store")).matches("(MySQL|MariaDB) \\d+.*");
            assertThat(health.getDetails().get("worker"))
                    .asInstanceOf(InstanceOfAssertFactories.map(String.class, Object.class))
                    .containsEntry("enabled", true)
                    .containsEntry("running", true)
                    .containsEntry("sweeperRunning", true)
                    .containsKey("inFlight");
            assertThat(invariant(context)).containsEntry("chargesSeen", 1L).containsEntry("excess", 0L);
        });
    }

    @Test
    void health_is_up_while_redis_is_away_and_says_so() {
        host.shop()
                .withPropertyValues("chargefence.transport.redis-uri=redis://127.0.0.1:1")
                .run(context -> {
                    assertThat(health(context).getStatus()).isEqualTo(Status.UP);
                    assertThat(health(context).getDetails())
                            .containsEntry("transport", "away, requests commit, the sweeper catches up");
                    context.getBean(Checkout.class).place("order-17", 100);
                });
        host.shop().run(context -> awaitAcked(context, "order-17"));
    }

    @Test
    void health_is_down_when_the_tables_cannot_be_read_and_only_then() {
        host.shop().run(context -> {
            jdbc(context).execute("rename table charge_fence to charge_fence_away");
            assertThat(health(context).getStatus()).isEqualTo(Status.DOWN);
            jdbc(context).execute("rename table charge_fence_away to charge_fence");
            assertThat(health(context).getStatus()).isEqualTo(Status.UP);
        });
    }

    @Test
    void an_excess_is_an_alert_and_never_down() {
        host.shop().run(context -> {
            context.getBean(Checkout.class).place("order-17", 100);
            awaitAcked(context, "order-17");
            jdbc(context).update("update charge_fence set charges_seen = 2");

            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(invariant(context)).containsEntry("excess", 1L));
            assertThat(health(context).getStatus()).isEqualTo(Status.UP);
            assertThat(health(context).getDetails()).containsEntry("ALERT", true);
        });
    }

    private static Health health(ApplicationContext context) {
        return context.getBean(ChargefenceHealthIndicator.class).health();
    }

    private static Map<Object, Object> invariant(ApplicationContext context) {
        Object details = health(context).getDetails().get("invariant");
        assertThat(details).asInstanceOf(InstanceOfAssertFactories.MAP).isNotEmpty();
        return Map.copyOf((Map<?, ?>) details);
    }
}
