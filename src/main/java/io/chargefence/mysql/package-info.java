/**
 * MySQL and MariaDB: the adapter behind the ports {@code ChargeLog}, {@code Outbox} and {@code ChargeViews}, with Axon's event
 * store inside; everything JDBC and everything Axon is here.
 *
 * <p>Internal: may change in any release. May import root, saga, the values of provider, the ports of flow; of foreign code
 * JDBC, spring-jdbc and spring-tx, Axon, Jackson 2, Flyway and SLF4J. Never {@code PaymentProvider}: nothing here calls anybody.
 */
@NullMarked
package io.chargefence.mysql;

import org.jspecify.annotations.NullMarked;
