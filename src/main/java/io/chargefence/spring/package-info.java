/**
 * Spring Boot wiring: auto-configuration, properties, checks at start, health and meters. May import everything; nobody imports
 * it.
 */
@NullMarked
package io.chargefence.spring;

import org.jspecify.annotations.NullMarked;
