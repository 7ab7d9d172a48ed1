package io.chargefence.flow;

/** The protocol broken on purpose, one way each. The simulation must find every one. */
enum Mutant {
    NONE("nothing is broken", Kind.KEYS, ""),
    NO_FENCE("a store that takes a second claim", Kind.NEITHER, "charged twice"),
    LOSER_CALLS("whoever loses the race goes on as if it had won", Kind.NEITHER, "charged twice"),
    KEY_PER_CALL("a new key for every call", Kind.KEYS, "charged twice"),
    BLIND_RECALL("a provider without keys that is called again in doubt", Kind.NEITHER, "charged twice"),
    LOOK_UP_THEN_RECALL("called again after a look-up that found nothing", Kind.LOOK_UP, "charged twice"),
    KEY_PAST_ITS_LIFE("a key that is used after the provider forgot it", Kind.KEYS_FOR_HALF_AN_HOUR, "charged twice"),
    KEY_NOT_KEPT_AFTER_500(
            "keys trusted after a 5xx that the provider forgets them with", Kind.KEYS_OF_EXECUTED, "charged twice"),
    SERVER_ERROR_IS_A_DECLINE("a 500 read as a refusal", Kind.NEITHER, "stands as declined"),
    PROOF_OF_ONE_CALL_FOR_ALL(
            "a refused call taken as proof about an earlier one", Kind.KEYS_FOR_HALF_AN_HOUR, "was charged"),
    ACK_AT_READ_NO_SWEEPER("acked when read, and no sweeper", Kind.KEYS, "not at rest"),
    FLUSH_NO_SWEEPER("Redis emptied, and no sweeper", Kind.KEYS, "not at rest"),
    FENCE_HIT_ACKS("whoever meets a fence acks and leaves, and nobody resolves", Kind.KEYS, "not at rest"),
    UNKNOWN_COMMIT_GOES_ON("a commit that failed is taken for done, and the call goes out", Kind.NEITHER, "without"),
    REPORT_OVERWRITES("a report that overwrites a settled charge", Kind.KEYS, "went back"),
    RE_DRIVE_PAST_THE_FENCE("a parked charge sent again without the fence", Kind.NEITHER, "charged twice"),
    RELEASE_WITHOUT_LOOK_UP("a release taken for proof that nothing was charged", Kind.LOOK_UP, "charged");

    final String shows;
    final Kind kind;
    final String symptom;

    Mutant(String shows, Kind kind, String symptom) {
        this.shows = shows;
        this.kind = kind;
        this.symptom = symptom;
    }
}
