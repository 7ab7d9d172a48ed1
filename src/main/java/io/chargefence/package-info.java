/** What an order back end uses. */
package io.chargefence;
