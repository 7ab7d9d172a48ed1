package io.chargefence.mysql;

import io.chargefence.OrderStep;
import io.chargefence.flow.ChargeLog;
import io.chargefence.flow.StoreUnavailableException;
import io.chargefence.mysql.Recorder.UnknownOutcomeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;

/** The fence and the event log in MySQL or MariaDB. */
public final class MysqlChargeLog implements ChargeLog {

    private final JdbcTemplate jdbc;
    private final Transactions transactions;
    private final ChargeRows rows;
    private final Recorder recorder;
    private final DueRows dueFences;
    private final DueRows dueRequests;

    /**
     * @param stopping whether the process is stopping; only then is the end of a commit whose answer was lost left open
     */
    public MysqlChargeLog(
            DataSource dataSource,
            PlatformTransactionManager transactionManager,
            AxonEventLog events,
            BooleanSupplier stopping) {
        Unreadable unreadable = new Unreadable();
        this.jdbc = new JdbcTemplate(dataSource);
        this.transactions = new Transactions(dataSource, transactionManager);
        this.rows = new ChargeRows(unreadable);
        this.recorder = new Recorder(transactions, new AppendTransaction(jdbc, events), stopping);
        this.dueFences = new DueRows(jdbc, transactions, unreadable, "charge_fence");
        this.dueRequests = new DueRows(jdbc, transactions, unreadable, "charge_request");
    }

    /** A request or a fence that cannot be read is left out and reported, so that the rest of the batch goes on. */
    @Override
    public Snapshot load(Collection<OrderStep> orderSteps) {
        Set<OrderStep> keys = new LinkedHashSet<>(orderSteps);
        if (keys.isEmpty()) {
            return new Snapshot(now(), Map.of());
        }
        Map<OrderStep, Known> charges = new HashMap<>();
        Instant[] now = new Instant[1];
        transactions.read("load of " + keys.size() + " charges", () -> {
            jdbc.query(ChargeRows.byKeys(keys), RequestSql.args(keys), resultSet -> {
                now[0] = new Row(resultSet, "k_").instant("now");
                ChargeRow row = rows.mapRow(resultSet, 0);
                if (row != null && !row.isEmpty()) {
                    charges.put(row.orderStep(), row.known());
                }
            });
            return charges;
        });
        return new Snapshot(now[0], charges);
    }

    private Instant now() {
        return transactions.read(
                "read of the clock",
                () -> jdbc.query("SELECT utc_timestamp(6) AS now", resultSet -> {
                    resultSet.next();
                    return new Row(resultSet, "").instant("now");
                }));
    }

    @Override
    public Set<OrderStep> append(List<Entry> entries) {
        if (entries.isEmpty()) {
            return Set.of();
        }
        List<Entry> sorted =
                entries.stream().sorted(Comparator.comparing(Entry::orderStep)).toList();
        if (recorder.record(sorted)) {
            return Set.of();
        }
        return sorted.size() == 1 ? steps(sorted) : oneByOne(sorted);
    }

    /** Somebody in the batch lost a race, and all of it was rolled back: the others must not suffer for it. */
    private Set<OrderStep> oneByOne(List<Entry> sorted) {
        Set<OrderStep> refused = new HashSet<>();
        for (int i = 0; i < sorted.size(); i++) {
            List<Entry> one = sorted.subList(i, i + 1);
            try {
                if (!recorder.record(one)) {
                    refused.addAll(steps(one));
                }
            } catch (UnknownOutcomeException unknown) {
                throw unknown;
            } catch (StoreUnavailableException away) {
                if (refused.size() == i) {
                    throw away; // nothing was recorded
                }
                refused.addAll(steps(sorted.subList(i, sorted.size()))); // not recorded: to be decided on again
                return refused;
            }
        }
        return refused;
    }

    private static Set<OrderStep> steps(List<Entry> entries) {
        Set<OrderStep> steps = new HashSet<>();
        entries.forEach(entry -> steps.add(entry.orderStep()));
        return steps;
    }

    @Override
    public List<OrderStep> takeDue(int max, Duration reservation) {
        return dueFences.take(max, reservation);
    }

    @Override
    public List<OrderStep> takeUnclaimed(int max, Duration reservation) {
        return dueRequests.take(max, reservation);
    }
}
