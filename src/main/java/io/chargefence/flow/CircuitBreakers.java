package io.chargefence.flow;

import io.chargefence.provider.ProviderAnswer;
import java.time.Duration;

/** A circuit breaker per provider. It only holds calls back; it never decides a charge. */
public interface CircuitBreakers {

    /** Lets everything through. */
    CircuitBreakers NONE = new CircuitBreakers() {
        @Override
        public boolean permits(String provider) {
            return true;
        }

        @Override
        public void ended(String provider, ProviderAnswer answer, Duration took) {}
    };

    /** Whether a call may be sent now. A true must be followed by {@link #ended}. */
    boolean permits(String provider);

    void ended(String provider, ProviderAnswer answer, Duration took);
}
