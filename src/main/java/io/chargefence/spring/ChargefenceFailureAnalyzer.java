package io.chargefence.spring;

import io.chargefence.mysql.SchemaMigration.SchemaBehindException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows a refused start as a sentence and a way out instead of a stack trace. */
class ChargefenceFailureAnalyzer extends AbstractFailureAnalyzer<ChargefenceStartupException> {

    @Override
    protected FailureAnalysis analyze(Throwable root, ChargefenceStartupException refused) {
        return new FailureAnalysis("Chargefence does not start. " + refused.getMessage(), refused.fix(), refused);
    }

    /** The same for a schema that is behind. */
    static class OfSchema extends AbstractFailureAnalyzer<SchemaBehindException> {

        @Override
        protected @Nullable FailureAnalysis analyze(Throwable root, SchemaBehindException behind) {
            return new FailureAnalysis(
                    "Chargefence does not start. chargefence.schema.mode is 'validate', and " + behind.getMessage(),
                    "Run the migrations of /migrations (classpath db/chargefence), or set chargefence.schema.mode=migrate.",
                    behind);
        }
    }
}
