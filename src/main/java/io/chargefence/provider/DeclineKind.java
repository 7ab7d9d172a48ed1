package io.chargefence.provider;

/** What a decline means for another attempt. */
public enum DeclineKind {
    /** The same payment method may succeed later: insufficient funds, try again later. */
    SOFT,
    /** This payment method will not succeed: stolen, expired, invalid. */
    HARD,
    /** The customer has to act first: authentication required. */
    ACTION_REQUIRED
}
