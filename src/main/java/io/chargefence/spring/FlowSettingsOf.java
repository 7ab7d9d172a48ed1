package io.chargefence.spring;

import io.chargefence.flow.FlowSettings;
import io.chargefence.saga.Limits;

/** The flow's settings and the rules' limits as the properties say. */
final class FlowSettingsOf {

    private FlowSettingsOf() {}

    static FlowSettings properties(ChargefenceProperties properties, WorkerName workerName) {
        return new FlowSettings(
                properties.namespace(),
                workerName.value(),
                properties.worker().concurrency(),
                properties.worker().batchSize(),
                properties.transport().reservation(),
                properties.transport().block(),
                properties.outbox().sweepInterval(),
                properties.outbox().batchSize(),
                properties.worker().shutdownGrace(),
                limits(properties));
    }

    private static Limits limits(ChargefenceProperties properties) {
        ChargefenceProperties.Worker worker = properties.worker();
        ChargefenceProperties.Retry retry = properties.retry();
        return new Limits(
                retry.callsMax(),
                worker.startWithin(),
                worker.callTimeout(),
                worker.margin(),
                properties.inDoubt().lookUpDelays(),
                properties.inDoubt().giveUpAfter(),
                retry.backoff(),
                retry.multiplier(),
                retry.maxBackoff(),
                retry.jitter(),
                retry.takeoversMax());
    }
}
