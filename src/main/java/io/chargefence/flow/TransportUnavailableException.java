package io.chargefence.flow;

import io.chargefence.ChargefenceException;

/** Redis cannot be asked right now. Requests still commit, and the sweeper catches up. */
public class TransportUnavailableException extends ChargefenceException {

    private static final long serialVersionUID = 1L;

    public TransportUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
