package io.chargefence.flow;

import io.chargefence.ChargefenceException;

/** MySQL cannot be asked right now. Nothing is acked while this lasts; it is tried again. */
public class StoreUnavailableException extends ChargefenceException {

    private static final long serialVersionUID = 1L;

    public StoreUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
