/**
 * The transport on Redis streams: wake-ups that may be lost, repeated and reordered, and on which nothing depends but speed.
 *
 * <p>Internal: may change in any release. May import root and the ports of flow; of foreign code Lettuce.
 */
@NullMarked
package io.chargefence.redis;

import org.jspecify.annotations.NullMarked;
