/**
 * A real MariaDB and a real Redis as child processes, for the integration tests and the demo. They can be killed
 * with SIGKILL at any moment, and come back on the same port. Nothing here may reach an embedder: the binaries
 * weigh 150 MB.
 */
package io.chargefence.embedded;
