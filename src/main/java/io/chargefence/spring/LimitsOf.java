package io.chargefence.spring;

import io.chargefence.saga.Limits;

/** The rules' limits as the properties say. */
final class LimitsOf {

    private LimitsOf() {}

    static Limits properties(ChargefenceProperties properties) {
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
