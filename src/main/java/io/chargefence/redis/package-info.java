/**
 * Redis Streams as the transport, through Lettuce. It carries wake-ups and nothing else. Internal: may change in any release. May
 * import root and the ports of flow.
 */
@NullMarked
package io.chargefence.redis;

import org.jspecify.annotations.NullMarked;
