package io.chargefence;

/** A value that cannot be part of a charge. Nothing was stored and nothing was called. */
public class InvalidChargeException extends ChargefenceException {

    private static final long serialVersionUID = 1L;
    private static final int SHOWN_MAX = 80;

    private final String field;

    public InvalidChargeException(String field, Object value, String rule) {
        this(
                field,
                "%s '%s' %s. Nothing was stored, no money moved.".formatted(field, shown(String.valueOf(value)), rule));
    }

    private InvalidChargeException(String field, String message) {
        super(message);
        this.field = field;
    }

    static InvalidChargeException withoutValue(String field, String rule) {
        return new InvalidChargeException(field, "%s %s. Nothing was stored, no money moved.".formatted(field, rule));
    }

    /** The field that was refused, for example {@code orderId}. */
    public String field() {
        return field;
    }

    /** Cut, masked, and without control characters: an error text must not forge log lines. */
    private static String shown(String value) {
        String inert = InertText.of(value, SHOWN_MAX + 1);
        return inert.length() <= SHOWN_MAX ? inert : inert.substring(0, SHOWN_MAX) + "…";
    }
}
