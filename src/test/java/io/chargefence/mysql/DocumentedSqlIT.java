package io.chargefence.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.chargefence.OrderStep;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the docs tell people to type works, on this server. */
class DocumentedSqlIT {

    private static final Pattern BLOCK = Pattern.compile("```sql\\n(.*?)```", Pattern.DOTALL);

    private final Store store = Store.fresh();

    @AfterEach
    void close() throws Exception {
        store.close();
    }

    @Test
    void every_statement_of_the_runbook_and_of_the_wire_format_runs() throws IOException {
        List<String> statements = Stream.of("docs/wire-format.md", "docs/operations.md")
                .flatMap(DocumentedSqlIT::statements)
                .toList();
        assertThat(statements).hasSizeGreaterThanOrEqualTo(5);
        for (String statement : statements) {
            assertThatCode(() -> store.sql.execute(statement)).as(statement).doesNotThrowAnyException();
        }
    }

    @Test
    void the_runbooks_first_query_tells_the_story_of_a_step() throws IOException {
        OrderStep step = new OrderStep("ord-42", "deposit");
        store.log.append(List.of(Stories.claim(step)));
        String query = statements("docs/operations.md").findFirst().orElseThrow();

        assertThat(store.sql.queryForList(query))
                .extracting(row -> row.get("payload_type"))
                .containsExactly("FenceClaimed", "ProviderCalled");
    }

    private static Stream<String> statements(String page) {
        try {
            return BLOCK.matcher(Files.readString(Path.of(page)))
                    .results()
                    .map((MatchResult block) -> block.group(1))
                    .flatMap(block ->
                            Stream.of(block.replaceAll("(?m)^--.*$", "").split(";")))
                    .map(String::strip)
                    .filter(statement -> !statement.isEmpty());
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }
}
