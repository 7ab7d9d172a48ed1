package io.chargefence.testing;

/** What happens to a call. */
public enum Script {
    /** Charges and says so. */
    APPROVE,
    /** Refuses. */
    DECLINE,
    /** Charges, and answers 500. */
    CHARGE_THEN_500,
    /** Charges, and drops the connection without an answer. */
    CHARGE_THEN_DROP,
    /** Charges, and says nothing for a long time. */
    CHARGE_THEN_HANG,
    /** Kills the calling process as soon as its request is in, and charges all the same. */
    KILL_CALLER_THEN_CHARGE,
    /** Charges, and kills the calling process before the answer leaves. */
    CHARGE_THEN_KILL_CALLER,
    /** Charges, sends the 200, and kills the calling process at once. */
    ANSWER_THEN_KILL_CALLER,
    /** Answers 429; does not charge. */
    THROTTLE,
    /** Answers 500; does not charge. */
    FAIL_500,
    /** Says nothing for a long time; does not charge. */
    HANG,
    /** Waits, then charges and says so. */
    SLOW;

    boolean charges() {
        return switch (this) {
            case APPROVE,
                    CHARGE_THEN_500,
                    CHARGE_THEN_DROP,
                    CHARGE_THEN_HANG,
                    KILL_CALLER_THEN_CHARGE,
                    CHARGE_THEN_KILL_CALLER,
                    ANSWER_THEN_KILL_CALLER,
                    SLOW -> true;
            case DECLINE, THROTTLE, FAIL_500, HANG -> false;
        };
    }

    /** Whether the provider executed the request, so that it stores its answer under the key. */
    boolean executes() {
        return charges() || this == DECLINE || this == FAIL_500;
    }
}
