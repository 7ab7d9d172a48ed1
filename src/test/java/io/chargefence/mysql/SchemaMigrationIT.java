package io.chargefence.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.chargefence.ChargefenceException;
import io.chargefence.embedded.TestStores;
import io.chargefence.mysql.SchemaMigration.Mode;
import java.util.List;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

class SchemaMigrationIT {

    private HikariDataSource dataSource;
    private JdbcTemplate sql;

    @BeforeEach
    void open() {
        dataSource = TestStores.dataSource();
        sql = new JdbcTemplate(dataSource);
    }

    @AfterEach
    void close() {
        dataSource.close();
    }

    @Test
    void our_tables_stand_beside_a_hosts_own_and_its_history() {
        Flyway hosts = Flyway.configure()
                .dataSource(dataSource)
                .locations("classpath:db/no-scripts")
                .baselineOnMigrate(true)
                .load();
        sql.execute("CREATE TABLE host_order (id INT PRIMARY KEY)");
        hosts.baseline();

        migration(Mode.MIGRATE).run();
        migration(Mode.MIGRATE).run();

        assertThat(tables())
                .containsExactlyInAnyOrder(
                        "charge_event",
                        "charge_fence",
                        "charge_request",
                        "chargefence_schema_history",
                        "flyway_schema_history",
                        "host_order");
        assertThat(sql.queryForList("SELECT version FROM flyway_schema_history", String.class))
                .containsExactly("1");
        assertThatCode(hosts::validate).doesNotThrowAnyException();
    }

    @Test
    void the_history_table_has_the_name_that_the_host_gives_it() {
        new SchemaMigration(dataSource, Mode.MIGRATE, "cf_history").run();
        assertThat(tables()).contains("cf_history").doesNotContain(SchemaMigration.HISTORY_TABLE);
    }

    @Test
    void validation_names_what_is_pending_and_changes_nothing() {
        sql.execute("CREATE TABLE host_order (id INT PRIMARY KEY)");
        assertThatThrownBy(() -> migration(Mode.VALIDATE).run())
                .isInstanceOf(ChargefenceException.class)
                .hasMessageContaining("V001 charge request, V002 charge fence, V003 charge event, V004 unproven calls")
                .hasMessageContaining("Altered: none")
                .hasMessageContaining(SchemaMigration.HISTORY_TABLE);
        assertThat(tables()).containsExactly("host_order");
    }

    @Test
    void validation_names_what_was_altered() {
        migration(Mode.MIGRATE).run();
        sql.update("UPDATE chargefence_schema_history SET checksum = 1 WHERE version = '002'");
        assertThatThrownBy(() -> migration(Mode.VALIDATE).run())
                .isInstanceOf(ChargefenceException.class)
                .hasMessageContaining("Pending: none")
                .hasMessageContaining("V002 charge fence");
    }

    @Test
    void validation_passes_on_a_schema_that_is_up_to_date() {
        migration(Mode.MIGRATE).run();
        assertThatCode(() -> migration(Mode.VALIDATE).run()).doesNotThrowAnyException();
    }

    @Test
    void none_is_none() {
        migration(Mode.NONE).run();
        assertThat(tables()).isEmpty();
    }

    private SchemaMigration migration(Mode mode) {
        return new SchemaMigration(dataSource, mode, SchemaMigration.HISTORY_TABLE);
    }

    private List<String> tables() {
        return sql.queryForList(
                "SELECT table_name FROM information_schema.tables WHERE table_schema = database()", String.class);
    }
}
