/**
 * What an order back end uses: {@link io.chargefence.Charges} to request and to ask, and the words of the domain.
 * Public API. May import nothing of ours.
 */
@NullMarked
package io.chargefence;

import org.jspecify.annotations.NullMarked;
