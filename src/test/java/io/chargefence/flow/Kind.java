package io.chargefence.flow;

import io.chargefence.provider.ProviderTraits;
import io.chargefence.provider.ProviderTraits.KeysCover;
import java.time.Duration;

/** The providers of the simulation: what they can do, and what is truly promised with them. */
enum Kind {
    NEITHER(ProviderTraits.cautious()),
    LOOK_UP(NEITHER.traits.withLookUp(Duration.ofSeconds(3))),
    KEYS(NEITHER.traits.withKeys(Duration.ofHours(24), KeysCover.SERVER_ERRORS_TOO)),
    KEYS_AND_LOOK_UP(KEYS.traits.withLookUp(Duration.ofSeconds(3))),
    KEYS_FOR_HALF_AN_HOUR(NEITHER.traits.withKeys(Duration.ofMinutes(30), KeysCover.SERVER_ERRORS_TOO)),
    KEYS_FOR_HALF_AN_HOUR_AND_LOOK_UP(KEYS_FOR_HALF_AN_HOUR.traits.withLookUp(Duration.ofSeconds(3))),
    KEYS_OF_EXECUTED(NEITHER.traits.withKeys(Duration.ofHours(24), KeysCover.ANY_EXECUTED)),
    KEYS_OF_SUCCESSES_AND_LOOK_UP(NEITHER.traits
            .withKeys(Duration.ofHours(24), KeysCover.SUCCESSES_ONLY)
            .withLookUp(Duration.ofSeconds(3)));

    final ProviderTraits traits;

    Kind(ProviderTraits traits) {
        this.traits = traits;
    }

    /** Only a key that outlives everything covers a database that forgets what it committed. */
    boolean survivesFailOver() {
        return this == KEYS || this == KEYS_AND_LOOK_UP;
    }
}
