package io.chargefence.stripe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chargefence.provider.NoAnswerReason;
import io.chargefence.provider.NotChargedReason;
import io.chargefence.provider.ProviderAnswer;
import io.chargefence.provider.ProviderAnswer.Charged;
import io.chargefence.provider.ProviderAnswer.NoAnswer;
import io.chargefence.provider.ProviderAnswer.NotCharged;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The trap that was paid for: HttpURLConnection, and an SDK with retries, send a charge twice. */
class OneRequestOnTheWireTest {

    @Test
    void a_connection_that_is_reset_brings_one_request_and_no_answer() throws Exception {
        try (RawServer server = new RawServer((socket, request) -> {
            socket.setSoLinger(true, 0);
            socket.close();
        })) {
            assertThat(reason(charge(server))).isEqualTo(NoAnswerReason.CONNECTION_LOST);
            assertThat(server.requests).hasSize(1);
        }
    }

    @Test
    void an_empty_reply_brings_one_request_and_no_answer() throws Exception {
        try (RawServer server = new RawServer((socket, request) -> socket.close())) {
            assertThat(reason(charge(server))).isEqualTo(NoAnswerReason.CONNECTION_LOST);
            assertThat(server.requests).hasSize(1);
        }
    }

    @Test
    void a_server_that_says_nothing_brings_one_request_and_a_time_out() throws Exception {
        try (RawServer server = new RawServer((socket, request) -> Thread.sleep(60_000))) {
            long began = System.nanoTime();
            ProviderAnswer answer = StripeFixture.provider(server.url())
                    .charge(StripeFixture.call(12_900, "EUR", Duration.ofMillis(500)));

            assertThat(reason(answer)).isEqualTo(NoAnswerReason.TIMED_OUT);
            assertThat(server.requests).hasSize(1);
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(30));
        }
    }

    @Test
    void an_answer_that_drips_in_byte_by_byte_is_ended_at_the_deadline() throws Exception {
        try (RawServer server = new RawServer((socket, request) -> {
            OutputStream out = socket.getOutputStream();
            out.write("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            for (int n = 0; n < 100_000; n++) {
                out.write(' ');
                out.flush();
                Thread.sleep(20);
            }
        })) {
            ProviderAnswer answer = StripeFixture.provider(server.url())
                    .charge(StripeFixture.call(12_900, "EUR", Duration.ofMillis(500)));

            assertThat(reason(answer)).isEqualTo(NoAnswerReason.TIMED_OUT);
            assertThat(server.requests).hasSize(1);
        }
    }

    @Test
    void a_kept_connection_that_dies_under_the_next_call_brings_one_request_for_it() throws Exception {
        try (RawServer server = new RawServer((socket, request) -> {
            if (request == 1) {
                RawServer.answering(200, StripeFixture.payment("succeeded")).of(socket, request);
            } else {
                socket.setSoLinger(true, 0);
                socket.close();
            }
        })) {
            StripeProvider provider = StripeFixture.provider(server.url());
            assertThat(provider.charge(StripeFixture.call())).isInstanceOf(Charged.class);
            assertThat(reason(provider.charge(StripeFixture.call()))).isEqualTo(NoAnswerReason.CONNECTION_LOST);
            assertThat(server.requests).hasSize(2);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {409, 429, 500, 502, 503})
    void the_sdk_repeats_nothing_by_itself(int status) throws Exception {
        try (RawServer server =
                new RawServer(RawServer.answering(status, StripeFixture.error("api_error", "x", null)))) {
            charge(server);
            assertThat(server.requests).hasSize(1);
        }
    }

    @Test
    void a_redirect_is_not_followed() throws Exception {
        try (RawServer other = new RawServer(RawServer.answering(200, StripeFixture.payment("succeeded")));
                RawServer server = new RawServer((socket, request) -> {
                    socket.getOutputStream()
                            .write(("HTTP/1.1 307 X\r\nLocation: " + other.url() + "/v1/payment_intents\r\n"
                                            + "Content-Length: 0\r\n\r\n")
                                    .getBytes(StandardCharsets.US_ASCII));
                })) {
            assertThat(reason(charge(server))).isEqualTo(NoAnswerReason.UNREADABLE);
            assertThat(other.requests).isEmpty();
        }
    }

    @Test
    void a_refused_connection_is_proof_that_nothing_was_sent() {
        ProviderAnswer answer =
                StripeFixture.provider(URI.create("http://127.0.0.1:1")).charge(StripeFixture.call());

        assertThat(answer)
                .isInstanceOfSatisfying(
                        NotCharged.class,
                        proof -> assertThat(proof.reason()).isEqualTo(NotChargedReason.NOT_CONNECTED));
    }

    @Test
    void a_jvm_that_would_repeat_posts_is_refused() {
        System.setProperty("jdk.httpclient.enableAllMethodRetry", "true");
        try {
            assertThatThrownBy(() -> StripeFixture.provider(URI.create("http://127.0.0.1:1")))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("jdk.httpclient.enableAllMethodRetry");
        } finally {
            System.clearProperty("jdk.httpclient.enableAllMethodRetry");
        }
    }

    private static ProviderAnswer charge(RawServer server) {
        return StripeFixture.provider(server.url()).charge(StripeFixture.call());
    }

    private static NoAnswerReason reason(ProviderAnswer answer) {
        assertThat(answer).isInstanceOf(NoAnswer.class);
        return ((NoAnswer) answer).reason();
    }
}
