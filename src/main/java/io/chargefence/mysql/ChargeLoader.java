package io.chargefence.mysql;

import io.chargefence.OrderStep;
import io.chargefence.flow.ChargeLog.Known;
import io.chargefence.flow.ChargeLog.Requested;
import io.chargefence.flow.ChargeLog.Snapshot;
import io.chargefence.saga.ChargeSaga;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.JdbcTemplate;

/** One SELECT for a batch: the time, the requests and the fence rows, all of one moment. */
final class ChargeLoader {

    private static final Logger log = LoggerFactory.getLogger(ChargeLoader.class);

    private static final List<String> INTENT =
            List.of("order_id", "step", "amount_minor", "currency", "source", "provider", "attributes");
    private static final List<String> REQUEST_ONLY = List.of("conflict", "traceparent", "requested_at");
    private static final List<String> FENCE_ONLY = Stream.concat(
                    Stream.of("charge_id", "created_at"), FenceRows.STATE.stream())
            .toList();
    private static final String NOW = select("N", List.of(), List.of()).replace(" from ", "");
    private static final String REQUESTS = select("R", REQUEST_ONLY, List.of()) + "charge_request where ";
    private static final String FENCES = select("F", List.of(), FENCE_ONLY) + "charge_fence where ";

    private final JdbcTemplate jdbc;

    ChargeLoader(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    Snapshot load(Collection<OrderStep> orderSteps) {
        String keys = keys(orderSteps.size());
        String sql = FENCES + keys + " union all " + REQUESTS + keys + " union all " + NOW;
        List<Object> once = parameters(orderSteps);
        List<Object> twice = new ArrayList<>(once);
        twice.addAll(once);
        return jdbc.query(sql, ChargeLoader::snapshot, twice.toArray());
    }

    /** A chain of ORs, since both servers turn that into point reads of the primary key. */
    static String keys(int count) {
        return String.join(" or ", Collections.nCopies(count, "(order_id = ? and step = ?)"));
    }

    static List<Object> parameters(Collection<OrderStep> orderSteps) {
        List<Object> parameters = new ArrayList<>();
        for (OrderStep orderStep : orderSteps) {
            parameters.add(Rows.bytes(orderStep.orderId()));
            parameters.add(orderStep.step());
        }
        return parameters;
    }

    private static Snapshot snapshot(ResultSet rows) throws SQLException {
        Instant now = Instant.EPOCH;
        Map<OrderStep, ChargeSaga> sagas = new HashMap<>();
        Map<OrderStep, Requested> requests = new HashMap<>();
        while (rows.next()) {
            switch (rows.getString("kind")) {
                case "F" -> {
                    ChargeSaga saga = FenceRows.saga(rows);
                    sagas.put(saga.orderStep(), saga);
                }
                case "R" -> addRequest(requests, rows);
                default -> now = Rows.instant(rows, "now_at");
            }
        }
        Map<OrderStep, Known> known = new HashMap<>();
        requests.forEach((step, request) -> known.put(step, new Known(request, sagas.get(step))));
        sagas.forEach((step, saga) -> known.putIfAbsent(step, new Known(null, saga)));
        return new Snapshot(now, known);
    }

    /** A row that another program wrote and that makes no valid intent is left alone and reported; it cannot cause a call. */
    private static void addRequest(Map<OrderStep, Requested> requests, ResultSet row) throws SQLException {
        try {
            OrderStep orderStep = Rows.orderStep(row);
            requests.put(
                    orderStep,
                    new Requested(
                            orderStep,
                            Rows.intent(row),
                            Rows.intentOrNull(row.getString("conflict")),
                            Rows.instant(row, "requested_at"),
                            row.getString("traceparent")));
        } catch (RuntimeException invalid) {
            log.error(
                    "a row of charge_request is no valid request and is left there; no money moved; correct or delete it: {}",
                    invalid.getMessage());
        }
    }

    private static String select(String kind, List<String> requestColumns, List<String> fenceColumns) {
        boolean row = !requestColumns.isEmpty() || !fenceColumns.isEmpty();
        return "select '" + kind + "' as kind, "
                + (row ? "null" : "utc_timestamp(6)") + " as now_at, "
                + Stream.of(
                                columns(INTENT, row),
                                columns(REQUEST_ONLY, !requestColumns.isEmpty()),
                                columns(FENCE_ONLY, !fenceColumns.isEmpty()))
                        .collect(Collectors.joining(", "))
                + " from ";
    }

    private static String columns(List<String> names, boolean present) {
        return names.stream().map(name -> present ? name : "null as " + name).collect(Collectors.joining(", "));
    }
}
