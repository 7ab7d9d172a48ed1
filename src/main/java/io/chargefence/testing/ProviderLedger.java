package io.chargefence.testing;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.chargefence.OrderStep;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The provider's own account of what it did, outside any database of ours: one JSON object a line, written before the answer
 * leaves. It is the witness in every count of charges.
 */
public final class ProviderLedger implements AutoCloseable {

    private static final ObjectMapper JSON = JsonMapper.builder().build();

    private final FileChannel file;

    ProviderLedger(Path path) {
        try {
            Files.createDirectories(path.toAbsolutePath().getParent());
            file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException failed) {
            throw new UncheckedIOException("the ledger cannot be opened", failed);
        }
    }

    /** What kind of line it is. */
    public enum Kind {
        CHARGE,
        DECLINE,
        KILL
    }

    /**
     * A line.
     *
     * @param id of the payment, or the killed process's
     * @param amount in the provider's own minor units
     * @param key idempotency key as it came
     * @param created seconds since 1970
     */
    public record Entry(
            Kind kind, String id, String orderId, String step, long amount, String currency, String key, long created) {

        public OrderStep orderStep() {
            return new OrderStep(orderId, step);
        }
    }

    synchronized void append(Entry entry) {
        try {
            byte[] line = (JSON.writeValueAsString(entry) + "\n").getBytes(StandardCharsets.UTF_8);
            ByteBuffer buffer = ByteBuffer.wrap(line);
            while (buffer.hasRemaining()) {
                file.write(buffer);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException("the ledger cannot be written", failed);
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    /** All whole lines; a torn last one is left out, since its answer never left. Empty when there is no file. */
    public static List<Entry> read(Path path) {
        if (!Files.exists(path)) {
            return List.of();
        }
        try {
            List<Entry> entries = new ArrayList<>();
            String text = Files.readString(path);
            for (String line : text.substring(0, text.lastIndexOf('\n') + 1).split("\n")) {
                if (!line.isEmpty()) {
                    entries.add(JSON.readValue(line, Entry.class));
                }
            }
            return entries;
        } catch (JsonProcessingException broken) {
            throw new IllegalStateException("the ledger " + path + " has a broken line", broken);
        } catch (IOException failed) {
            throw new UncheckedIOException("the ledger cannot be read", failed);
        }
    }

    /** The charges of each order step. More than one is a double charge. */
    public static Map<OrderStep, List<Entry>> chargesByStep(List<Entry> entries) {
        return entries.stream()
                .filter(entry -> entry.kind() == Kind.CHARGE)
                .collect(Collectors.groupingBy(Entry::orderStep));
    }
}
