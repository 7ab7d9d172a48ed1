/**
 * The core: a charge as the fold of its events ({@link io.chargefence.saga.ChargeSaga}) and the decisions about it
 * ({@link io.chargefence.saga.ChargeRules}, the table of {@code docs/state-machine.md}).
 *
 * <p>Internal: may change in any release. Plain Java: no framework, no clock, no randomness, no I/O. May import the root
 * package and the values of the provider package, never {@link io.chargefence.provider.PaymentProvider}.
 */
@NullMarked
package io.chargefence.saga;

import org.jspecify.annotations.NullMarked;
