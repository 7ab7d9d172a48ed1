package io.chargefence.mysql;

import io.chargefence.ChargefenceException;
import java.util.Arrays;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationInfo;

/**
 * Brings our tables up to date with a Flyway of our own: own location, own history table. The host's Flyway sees nothing of it.
 */
public final class SchemaMigration {

    /** What happens to the schema at start. */
    public enum Mode {
        /** Apply what is missing. */
        MIGRATE,
        /** Refuse to start when something is missing or was changed. */
        VALIDATE,
        /** Do not look. */
        NONE
    }

    private static final String LOCATION = "classpath:db/chargefence";

    private final Flyway flyway;

    public SchemaMigration(DataSource dataSource, String historyTable) {
        flyway = Flyway.configure(SchemaMigration.class.getClassLoader())
                .dataSource(dataSource)
                .locations(LOCATION)
                .table(historyTable)
                .baselineOnMigrate(true) // the host's schema need not be empty
                .baselineVersion("0")
                .load();
    }

    /** @throws SchemaBehindException when the mode is VALIDATE and migrations are pending or were changed */
    public void run(Mode mode) {
        switch (mode) {
            case MIGRATE -> flyway.migrate();
            case VALIDATE -> validate();
            case NONE -> {}
        }
    }

    private void validate() {
        MigrationInfo[] pending = flyway.info().pending();
        if (pending.length > 0) {
            String versions = Arrays.stream(pending)
                    .map(info -> info.getVersion() + " " + info.getDescription())
                    .collect(Collectors.joining(", "));
            throw new SchemaBehindException("pending: " + versions);
        }
        var result = flyway.validateWithResult();
        if (!result.validationSuccessful) {
            throw new SchemaBehindException(result.getAllErrorMessages());
        }
    }

    /** The tables are not those that this version needs. */
    public static final class SchemaBehindException extends ChargefenceException {

        private static final long serialVersionUID = 1L;

        SchemaBehindException(String what) {
            super("the Chargefence tables are not up to date; " + what);
        }
    }
}
