package io.chargefence.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import io.chargefence.Intent;
import io.chargefence.OrderStep;
import io.chargefence.flow.ChargeLog.Entry;
import io.chargefence.flow.ChargeLog.Known;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Ids that some collation takes for one are different orders, in every table and every way in and out. */
class OrderIdsIT {

    private static final List<OrderStep> STEPS = List.of(
                    "ORD-1",
                    "ord-1",
                    "ÖRD-1",
                    "O\u0308RD-1",
                    "ORD-1\u200b",
                    "ORD-１",
                    "007",
                    "7",
                    "café",
                    "cafe",
                    "cafe\u0301",
                    "straße",
                    "strasse",
                    "😀",
                    "😁",
                    "İ",
                    "i",
                    "а",
                    "a",
                    "it's \"so\" \\ %_",
                    "'; DROP TABLE charge_fence; --",
                    "x".repeat(255),
                    "x".repeat(254),
                    "ü".repeat(127))
            .stream()
            .map(Stories::step)
            .toList();

    private Store store;

    @BeforeEach
    void open() {
        store = Store.fresh();
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void each_is_requested_loaded_claimed_and_found_on_its_own() {
        for (int i = 0; i < STEPS.size(); i++) {
            OrderStep orderStep = STEPS.get(i);
            Intent intent = intent(i);
            assertThat(store.transaction().<Object>execute(status -> store.outbox.file(orderStep, intent)))
                    .as("%s", orderStep)
                    .isNull();
        }
        requireApart(store.log.load(STEPS).charges(), true);

        List<Entry> claims = IntStream.range(0, STEPS.size())
                .mapToObj(i -> Stories.claim(STEPS.get(i), intent(i)))
                .toList();
        assertThat(store.log.append(claims)).isEmpty();

        requireApart(store.log.load(STEPS).charges(), false);
        assertThat(store.count("charge_request")).isZero();
        for (int i = 0; i < STEPS.size(); i++) {
            assertThat(store.views.find(STEPS.get(i)).orElseThrow().intent()).isEqualTo(intent(i));
            assertThat(store.views.findByOrder(STEPS.get(i).orderId())).hasSize(1);
            assertThat(store.eventsOf(STEPS.get(i))).isEqualTo(claims.get(i).events());
        }
    }

    @Test
    void each_comes_back_from_the_sweep_as_it_went_in() {
        store.log.append(STEPS.stream().map(Stories::claim).toList());
        store.sql.update("UPDATE charge_fence SET due_at = utc_timestamp(6)");

        assertThat(store.log.takeDue(100, Duration.ofMinutes(1))).containsExactlyInAnyOrderElementsOf(STEPS);
    }

    @Test
    void a_trailing_space_that_other_languages_may_write_is_another_order() {
        store.sql.update("INSERT INTO charge_request (order_id, step, amount_minor, currency, source, provider)"
                + " VALUES ('ORD-1 ', 'deposit', 100, 'EUR', 'tok', 'acme')");

        assertThat(store.known(Stories.step("ORD-1"))).isEqualTo(Known.NOTHING);
        assertThat(store.log.append(List.of(Stories.claim(Stories.step("ORD-1")))))
                .isEmpty();
        assertThat(store.count("charge_request")).isEqualTo(1);
        assertThat(store.views.findByOrder("ORD-1")).hasSize(1);
    }

    private static void requireApart(Map<OrderStep, Known> charges, boolean waiting) {
        assertThat(charges).hasSize(STEPS.size());
        for (int i = 0; i < STEPS.size(); i++) {
            Known known = charges.get(STEPS.get(i));
            assertThat(waiting ? known.request().intent() : known.saga().intent())
                    .isEqualTo(intent(i));
        }
    }

    private static Intent intent(int i) {
        return new Intent(100 + i, "EUR", "tok", "acme", new TreeMap<>());
    }
}
