package io.chargefence.standalone;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which column of an order file holds what.
 *
 * @param names our name ({@code orderId}, {@code step}, {@code amount}, {@code currency}, {@code source}) to the file's
 */
public record CsvColumns(Map<String, String> names) {

    static final String ORDER_ID = "orderId";
    static final String STEP = "step";
    static final String AMOUNT = "amount";
    static final String CURRENCY = "currency";
    static final String SOURCE = "source";

    private static final Set<String> KNOWN = Set.of(ORDER_ID, STEP, AMOUNT, CURRENCY, SOURCE);

    /**
     * @param mapping {@code orderId=order_id,step=payment_sequential}; names left out are the file's own
     * @throws IllegalArgumentException when it is not of this form
     */
    public static CsvColumns of(@Nullable String mapping) {
        Map<String, String> names = new LinkedHashMap<>();
        KNOWN.forEach(name -> names.put(name, name));
        if (mapping != null && !mapping.isBlank()) {
            for (String pair : mapping.split(",")) {
                int equals = pair.indexOf('=');
                if (equals < 1 || !KNOWN.contains(pair.substring(0, equals).strip())) {
                    throw new IllegalArgumentException(
                            "columns: '%s' is not NAME=COLUMN with a NAME of %s".formatted(pair, KNOWN));
                }
                names.put(
                        pair.substring(0, equals).strip(),
                        pair.substring(equals + 1).strip());
            }
        }
        return new CsvColumns(Map.copyOf(names));
    }

    String of(CsvField field) {
        return names.get(field.key());
    }

    /** The fields of an order line. */
    enum CsvField {
        ORDER_ID(CsvColumns.ORDER_ID, true),
        STEP(CsvColumns.STEP, true),
        AMOUNT(CsvColumns.AMOUNT, true),
        CURRENCY(CsvColumns.CURRENCY, false),
        SOURCE(CsvColumns.SOURCE, false);

        private final String key;
        private final boolean required;

        CsvField(String key, boolean required) {
            this.key = key;
            this.required = required;
        }

        String key() {
            return key;
        }
    }

    /** @throws IllegalArgumentException naming what is missing and what is there */
    void requireIn(List<String> header, boolean currencyGiven) {
        List<String> missing = new ArrayList<>();
        for (CsvField field : CsvField.values()) {
            boolean needed = field.required || (field == CsvField.CURRENCY && !currencyGiven);
            if (needed && !header.contains(of(field))) {
                missing.add(field.key() + " (column '" + of(field) + "')");
            }
        }
        if (!missing.isEmpty()) {
            throw new IllegalArgumentException(
                    "the order file lacks %s; its columns are %s. Map them with columns=orderId=…,step=…,amount=…, and give a currency if it has none."
                            .formatted(String.join(", ", missing), header));
        }
    }
}
