package io.chargefence.saga;

import static io.chargefence.saga.Sagas.*;
import static org.assertj.core.api.Assertions.assertThat;

import io.chargefence.provider.DeclineKind;
import io.chargefence.provider.NoAnswerReason;
import io.chargefence.provider.NotChargedReason;
import io.chargefence.provider.ProviderAnswer;
import io.chargefence.provider.ProviderTraits;
import io.chargefence.provider.ProviderTraits.KeysCover;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Holds {@link ChargeRules} to the tables of {@code docs/state-machine.md}, cell by cell. */
class StateTableTest {

    private static final Path PAGE = Path.of("docs/state-machine.md");
    private static final Instant RUNNING = START.plusSeconds(1);
    private static final Instant OVER = START.plus(LIMITS.callWindow()).plusSeconds(60);
    private static final Instant GIVEN_UP = START.plus(LIMITS.giveUpAfter()).plusSeconds(60);
    private static final Instant KEY_FORGOTTEN = START.plus(KEY_LIFE).minusSeconds(5);
    private static final ProviderTraits FORGETFUL = NEITHER.withKeys(KEY_LIFE, KeysCover.SUCCESSES_ONLY);

    private final ChargeRules rules = new ChargeRules(LIMITS);

    /** A charge, the provider's terms, and the time at which the fact comes. */
    private record Situation(ChargeSaga saga, Terms terms, Instant now) {
        Moment moment() {
            return new Moment(now, 0);
        }
    }

    @TestFactory
    Stream<DynamicTest> every_cell_of_the_stage_table_is_what_the_code_does() throws IOException {
        return cells("stages", stages(), facts());
    }

    @TestFactory
    Stream<DynamicTest> every_cell_of_the_doubt_table_is_what_the_code_does() throws IOException {
        return cells("doubt", doubts(), questions());
    }

    @Test
    void the_tables_have_a_row_for_each_situation_and_no_other() throws IOException {
        assertThat(rows("stages").keySet()).containsExactlyElementsOf(stages().keySet());
        assertThat(rows("doubt").keySet()).containsExactlyElementsOf(doubts().keySet());
    }

    private Stream<DynamicTest> cells(
            String table, Map<String, Situation> situations, Map<String, Function<Situation, String>> columns)
            throws IOException {
        return rows(table).entrySet().stream()
                .flatMap(row -> row.getValue().entrySet().stream()
                        .map(cell -> DynamicTest.dynamicTest(row.getKey() + " | " + cell.getKey(), () -> {
                            Situation situation = situations.get(row.getKey());
                            assertThat(columns.get(cell.getKey()).apply(situation))
                                    .isEqualTo(cell.getValue());
                        })));
    }

    private Map<String, Situation> stages() {
        Map<String, Situation> rows = new LinkedHashMap<>();
        Terms both = terms(KEYS_AND_LOOK_UP);
        rows.put("UNCLAIMED", new Situation(null, both, START));
        ChargeSaga proven = inDoubt().notCharged(NotChargedReason.REFUSED, OVER).saga();
        rows.put("CLAIMED, due", new Situation(proven, both, OVER));
        rows.put("CLAIMED, due, no calls left", new Situation(refusedThrice(), both, OVER));
        rows.put("CLAIMED, not due", new Situation(proven, both, OVER.minusMillis(1)));
        rows.put("IN_DOUBT, deadline running", new Situation(inDoubt().saga(), both, RUNNING));
        rows.put("IN_DOUBT, deadline over", new Situation(inDoubt().saga(), both, OVER));
        rows.put("IN_DOUBT, no calls left", new Situation(calledThrice(true), both, OVER));
        rows.put("IN_DOUBT, given up", new Situation(inDoubt().saga(), both, GIVEN_UP));
        rows.put("CHARGED", new Situation(charged(), both, RUNNING));
        rows.put("DECLINED", new Situation(declined(), both, RUNNING));
        rows.put("PARKED", new Situation(parked(), both, RUNNING));
        rows.put("ACKED, charged", new Situation(chargedAndAcked(), both, RUNNING));
        rows.put("ACKED, declined", new Situation(declinedAndAcked(), both, RUNNING));
        return rows;
    }

    private Map<String, Function<Situation, String>> facts() {
        Map<String, Function<Situation, String>> columns = new LinkedHashMap<>();
        columns.put("delivered", this::delivered);
        columns.put("charged", s -> answered(s, chargedAnswer(REFERENCE, INTENT.amountMinor())));
        columns.put("charged otherwise", s -> answered(s, chargedAnswer(OTHER_REFERENCE, INTENT.amountMinor())));
        columns.put("other amount", s -> answered(s, chargedAnswer(REFERENCE, INTENT.amountMinor() + 1)));
        columns.put(
                "not charged",
                s -> answered(s, new ProviderAnswer.NotCharged(NotChargedReason.REFUSED, "404 from the provider")));
        columns.put("no answer", s -> answered(s, new ProviderAnswer.NoAnswer(NoAnswerReason.TIMED_OUT, "")));
        columns.put("declined", s -> answered(s, new ProviderAnswer.Declined("card_declined", DeclineKind.SOFT)));
        return columns;
    }

