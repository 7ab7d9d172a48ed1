package io.chargefence.standalone;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;

/** An order back end of nothing but a database, a Redis and a provider. Reads {@code chargefence-standalone.properties}. */
@SpringBootConfiguration
@EnableAutoConfiguration
public class StandaloneApplication {

    /**
     * @param settings override the file's, and are overridden by {@code arguments}
     * @param arguments Spring's, for example {@code --spring.datasource.url=…}
     */
    public static ConfigurableApplicationContext start(Map<String, Object> settings, List<String> arguments) {
        SpringApplication application = new SpringApplication(StandaloneApplication.class);
        application.setDefaultProperties(Map.of("spring.config.name", "chargefence-standalone"));
        List<String> all = new ArrayList<>();
        all.add("--spring.config.name=chargefence-standalone");
        settings.forEach((name, value) -> all.add("--" + name + "=" + value));
        all.addAll(arguments);
        return application.run(all.toArray(String[]::new));
    }
}
