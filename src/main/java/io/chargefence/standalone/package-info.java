/**
 * The runnable jar: an order back end or a worker as a process of its own. Not for embedding: it has an application class and
 * settings that a host must not inherit. May import everything.
 */
@NullMarked
package io.chargefence.standalone;

import org.jspecify.annotations.NullMarked;
