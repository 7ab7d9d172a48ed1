package io.chargefence.mysql;

import static io.chargefence.mysql.Stories.charged;
import static io.chargefence.mysql.Stories.claim;
import static io.chargefence.mysql.Stories.entry;
import static io.chargefence.mysql.Stories.step;
import static org.assertj.core.api.Assertions.assertThat;

import io.chargefence.ChargeStage;
import io.chargefence.ChargeView;
import io.chargefence.Invariant;
import io.chargefence.OrderStep;
import io.chargefence.ProviderReference;
import io.chargefence.flow.ChargeLog.Entry;
import io.chargefence.flow.ChargeViews.Ledger;
import io.chargefence.saga.ChargeEvent.EvidenceSeen;
import io.chargefence.saga.ChargeEvent.Parked;
import io.chargefence.saga.ChargeEvent.ParkedReason;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MysqlChargeViewsIT {

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
    void what_was_never_requested_has_no_state() {
        assertThat(store.views.find(step("order-1"))).isEmpty();
        assertThat(store.views.findByOrder("order-1")).isEmpty();
    }

    @Test
    void a_request_is_shown_until_its_fence_stands() {
        OrderStep orderStep = step("order-1");
        file(orderStep);
        ChargeView waiting = store.views.find(orderStep).orElseThrow();
        assertThat(waiting.stage()).isEqualTo(ChargeStage.UNCLAIMED);
        assertThat(waiting.intent()).isEqualTo(Stories.INTENT);
        assertThat(waiting.chargeId()).isNull();

        Entry claim = claim(orderStep);
        store.log.append(List.of(claim));
        ChargeView doubtful = store.views.find(orderStep).orElseThrow();
        assertThat(doubtful.stage()).isEqualTo(ChargeStage.IN_DOUBT);
        assertThat(doubtful.chargeId()).isEqualTo(claim.after().chargeId().toString());
        assertThat(doubtful.idempotencyKey())
                .isEqualTo(claim.after().attempt().lastCall().idempotencyKey());
        assertThat(doubtful.callDeadline()).isEqualTo(Stories.NOW.plusSeconds(25));
        assertThat(doubtful.dueAt()).isEqualTo(Stories.DUE);
        assertThat(doubtful.requestedAt()).isEqualTo(waiting.requestedAt());

        store.sql.update("UPDATE charge_fence SET updated_at = '2020-01-01'");
        store.log.append(List.of(charged(claim.after())));
        ChargeView done = store.views.find(orderStep).orElseThrow();
        assertThat(done.isCharged()).isTrue();
        assertThat(done.dueAt()).isNull();
        assertThat(done.updatedAt()).isAfterOrEqualTo(doubtful.updatedAt());
    }

    @Test
    void the_steps_of_an_order_come_by_name_claimed_or_not() {
        store.log.append(List.of(claim(new OrderStep("order-1", "capture"))));
        file(new OrderStep("order-1", "deposit"));
        file(new OrderStep("order-1", "balance"));
        store.sql.update("INSERT INTO charge_request (order_id, step, amount_minor, currency, source, provider)"
                + " VALUES ('order-1', 'capture', 1, 'EUR', 'late', 'acme')");
        file(new OrderStep("order-11", "deposit"));

        assertThat(store.views.findByOrder("order-1"))
                .extracting(view -> view.orderStep().step() + " " + view.stage())
                .containsExactly("balance UNCLAIMED", "capture IN_DOUBT", "deposit UNCLAIMED");
    }

    @Test
    void an_order_id_need_not_be_valid_to_be_asked_for() {
        store.log.append(List.of(claim(step("?"))));
        assertThat(store.views.findByOrder("\ud800")).isEmpty();
        assertThat(store.views.findByOrder("")).isEmpty();
        assertThat(store.views.findByOrder("x".repeat(10_000))).isEmpty();
        assertThat(store.views.findByOrder("?")).hasSize(1);
    }

    @Test
    void an_empty_ledger_balances_and_names_every_stage() {
        Ledger ledger = store.views.ledger();
        assertThat(ledger.steps()).containsOnlyKeys(ChargeStage.values());
        assertThat(ledger.invariant()).isEqualTo(new Invariant(0, 0, 0));
        assertThat(ledger.oldestDoubt()).isZero();
    }

    @Test
    void the_ledger_counts_stages_charges_and_fences() {
        List<OrderStep> steps = Stories.steps(5);
        store.log.append(steps.stream().map(Stories::claim).toList());
        store.log.append(List.of(charged(store.saga(steps.get(0))), charged(store.saga(steps.get(1)))));
        store.log.append(List.of(entry(store.saga(steps.get(2)), null, new Parked(ParkedReason.CANNOT_TELL))));
        store.sql.update("UPDATE charge_fence SET updated_at = utc_timestamp(6) - INTERVAL 90 SECOND"
                + " WHERE order_id = 'order-3' OR stage = 'PARKED'");
        file(step("waiting"));
        store.sql.update("INSERT INTO charge_request (order_id, step, amount_minor, currency, source, provider)"
                + " VALUES ('order-0', 'deposit', 1, 'EUR', 'late', 'acme')");

        Ledger ledger = store.views.ledger();

        assertThat(ledger.steps())
                .containsEntry(ChargeStage.UNCLAIMED, 1L)
                .containsEntry(ChargeStage.IN_DOUBT, 2L)
                .containsEntry(ChargeStage.PARKED, 1L)
                .containsEntry(ChargeStage.ACKED, 2L)
                .containsEntry(ChargeStage.CHARGED, 0L);
        assertThat(ledger.invariant()).isEqualTo(new Invariant(2, 2, 5));
        assertThat(ledger.oldestDoubt()).isBetween(Duration.ofSeconds(90), Duration.ofSeconds(150));
    }

    @Test
    void the_ledger_tells_a_second_charge() {
        store.log.append(List.of(claim(step("order-1"))));
        store.log.append(List.of(charged(store.saga(step("order-1")))));
        store.log.append(List.of(entry(
                store.saga(step("order-1")), null, new EvidenceSeen("charged again", new ProviderReference("ch_2")))));

        assertThat(store.views.ledger().invariant().excess()).isEqualTo(1);
        assertThat(store.views.ledger().invariant().holds()).isFalse();
    }

    private void file(OrderStep orderStep) {
        store.transaction().executeWithoutResult(status -> store.outbox.file(orderStep, Stories.INTENT));
    }
}
