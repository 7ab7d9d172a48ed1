package io.chargefence.saga;

import io.chargefence.provider.NoAnswerReason;
import io.chargefence.provider.ProviderAnswer;
import io.chargefence.saga.ChargeEvent.NoAnswer;
import io.chargefence.saga.ChargeEvent.ParkedReason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Resolving IN_DOUBT by what the provider can do.
 *
 * <ul>
 *   <li>It honours keys: inside the key's life look up first where it can, else send the same key and the same bytes.
 *   <li>It can only be asked: found, adopt; not found twice, apart: parked. Never call again, since the first request may
 *       still be on the wire.
 *   <li>Neither: parked.
 * </ul>
 */
final class Doubt {

    private static final int NOT_FOUND_MAX = 2;

    private final Limits limits;
    private final Caller caller;

    /** Announces the next call. */
    @FunctionalInterface
    interface Caller {
        Decision call(@Nullable ChargeSaga saga, List<ChargeEvent> events, Terms terms, Instant now);
    }

    Doubt(Limits limits, Caller caller) {
        this.limits = limits;
        this.caller = caller;
    }

    Decision onDelivered(ChargeSaga saga, Terms terms, Moment moment) {
        Instant now = moment.now();
        if (now.isBefore(quietUntil(saga.attempt()))) {
            return Decision.ack(); // the call may be running, or was put off; its due time stands
        }
        if (limits.isGivenUp(saga, now)) {
            return ChargeRules.parked(ParkedReason.GAVE_UP);
        }
        if (terms.mayResend(saga.attempt(), now)) {
            return lookUpOrResend(saga, terms, now);
        }
        return terms.traits().canLookUp() ? lookUpOnly(saga, terms, now) : ChargeRules.parked(ParkedReason.CANNOT_TELL);
    }

    Decision onNoAnswer(ChargeSaga saga, Answer answer, Terms terms, Moment moment) {
        if (answer.lookUp() && answer.sequence() != saga.sequence()) {
            return Decision.ack(); // someone else asked at the same time: two of these are not two looks, apart
        }
        if (!answer.lookUp() && saga.attempt().lastCallIsProven()) {
            return Decision.ack(); // a call ends once, and this one's end is proven
        }
        ProviderAnswer.NoAnswer said = (ProviderAnswer.NoAnswer) answer.said();
        NoAnswer event = new NoAnswer(said.reason(), said.detail(), answer.lookUp());
        ParkedReason end = endOf(saga, event, terms, moment.now());
        if (end != null) {
            return ChargeRules.parked(end, event);
        }
        return Decision.ack(event).dueAt(nextLook(saga, event, terms, moment));
    }

    /** A call whose end is proven runs no more; then it is the next one that waits. */
    private static Instant quietUntil(Attempt attempt) {
        return attempt.lastCallIsProven()
                ? attempt.retryAt()
                : attempt.lastCall().deadline();
    }

    private Decision lookUpOrResend(ChargeSaga saga, Terms terms, Instant now) {
        Attempt attempt = saga.attempt();
        if (terms.traits().canLookUp() && attempt.notFound() == 0) {
            return Decision.lookUp();
        }
        if (attempt.calls() >= limits.callsMax()) {
            return ChargeRules.parked(ParkedReason.CALLS_EXHAUSTED);
        }
        return caller.call(saga, new ArrayList<>(), terms, now);
    }

    private Decision lookUpOnly(ChargeSaga saga, Terms terms, Instant now) {
        if (saga.attempt().notFound() >= NOT_FOUND_MAX) {
            return ChargeRules.parked(ParkedReason.NOT_FOUND_TWICE);
        }
        Instant quiet = quietAt(saga, terms);
        return now.isBefore(quiet) ? Decision.ack().dueAt(quiet) : Decision.lookUp();
    }

    private @Nullable ParkedReason endOf(ChargeSaga saga, NoAnswer event, Terms terms, Instant now) {
        if (limits.isGivenUp(saga, now)) {
            return ParkedReason.GAVE_UP;
        }
        if (!event.lookUp() || event.reason() != NoAnswerReason.NOT_FOUND) {
            return null;
        }
        if (terms.mayResend(saga.attempt(), now)) {
            return saga.attempt().calls() >= limits.callsMax() ? ParkedReason.CALLS_EXHAUSTED : null;
        }
        return saga.attempt().notFound() + 1 >= NOT_FOUND_MAX ? ParkedReason.NOT_FOUND_TWICE : null;
    }

    private Instant nextLook(ChargeSaga saga, NoAnswer event, Terms terms, Moment moment) {
        boolean resend = terms.mayResend(saga.attempt().unanswered(event), moment.now());
        if (event.lookUp() && event.reason() == NoAnswerReason.NOT_FOUND && resend) {
            return moment.now();
        }
        Instant later = moment.now().plus(limits.lookUpDelay(saga.attempt().lookUps(), moment.random()));
        Instant earliest = resend ? saga.attempt().lastCall().deadline() : quietAt(saga, terms);
        return later.isBefore(earliest) ? earliest : later;
    }

    /** From here on a charge of the last call is visible to a look-up, if there is one. */
    private Instant quietAt(ChargeSaga saga, Terms terms) {
        Instant deadline = saga.attempt().lastCall().deadline();
        return terms.traits().canLookUp()
                ? deadline.plus(terms.traits().lookUpLag()).plus(limits.margin())
                : deadline;
    }
}
