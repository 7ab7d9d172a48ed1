package io.chargefence.standalone;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import io.chargefence.ChargeRequest;
import io.chargefence.ChargefenceException;
import io.chargefence.InvalidChargeException;
import io.chargefence.standalone.CsvColumns.CsvField;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.joda.money.CurrencyUnit;
import org.joda.money.IllegalCurrencyException;
import org.joda.money.Money;
import org.jspecify.annotations.Nullable;

/** Reads orders from a CSV file with a header, line by line. A line that makes no valid request is refused, alone. */
public final class CsvOrders {

    /** A method that every Stripe test account, and the simulator, has. */
    public static final String DEFAULT_SOURCE = "pm_card_visa";

    private final Path file;
    private final CsvColumns columns;
    private final @Nullable String currency;

    /** @param currency of all lines where the file has no currency column; null when it has one */
    public CsvOrders(Path file, CsvColumns columns, @Nullable String currency) {
        this.file = file;
        this.columns = columns;
        this.currency = currency;
    }

    /**
     * A line of the file.
     *
     * @param number counted from 1, the header included
     * @param request null when the line was refused
     * @param refusal why; null when it was not
     */
    public record Line(
            long number,
            @Nullable ChargeRequest request,
            @Nullable String refusal) {}

    /** @throws IllegalArgumentException when the header lacks a column */
    public void forEach(Consumer<Line> lines) {
        try (CsvReader<NamedCsvRecord> reader = CsvReader.builder()
                .detectBomHeader(true)
                .skipEmptyLines(true)
                .allowMissingFields(true)
                .allowExtraFields(true)
                .ofNamedCsvRecord(file)) {
            boolean[] checked = {false};
            reader.forEach(record -> {
                if (!checked[0]) {
                    columns.requireIn(record.getHeader(), currency != null);
                    checked[0] = true;
                }
                lines.accept(line(record));
            });
        } catch (IOException failed) {
            throw new UncheckedIOException("the order file cannot be read: " + file, failed);
        }
    }

    private Line line(NamedCsvRecord record) {
        long number = record.getStartingLineNumber();
        try {
            return new Line(number, request(record), null);
        } catch (ChargefenceException | IllegalCurrencyException refused) {
            return new Line(number, null, refused.getMessage());
        }
    }

    private ChargeRequest request(NamedCsvRecord record) {
        if (record.getFieldCount() != record.getHeader().size()) {
            // An unquoted separator moves every value after it into the wrong column.
            throw new InvalidChargeException(
                    "line",
                    record.getFieldCount(),
                    "fields instead of " + record.getHeader().size());
        }
        String source = record.findField(columns.of(CsvField.SOURCE)).orElse(DEFAULT_SOURCE);
        ChargeRequest request = ChargeRequest.forStep(field(record, CsvField.ORDER_ID), field(record, CsvField.STEP))
                .amount(amount(field(record, CsvField.AMOUNT), currency(record)))
                .source(source);
        request.intent("any"); // every bound is checked here, so that a refusal names its line
        return request;
    }

    private CurrencyUnit currency(NamedCsvRecord record) {
        String column = columns.of(CsvField.CURRENCY);
        String code = record.getHeader().contains(column) ? field(record, CsvField.CURRENCY) : currency;
        return CurrencyUnit.of(code);
    }

    private String field(NamedCsvRecord record, CsvField field) {
        return record.findField(columns.of(field))
                .orElseThrow(() -> new InvalidChargeException(field.key(), "", "is missing in this line"));
    }

    private static Money amount(String text, CurrencyUnit currency) {
        try {
            return Money.of(currency, new BigDecimal(text.strip()));
        } catch (NumberFormatException notANumber) {
            throw new InvalidChargeException("amount", text, "is not a number");
        } catch (ArithmeticException tooManyDecimals) {
            throw new InvalidChargeException(
                    "amount",
                    text,
                    "has more decimals than %s has (%d)".formatted(currency, currency.getDecimalPlaces()));
        }
    }
}
