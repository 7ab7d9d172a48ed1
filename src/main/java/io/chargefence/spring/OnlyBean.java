package io.chargefence.spring;

import org.springframework.beans.factory.ObjectProvider;

/** The one bean of its kind, or the primary one. A guess between two databases would put charges beside other orders. */
final class OnlyBean {

    private OnlyBean() {}

    static <T> T of(ObjectProvider<T> beans, String type) {
        T only = beans.getIfUnique();
        if (only != null) {
            return only;
        }
        long count = beans.stream().count();
        boolean none = count == 0;
        throw new ChargefenceStartupException(
                none
                        ? "there is no " + type
                        : "there are %d beans of type %s and none is primary".formatted(count, type),
                "the charge must commit with the order, in the order's own database",
                none
                        ? "Configure the application's database (spring.datasource.url) and its transactions."
                        : "Mark the one that stores the orders as @Primary.");
    }
}
