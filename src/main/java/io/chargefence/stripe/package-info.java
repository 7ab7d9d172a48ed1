/**
 * Stripe, on stripe-java (an optional dependency). Public: {@link io.chargefence.stripe.StripeProvider} and its settings. May
 * import root and provider.
 */
@NullMarked
package io.chargefence.stripe;

import org.jspecify.annotations.NullMarked;
