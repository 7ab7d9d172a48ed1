package io.chargefence.spring;

/** Set when the worker has stopped: from then on nothing waits for a database that does not answer. */
final class Stopping {

    private volatile boolean set;

    boolean isSet() {
        return set;
    }

    void set() {
        set = true;
    }
}
