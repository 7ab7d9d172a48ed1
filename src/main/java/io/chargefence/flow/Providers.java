package io.chargefence.flow;

import io.chargefence.provider.PaymentProvider;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The providers that this process can reach, by id. */
public final class Providers {

    private final Map<String, PaymentProvider> byId = new TreeMap<>();
    private final @Nullable String defaultId;

    /**
     * @param configuredDefault the provider of requests that name none; null: the only one, if there is just one
     * @throws IllegalArgumentException when two have the same id, or the default is none of them
     */
    public Providers(Collection<PaymentProvider> providers, @Nullable String configuredDefault) {
        for (PaymentProvider provider : providers) {
            if (byId.put(provider.id(), provider) != null) {
                throw new IllegalArgumentException("two payment providers have the id '" + provider.id() + "'");
            }
        }
        if (configuredDefault != null && !byId.containsKey(configuredDefault)) {
            throw new IllegalArgumentException(
                    "the default provider '%s' is none of %s".formatted(configuredDefault, byId.keySet()));
        }
        String only = byId.size() == 1 ? byId.keySet().iterator().next() : null;
        defaultId = configuredDefault != null ? configuredDefault : only;
    }

    public @Nullable String defaultId() {
        return defaultId;
    }

    public Optional<PaymentProvider> find(String id) {
        return Optional.ofNullable(byId.get(id));
    }

    public Collection<String> ids() {
        return byId.keySet();
    }
}
