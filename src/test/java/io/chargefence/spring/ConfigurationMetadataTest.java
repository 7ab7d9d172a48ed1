package io.chargefence.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConfigurationMetadataTest {

    @Test
    void every_property_is_described_where_an_editor_finds_it() throws IOException {
        List<String> undescribed = new ArrayList<>();
        List<String> all = new ArrayList<>();
        for (JsonNode property : metadata().get("properties")) {
            all.add(property.get("name").asText());
            if (!property.hasNonNull("description")) {
                undescribed.add(property.get("name").asText());
            }
        }
        assertThat(all)
                .contains("chargefence.namespace", "chargefence.worker.call-timeout", "chargefence.stripe.api-key");
        assertThat(undescribed).isEmpty();
    }

    private static JsonNode metadata() throws IOException {
        try (InputStream stream =
                ChargefenceProperties.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
            return new ObjectMapper().readTree(stream);
        }
    }
}
