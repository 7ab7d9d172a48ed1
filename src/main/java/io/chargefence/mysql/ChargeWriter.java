package io.chargefence.mysql;

import io.chargefence.OrderStep;
import io.chargefence.flow.ChargeLog.Entry;
import io.chargefence.mysql.AxonEventLog.Appended;
import io.chargefence.saga.ChargeSaga;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

/** Writes a batch of entries in the transaction that is open: fence rows, events, and the outbox rows they settle. */
final class ChargeWriter {

    /** Without IGNORE and without ON DUPLICATE KEY: a row that is there already must refuse us. */
    private static final String CLAIM = "insert into charge_fence (" + columns() + ", due_at, updated_at) values ";

    private static final String CLAIM_ROW = "("
            + String.join(", ", Collections.nCopies(FenceRows.IDENTITY.size() + FenceRows.STATE.size() + 1, "?"))
            + ", utc_timestamp(6))";
    private static final String ADVANCE = "update charge_fence set "
            + FenceRows.STATE.stream().map(column -> column + " = ?").collect(Collectors.joining(", "))
            + ", due_at = if(?, null, coalesce(?, due_at)), updated_at = utc_timestamp(6)"
            + " where order_id = ? and step = ? and charge_id = ? and stream_seq = ?";

    private final JdbcTemplate jdbc;
    private final AxonEventLog events;

    ChargeWriter(JdbcTemplate jdbc, AxonEventLog events) {
        this.jdbc = jdbc;
        this.events = events;
    }

    void write(List<Entry> entries) {
        claim(entries.stream().filter(Entry::isClaim).toList());
        append(entries);
        advance(entries.stream().filter(entry -> !entry.isClaim()).toList());
        settle(entries.stream()
                .filter(Entry::settlesRequest)
                .map(Entry::orderStep)
                .toList());
    }

    private void claim(List<Entry> claims) {
        if (claims.isEmpty()) {
            return;
        }
        List<@Nullable Object> values = new ArrayList<>();
        for (Entry claim : claims) {
            values.addAll(FenceRows.identity(claim.after()));
            values.addAll(FenceRows.state(claim.after()));
            values.add(claim.after().stage().isAtRest() ? null : Rows.utc(claim.dueAt()));
        }
        jdbc.update(CLAIM + String.join(", ", Collections.nCopies(claims.size(), CLAIM_ROW)), values.toArray());
    }

    private void append(List<Entry> entries) {
        List<Appended> appended = entries.stream()
                .flatMap(entry -> entry.events().stream()
                        .map(event ->
                                new Appended(entry.after().chargeId(), entry.orderStep(), event, entry.metadata())))
                .toList();
        if (!appended.isEmpty()) {
            events.append(appended);
        }
    }

    /** The events before this have decided the race: whoever got event n in finds the row at n - 1. */
    private void advance(List<Entry> entries) {
        List<Object[]> rows = entries.stream()
                .filter(entry -> !entry.events().isEmpty() || entry.dueAt() != null)
                .map(ChargeWriter::advanced)
                .toList();
        if (!rows.isEmpty()) {
            jdbc.batchUpdate(ADVANCE, rows);
        }
    }

    private static Object[] advanced(Entry entry) {
        ChargeSaga after = entry.after();
        List<@Nullable Object> values = new ArrayList<>(FenceRows.state(after));
        values.add(after.stage().isAtRest());
        values.add(Rows.utc(entry.dueAt()));
        values.add(Rows.bytes(after.orderStep().orderId()));
        values.add(after.orderStep().step());
        values.add(after.chargeId().toString());
        values.add(entry.before().sequence());
        return values.toArray();
    }

    private void settle(List<OrderStep> orderSteps) {
        if (!orderSteps.isEmpty()) {
            jdbc.update(
                    "delete from charge_request where " + ChargeLoader.keys(orderSteps.size()),
                    ChargeLoader.parameters(orderSteps).toArray());
        }
    }

    private static String columns() {
        return Stream.concat(FenceRows.IDENTITY.stream(), FenceRows.STATE.stream())
                .collect(Collectors.joining(", "));
    }
}
