package io.chargefence.spring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows a refused start as a sentence and a way out instead of a stack trace. */
class ChargefenceFailureAnalyzer extends AbstractFailureAnalyzer<ChargefenceStartupException> {

    @Override
    protected FailureAnalysis analyze(Throwable root, ChargefenceStartupException refused) {
        return new FailureAnalysis("Chargefence does not start. " + refused.getMessage(), refused.fix(), refused);
    }
}
