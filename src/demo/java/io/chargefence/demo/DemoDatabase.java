package io.chargefence.demo;

import io.chargefence.ChargeView;
import io.chargefence.OrderStep;
import io.chargefence.flow.ChargeViews.Ledger;
import io.chargefence.mysql.MysqlChargeViews;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;

/** What the demo asks the database. */
final class DemoDatabase {

    private final MysqlChargeViews views;
    private final JdbcTemplate jdbc;

    DemoDatabase(MysqlChargeViews views, DataSource dataSource) {
        this.views = views;
        this.jdbc = new JdbcTemplate(dataSource);
    }

    long open() {
        return views.ledger().steps().entrySet().stream()
                .filter(entry -> !entry.getKey().isAtRest())
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    Ledger ledger() {
        return views.ledger();
    }

    Map<OrderStep, DemoReport.Row> rows(Set<OrderStep> requested) {
        Map<OrderStep, DemoReport.Row> rows = new HashMap<>();
        for (OrderStep step : requested) {
            views.find(step).ifPresent(view -> rows.put(step, new DemoReport.Row(state(view), view.intent())));
        }
        return rows;
    }

    private static DemoReport.State state(ChargeView view) {
        if (view.isCharged()) {
            return DemoReport.State.CHARGED;
        }
        if (view.isDeclined()) {
            return DemoReport.State.DECLINED;
        }
        return view.stage().isAtRest() ? DemoReport.State.PARKED : DemoReport.State.OPEN;
    }

    /** Deliveries of a step beside its first that left a trace in the log: taken over by another worker, or swept up again. */
    long redeliveries() {
        Long more = jdbc.queryForObject(
                "select coalesce(sum(deliveries - 1), 0) from (select count(distinct json_unquote(json_extract(metadata,"
                        + " '$.delivery'))) as deliveries from charge_event group by charge_id) d where deliveries > 1",
                Long.class);
        return more == null ? 0 : more;
    }

    /** How the outcomes came about, for the table. */
    Map<String, Long> outcomes() {
        Map<String, Long> outcomes = new LinkedHashMap<>();
        for (String via : new String[] {"ANSWER", "RESEND", "LOOK_UP"}) {
            outcomes.put(
                    "charged, told by " + via.toLowerCase().replace('_', '-'),
                    count("payload_type = 'ReferenceStored' and json_unquote(json_extract(payload, '$.via')) = '" + via
                            + "'"));
        }
        outcomes.put("declined", count("payload_type = 'Declined'"));
        outcomes.put("parked", count("payload_type = 'Parked'"));
        outcomes.put("calls announced", count("payload_type = 'ProviderCalled'"));
        outcomes.put("calls proven not charged", count("payload_type = 'NotCharged'"));
        outcomes.put("calls and look-ups without an answer", count("payload_type = 'NoAnswer'"));
        return outcomes;
    }

    private long count(String where) {
        return jdbc.queryForObject("select count(*) from charge_event where " + where, Long.class);
    }
}
