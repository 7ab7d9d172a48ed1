package io.chargefence.saga;

import io.chargefence.ChargeAlert;
import io.chargefence.ChargeStage;
import io.chargefence.ChargefenceException;
import io.chargefence.InertText;
import io.chargefence.Intent;
import io.chargefence.ProviderReference;
import io.chargefence.saga.ChargeEvent.Acked;
import io.chargefence.saga.ChargeEvent.ConflictSeen;
import io.chargefence.saga.ChargeEvent.ReferenceStored;
import io.chargefence.saga.ChargeEvent.Released;
import io.chargefence.saga.ChargeEvent.Via;

/**
 * What people cause: a release, a verdict, a second request with another intent. None of it calls a provider; a release
 * goes back behind the fence.
 */
public final class OperatorRules {

    /** Beyond that a conflict is told by its alert only: whoever asks again and again must not grow the log. */
    public static final int CONFLICTS_RECORDED_MAX = 100;

    private static final int ACTOR_MAX = 100;
    private static final int REASON_MAX = 500;

    /** Back to IN_DOUBT (look-up first) when a call is unproven, else to CLAIMED with a new budget of calls. */
    public Decision release(ChargeSaga saga, String actor, String reason, Terms terms, Moment moment) {
        requireParked(saga);
        requireNamed(saga, actor, reason);
        boolean uncharged = !saga.attempt().unproven();
        boolean canTell = terms.traits().canLookUp() || terms.mayResend(saga.attempt(), moment.now());
        if (!uncharged && !canTell) {
            throw refused(
                    saga,
                    "a call is unproven and the provider can neither be asked nor be sent the same key again; give a"
                            + " verdict with evidence (charged with this reference, or not charged)");
        }
        return Decision.ack(released(actor, reason, uncharged)).dueAt(moment.now());
    }

    /** The verdict "charged, with this reference". */
    public Decision resolveCharged(ChargeSaga saga, ProviderReference reference, String actor, String reason) {
        requireParked(saga);
        requireNamed(saga, actor, reason);
        return Decision.ack(
                released(actor, reason, false), new ReferenceStored(reference, Via.OPERATOR), new Acked(null));
    }

    /** The verdict "not charged": a new budget of calls. */
    public Decision resolveNotCharged(ChargeSaga saga, String actor, String reason, Moment moment) {
        requireParked(saga);
        requireNamed(saga, actor, reason);
        if (saga.outcome().chargesSeen() > 0) {
            throw refused(
                    saga,
                    "the provider reported a charge (%s); resolve it as charged or refund it first"
                            .formatted(saga.outcome().otherReference()));
        }
        return Decision.ack(released(actor, reason, true)).dueAt(moment.now());
    }

    /** The same step again with another intent: the first stands. */
    public Decision onConflict(ChargeSaga saga, Intent other) {
        Decision decision =
                saga.conflicts() < CONFLICTS_RECORDED_MAX ? Decision.ack(new ConflictSeen(other)) : Decision.ack();
        return decision.alert(ChargeAlert.Kind.CONFLICT, "requested again with another intent: " + other.summary());
    }

    /** Who and why stand in the log for ever: inert, short, and without card numbers. */
    private static Released released(String actor, String reason, boolean provenUncharged) {
        return new Released(InertText.of(actor, ACTOR_MAX), InertText.of(reason, REASON_MAX), provenUncharged);
    }

    private static void requireNamed(ChargeSaga saga, String actor, String reason) {
        if (actor == null || actor.isBlank()) {
            throw refused(saga, "a command needs the name of the person who gives it");
        }
        if (reason == null || reason.isBlank()) {
            throw refused(saga, "a command needs a reason: what was seen, and where");
        }
    }

    private static void requireParked(ChargeSaga saga) {
        if (saga.stage() != ChargeStage.PARKED) {
            throw refused(saga, "it is " + saga.stage() + ", and only a parked charge can be released or resolved");
        }
    }

    private static ChargefenceException refused(ChargeSaga saga, String why) {
        return new ChargefenceException(saga.orderStep() + ": refused: " + why + ". Nothing was changed.");
    }
}
