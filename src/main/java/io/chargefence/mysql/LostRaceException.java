package io.chargefence.mysql;

/** The rows no longer stand as the decision saw them. Rolls the transaction back. */
final class LostRaceException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    LostRaceException(String what) {
        super(what);
    }
}
