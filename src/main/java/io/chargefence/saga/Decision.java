package io.chargefence.saga;

import io.chargefence.ChargeAlert;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What to record and, once that is committed, what to do.
 *
 * @param dueAt when the charge is to be acted on next; null means that the due time stands
 * @param alert what a person must see, or null
 */
public record Decision(
        List<ChargeEvent> events,
        Action action,
        @Nullable Instant dueAt,
        @Nullable Alert alert) {

    /** What happens after the commit. Never before. */
    public enum Action {
        /** Send the call that the last event announces. */
        CALL,
        /** Ask the provider what became of the attempt. */
        LOOK_UP,
        /** The delivery may go. */
        ACK,
        /** Nothing yet: decide again. */
        AGAIN
    }

    /** An alert to be raised. */
    public record Alert(ChargeAlert.Kind kind, String what) {}

    /** Decides nothing about the charge; the fact at hand has its turn again. */
    public Decision again() {
        return new Decision(events, Action.AGAIN, dueAt, alert);
    }

    /** The delivery may go, and these are recorded. */
    public static Decision ack(ChargeEvent... events) {
        return new Decision(List.of(events), Action.ACK, null, null);
    }

    static Decision call(Instant dueAt, List<ChargeEvent> events) {
        return new Decision(events, Action.CALL, dueAt, null);
    }

    static Decision lookUp() {
        return new Decision(List.of(), Action.LOOK_UP, null, null);
    }

    Decision dueAt(Instant due) {
        return new Decision(events, action, due, alert);
    }

    Decision alert(ChargeAlert.Kind kind, String what) {
        return new Decision(events, action, dueAt, new Alert(kind, what));
    }
}
