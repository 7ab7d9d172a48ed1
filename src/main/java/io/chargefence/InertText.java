package io.chargefence;

/** Texts from outside that are stored and shown: cut, card numbers masked, nothing in them that could forge a line or a page. */
public final class InertText {

    private InertText() {}

    /** The text with card numbers masked and control and format characters replaced, at most {@code lengthMax} long. */
    public static String of(String text, int lengthMax) {
        String safe = CardNumbers.masked(text).replaceAll("[\\p{Cntrl}\\p{Cf}]", "?");
        if (safe.length() <= lengthMax) {
            return safe;
        }
        int end = Character.isHighSurrogate(safe.charAt(lengthMax - 1)) ? lengthMax - 1 : lengthMax;
        return safe.substring(0, end);
    }
}
