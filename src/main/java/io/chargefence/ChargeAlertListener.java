package io.chargefence;

/**
 * Told of every alert, once per process that saw it, on a worker's thread. At most once: an alert is also a log line at
 * ERROR, a metric and, where it concerns a charge, an event; those are the record. Exceptions are logged and dropped.
 */
@FunctionalInterface
public interface ChargeAlertListener {

    void onAlert(ChargeAlert alert);
}
