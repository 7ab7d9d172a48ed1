package io.chargefence.embedded;

/** An embedded server did not come up. The message names the log and its last lines. */
public class ServerStartException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ServerStartException(String message) {
        super(message);
    }

    ServerStartException(String message, Throwable cause) {
        super(message, cause);
    }
}
