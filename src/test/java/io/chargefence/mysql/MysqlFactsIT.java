package io.chargefence.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.chargefence.embedded.TestStores;
import org.junit.jupiter.api.Test;

class MysqlFactsIT {

    @Test
    void they_tell_the_server_its_durability_our_session_and_the_key_columns() {
        try (Store store = Store.with("", "ANSI_QUOTES")) {
            MysqlFacts facts = MysqlFacts.read(store.dataSource);

            assertThat(facts.product()).isIn("MariaDB", "MySQL");
            assertThat(facts.version()).isNotBlank();
            assertThat(facts.innodbFlushLogAtTrxCommit()).isBetween(0, 2);
            assertThat(facts.syncBinlog()).isNotNegative();
            assertThat(facts.logBin()).isNotNull();
            assertThat(facts.readOnly()).isFalse();
            assertThat(facts.sqlMode()).contains("ANSI_QUOTES");
            assertThat(facts.transactionIsolation()).isEqualTo("REPEATABLE-READ");
            assertThat(facts.missingTables()).isEmpty();
            assertThat(facts.keyColumns())
                    .hasSize(8)
                    .containsEntry("charge_fence.order_id", new MysqlFacts.Column("varbinary(255)", null))
                    .containsEntry("charge_fence.step", new MysqlFacts.Column("varchar(64)", "ascii_bin"))
                    .containsEntry("charge_event.charge_id", new MysqlFacts.Column("char(36)", "ascii_bin"));
        }
    }

    @Test
    void they_tell_a_column_that_somebody_changed() {
        try (Store store = Store.fresh()) {
            store.sql.execute("ALTER TABLE charge_request MODIFY order_id VARCHAR(100)"
                    + " CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci NOT NULL");
            assertThat(MysqlFacts.read(store.dataSource).keyColumns())
                    .containsEntry(
                            "charge_request.order_id", new MysqlFacts.Column("varchar(100)", "utf8mb4_general_ci"));
        }
    }

    @Test
    void they_tell_that_our_tables_are_not_there() {
        try (HikariDataSource empty = TestStores.dataSource()) {
            assertThat(MysqlFacts.read(empty).missingTables())
                    .containsExactly("charge_event", "charge_fence", "charge_request");
        }
    }
}
