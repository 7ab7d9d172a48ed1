package io.chargefence.stripe;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A server of bare sockets: counts the requests that are really on the wire, and ends each as told. */
final class RawServer implements AutoCloseable {

    /** What happens to a connection after its request was read. */
    @FunctionalInterface
    interface End {
        void of(Socket socket, int request) throws Exception;
    }

    final List<String> requests = new CopyOnWriteArrayList<>();
    private final ServerSocket server;
    private final End end;

    RawServer(End end) throws IOException {
        this.end = end;
        this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread acceptor = new Thread(this::accept, "raw-server");
        acceptor.setDaemon(true);
        acceptor.start();
    }

    /** Answers and keeps the connection open. */
    static End answering(int status, String body) {
        return (socket, request) -> {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            OutputStream out = socket.getOutputStream();
            out.write(("HTTP/1.1 " + status + " X\r\nContent-Type: application/json\r\nContent-Length: " + bytes.length
                            + "\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            out.write(bytes);
            out.flush();
        };
    }

    URI url() {
        return URI.create("http://127.0.0.1:" + server.getLocalPort());
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                Thread connection = new Thread(() -> serve(socket), "raw-connection");
                connection.setDaemon(true);
                connection.start();
            }
        } catch (IOException closed) {
            // the test is over
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                readRest(in);
                requests.add(line);
                end.of(socket, requests.size());
            }
        } catch (Exception over) {
            // as told
        }
    }

    private static void readRest(BufferedReader in) throws IOException {
        int length = 0;
        for (String header = in.readLine(); header != null && !header.isEmpty(); header = in.readLine()) {
            if (header.toLowerCase().startsWith("content-length:")) {
                length = Integer.parseInt(header.substring(15).strip());
            }
        }
        for (int n = 0; n < length; n++) {
            in.read();
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
