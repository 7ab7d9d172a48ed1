package io.chargefence;

/** Where a charge stands. The transitions are the table of {@code docs/state-machine.md}. */
public enum ChargeStage {
    /** Requested, and no fence yet. No call was made. */
    UNCLAIMED,
    /** Fenced; a call is allowed when due: none was made yet, or the last is proven not executed. */
    CLAIMED,
    /** Called, and no conclusive answer. Money may have moved. */
    IN_DOUBT,
    /** The provider took the money; the message may still be under way. */
    CHARGED,
    /** The provider refused in its own words; the message may still be under way. */
    DECLINED,
    /** Waits for a person or for new evidence. Not the same as "not charged". */
    PARKED,
    /** CHARGED or DECLINED, and the step will never again act on a delivery. */
    ACKED;

    /** Whether nothing more is scheduled for a charge in this stage. */
    public boolean isAtRest() {
        return switch (this) {
            case UNCLAIMED, CLAIMED, IN_DOUBT -> false;
            case CHARGED, DECLINED, PARKED, ACKED -> true;
        };
    }

    /** Whether the outcome is known for good. A settled stage never goes back. */
    public boolean isSettled() {
        return switch (this) {
            case UNCLAIMED, CLAIMED, IN_DOUBT, PARKED -> false;
            case CHARGED, DECLINED, ACKED -> true;
        };
    }
}
