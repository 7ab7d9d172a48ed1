package io.chargefence.stripe;

import com.stripe.exception.ApiConnectionException;
import com.stripe.exception.StripeException;
import com.stripe.model.PaymentIntent;
import com.stripe.model.StripeError;
import io.chargefence.IdempotencyKey;
import io.chargefence.OrderStep;
import io.chargefence.ProviderReference;
import io.chargefence.provider.NoAnswerReason;
import io.chargefence.provider.NotChargedReason;
import io.chargefence.provider.ProviderAnswer;
import io.chargefence.provider.ProviderAnswer.Charged;
import io.chargefence.provider.ProviderAnswer.Declined;
import io.chargefence.provider.ProviderAnswer.NoAnswer;
import io.chargefence.provider.ProviderAnswer.NotCharged;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What Stripe's words mean here. Only its own positive statement is a decline; only proof is "not charged". */
final class StripeAnswers {

    private static final Set<Integer> REFUSED = Set.of(400, 401, 403, 404, 422);

    private StripeAnswers() {}

    /** A payment that the answer to a call, or a list, brought. */
    static ProviderAnswer of(PaymentIntent payment, OrderStep orderStep, IdempotencyKey key) {
        if (!isOurs(payment, orderStep, key)) {
            return new NoAnswer(NoAnswerReason.FOREIGN, "the answer is about another payment: " + payment.getId());
        }
        String status = String.valueOf(payment.getStatus());
        return switch (status) {
            case "succeeded" -> charged(payment);
            case "canceled" -> new NotCharged(NotChargedReason.PROVEN_BY_LOOK_UP, "cancelled at Stripe");
            case "requires_payment_method" -> declinedOrOpen(payment.getLastPaymentError());
            default -> new NoAnswer(NoAnswerReason.IN_FLIGHT, "status " + status);
        };
    }

    static boolean isOurs(PaymentIntent payment, OrderStep orderStep, IdempotencyKey key) {
        Map<String, String> metadata = payment.getMetadata();
        return metadata != null
                && key.value().equals(metadata.get(StripeProvider.KEY))
                && orderStep.orderId().equals(metadata.get(StripeProvider.ORDER_ID))
                && orderStep.step().equals(metadata.get(StripeProvider.STEP));
    }

    private static ProviderAnswer charged(PaymentIntent payment) {
        String currency = String.valueOf(payment.getCurrency()).toUpperCase(Locale.ROOT);
        Long received = payment.getAmountReceived() != null ? payment.getAmountReceived() : payment.getAmount();
        if (payment.getId() == null || received == null) {
            return new NoAnswer(NoAnswerReason.UNREADABLE, "a payment without id or amount");
        }
        OptionalLong minor = minor(received, currency);
        // An amount that makes no minor units is reported as it came: it differs from any intent, and is parked for
        // that.
        return new Charged(new ProviderReference(payment.getId()), minor.orElse(-received), currency);
    }

    private static OptionalLong minor(long received, String currency) {
        try {
            return StripeAmounts.toMinor(received, currency);
        } catch (org.joda.money.IllegalCurrencyException unknown) {
            return OptionalLong.of(received);
        }
    }

    private static ProviderAnswer declinedOrOpen(@Nullable StripeError error) {
        return error == null ? new NoAnswer(NoAnswerReason.IN_FLIGHT, "created and not confirmed") : declined(error);
    }

    /** The end of a call that brought no payment. */
    static ProviderAnswer of(StripeException failed) {
        if (failed instanceof ApiConnectionException) {
            return ofBrokenConnection(failed);
        }
        int status = failed.getStatusCode() == null ? 0 : failed.getStatusCode();
        StripeError error = failed.getStripeError();
        if (status >= 500) {
            return new NoAnswer(NoAnswerReason.SERVER_ERROR, said(status, error));
        }
        if (error == null || error.getType() == null) {
            return new NoAnswer(NoAnswerReason.UNREADABLE, "HTTP " + status + ", and not in Stripe's words");
        }
        return ofError(status, error);
    }

    private static ProviderAnswer ofError(int status, StripeError error) {
        if (error.getType().equals("card_error")) {
            return declined(error);
        }
        if (status == 409) {
            return new NoAnswer(NoAnswerReason.IN_FLIGHT, said(status, error));
        }
        if (error.getType().equals("idempotency_error")) {
            return new NoAnswer(NoAnswerReason.KEY_REUSED, said(status, error));
        }
        if (status == 429) {
            return new NotCharged(NotChargedReason.THROTTLED, said(status, error));
        }
        return REFUSED.contains(status)
                ? new NotCharged(NotChargedReason.REFUSED, said(status, error))
                : new NoAnswer(NoAnswerReason.UNREADABLE, said(status, error));
    }

    /** Proof only where no byte of the request can have left. */
    private static ProviderAnswer ofBrokenConnection(StripeException failed) {
        Throwable cause = failed.getCause();
        if (cause instanceof HttpConnectTimeoutException
                || cause instanceof ConnectException
                || cause instanceof UnknownHostException
                || cause instanceof UnresolvedAddressException) {
            return new NotCharged(NotChargedReason.NOT_CONNECTED, String.valueOf(cause));
        }
        NoAnswerReason reason =
                cause instanceof HttpTimeoutException ? NoAnswerReason.TIMED_OUT : NoAnswerReason.CONNECTION_LOST;
        return new NoAnswer(reason, String.valueOf(cause));
    }

    private static Declined declined(StripeError error) {
        String code = error.getDeclineCode() != null ? error.getDeclineCode() : String.valueOf(error.getCode());
        return new Declined(code, StripeDeclines.kindOf(code));
    }

    private static String said(int status, @Nullable StripeError error) {
        return error == null
                ? "HTTP " + status
                : "HTTP %d %s %s: %s".formatted(status, error.getType(), error.getCode(), error.getMessage());
    }
}
