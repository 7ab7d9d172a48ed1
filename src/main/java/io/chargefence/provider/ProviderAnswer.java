package io.chargefence.provider;

import io.chargefence.InertText;
import io.chargefence.ProviderReference;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a provider said, or that it said nothing. The four are all there is; there is no "error". */
public sealed interface ProviderAnswer {

    /**
     * The provider took the money.
     *
     * @param amountMinor as the provider reports it, in ISO 4217 minor units; compared with the intent
     * @param currency as the provider reports it, upper-case
     */
    record Charged(ProviderReference reference, long amountMinor, String currency) implements ProviderAnswer {}

    /** The provider refused in its own words; no money moved and none will for this attempt. */
    record Declined(String code, DeclineKind kind) implements ProviderAnswer {
        public Declined {
            code = InertText.of(code, 100);
        }
    }

    /**
     * Proof that this call moved no money.
     *
     * @param retryAfter what the provider asked us to wait, or null
     */
    record NotCharged(
            NotChargedReason reason,
            String detail,
            @Nullable Duration retryAfter) implements ProviderAnswer {
        public NotCharged {
            detail = InertText.of(detail, 200);
        }

        public NotCharged(NotChargedReason reason, String detail) {
            this(reason, detail, null);
        }
    }

    /** No conclusive answer. Money may have moved. */
    record NoAnswer(NoAnswerReason reason, String detail) implements ProviderAnswer {
        public NoAnswer {
            detail = InertText.of(detail, 200);
        }
    }
}
