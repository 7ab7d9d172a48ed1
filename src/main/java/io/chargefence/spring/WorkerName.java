package io.chargefence.spring;

/** Unique per process, and the same in the log's metadata and as Redis consumer: two processes with one would mix. */
record WorkerName(String value) {}
