/** The adapter against a real server: every race, lost answer and odd row here happens for real. */
@NullMarked
package io.chargefence.mysql;

import org.jspecify.annotations.NullMarked;
