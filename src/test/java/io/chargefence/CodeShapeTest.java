package io.chargefence;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Short methods, small classes, a word on each package; measured on the sources. */
class CodeShapeTest {

    private static final Pattern METHOD = Pattern.compile(
            "^ {4,12}(?:@\\w+ )?(?:(?:public|protected|private|static|final|synchronized|default|abstract) )*(?:<[^>]+> )?"
                    + "[\\w.<>\\[\\], ?@]+ ?\\(.*|^ {4,12}(?:public |private )?[A-Z]\\w*\\(.*");

    @Test
    void ninety_five_of_a_hundred_methods_have_at_most_twenty_lines() throws IOException {
        List<Integer> lengths = new ArrayList<>();
        for (Path file : sources("src/main/java")) {
            lengths.addAll(methodLengths(Files.readAllLines(file)));
        }
        lengths.sort(null);
        int percentile95 = lengths.get((int) (lengths.size() * 0.95));
        System.out.printf(
                "%d methods, median %d lines, 95th percentile %d, longest %d%n",
                lengths.size(), lengths.get(lengths.size() / 2), percentile95, lengths.get(lengths.size() - 1));

        assertThat(lengths).hasSizeGreaterThan(300);
        assertThat(percentile95).isLessThanOrEqualTo(20);
    }

    @Test
    void no_class_has_more_than_three_hundred_lines() throws IOException {
        for (Path file : sources("src/main/java")) {
            assertThat(Files.readAllLines(file)).as(file.toString()).hasSizeLessThanOrEqualTo(300);
        }
    }

    @Test
    void every_package_says_in_a_sentence_what_it_is_for() throws IOException {
        List<Path> packages = sources("src/main/java").stream()
                .map(Path::getParent)
                .distinct()
                .toList();
        for (Path folder : packages) {
            assertThat(Files.readString(folder.resolve("package-info.java")))
                    .contains("@NullMarked")
                    .contains("/**");
        }
    }

    /** Of two engines in one class only the last one's report is kept, and the other's tests go unseen. */
    @Test
    void no_test_class_mixes_two_test_engines() throws IOException {
        for (Path file : sources("src/test/java")) {
            String source = Files.readString(file);
            boolean properties =
                    Pattern.compile("(?m)^ +@Property\\b").matcher(source).find();
            boolean jupiter = Pattern.compile("(?m)^ +@(Test|ParameterizedTest|TestFactory)\\b")
                    .matcher(source)
                    .find();
            assertThat(properties && jupiter).as(file.toString()).isFalse();
        }
    }

    private static List<Path> sources(String folder) throws IOException {
        try (Stream<Path> all = Files.walk(Path.of(folder))) {
            return all.filter(path -> path.toString().endsWith(".java"))
                    .sorted()
                    .toList();
        }
    }

    /** By the indentation that the formatter guarantees: a body ends with a brace under its header. */
    private static List<Integer> methodLengths(List<String> lines) {
        List<Integer> lengths = new ArrayList<>();
        for (int at = 0; at < lines.size(); at++) {
            String line = lines.get(at);
            if (!METHOD.matcher(line).matches() || line.strip().startsWith("return") || line.contains(" record ")) {
                continue;
            }
            int end = endOfBody(lines, at);
            if (end > at) {
                lengths.add(end - at + 1);
            }
        }
        return lengths;
    }

    private static int endOfBody(List<String> lines, int header) {
        int indent = indent(lines.get(header));
        boolean open = lines.get(header).endsWith("{");
        for (int at = header + 1; at < lines.size(); at++) {
            String line = lines.get(at);
            if (indent(line) == indent && line.strip().startsWith("}")) {
                return open ? at : -1;
            }
            if (!open && line.endsWith("{")) {
                open = true;
            } else if (!open && (line.endsWith(";") || line.isBlank())) {
                return -1;
            }
        }
        return -1;
    }

    private static int indent(String line) {
        int spaces = 0;
        while (spaces < line.length() && line.charAt(spaces) == ' ') {
            spaces++;
        }
        return line.isBlank() ? -1 : spaces;
    }
}
