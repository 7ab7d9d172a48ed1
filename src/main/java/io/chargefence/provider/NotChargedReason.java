package io.chargefence.provider;

/** Why it is <em>proven</em> that this call moved no money. */
public enum NotChargedReason {
    /** The worker's own word: its time for the call had run out before a byte was sent. */
    NOT_SENT(false),
    /** The circuit breaker was open, so nothing was sent. */
    CIRCUIT_OPEN(false),
    /** Connection refused, or the name not found, before a byte was sent. */
    NOT_CONNECTED(false),
    /** 429 in the provider's own format. */
    THROTTLED(false),
    /** 400, 401, 403, 404 or 422 in the provider's own format: it did not execute the request. */
    REFUSED(true),
    /** A look-up that can prove it, for example a cancelled payment. */
    PROVEN_BY_LOOK_UP(true);

    private final boolean burnsCall;

    NotChargedReason(boolean burnsCall) {
        this.burnsCall = burnsCall;
    }

    /** Whether the call reached the provider, executed or not. */
    public boolean isTransmitted() {
        return burnsCall || this == THROTTLED;
    }

    /** Whether it is proof about every call of the attempt. Anything else is about the one call it answers. */
    public boolean isAboutTheAttempt() {
        return this == PROVEN_BY_LOOK_UP;
    }

    /** Whether the call counts against {@code calls-max}. What was not transmitted, or only throttled, does not. */
    public boolean burnsCall() {
        return burnsCall;
    }
}
