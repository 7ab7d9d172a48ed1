package io.chargefence;

/**
 * The provider's own id of a charge, for example {@code pi_3P…}. The proof that money moved.
 *
 * @param value 1 to 255 characters, no control characters
 */
public record ProviderReference(String value) {

    private static final int LENGTH_MAX = 255;

    public ProviderReference {
        if (value.isBlank() || value.length() > LENGTH_MAX) {
            throw new InvalidChargeException("provider reference", value, "must be 1 to " + LENGTH_MAX + " characters");
        }
        if (value.codePoints().anyMatch(Character::isISOControl)) {
            throw new InvalidChargeException("provider reference", value, "must not contain control characters");
        }
        CardNumbers.refuseIn("provider reference", value);
    }

    @Override
    public String toString() {
        return value;
    }
}
