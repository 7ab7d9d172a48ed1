package io.chargefence.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.BatchUpdateException;
import java.sql.SQLException;
import org.axonframework.eventsourcing.eventstore.EventStoreException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.TransactionSystemException;

class SqlFailureTest {

    @ParameterizedTest
    @CsvSource({
        "1062, 23000, LOST_RACE",
        "1213, 40001, TRY_AGAIN",
        "1205, HY000, TRY_AGAIN",
        "1020, HY000, TRY_AGAIN",
        "0, 08S01, UNKNOWN",
        "0, 08003, UNKNOWN",
        "1053, 08S01, UNKNOWN",
        "1317, 70100, UNKNOWN",
        "1927, 70100, UNKNOWN",
        "1048, 23000, REFUSED",
        "4025, 23000, REFUSED",
        "3819, HY000, REFUSED",
        "1290, HY000, REFUSED",
        "1406, 22001, REFUSED"
    })
    void a_statement_that_failed_is_told_by_its_code(int code, String state, SqlFailure meaning) {
        SQLException cause = new SQLException("Duplicate entry, says a text that nobody reads", state, code);
        assertThat(SqlFailure.of(new DataIntegrityViolationException("", cause)))
                .isEqualTo(meaning);
        assertThat(SqlFailure.of(
                        new EventStoreException("", new BatchUpdateException("", state, code, new int[0], cause))))
                .isEqualTo(meaning);
    }

    @ParameterizedTest
    @CsvSource({
        "1213, 40001, TRY_AGAIN",
        "1020, HY000, TRY_AGAIN",
        "0, 08S01, UNKNOWN",
        "1180, HY000, UNKNOWN",
        "3100, HY000, UNKNOWN",
        "1062, 23000, UNKNOWN"
    })
    void a_commit_that_failed_may_have_happened_unless_the_server_says_that_it_rolled_back(
            int code, String state, SqlFailure meaning) {
        assertThat(SqlFailure.of(new TransactionSystemException("commit", new SQLException("", state, code))))
                .isEqualTo(meaning);
        assertThat(SqlFailure.of(new TransactionSystemException("commit"))).isEqualTo(SqlFailure.UNKNOWN);
    }

    @Test
    void a_transaction_that_never_began_is_known_not_to_have_happened() {
        assertThat(SqlFailure.of(new CannotCreateTransactionException("", new SQLException("", "08S01", 0))))
                .isEqualTo(SqlFailure.AWAY);
    }

    @Test
    void springs_own_word_for_a_duplicate_counts_for_nothing_without_the_code() {
        assertThat(SqlFailure.of(new DuplicateKeyException("no cause"))).isEqualTo(SqlFailure.REFUSED);
    }

    @Test
    void a_step_that_no_longer_stands_where_it_was_decided_on_is_a_lost_race() {
        assertThat(SqlFailure.of(new LostRaceException("lost"))).isEqualTo(SqlFailure.LOST_RACE);
    }
}
