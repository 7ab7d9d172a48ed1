package io.chargefence.mysql;

import static io.chargefence.mysql.Rows.attributes;
import static io.chargefence.mysql.Rows.bytes;
import static io.chargefence.mysql.Rows.enumOrNull;
import static io.chargefence.mysql.Rows.instant;
import static io.chargefence.mysql.Rows.instantOrNull;
import static io.chargefence.mysql.Rows.name;
import static io.chargefence.mysql.Rows.utc;

import io.chargefence.ChargeStage;
import io.chargefence.IdempotencyKey;
import io.chargefence.Intent;
import io.chargefence.ProviderReference;
import io.chargefence.provider.DeclineKind;
import io.chargefence.provider.NoAnswerReason;
import io.chargefence.saga.ChargeEvent.ParkedReason;
import io.chargefence.saga.ChargeSaga;
import io.chargefence.saga.ChargeSaga.Attempt;
import io.chargefence.saga.ChargeSaga.LastCall;
import io.chargefence.saga.ChargeSaga.Outcome;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A charge as its row in {@code charge_fence}, both ways and without loss. */
final class FenceRows {

    /** Set by the claim, never changed. */
    static final List<String> IDENTITY = List.of(
            "order_id",
            "step",
            "charge_id",
            "amount_minor",
            "currency",
            "source",
            "provider",
            "attributes",
            "created_at");

    /** Change with the events. */
    static final List<String> STATE = List.of(
            "stage",
            "attempt",
            "calls",
            "waits",
            "look_ups",
            "not_found",
            "doubt",
            "unproven",
            "retry_at",
            "opened_at",
            "called_seq",
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
            "conflicts",
            "stream_seq");

    private FenceRows() {}

    static List<@Nullable Object> identity(ChargeSaga saga) {
        Intent intent = saga.intent();
        return Arrays.asList(
                bytes(saga.orderStep().orderId()),
                saga.orderStep().step(),
                saga.chargeId().toString(),
                intent.amountMinor(),
                intent.currency(),
                intent.source(),
                intent.provider(),
                attributes(intent),
                utc(saga.claimedAt()));
    }

    static List<@Nullable Object> state(ChargeSaga saga) {
        List<@Nullable Object> values = new ArrayList<>();
        values.add(saga.stage().name());
        addAttempt(values, saga.attempt());
        addLastCall(values, saga.attempt().lastCall());
        addOutcome(values, saga.outcome());
        values.add(saga.conflicts());
        values.add(saga.sequence());
        return values;
    }

    private static void addAttempt(List<@Nullable Object> values, Attempt attempt) {
        values.addAll(Arrays.asList(
                attempt.number(),
                attempt.calls(),
                attempt.waits(),
                attempt.lookUps(),
                attempt.notFound(),
                name(attempt.doubt()),
                attempt.unproven(),
                utc(attempt.retryAt()),
                utc(attempt.openedAt())));
    }

    private static void addLastCall(List<@Nullable Object> values, @Nullable LastCall call) {
        values.addAll(
                call == null
                        ? Arrays.asList(null, null, null, null, null)
                        : Arrays.asList(
                                call.sequence(),
                                call.idempotencyKey().value(),
                                call.requestHash(),
                                utc(call.deadline()),
                                utc(call.resendSafeUntil())));
    }

    private static void addOutcome(List<@Nullable Object> values, Outcome outcome) {
        values.addAll(Arrays.asList(
                text(outcome.reference()),
                outcome.declineCode(),
                name(outcome.declineKind()),
                name(outcome.parkedReason()),
                text(outcome.otherReference()),
                outcome.chargesSeen()));
    }

    static ChargeSaga saga(ResultSet row) throws SQLException {
        return new ChargeSaga(
                UUID.fromString(row.getString("charge_id")),
                Rows.orderStep(row),
                Rows.intent(row),
                ChargeStage.valueOf(row.getString("stage")),
                row.getLong("stream_seq"),
                attempt(row),
                outcome(row),
                row.getInt("conflicts"),
                instant(row, "created_at"));
    }

    private static Attempt attempt(ResultSet row) throws SQLException {
        return new Attempt(
                row.getInt("attempt"),
                row.getInt("calls"),
                row.getInt("waits"),
                row.getInt("look_ups"),
                row.getInt("not_found"),
                enumOrNull(NoAnswerReason.class, row.getString("doubt")),
                row.getBoolean("unproven"),
                instantOrNull(row, "retry_at"),
                instant(row, "opened_at"),
                lastCall(row));
    }

    private static @Nullable LastCall lastCall(ResultSet row) throws SQLException {
        long sequence = row.getLong("called_seq");
        if (row.wasNull()) {
            return null;
        }
        return new LastCall(
                sequence,
                new IdempotencyKey(row.getString("idempotency_key")),
                row.getString("request_hash"),
                instant(row, "call_deadline"),
                instantOrNull(row, "resend_safe_until"));
    }

    private static Outcome outcome(ResultSet row) throws SQLException {
        return new Outcome(
                reference(row.getString("provider_reference")),
                row.getString("decline_code"),
                enumOrNull(DeclineKind.class, row.getString("decline_kind")),
                enumOrNull(ParkedReason.class, row.getString("parked_reason")),
                reference(row.getString("other_reference")),
                row.getInt("charges_seen"));
    }

    private static @Nullable ProviderReference reference(@Nullable String value) {
        return value == null ? null : new ProviderReference(value);
    }

    private static @Nullable String text(@Nullable ProviderReference reference) {
        return reference == null ? null : reference.value();
    }
}
