package io.chargefence;

/**
 * The figure to watch.
 *
 * @param chargesSeen distinct successful charges seen from providers
 * @param fencesCharged fences that reached CHARGED
 * @param fences all fences
 */
public record Invariant(long chargesSeen, long fencesCharged, long fences) {

    /** Must be 0. Anything else is a charge without its fence, or two charges behind one. */
    public long excess() {
        return chargesSeen - fencesCharged;
    }

    public boolean holds() {
        return excess() == 0 && chargesSeen <= fences;
    }
}
