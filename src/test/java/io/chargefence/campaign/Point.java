package io.chargefence.campaign;

/** Where a process is killed: each gap between two things that a charge does. */
enum Point {
    C1("request row written, not committed", true),
    C2("committed, not published", true),
    C3("published, nothing else done", true),
    C4("entry read, no claim", true),
    C5("claim inserted, not committed", true),
    C6("claim committed, not called", true),
    C7("request on the wire, not executed", true),
    C8("provider has charged, answer not read", true),
    C9("answer read, nothing stored", true),
    C10("outcome appended, not committed", true),
    C11("outcome committed, not acked", true),
    C12("acked", true),
    C13("webhook verified, not stored", true),
    C14("webhook stored, not answered", true),
    C15("parked, not acked", false),
    C16("verdict appended, not committed", false),
    C17("projection updated, token not stored", true);

    final String means;
    final boolean withKeys;

    /** @param withKeys whether a provider that honours keys leads here; such a one leaves nothing to park */
    Point(String means, boolean withKeys) {
        this.means = means;
        this.withKeys = withKeys;
    }

    /** Whether the provider sends the signal, since only it knows the moment. */
    boolean isAtTheProvider() {
        return this == C7 || this == C8;
    }

    /** Where a lease can run out while a frozen process believes that it holds it. */
    boolean canFreeze() {
        return this == C4 || this == C6 || this == C7 || this == C9 || this == C11;
    }
}
