package io.chargefence.spring;

import io.chargefence.ChargefenceException;

/** A reason not to start. Says what was found, which rule it breaks, and the way out. No money moved. */
public class ChargefenceStartupException extends ChargefenceException {

    private static final long serialVersionUID = 1L;

    private final String fix;

    /**
     * @param found the property or thing and its value
     * @param rule that it breaks, and why that matters
     * @param fix what to do
     */
    public ChargefenceStartupException(String found, String rule, String fix) {
        super(found + ": " + rule + ".");
        this.fix = fix;
    }

    /** @param cause what another library said about it */
    public ChargefenceStartupException(String found, String rule, String fix, Throwable cause) {
        super(found + ": " + rule + ".", cause);
        this.fix = fix;
    }

    public String fix() {
        return fix;
    }
}
