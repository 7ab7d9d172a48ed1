package io.chargefence.testing;

/** What the simulated provider can do. */
public enum ProviderMode {
    /** Honours idempotency keys, as Stripe does: stored answers, 409 in flight, 400 for other parameters. Can be asked. */
    KEYED,
    /** Ignores keys and charges again whenever it is asked; can be asked what it did. */
    LOOKUP,
    /** Ignores keys and cannot be asked. The default in tests: a friendly provider hides fence bugs. */
    KEYLESS
}
