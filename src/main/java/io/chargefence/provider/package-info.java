/**
 * What a payment provider's adapter implements. Public API. May import the root package only.
 */
@NullMarked
package io.chargefence.provider;

import org.jspecify.annotations.NullMarked;
