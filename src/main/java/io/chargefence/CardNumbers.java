package io.chargefence;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Keeps card numbers out. A run of 13 to 19 digits that passes the Luhn check is taken for a card number, written in one
 * piece or in the groups that are printed on cards (4-4-4-4 and 4-6-5, with spaces or hyphens).
 *
 * <p>Not taken for one: a run inside a machine-made hexadecimal id (a UUID, or 32 and more hex digits with a letter among
 * them). One in two hundred such ids has a Luhn-valid run by chance, and refusing those orders would lose real charges.
 */
public final class CardNumbers {

    private static final String PLAIN = "\\p{Nd}{13,19}";
    private static final String GROUPED =
            "\\p{Nd}{4}([ -])\\p{Nd}{4}\\1\\p{Nd}{4}\\1\\p{Nd}{1,7}|\\p{Nd}{4}([ -])\\p{Nd}{6}\\2\\p{Nd}{4,5}";
    private static final Pattern RUN = Pattern.compile("(?<!\\p{Nd})(?:" + GROUPED + "|" + PLAIN + ")(?!\\p{Nd})");
    private static final Pattern HEX_ID =
            Pattern.compile("(?<![0-9A-Za-z])(?:[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
                    + "|(?=[0-9]*[a-fA-F])[0-9a-fA-F]{32,})(?![0-9A-Za-z])");

    private CardNumbers() {}

    /**
     * @throws InvalidChargeException when the value holds what may be a card number; the message does not repeat the value
     */
    public static void refuseIn(String field, String value) {
        if (isIn(value)) {
            throw InvalidChargeException.withoutValue(
                    field,
                    "holds a run of 13 to 19 digits that passes the Luhn check, so it may be a card number; send the"
                            + " provider's token instead");
        }
    }

    /** The text with every possible card number replaced by {@code [card number]}. */
    public static String masked(String text) {
        if (!isIn(text)) {
            return text;
        }
        String withoutIds = hideHexIds(text);
        StringBuilder masked = new StringBuilder();
        int from = 0;
        for (Matcher run = RUN.matcher(withoutIds); run.find(); ) {
            if (luhn(run.group())) {
                masked.append(text, from, run.start()).append("[card number]");
                from = run.end();
            }
        }
        return masked.append(text, from, text.length()).toString();
    }

    static boolean isIn(String text) {
        if (text.length() < 13) {
            return false;
        }
        return RUN.matcher(hideHexIds(text)).results().anyMatch(run -> luhn(run.group()));
    }

    /** Same length, so that positions in the result are positions in the text. */
    private static String hideHexIds(String text) {
        return HEX_ID.matcher(text).replaceAll(id -> "x".repeat(id.group().length()));
    }

    private static boolean luhn(String run) {
        int sum = 0;
        boolean twice = false;
        for (int i = run.length() - 1; i >= 0; i--) {
            int digit = Character.digit(run.charAt(i), 10);
            if (digit >= 0) {
                int value = twice ? 2 * digit : digit;
                sum += value > 9 ? value - 9 : value;
                twice = !twice;
            }
        }
        return sum % 10 == 0;
    }
}
