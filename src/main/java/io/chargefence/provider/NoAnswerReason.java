package io.chargefence.provider;

/** Why there is no conclusive answer. In every case money may have moved. */
public enum NoAnswerReason {
    /** The call's deadline passed. */
    TIMED_OUT,
    /** The connection broke after bytes may have been sent. */
    CONNECTION_LOST,
    /** The provider answered 5xx, or something between us and it did. */
    SERVER_ERROR,
    /** The answer was not the provider's: HTML, half a document, a redirect, a missing reference. */
    UNREADABLE,
    /** The answer is about another order step or another attempt. */
    FOREIGN,
    /** The provider is still working on the same key. */
    IN_FLIGHT,
    /** The provider refuses the key because it saw other bytes under it. */
    KEY_REUSED,
    /** A look-up found nothing. Proves nothing: the request may still be under way. */
    NOT_FOUND,
    /** The adapter threw. */
    ADAPTER_FAILED
}
