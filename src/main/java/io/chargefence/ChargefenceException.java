package io.chargefence;

/** Root of what Chargefence throws. The message says what was seen, whether money could have moved, and what to do. */
public class ChargefenceException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public ChargefenceException(String message) {
        super(message);
    }

    public ChargefenceException(String message, Throwable cause) {
        super(message, cause);
    }
}
