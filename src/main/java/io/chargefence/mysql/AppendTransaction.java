package io.chargefence.mysql;

import io.chargefence.OrderStep;
import io.chargefence.flow.ChargeLog.Entry;
import io.chargefence.mysql.AxonEventLog.Appended;
import io.chargefence.saga.ChargeEvent.ConflictSeen;
import io.chargefence.saga.OperatorRules;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.jdbc.core.JdbcTemplate;

/** What happens in the one transaction of a batch. */
final class AppendTransaction {

    private final JdbcTemplate jdbc;
    private final FenceSql fences;
    private final RequestSql requests;
    private final AxonEventLog events;

    AppendTransaction(JdbcTemplate jdbc, AxonEventLog events) {
        this.jdbc = jdbc;
        this.fences = new FenceSql(jdbc);
        this.requests = new RequestSql(jdbc);
        this.events = events;
    }

    /**
     * Fences before events: whoever loses the race writes nothing into the log, not even a number that it burns.
     *
     * @param entries in the order of their steps, the same in every process, so that two batches do not deadlock
     */
    void write(List<Entry> entries) {
        claim(entries.stream().filter(Entry::isClaim).toList());
        step(entries.stream().filter(AppendTransaction::movesFence).toList());
        append(entries);
        settle(entries.stream().filter(Entry::settlesRequest).toList());
    }

    private void claim(List<Entry> claims) {
        if (!claims.isEmpty()) {
            fences.insert(
                    claims,
                    requests.requestedAt(claims.stream().map(Entry::orderStep).toList()));
        }
    }

    private void step(List<Entry> steps) {
        if (steps.isEmpty()) {
            return;
        }
        int found = fences.update(steps);
        if (found != steps.size()) {
            throw new LostRaceException(
                    "of %d fences %d still stood where they were decided on".formatted(steps.size(), found));
        }
    }

    private void append(List<Entry> entries) {
        List<Appended> appended =
                entries.stream().flatMap(AppendTransaction::appended).toList();
        if (!appended.isEmpty()) {
            events.append(appended);
        }
    }

    /** A conflict that was noted after the decision was taken must not leave with the request: the decision is taken again. */
    private void settle(List<Entry> settled) {
        Map<Boolean, List<OrderStep>> byConflict = settled.stream()
                .collect(Collectors.partitioningBy(
                        AppendTransaction::tellsConflict, Collectors.mapping(Entry::orderStep, Collectors.toList())));
        List<OrderStep> uncontested = byConflict.get(false);
        if (!uncontested.isEmpty() && !requests.deleteUncontested(uncontested)) {
            throw new LostRaceException("a conflict was noted beside one of " + uncontested.size() + " requests");
        }
        List<OrderStep> contested = byConflict.get(true);
        if (!contested.isEmpty()) {
            requests.delete(contested);
        }
    }

    private static boolean tellsConflict(Entry entry) {
        return entry.after().conflicts() >= OperatorRules.CONFLICTS_RECORDED_MAX
                || entry.events().stream().anyMatch(recorded -> recorded.event() instanceof ConflictSeen);
    }

    /** Which of these entries' events are in the log, by their own ids: the place may be taken by somebody else's event. */
    Set<UUID> recorded(List<Entry> entries) {
        Set<UUID> ids = new HashSet<>();
        Args args = new Args();
        for (Entry entry : entries) {
            args.add((Object) entry.after().chargeId().toString())
                    .add(entry.after().sequence());
        }
        String places = String.join(
                " OR ",
                Stream.generate(() -> "(charge_id = ? AND sequence = ?)")
                        .limit(entries.size())
                        .toList());
        jdbc.query("SELECT event_id FROM charge_event WHERE " + places, args, resultSet -> {
            ids.add(UUID.fromString(resultSet.getString(1)));
        });
        return ids;
    }

    /** A request that meets its fence moves nothing there. */
    private static boolean movesFence(Entry entry) {
        return !entry.isClaim() && (!entry.events().isEmpty() || entry.dueAt() != null);
    }

    private static Stream<Appended> appended(Entry entry) {
        return entry.events().stream()
                .map(event -> new Appended(entry.after().chargeId(), entry.orderStep(), event, entry.metadata()));
    }
}
