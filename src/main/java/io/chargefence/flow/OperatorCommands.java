package io.chargefence.flow;

import io.chargefence.ChargeView;
import io.chargefence.OrderStep;
import io.chargefence.ProviderReference;
import io.chargefence.flow.Fact.Command;
import io.chargefence.flow.Fact.Commanded;
import io.chargefence.saga.OperatorRules;

/** An operator's commands, settled like any other fact. */
final class OperatorCommands implements Operations {

    private final OperatorRules rules = new OperatorRules();
    private final ChargeFlow flow;
    private final ChargeViews views;

    OperatorCommands(ChargeFlow flow, ChargeViews views) {
        this.flow = flow;
        this.views = views;
    }

    @Override
    public ChargeView release(OrderStep orderStep, String actor, String reason) {
        return settle(orderStep, (saga, terms, moment) -> rules.release(saga, actor, reason, terms, moment));
    }

    @Override
    public ChargeView resolveCharged(OrderStep orderStep, ProviderReference reference, String actor, String reason) {
        return settle(orderStep, (saga, terms, moment) -> rules.resolveCharged(saga, reference, actor, reason));
    }

    @Override
    public ChargeView resolveNotCharged(OrderStep orderStep, String actor, String reason) {
        return settle(orderStep, (saga, terms, moment) -> rules.resolveNotCharged(saga, actor, reason, moment));
    }

    private ChargeView settle(OrderStep orderStep, Command command) {
        flow.settle(new Commanded(orderStep, command));
        return views.find(orderStep).orElseThrow();
    }
}
