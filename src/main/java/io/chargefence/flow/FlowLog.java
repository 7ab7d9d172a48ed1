package io.chargefence.flow;

import io.chargefence.ChargeAlert;
import io.chargefence.ChargeStage;
import io.chargefence.saga.ChargeSaga;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the flow did, as log lines: one at INFO for each change of stage, one at ERROR for each alert. */
public final class FlowLog implements FlowListener {

    private static final Logger log = LoggerFactory.getLogger("io.chargefence.charges");

    @Override
    public void moved(ChargeStage from, ChargeSaga to) {
        if (log.isInfoEnabled()) {
            log.info(Sentences.moved(from, to));
        }
    }

    @Override
    public void alert(ChargeAlert alert) {
        log.error("[{}] {}", alert.kind(), alert.message());
    }

    @Override
    public void trouble(String what, Exception cause) {
        log.warn("{} failed; nothing is lost, it is tried again: {}", what, cause.toString());
        log.debug("{}", what, cause);
    }
}
