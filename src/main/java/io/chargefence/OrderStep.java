package io.chargefence;

import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * One intention of money: this step of this order is charged at most once. The pair is the key of the fence.
 *
 * <p>An order id is bytes: 1 to {@value #ORDER_ID_BYTES_MAX} bytes of UTF-8, compared exactly, never trimmed, cut or
 * case-folded. {@code ORD-1}, {@code ord-1} and {@code ÖRD-1} are three orders. Refused: empty or over-long ids,
 * leading or trailing white space, control characters, and lone surrogates (every one of them encodes to {@code ?}, so
 * that different strings would become one id).
 *
 * @param orderId the order's id in the order back end
 * @param step the step of the order, {@code [a-z0-9][a-z0-9._-]{0,63}}, for example {@code deposit}
 */
public record OrderStep(String orderId, String step) implements Comparable<OrderStep> {

    public static final int ORDER_ID_BYTES_MAX = 255;

    private static final Pattern STEP = Pattern.compile("[a-z0-9][a-z0-9._-]{0,63}");

    public OrderStep {
        checkOrderId(orderId);
        if (!STEP.matcher(step).matches()) {
            throw new InvalidChargeException(
                    "step", step, "must be 1 to 64 characters of a-z, 0-9, '.', '_' or '-', starting with a-z or 0-9");
        }
        CardNumbers.refuseIn("orderId", orderId);
        CardNumbers.refuseIn("step", step);
    }

    private static void checkOrderId(String orderId) {
        if (orderId.isEmpty()) {
            throw new InvalidChargeException("orderId", orderId, "must not be empty");
        }
        if (isSpace(orderId.codePointAt(0)) || isSpace(orderId.codePointBefore(orderId.length()))) {
            throw new InvalidChargeException(
                    "orderId", orderId, "must not start or end with white space; ids are never trimmed");
        }
        if (orderId.codePoints().anyMatch(Character::isISOControl)) {
            throw new InvalidChargeException("orderId", orderId, "must not contain control characters");
        }
        if (utf8Length(orderId) > ORDER_ID_BYTES_MAX) {
            throw new InvalidChargeException(
                    "orderId", orderId, "must be at most " + ORDER_ID_BYTES_MAX + " bytes of UTF-8; ids are never cut");
        }
    }

    private static boolean isSpace(int codePoint) {
        return Character.isWhitespace(codePoint) || Character.isSpaceChar(codePoint);
    }

    private static int utf8Length(String orderId) {
        try {
            return StandardCharsets.UTF_8
                    .newEncoder()
                    .encode(CharBuffer.wrap(orderId))
                    .remaining();
        } catch (CharacterCodingException loneSurrogate) {
            throw new InvalidChargeException("orderId", orderId, "must be valid Unicode: it has a lone surrogate");
        }
    }

    /** Total order by id, then step; used wherever rows of several charges are locked, so that no two batches deadlock. */
    @Override
    public int compareTo(OrderStep other) {
        int byOrder = orderId.compareTo(other.orderId);
        return byOrder != 0 ? byOrder : step.compareTo(other.step);
    }

    /** {@code orderId/step}, the form used in logs, errors and the console. */
    @Override
    public String toString() {
        return orderId + "/" + step;
    }
}
