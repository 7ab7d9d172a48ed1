package io.chargefence.mysql;

/** A row no longer stands where the decision saw it. Rolls the transaction back. */
final class LostRaceException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    LostRaceException(int expected, int found) {
        super("of %d fences %d still stood where they were decided on".formatted(expected, found));
    }
}
