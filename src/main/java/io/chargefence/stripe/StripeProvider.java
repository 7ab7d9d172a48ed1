package io.chargefence.stripe;

import com.stripe.StripeClient;
import com.stripe.exception.StripeException;
import com.stripe.model.PaymentIntent;
import com.stripe.model.StripeCollection;
import com.stripe.net.FormEncoder;
import com.stripe.net.RequestOptions;
import com.stripe.param.PaymentIntentCreateParams;
import com.stripe.param.PaymentIntentCreateParams.AutomaticPaymentMethods;
import com.stripe.param.PaymentIntentListParams;
import io.chargefence.Intent;
import io.chargefence.provider.LookUp;
import io.chargefence.provider.NoAnswerReason;
import io.chargefence.provider.NotChargedReason;
import io.chargefence.provider.PaymentProvider;
import io.chargefence.provider.ProviderAnswer;
import io.chargefence.provider.ProviderAnswer.NoAnswer;
import io.chargefence.provider.ProviderAnswer.NotCharged;
import io.chargefence.provider.ProviderCall;
import io.chargefence.provider.ProviderTraits;
import io.chargefence.provider.ProviderTraits.KeysCover;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Stripe: a PaymentIntent is created and confirmed in one call, under our idempotency key, with our order step in its metadata.
 *
 * <p>Promised: one request on the wire per call, whatever the network does; SDK retries are off. Traits: Stripe keeps a key for at
 * least 24 hours and stores the answer of every executed request under it, 5xx included; payments are looked up by list, which is
 * consistent, never by the search index, which lags.
 */
public final class StripeProvider implements PaymentProvider {

    static final String ORDER_ID = "order_id";
    static final String STEP = "step";
    static final String KEY = "chargefence_key";

    private static final Duration KEY_LIFE = Duration.ofHours(24);
    private static final long PAGE = 100;
    private static final int PAGES_MAX = 100;

    private final StripeSettings settings;
    private final StripeClient stripe;

    /** @throws IllegalStateException when a system property would let the HTTP client send a POST twice */
    public StripeProvider(StripeSettings settings) {
        this.settings = settings;
        this.stripe = StripeClient.builder()
                .setApiKey(settings.apiKey())
                .setApiBase(settings.apiBase().toString())
                .setMaxNetworkRetries(0)
                .setHttpClient(new OneRequestHttpClient(settings.connectTimeout(), settings.headers()))
                .build();
    }

    @Override
    public String id() {
        return settings.id();
    }

    @Override
    public ProviderTraits traits() {
        ProviderTraits traits = ProviderTraits.cautious().withExponents(StripeAmounts.EXPONENTS);
        if (settings.keys()) {
            traits = traits.withKeys(KEY_LIFE, KeysCover.SERVER_ERRORS_TOO);
        }
        return settings.lookUp() ? traits.withLookUp(settings.lookUpLag()) : traits;
    }

    @Override
    public ProviderAnswer charge(ProviderCall call) {
        OptionalLong amount = amount(call.intent());
        if (amount.isEmpty()) {
            return new NotCharged(
                    NotChargedReason.REFUSED,
                    "not sent: Stripe cannot express " + call.intent().amount());
        }
        try {
            PaymentIntent payment =
                    stripe.v1().paymentIntents().create(parameters(call, amount.getAsLong()), options(call));
            return StripeAnswers.of(payment, call.orderStep(), call.idempotencyKey());
        } catch (StripeException failed) {
            return StripeAnswers.of(failed);
        }
    }

    @Override
    public byte[] requestBytes(ProviderCall call) {
        OptionalLong amount = amount(call.intent());
        String form = amount.isEmpty()
                ? "inexpressible"
                : FormEncoder.createQueryString(
                        parameters(call, amount.getAsLong()).toMap());
        return (com.stripe.Stripe.API_VERSION + "\n" + form).getBytes(StandardCharsets.UTF_8);
    }

