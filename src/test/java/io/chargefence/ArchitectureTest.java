package io.chargefence;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.syntax.elements.GivenClassesConjunction;
import io.chargefence.provider.PaymentProvider;
import io.chargefence.provider.ProviderCall;
import java.time.Clock;
import java.time.Instant;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

/** What the design says about who may know whom. Plain test methods: rules as fields were once skipped in silence. */
class ArchitectureTest {

    private static final JavaClasses OURS = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.chargefence");

    private static final String ROOT = "io.chargefence";

    private static GivenClassesConjunction in(String packageName) {
        return classes().that().resideInAPackage(ROOT + "." + packageName + "..");
    }

    @Test
    void no_packages_depend_on_each_other_in_a_circle() {
        slices().matching("io.chargefence.(*)..").should().beFreeOfCycles().check(OURS);
        noClasses()
                .that()
                .resideInAPackage(ROOT)
                .should()
                .dependOnClassesThat(resideInAPackage("io.chargefence.*..")
                        .and(com.tngtech.archunit.base.DescribedPredicate.not(resideInAPackage(ROOT))))
                .check(OURS);
    }

    @Test
    void the_public_words_need_no_framework() {
        classes()
                .that()
                .resideInAnyPackage(ROOT, "io.chargefence.provider")
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(
                        "java..", "org.joda.money..", "org.jspecify..", ROOT, "io.chargefence.provider"))
                .check(OURS);
    }

    @Test
    void the_core_is_plain_java() {
        in("saga")
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(
                        "java.lang..",
                        "java.time..",
                        "java.util",
                        "org.jspecify..",
                        ROOT,
                        "io.chargefence.provider",
                        "io.chargefence.saga"))
                .check(OURS);
        noClasses()
                .that()
                .resideInAPackage("io.chargefence.saga")
                .should()
                .dependOnClassesThat()
                .areAssignableTo(PaymentProvider.class)
                .check(OURS);
    }

    @Test
    void the_core_reads_no_clock_and_draws_nothing_at_random() {
        noClasses()
                .that()
                .resideInAPackage("io.chargefence.saga")
                .should()
                .callMethod(Instant.class, "now")
                .orShould()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(UUID.class, "randomUUID")
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(Clock.class)
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(Random.class)
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(ThreadLocalRandom.class)
                .check(OURS);
    }

    @Test
    void the_flow_knows_no_framework_and_no_adapter() {
        in("flow")
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(
                        "java..",
                        "org.slf4j..",
                        "org.jspecify..",
                        ROOT,
                        "io.chargefence.provider",
                        "io.chargefence.saga",
                        "io.chargefence.flow"))
                .check(OURS);
    }

    /** I1: no other code path reaches a provider's charge method. */
    @Test
    void only_the_flow_asks_a_provider_to_charge() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.chargefence.flow")
                .should()
                .callMethod(PaymentProvider.class, "charge", ProviderCall.class)
                .check(OURS);
        noClasses()
                .that()
                .resideInAPackage("io.chargefence.flow")
                .and()
                .doNotHaveSimpleName("ProviderCalls")
                .should()
                .callMethod(PaymentProvider.class, "charge", ProviderCall.class)
                .check(OURS);
    }

    @Test
    void each_foreign_library_has_one_home() {
        home("org.axonframework..", "io.chargefence.mysql..");
        home("org.flywaydb..", "io.chargefence.mysql..", "io.chargefence.spring..");
        home("com.fasterxml.jackson..", "io.chargefence.mysql..", "io.chargefence.testing..");
        home("io.lettuce..", "io.chargefence.redis..", "io.chargefence.spring..");
        home("com.stripe..", "io.chargefence.stripe..");
        home("io.micrometer..", "io.chargefence.spring..");
        home("io.github.resilience4j..", "io.chargefence.spring..");
        home("org.springframework.boot..", "io.chargefence.spring..", "io.chargefence.standalone..");
        home("picocli..", "io.chargefence.standalone..", "io.chargefence.testing..");
        home("de.siegmar.fastcsv..", "io.chargefence.standalone..");
    }

    private static void home(String library, String... packages) {
        noClasses()
                .that()
                .resideOutsideOfPackages(packages)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(library)
                .check(OURS);
    }

    @Test
    void adapters_do_not_know_each_other() {
        for (String adapter : new String[] {"mysql", "redis", "stripe"}) {
            for (String other : new String[] {"mysql", "redis", "stripe", "spring", "standalone", "testing"}) {
                if (!adapter.equals(other)) {
                    noClasses()
                            .that()
                            .resideInAPackage(ROOT + "." + adapter + "..")
                            .should()
                            .dependOnClassesThat()
                            .resideInAPackage(ROOT + "." + other + "..")
                            .check(OURS);
                }
            }
        }
    }

    @Test
    void nobody_depends_on_the_wiring_but_the_runnable_jar() {
        noClasses()
                .that()
                .resideOutsideOfPackages("io.chargefence.spring..", "io.chargefence.standalone..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.chargefence.spring..", "io.chargefence.standalone..")
                .check(OURS);
    }
}
