package io.chargefence.flow;

import io.chargefence.ChargeView;
import io.chargefence.OrderStep;
import io.chargefence.flow.Fact.Reported;
import io.chargefence.provider.ProviderAnswer;

/** Reports, settled like any other fact. */
final class ReportedEvidence implements Evidence {

    private final ChargeFlow flow;
    private final ChargeViews views;

    ReportedEvidence(ChargeFlow flow, ChargeViews views) {
        this.flow = flow;
        this.views = views;
    }

    @Override
    public ChargeView charged(OrderStep orderStep, ProviderAnswer.Charged said) {
        return settle(orderStep, said);
    }

    @Override
    public ChargeView declined(OrderStep orderStep, ProviderAnswer.Declined said) {
        return settle(orderStep, said);
    }

    private ChargeView settle(OrderStep orderStep, ProviderAnswer said) {
        flow.settle(new Reported(orderStep, said));
        return views.find(orderStep).orElseThrow();
    }
}