    private Map<String, Situation> doubts() {
        Map<String, Situation> rows = new LinkedHashMap<>();
        ChargeSaga silent = inDoubt().saga();
        ChargeSaga silentKeyless = claimed().called(false).saga();
        ChargeSaga notFound = inDoubt().lookedUp(NoAnswerReason.NOT_FOUND).saga();
        ChargeSaga notFoundKeyless =
                claimed().called(false).lookedUp(NoAnswerReason.NOT_FOUND).saga();
        ChargeSaga serverError = inDoubt().silent(NoAnswerReason.SERVER_ERROR).saga();
        rows.put("keys and look-up, not looked yet", new Situation(silent, terms(KEYS_AND_LOOK_UP), OVER));
        rows.put("keys and look-up, looked and not found", new Situation(notFound, terms(KEYS_AND_LOOK_UP), OVER));
        rows.put("keys and look-up, no calls left", new Situation(calledThrice(true), terms(KEYS_AND_LOOK_UP), OVER));
        rows.put("keys only", new Situation(silent, terms(KEYS), OVER));
        rows.put("keys only, no calls left", new Situation(calledThrice(true), terms(KEYS), OVER));
        rows.put("keys only, key's life over", new Situation(silent, terms(KEYS), KEY_FORGOTTEN));
        rows.put("keys only, other bytes than before", new Situation(silent, new Terms(KEYS, key(), "other"), OVER));
        rows.put("keys only, forgets them after a 5xx", new Situation(serverError, terms(FORGETFUL), OVER));
        rows.put("keys and look-up, key's life over", new Situation(silent, terms(KEYS_AND_LOOK_UP), KEY_FORGOTTEN));
        Instant beforeQuiet = START.plus(LIMITS.callWindow()).plusSeconds(1);
        rows.put("look-up only, before the quiet time", new Situation(silentKeyless, terms(LOOK_UP), beforeQuiet));
        rows.put("look-up only, not looked yet", new Situation(silentKeyless, terms(LOOK_UP), OVER));
        rows.put("look-up only, not found once", new Situation(notFoundKeyless, terms(LOOK_UP), OVER));
        rows.put("neither", new Situation(silentKeyless, terms(NEITHER), OVER));
        return rows;
    }

    private Map<String, Function<Situation, String>> questions() {
        Map<String, Function<Situation, String>> columns = new LinkedHashMap<>();
        columns.put("delivered", this::delivered);
        columns.put("look-up finds nothing", s -> {
            ProviderAnswer nothing = new ProviderAnswer.NoAnswer(NoAnswerReason.NOT_FOUND, "");
            return told(rules.onAnswer(s.saga(), lookUpAnswer(s.saga(), nothing), s.terms(), s.moment()), false);
        });
        return columns;
    }

    private static ChargeSaga refusedThrice() {
        return inDoubt()
                .notCharged(NotChargedReason.REFUSED, START)
                .called()
                .notCharged(NotChargedReason.REFUSED, START)
                .called()
                .notCharged(NotChargedReason.REFUSED, START)
                .saga();
    }

    private static ChargeSaga calledThrice(boolean keyed) {
        return claimed().called(keyed).called(keyed).called(keyed).saga();
    }

    private String delivered(Situation s) {
        return told(rules.onDelivered(s.saga(), wakeup(0), s.terms(), s.moment()), true);
    }

    private String answered(Situation s, ProviderAnswer said) {
        return told(rules.onAnswer(s.saga(), answer(s.saga(), said), s.terms(), s.moment()), false);
    }

    /** A decision in the words of the page. */
    private static String told(Decision decision, boolean delivered) {
        String events = decision.events().stream()
                .map(event -> event.getClass().getSimpleName())
                .collect(Collectors.joining(", "));
        List<String> parts = new ArrayList<>();
        if (!delivered) {
            parts.add(events.isEmpty() ? "nothing" : events);
        } else {
            String action = decision.action().name().toLowerCase().replace('_', ' ');
            parts.add(events.isEmpty() ? action : events + " → " + action);
        }
        if (decision.alert() != null) {
            parts.add("alert");
        }
        return String.join(", ", parts);
    }

    /** The rows of one table: situation → column → cell. */
    private static Map<String, Map<String, String>> rows(String table) throws IOException {
        String page = Files.readString(PAGE);
        String body = page.substring(page.indexOf("<!-- table: " + table + " -->"));
        List<List<String>> lines = body.substring(0, body.indexOf("<!-- end -->"))
                .lines()
                .filter(line -> line.startsWith("|"))
                .map(StateTableTest::cellsOf)
                .toList();
        Map<String, Map<String, String>> rows = new LinkedHashMap<>();
        for (List<String> line : lines.subList(2, lines.size())) {
            Map<String, String> row = new LinkedHashMap<>();
            for (int i = 1; i < line.size(); i++) {
                row.put(lines.get(0).get(i), line.get(i));
            }
            rows.put(line.get(0), row);
        }
        return rows;
    }

    private static List<String> cellsOf(String line) {
        return Stream.of(line.substring(1, line.length() - 1).split("\\|"))
                .map(String::strip)
                .toList();
    }
}
