package io.chargefence.spring;

import io.chargefence.flow.Providers;
import io.chargefence.provider.PaymentProvider;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The host's providers, each known by one id. */
final class KnownProviders {

    private static final Logger log = LoggerFactory.getLogger(KnownProviders.class);

    private static final String ADD_ONE =
            "Declare a bean that implements io.chargefence.provider.PaymentProvider, or add stripe-java and set"
                    + " chargefence.stripe.api-key";

    private KnownProviders() {}

    static Providers of(ChargefenceProperties properties, List<PaymentProvider> providers) {
        if (providers.isEmpty()) {
            withoutAny(properties.worker().enabled());
        }
        try {
            return new Providers(providers, properties.defaultProvider());
        } catch (IllegalArgumentException odd) {
            throw new ChargefenceStartupException(
                    odd.getMessage(),
                    "each charge must name one provider and no other",
                    "Give each PaymentProvider an id of its own, and set chargefence.default-provider to one of them.");
        }
    }

    /** A process that calls nobody may still be asked for states and may sweep. */
    private static void withoutAny(boolean workerEnabled) {
        if (workerEnabled) {
            throw new ChargefenceStartupException(
                    "there is no PaymentProvider bean",
                    "the worker of this process could make no charge",
                    ADD_ONE + ", or set chargefence.worker.enabled=false.");
        }
        log.warn(
                "there is no PaymentProvider bean: this process sweeps and answers, but refuses every request. {}.",
                ADD_ONE);
    }
}
