package io.chargefence.stripe;

import io.chargefence.provider.DeclineKind;
import java.util.Set;

/** What Stripe's decline codes mean for another attempt. Source: Stripe's page "Decline codes". */
final class StripeDeclines {

    private static final Set<String> SOFT = Set.of(
            "approve_with_id",
            "card_velocity_exceeded",
            "insufficient_funds",
            "issuer_not_available",
            "processing_error",
            "reenter_transaction",
            "try_again_later",
            "withdrawal_count_limit_exceeded");
    private static final Set<String> ACTION_REQUIRED = Set.of(
            "authentication_required",
            "authentication_not_handled",
            "offline_pin_required",
            "online_or_offline_pin_required");

    private StripeDeclines() {}

    /** A code that is not known counts as hard: the cautious side is not to try the same card again. */
    static DeclineKind kindOf(String code) {
        if (ACTION_REQUIRED.contains(code)) {
            return DeclineKind.ACTION_REQUIRED;
        }
        return SOFT.contains(code) ? DeclineKind.SOFT : DeclineKind.HARD;
    }
}
