package io.chargefence;

import org.jspecify.annotations.Nullable;

/**
 * Something that a person must see.
 *
 * @param kind what kind of trouble, stable, for routing
 * @param orderStep the step, or null when the alert is about no single one
 * @param message what was seen, whether money could have moved, what happens next, what to do; no card data
 */
public record ChargeAlert(Kind kind, @Nullable OrderStep orderStep, String message) {

    /** What kind of trouble it is. */
    public enum Kind {
        /** A charge was parked. */
        PARKED,
        /** The same step was requested with another intent. */
        CONFLICT,
        /** Evidence contradicts what is recorded; a second charge is possible. */
        CONTRADICTION,
        /** A delivery matched no request and no fence, or could not be read. */
        QUARANTINED,
        /** A charge names a provider that this process does not have. */
        UNKNOWN_PROVIDER,
        /** Something that the code or the data should make impossible. */
        BROKEN
    }
}
