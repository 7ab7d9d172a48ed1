package io.chargefence.mysql;

import io.chargefence.ChargeStage;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.EnumMap;
import java.util.Map;
import org.springframework.jdbc.core.RowCallbackHandler;

/** Adds up the ledger. One statement, so that its figures are of one moment and their difference means something. */
final class LedgerSum implements RowCallbackHandler {

    /** A request beside its fence is no charge of its own. */
    static final String SELECT = "SELECT stage, count(*) AS steps, sum(charges_seen) AS seen,"
            + " count(provider_reference) AS charged,"
            + " max(CASE WHEN stage = 'IN_DOUBT' THEN timestampdiff(MICROSECOND, updated_at, utc_timestamp(6)) END) AS doubt"
            + " FROM charge_fence GROUP BY stage"
            + " UNION ALL SELECT 'UNCLAIMED', count(*), 0, 0, NULL FROM charge_request r"
            + " WHERE NOT EXISTS (SELECT 1 FROM charge_fence f WHERE f.order_id = r.order_id AND f.step = r.step)";

    private final Map<ChargeStage, Long> steps = new EnumMap<>(ChargeStage.class);
    private long seen;
    private long charged;
    private long fences;
    private long doubtMicros;

    LedgerSum() {
        for (ChargeStage stage : ChargeStage.values()) {
            steps.put(stage, 0L);
        }
    }

    @Override
    public void processRow(ResultSet resultSet) throws SQLException {
        ChargeStage stage = ChargeStage.valueOf(resultSet.getString("stage"));
        long count = resultSet.getLong("steps");
        steps.merge(stage, count, Long::sum);
        seen += resultSet.getLong("seen");
        charged += resultSet.getLong("charged");
        fences += stage == ChargeStage.UNCLAIMED ? 0 : count;
        doubtMicros = Math.max(doubtMicros, resultSet.getLong("doubt"));
    }

    Map<ChargeStage, Long> steps() {
        return steps;
    }

    long seen() {
        return seen;
    }

    long charged() {
        return charged;
    }

    long fences() {
        return fences;
    }

    Duration oldestDoubt() {
        return Duration.of(doubtMicros, ChronoUnit.MICROS);
    }
}
