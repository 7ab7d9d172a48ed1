package io.chargefence.stripe;

import com.stripe.exception.ApiConnectionException;
import com.stripe.exception.ApiException;
import com.stripe.exception.StripeException;
import com.stripe.net.HttpHeaders;
import com.stripe.net.StripeRequest;
import com.stripe.net.StripeResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;

/**
 * stripe-java's HTTP, with exactly one request on the wire for each call. stripe-java's own client is HttpURLConnection, which
 * sends a POST again by itself after a reset or an empty reply. The JDK's HttpClient does not repeat a POST unless it is told to
 * by a system property, and then this refuses to be made.
 */
final class OneRequestHttpClient extends com.stripe.net.HttpClient {

    private static final String RETRY_PROPERTY = "jdk.httpclient.enableAllMethodRetry";
    private static final int ANSWER_BYTES_MAX = 1 << 20;

    private final HttpClient http;
    private final Map<String, String> headers;

    OneRequestHttpClient(Duration connectTimeout, Map<String, String> headers) {
        String retries = System.getProperty(RETRY_PROPERTY);
        if (retries != null && !retries.equalsIgnoreCase("false")) {
            throw new IllegalStateException("the system property " + RETRY_PROPERTY + " is '" + retries
                    + "', so the JDK's HTTP client would send a charge twice after a broken connection; remove it");
        }
        this.headers = headers;
        this.http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(connectTimeout)
                .build();
    }

    @Override
    public StripeResponse request(StripeRequest request) throws StripeException {
        Duration limit = Duration.ofMillis(request.options().getReadTimeout());
        long deadline = System.nanoTime() + limit.toNanos();
        try {
            HttpResponse<InputStream> answer =
                    http.send(httpRequest(request, limit), HttpResponse.BodyHandlers.ofInputStream());
            String body = body(answer.body(), deadline);
            return response(answer, body);
        } catch (IOException | URISyntaxException failed) {
            throw new ApiConnectionException("no answer: " + failed, failed);
        } catch (InterruptedException outOfTime) {
            throw new ApiConnectionException("no answer in time", new HttpTimeoutException("interrupted"));
        }
    }

    /** The SDK stumbles over an answer without a JSON object in it; to us it is a status and nothing more. */
    private static StripeResponse response(HttpResponse<?> answer, String body) throws ApiException {
        if (!body.stripLeading().startsWith("{")) {
            throw new ApiException(
                    "HTTP " + answer.statusCode() + " without JSON", null, null, answer.statusCode(), null);
        }
        return new StripeResponse(
                answer.statusCode(), HttpHeaders.of(answer.headers().map()), body);
    }

    private HttpRequest httpRequest(StripeRequest request, Duration limit) throws URISyntaxException {
        HttpRequest.BodyPublisher body = request.content() == null
                ? HttpRequest.BodyPublishers.noBody()
                : HttpRequest.BodyPublishers.ofByteArray(request.content().byteArrayContent());
        HttpRequest.Builder builder = HttpRequest.newBuilder(request.url().toURI())
                .timeout(limit)
                .method(request.method().name(), body);
        request.headers().map().forEach((name, values) -> values.forEach(value -> builder.header(name, value)));
        if (request.content() != null) {
            builder.setHeader("Content-Type", request.content().contentType());
        }
        builder.setHeader("User-Agent", buildUserAgentString(request));
        headers.forEach(builder::setHeader);
        return builder.build();
    }

    /** The time-out of the JDK's client ends with the headers; a body that drips in is ours to end. */
    private static String body(InputStream stream, long deadline) throws IOException {
        try (stream) {
            ByteArrayOutputStream body = new ByteArrayOutputStream();
            byte[] buffer = new byte[8192];
            for (int read = stream.read(buffer); read >= 0; read = stream.read(buffer)) {
                body.write(buffer, 0, read);
                if (System.nanoTime() > deadline) {
                    throw new HttpTimeoutException("the answer came too slowly");
                }
                if (body.size() > ANSWER_BYTES_MAX) {
                    throw new IOException("the answer is longer than " + ANSWER_BYTES_MAX + " bytes");
                }
            }
            return body.toString(StandardCharsets.UTF_8);
        }
    }
}
