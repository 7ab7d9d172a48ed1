/**
 * The kill campaign: real worker processes, stopped at a named point between two steps and killed there (SIGKILL) or frozen past
 * their deadline (SIGSTOP, SIGCONT), on a real MariaDB and a real Redis, with a provider in a process of its own whose ledger is
 * the judge. {@code mvn -Pcampaign -Dkills=N}.
 */
package io.chargefence.campaign;