    /** Newest first, between the claim and the last call's deadline, until ours comes. */
    @Override
    public ProviderAnswer lookUp(LookUp lookUp) {
        try {
            String after = null;
            for (int page = 0; page < PAGES_MAX; page++) {
                StripeCollection<PaymentIntent> payments = stripe.v1()
                        .paymentIntents()
                        .list(query(lookUp, after), limits(lookUp.timeout()).build());
                List<PaymentIntent> ours = payments.getData().stream()
                        .filter(payment -> StripeAnswers.isOurs(payment, lookUp.orderStep(), lookUp.idempotencyKey()))
                        .toList();
                if (!ours.isEmpty()) {
                    return StripeAnswers.of(ours.get(0), lookUp.orderStep(), lookUp.idempotencyKey());
                }
                if (!Boolean.TRUE.equals(payments.getHasMore())
                        || payments.getData().isEmpty()) {
                    return new NoAnswer(NoAnswerReason.NOT_FOUND, "no payment with this key");
                }
                after = payments.getData().get(payments.getData().size() - 1).getId();
            }
            return new NoAnswer(NoAnswerReason.UNREADABLE, "the list has more than " + PAGES_MAX + " pages");
        } catch (StripeException failed) {
            return unanswered(StripeAnswers.of(failed));
        }
    }

    /** A look-up that was refused says nothing about the charge. */
    private static ProviderAnswer unanswered(ProviderAnswer answer) {
        return answer instanceof NoAnswer
                ? answer
                : new NoAnswer(NoAnswerReason.UNREADABLE, "the look-up failed: " + answer);
    }

    private static OptionalLong amount(Intent intent) {
        return StripeAmounts.toStripe(intent.amountMinor(), intent.currency());
    }

    /** From the intent, the order step, the attempt and its key alone: the same on any machine at any time. */
    private static PaymentIntentCreateParams parameters(ProviderCall call, long amount) {
        PaymentIntentCreateParams.Builder parameters = PaymentIntentCreateParams.builder()
                .setAmount(amount)
                .setCurrency(call.intent().currency().toLowerCase(Locale.ROOT))
                .setPaymentMethod(call.intent().source())
                .setConfirm(true)
                .setErrorOnRequiresAction(true)
                .setAutomaticPaymentMethods(AutomaticPaymentMethods.builder()
                        .setEnabled(true)
                        .setAllowRedirects(AutomaticPaymentMethods.AllowRedirects.NEVER)
                        .build())
                .putMetadata(ORDER_ID, call.orderStep().orderId())
                .putMetadata(STEP, call.orderStep().step())
                .putMetadata("attempt", Integer.toString(call.attempt()))
                .putMetadata(KEY, call.idempotencyKey().value());
        call.intent().attributes().forEach((name, value) -> parameters.putMetadata("attribute_" + name, value));
        return parameters.build();
    }

    private static RequestOptions options(ProviderCall call) {
        return limits(call.timeout())
                .setIdempotencyKey(call.idempotencyKey().value())
                .build();
    }

    /** Set on every request: the SDK's own limits are 80 s and two retries. */
    private static RequestOptions.RequestOptionsBuilder limits(Duration timeout) {
        return RequestOptions.builder().setReadTimeout((int) timeout.toMillis()).setMaxNetworkRetries(0);
    }

    private PaymentIntentListParams query(LookUp lookUp, @Nullable String after) {
        PaymentIntentListParams.Created between = PaymentIntentListParams.Created.builder()
                .setGte(lookUp.claimedAt().minus(settings.clockSkew()).getEpochSecond())
                .setLte(lookUp.calledUntil().plus(settings.clockSkew()).getEpochSecond())
                .build();
        PaymentIntentListParams.Builder query =
                PaymentIntentListParams.builder().setCreated(between).setLimit(PAGE);
        if (after != null) {
            query.setStartingAfter(after);
        }
        return query.build();
    }
}
