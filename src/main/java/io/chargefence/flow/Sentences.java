package io.chargefence.flow;

import io.chargefence.ChargeAlert;
import io.chargefence.ChargeStage;
import io.chargefence.Intent;
import io.chargefence.OrderStep;
import io.chargefence.flow.ChargeLog.Known;
import io.chargefence.flow.Deliveries.Delivery;
import io.chargefence.saga.ChargeSaga;
import io.chargefence.saga.Decision;

/**
 * What is told to people, always in one form: which order step and attempt; what was seen; whether money could have moved;
 * what happens next; what to do.
 */
final class Sentences {

    private Sentences() {}

    static ChargeAlert alert(Move move) {
        Decision.Alert alert = move.decision().alert();
        ChargeSaga saga = move.after();
        String message = saga == null
                ? "%s: %s; money moved; nothing is recorded here; compare the provider's list with the log"
                        .formatted(move.orderStep(), alert.what())
                : "%s: %s; %s; %s; %s"
                        .formatted(who(saga), seen(alert, saga), money(saga), next(saga), toDo(alert, saga));
        return new ChargeAlert(alert.kind(), move.orderStep(), message);
    }

    /** One line for each change of a charge. */
    static String moved(ChargeStage from, ChargeSaga to) {
        return "%s: %s to %s; %s; %s".formatted(who(to), from, to.stage(), money(to), next(to));
    }

    static ChargeAlert conflictBeforeClaim(OrderStep orderStep, Intent refused) {
        String message =
                ("%s: requested again with another intent before it was claimed (%s); no money moved for it; the"
                                + " first request stands; ask the order back end which amount is meant")
                        .formatted(orderStep, refused.summary());
        return new ChargeAlert(ChargeAlert.Kind.CONFLICT, orderStep, message);
    }

    static ChargeAlert unknownProvider(OrderStep orderStep, Known known) {
        String provider = known.saga() != null
                ? known.saga().intent().provider()
                : known.request().intent().provider();
        String message = ("%s: its provider '%s' is none of this process's; no call was made; it comes up again when"
                        + " due, perhaps at a worker that has it; configure that provider or fix the request")
                .formatted(orderStep, provider);
        return new ChargeAlert(ChargeAlert.Kind.UNKNOWN_PROVIDER, orderStep, message);
    }

    static ChargeAlert reportWithoutCharge(OrderStep orderStep) {
        String message =
                ("%s: the provider reported on it, and no charge in reach of this process is recorded; money may"
                                + " have moved; nothing was recorded; compare the provider's list with the log")
                        .formatted(orderStep);
        return new ChargeAlert(ChargeAlert.Kind.CONTRADICTION, orderStep, message);
    }

    static ChargeAlert quarantined(Delivery delivery, String reason) {
        String message = ("delivery %s %s; no money moved; it is kept in the quarantine stream and will not come again;"
                        + " find out who wrote it")
                .formatted(delivery.id(), reason);
        return new ChargeAlert(ChargeAlert.Kind.QUARANTINED, delivery.orderStep(), message);
    }

    static ChargeAlert broken(Fact fact, Exception cause) {
        String message =
                ("%s: %s could not be settled (%s); money may have moved if a call was made; the charge keeps its"
                                + " last recorded stage and comes up again when due; this is a defect, report it")
                        .formatted(fact.orderStep(), fact.getClass().getSimpleName(), cause);
        return new ChargeAlert(ChargeAlert.Kind.BROKEN, fact.orderStep(), message);
    }

    private static String who(ChargeSaga saga) {
        return "%s attempt %d".formatted(saga.orderStep(), saga.attempt().number());
    }

    private static String seen(Decision.Alert alert, ChargeSaga saga) {
        return alert.kind() == ChargeAlert.Kind.PARKED
                ? "parked, %s after %d calls"
                        .formatted(alert.what(), saga.attempt().calls())
                : alert.what();
    }

    private static String money(ChargeSaga saga) {
        if (saga.outcome().chargesSeen() > 1) {
            return "money moved " + saga.outcome().chargesSeen() + " times";
        }
        if (saga.outcome().chargesSeen() == 1) {
            return "money moved";
        }
        return saga.attempt().unproven() && saga.outcome().declineCode() == null
                ? "money may have moved"
                : "no money moved";
    }

    private static String next(ChargeSaga saga) {
        return switch (saga.stage()) {
            case UNCLAIMED, CLAIMED -> "it is called when due";
            case IN_DOUBT -> "it is resolved after " + saga.attempt().lastCall().deadline();
            case CHARGED, DECLINED -> "it is acked at its next delivery";
            case PARKED -> "nothing more happens by itself";
            case ACKED -> "it is finished";
        };
    }

    private static String toDo(Decision.Alert alert, ChargeSaga saga) {
        return switch (alert.kind()) {
            case PARKED ->
                "look for %s at %s, then release or resolve it"
                        .formatted(key(saga), saga.intent().provider());
            case CONFLICT -> "ask the order back end which amount is meant; another payment needs another step name";
            case CONTRADICTION ->
                "look for %s at %s and refund what is too much"
                        .formatted(key(saga), saga.intent().provider());
            case QUARANTINED, UNKNOWN_PROVIDER, BROKEN -> "report it";
        };
    }

    private static String key(ChargeSaga saga) {
        return saga.attempt().lastCall() == null
                ? "the order step"
                : "key " + saga.attempt().lastCall().idempotencyKey();
    }
}
