package io.chargefence.flow;

import io.chargefence.saga.Limits;
import java.time.Duration;

/**
 * Settings of one process.
 *
 * @param namespace part of every idempotency key; tells deployments apart that share a provider account
 * @param workerName unique per process; recorded with each event
 * @param concurrency provider calls in flight, and so what a kill can leave in doubt
 * @param batchMax deliveries read at once
 * @param reservation how long a delivery belongs to the worker that read it; longer than a call and its margin
 * @param block how long a read waits for deliveries
 * @param sweepInterval pause between two sweeps
 * @param sweepBatch rows a sweep takes at once
 * @param shutdownGrace how long a stop waits for calls in flight
 */
public record FlowSettings(
        String namespace,
        String workerName,
        int concurrency,
        int batchMax,
        Duration reservation,
        Duration block,
        Duration sweepInterval,
        int sweepBatch,
        Duration shutdownGrace,
        Limits limits) {}
