package io.chargefence.redis;

import io.chargefence.flow.TransportUnavailableException;

/** A stream or its group is gone (emptied Redis, failover, an operator): to be made again, then the command repeated. */
final class GroupGoneException extends TransportUnavailableException {

    private static final long serialVersionUID = 1L;

    GroupGoneException(String message, Throwable cause) {
        super(message, cause);
    }
}
