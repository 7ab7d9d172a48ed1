package io.chargefence.spring;

import org.springframework.core.env.Environment;

/**
 * Settings that passed every check which needs no server. Each part is built from these and from nothing else, so that no
 * order of beans can put a part before its check.
 */
record CheckedSettings(ChargefenceProperties properties) {

    static CheckedSettings of(ChargefenceProperties properties, Environment environment) {
        SettingsChecks.check(properties);
        NameChecks.check(properties, environment);
        SecretChecks.check(properties.stripe());
        return new CheckedSettings(properties);
    }
}
