package io.chargefence;

/**
 * The same order step was requested before with another intent. The first request stands untouched; nothing was called
 * for the second one. A changed price is a new step by the order back end's choice.
 */
public class ChargeConflictException extends ChargefenceException {

    private static final long serialVersionUID = 1L;

    private final transient OrderStep orderStep;
    private final transient Intent recorded;
    private final transient Intent refused;

    public ChargeConflictException(OrderStep orderStep, Intent recorded, Intent refused) {
        super(("%s: requested before with another intent; recorded: %s; refused: %s. The first request stands, no money"
                        + " moved for this one. If this is another payment, request it under another step name.")
                .formatted(orderStep, recorded.summary(), refused.summary()));
        this.orderStep = orderStep;
        this.recorded = recorded;
        this.refused = refused;
    }

    public OrderStep orderStep() {
        return orderStep;
    }

    public Intent recorded() {
        return recorded;
    }

    public Intent refused() {
        return refused;
    }
}
