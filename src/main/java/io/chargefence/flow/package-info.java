/**
 * The shell around the core: intake, the worker's loop ({@link io.chargefence.flow.ChargeFlow}), the calls, the sweeper,
 * and the ports they use. The only code that reaches {@link io.chargefence.provider.PaymentProvider#charge}.
 *
 * <p>Internal: may change in any release. May import root, provider and saga; of foreign code only SLF4J.
 */
@NullMarked
package io.chargefence.flow;

import org.jspecify.annotations.NullMarked;
