package io.chargefence.mysql;

import io.chargefence.ChargeStage;
import io.chargefence.IdempotencyKey;
import io.chargefence.Intent;
import io.chargefence.OrderStep;
import io.chargefence.ProviderReference;
import io.chargefence.provider.DeclineKind;
import io.chargefence.provider.NoAnswerReason;
import io.chargefence.saga.Attempt;
import io.chargefence.saga.ChargeEvent.ParkedReason;
import io.chargefence.saga.ChargeSaga;
import io.chargefence.saga.ChargeSaga.LastCall;
import io.chargefence.saga.ChargeSaga.Outcome;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A {@link ChargeSaga} as columns and back, losslessly: what is read back equals the fold of the events, and a test holds it
 * to that.
 */
final class FenceColumns {

    static final List<String> INTENT = List.of("amount_minor", "currency", "source", "provider", "attributes");

    /** JSON is told to be text: in some sql_modes the driver writes strings as bytes, and MySQL makes no JSON of bytes. */
    static final String JSON = "CONVERT(? USING utf8mb4)";

    static final String INTENT_VALUES = "?, ?, ?, ?, " + JSON;

    /** What a step of the charge changes, in the order of {@link #bindState}. */
    static final List<String> STATE = List.of(
            "stage",
            "stream_seq",
            "attempt",
            "calls",
            "waits",
            "look_ups",
            "not_found",
            "doubt",
            "calls_made",
            "unproven_calls",
            "retry_at",
            "opened_at",
            "called_sequence",
            "idempotency_key",
            "request_hash",
            "call_deadline",
            "resend_safe_until",
            "provider_reference",
            "decline_code",
            "decline_kind",
            "parked_reason",
            "other_reference",
            "charges_seen",
            "conflicts");

    private FenceColumns() {}

    static void bindIntent(Args args, Intent intent) {
        args.add(intent.amountMinor())
                .add(intent.currency())
                .add(intent.source())
                .add(intent.provider())
                .add(intent.attributes().isEmpty() ? null : Json.of(intent.attributes()));
    }

    static void bindState(Args args, ChargeSaga saga) {
        args.add(saga.stage()).add(saga.sequence());
        bind(args, saga.attempt());
        bind(args, saga.attempt().lastCall());
        bind(args, saga.outcome());
        args.add(saga.conflicts());
    }

    private static void bind(Args args, Attempt attempt) {
        args.add(attempt.number())
                .add(attempt.calls())
                .add(attempt.waits())
                .add(attempt.lookUps())
                .add(attempt.notFound())
                .add(attempt.doubt())
                .add(attempt.callsMade())
                .add(attempt.unprovenCalls())
                .add(attempt.retryAt())
                .add(attempt.openedAt());
    }

    private static void bind(Args args, @Nullable LastCall call) {
        if (call == null) {
            args.add((Object) null).add((Object) null).add((Object) null);
            args.add((Object) null).add((Object) null);
            return;
        }
        args.add(call.sequence())
                .add(call.idempotencyKey().value())
                .add(call.requestHash())
                .add(call.deadline())
                .add(call.resendSafeUntil());
    }

    private static void bind(Args args, Outcome outcome) {
        args.add(value(outcome.reference()))
                .add((Object) outcome.declineCode())
                .add(outcome.declineKind())
                .add(outcome.parkedReason())
                .add(value(outcome.otherReference()))
                .add(outcome.chargesSeen());
    }

    private static @Nullable Object value(@Nullable ProviderReference reference) {
        return reference == null ? null : reference.value();
    }

    static Intent intent(Row row) throws SQLException {
        return new Intent(
                row.number("amount_minor"),
                row.text("currency"),
                row.text("source"),
                row.text("provider"),
                Json.texts(row.textOrNull("attributes")));
    }

    static ChargeSaga saga(OrderStep orderStep, Row row) throws SQLException {
        return new ChargeSaga(
                row.uuid("charge_id"),
                orderStep,
                intent(row),
                row.constant("stage", ChargeStage.class),
                row.number("stream_seq"),
                attempt(row),
                outcome(row),
                row.count("conflicts"),
                row.instant("created_at"));
    }

    private static Attempt attempt(Row row) throws SQLException {
        return new Attempt(
                row.count("attempt"),
                row.count("calls"),
                row.count("waits"),
                row.count("look_ups"),
                row.count("not_found"),
                row.constantOrNull("doubt", NoAnswerReason.class),
                row.count("calls_made"),
                row.count("unproven_calls"),
                row.instantOrNull("retry_at"),
                row.instant("opened_at"),
                row.isThere("called_sequence") ? lastCall(row) : null);
    }

    private static LastCall lastCall(Row row) throws SQLException {
        return new LastCall(
                row.number("called_sequence"),
                new IdempotencyKey(row.text("idempotency_key")),
                row.text("request_hash"),
                row.instant("call_deadline"),
                row.instantOrNull("resend_safe_until"));
    }

    private static Outcome outcome(Row row) throws SQLException {
        return new Outcome(
                reference(row, "provider_reference"),
                row.textOrNull("decline_code"),
                row.constantOrNull("decline_kind", DeclineKind.class),
                row.constantOrNull("parked_reason", ParkedReason.class),
                reference(row, "other_reference"),
                row.count("charges_seen"));
    }

    private static @Nullable ProviderReference reference(Row row, String column) throws SQLException {
        String value = row.textOrNull(column);
        return value == null ? null : new ProviderReference(value);
    }
}
