package io.chargefence.saga;

import io.chargefence.ChargeAlert;
import io.chargefence.ChargeStage;
import io.chargefence.provider.ProviderAnswer;
import io.chargefence.saga.ChargeEvent.EvidenceSeen;
import io.chargefence.saga.ChargeEvent.ParkedReason;

/** Facts against what is recorded, or about a call that nobody can name. They are kept and shown; they overwrite nothing. */
final class Contradictions {

    private Contradictions() {}

    static boolean isOfIntent(ChargeSaga saga, ProviderAnswer.Charged charged) {
        return charged.amountMinor() == saga.intent().amountMinor()
                && charged.currency().equals(saga.intent().currency());
    }

    static Decision amountMismatch(ChargeSaga saga, ProviderAnswer.Charged charged) {
        String what = "charged %d %s minor units instead of %d %s"
                .formatted(
                        charged.amountMinor(),
                        charged.currency(),
                        saga.intent().amountMinor(),
                        saga.intent().currency());
        EvidenceSeen evidence = new EvidenceSeen(what, charged.reference());
        if (saga.stage() == ChargeStage.PARKED) {
            return Decision.ack(evidence).alert(ChargeAlert.Kind.CONTRADICTION, what);
        }
        return ChargeRules.parked(ParkedReason.AMOUNT_MISMATCH, evidence);
    }

    static Decision chargedAgain(ChargeSaga saga, ProviderAnswer.Charged charged) {
        if (charged.reference().equals(saga.outcome().reference())) {
            return Decision.ack();
        }
        String what = "charged with reference " + charged.reference() + " as well";
        return Decision.ack(new EvidenceSeen(what, charged.reference()))
                .alert(ChargeAlert.Kind.CONTRADICTION, what + "; a second charge is possible, check and refund it");
    }

    /** A refusal of a step for which the provider reported a charge, one of another amount for example. */
    static Decision deniesCharge(ChargeSaga saga, ProviderAnswer.Declined declined) {
        return seen("declined: %s, although charge %s was seen"
                .formatted(declined.code(), saga.outcome().otherReference()));
    }

    /** A refusal of one of several calls: what became of the others stays open. */
    static Decision ofUnknownCall(ChargeSaga saga, ProviderAnswer.Declined declined) {
        return seen("declined: %s, and it cannot be told which of %d calls"
                .formatted(declined.code(), saga.attempt().callsMade()));
    }

    /** ACKED stands for CHARGED or DECLINED; a denial contradicts only the first. */
    static Decision of(ChargeSaga saga, String what) {
        return saga.outcome().reference() == null ? Decision.ack() : seen(what);
    }

    private static Decision seen(String what) {
        return Decision.ack(new EvidenceSeen(what, null)).alert(ChargeAlert.Kind.CONTRADICTION, what);
    }
}
