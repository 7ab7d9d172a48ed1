package io.chargefence.flow;

import io.chargefence.ChargeConflictException;
import io.chargefence.ChargeRequest;
import io.chargefence.ChargeView;
import io.chargefence.Charges;
import io.chargefence.Intent;
import io.chargefence.InvalidChargeException;
import io.chargefence.Invariant;
import io.chargefence.MissingTransactionException;
import io.chargefence.OrderStep;
import io.chargefence.flow.Fact.Conflicted;
import io.chargefence.flow.FlowListener.Filing;
import java.util.List;
import java.util.Optional;

/** The door for order back ends: files requests in their transaction, wakes a worker after it, and answers questions. */
final class Intake implements Charges {

    private final FlowPorts ports;
    private final Providers providers;
    private final ChargeFlow flow;

    Intake(FlowPorts ports, Providers providers, ChargeFlow flow) {
        this.ports = ports;
        this.providers = providers;
        this.flow = flow;
    }

    @Override
    public OrderStep request(ChargeRequest request) {
        OrderStep orderStep = request.orderStep();
        if (!ports.outbox().inTransaction()) {
            throw new MissingTransactionException(orderStep);
        }
        Intent intent = request.intent(providers.defaultId());
        if (providers.find(intent.provider()).isEmpty()) {
            throw new InvalidChargeException("provider", intent.provider(), "is none of " + providers.ids());
        }
        Intent recorded = ports.outbox().file(orderStep, intent);
        if (recorded == null) {
            ports.outbox().afterCommit(() -> filed(orderStep));
        } else if (recorded.equals(intent)) {
            ports.listener().requested(orderStep, Filing.SAME);
        } else {
            ports.outbox().afterCompletion(() -> conflict(orderStep, intent));
            throw new ChargeConflictException(orderStep, recorded, intent);
        }
        return orderStep;
    }

    @Override
    public Optional<ChargeView> state(String orderId, String step) {
        return ports.views().find(new OrderStep(orderId, step));
    }

    @Override
    public List<ChargeView> states(String orderId) {
        return ports.views().findByOrder(orderId);
    }

    @Override
    public Invariant invariant() {
        return ports.views().ledger().invariant();
    }

    /** When Redis does not take it, the sweeper publishes it a little later. */
    private void filed(OrderStep orderStep) {
        ports.listener().requested(orderStep, Filing.NEW);
        ports.deliveries().publish(List.of(orderStep)).whenComplete((ok, notTaken) -> {
            if (notTaken instanceof Exception cause) {
                ports.listener().trouble("publish of " + orderStep + "; the sweeper will", cause);
            }
        });
    }

    /** In a transaction of its own: the caller's is rolled back by the exception, the evidence must not be. */
    private void conflict(OrderStep orderStep, Intent refused) {
        ports.listener().requested(orderStep, Filing.CONFLICT);
        try {
            if (ports.outbox().noteConflict(orderStep, refused)) {
                ports.listener().alert(Sentences.conflictBeforeClaim(orderStep, refused));
            } else {
                flow.settle(new Conflicted(orderStep, refused));
            }
        } catch (RuntimeException failed) {
            ports.listener().alert(Sentences.conflictBeforeClaim(orderStep, refused));
            ports.listener().trouble("record of the conflict of " + orderStep, failed);
        }
    }
}
