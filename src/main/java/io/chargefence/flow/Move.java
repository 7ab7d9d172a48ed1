package io.chargefence.flow;

import io.chargefence.ChargeStage;
import io.chargefence.OrderStep;
import io.chargefence.flow.ChargeLog.Entry;
import io.chargefence.flow.ChargeLog.Known;
import io.chargefence.saga.ChargeSaga;
import io.chargefence.saga.Decision;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A fact with what was decided about it.
 *
 * @param decision null when nothing is known here that could be decided on
 * @param after the charge with the decision's events; null when there is no charge
 * @param entry what to record; empty when the decision changes nothing
 */
record Move(
        Fact fact,
        Known known,
        @Nullable Decision decision,
        @Nullable ChargeSaga after,
        Optional<Entry> entry) {

    static Move stray(Fact fact, Known known) {
        return new Move(fact, known, null, known.saga(), Optional.empty());
    }

    /** The fact is about a charge that the database does not know: a failover forgot it, or an older copy was restored. */
    static Move withoutCharge(Fact fact, Known known, Decision decision) {
        return new Move(fact, known, decision, null, Optional.empty());
    }

    OrderStep orderStep() {
        return fact.orderStep();
    }

    boolean isClaim() {
        return known.saga() == null && after != null;
    }

    ChargeStage stageBefore() {
        return known.saga() == null ? ChargeStage.UNCLAIMED : known.saga().stage();
    }
}
