/**
 * For those who embed Chargefence and those who write provider adapters: a payment provider to test against, with a ledger of its
 * own and the power to kill. Public API.
 */
@NullMarked
package io.chargefence.testing;

import org.jspecify.annotations.NullMarked;
