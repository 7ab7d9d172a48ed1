package io.chargefence.evidence;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** Where the runs leave their figures. {@code docs/evidence.md} is made of these files, and of nothing else. */
public final class Evidences {

    public static final Path FOLDER = Path.of("target", "evidence");

    private static final ObjectMapper MAPPER = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private Evidences() {}

    /** Writes {@code target/evidence/NAME.json}; what stood there before is replaced. */
    public static void write(String name, Map<String, ?> figures) {
        try {
            Files.createDirectories(FOLDER);
            Files.writeString(FOLDER.resolve(name + ".json"), MAPPER.writeValueAsString(new TreeMap<>(figures)) + "\n");
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
