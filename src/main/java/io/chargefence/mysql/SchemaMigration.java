package io.chargefence.mysql;

import io.chargefence.ChargefenceException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.output.ValidateOutput;
import org.flywaydb.core.api.output.ValidateResult;

/**
 * Our tables, by a Flyway of our own with a history table and a location of its own, so that a host's Flyway neither sees our
 * scripts nor we its.
 */
public final class SchemaMigration {

    public static final String HISTORY_TABLE = "chargefence_schema_history";

    private static final String LOCATION = "classpath:db/chargefence";

    /** Who moves the schema. */
    public enum Mode {
        /** Brought up to date at start. */
        MIGRATE,
        /** Somebody else migrates; a schema that is behind or altered is refused at start. */
        VALIDATE,
        /** Neither looked at nor touched. */
        NONE
    }

    private final Mode mode;
    private final Flyway flyway;

    public SchemaMigration(DataSource dataSource, Mode mode, String historyTable) {
        this.mode = mode;
        // Not empty is the normal case: the tables live beside the host's. Version 0, so that none of ours is skipped.
        this.flyway = Flyway.configure(SchemaMigration.class.getClassLoader())
                .dataSource(dataSource)
                .locations(LOCATION)
                .table(historyTable)
                .baselineOnMigrate(true)
                .baselineVersion("0")
                .failOnMissingLocations(true)
                .validateMigrationNaming(true)
                .cleanDisabled(true)
                .load();
    }

    /** @throws ChargefenceException in mode VALIDATE when the schema is not the one that this version needs */
    public void run() {
        switch (mode) {
            case MIGRATE -> flyway.migrate();
            case VALIDATE -> validate();
            case NONE -> {}
        }
    }

    private void validate() {
        List<MigrationInfo> pending = Arrays.asList(flyway.info().pending());
        ValidateResult result = flyway.validateWithResult();
        if (pending.isEmpty() && result.validationSuccessful) {
            return;
        }
        throw new ChargefenceException(("The schema is not the one that this version of Chargefence needs. Pending: %s."
                        + " Altered: %s. Run the scripts of db/chargefence (or /migrations of the sources) with history table"
                        + " %s, or let Chargefence migrate at start. Nothing was changed.")
                .formatted(
                        joined(pending.stream().map(SchemaMigration::named)),
                        joined(result.invalidMigrations.stream()
                                .filter(SchemaMigration::isAltered)
                                .map(SchemaMigration::named)),
                        flyway.getConfiguration().getTable()));
    }

    /** Flyway counts a pending migration as invalid too; that one is named already. */
    private static boolean isAltered(ValidateOutput invalid) {
        return !"RESOLVED_VERSIONED_MIGRATION_NOT_APPLIED".equals(invalid.errorDetails.errorCode.toString());
    }

    private static String named(MigrationInfo info) {
        return "V" + info.getVersion() + " " + info.getDescription();
    }

    private static String named(ValidateOutput invalid) {
        return "V" + invalid.version + " " + invalid.description + " (" + invalid.errorDetails.errorCode + ")";
    }

    private static String joined(Stream<String> names) {
        String joined = names.collect(Collectors.joining(", "));
        return joined.isEmpty() ? "none" : joined;
    }
}
