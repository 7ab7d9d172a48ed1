package io.chargefence.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.function.IntFunction;

/** Finds a port on loopback. Another process may take it before our server does, so a start gets more than one try. */
final class FreePort {

    private static final int TRIES = 3;
    private static final int CONNECT_MILLIS = 500;

    private FreePort() {}

    static <T> T tryOn(IntFunction<T> start) {
        for (int attempt = 1; ; attempt++) {
            int port = choose();
            try {
                return start.apply(port);
            } catch (ServerStartException e) {
                if (attempt == TRIES || !isListening(port)) {
                    throw e;
                }
            }
        }
    }

    static boolean isListening(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MILLIS);
            return true;
        } catch (IOException nobodyThere) {
            return false;
        }
    }

    private static int choose() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException("No free port on loopback", e);
        }
    }
}
