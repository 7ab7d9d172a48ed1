package io.chargefence.flow;

import io.chargefence.ChargeStage;
import io.chargefence.ChargeView;
import io.chargefence.Invariant;
import io.chargefence.OrderStep;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reading without moving anything. */
public interface ChargeViews {

    Optional<ChargeView> find(OrderStep orderStep);

    /** The steps of one order, by step name; the order id need not be valid. */
    List<ChargeView> findByOrder(String orderId);

    /** Counts over the whole table. */
    Ledger ledger();

    /**
     * The figures that monitoring asks for, from one consistent read.
     *
     * @param steps number of charges by stage; every stage is there
     * @param oldestDoubt age of the oldest IN_DOUBT charge since its last change, zero when there is none
     */
    record Ledger(Map<ChargeStage, Long> steps, Invariant invariant, Duration oldestDoubt) {}
}
