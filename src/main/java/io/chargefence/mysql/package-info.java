/**
 * MySQL (and MariaDB): the outbox, the fence, and the event log through Axon's JDBC event store. Everything JDBC and everything
 * Axon is here. Internal: may change in any release. May import root, provider values, saga and the ports of flow.
 */
@NullMarked
package io.chargefence.mysql;

import org.jspecify.annotations.NullMarked;
