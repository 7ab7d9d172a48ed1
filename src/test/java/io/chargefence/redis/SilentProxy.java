package io.chargefence.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** Stands between client and server, and can let every connection that is open now go silent for ever, without closing it. */
final class SilentProxy implements AutoCloseable {

    private final ServerSocket door;
    private final int serverPort;
    private final List<Socket> sockets = new ArrayList<>();
    private volatile AtomicBoolean silent = new AtomicBoolean();

    SilentProxy(int serverPort) {
        this.serverPort = serverPort;
        try {
            this.door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException cannot) {
            throw new UncheckedIOException(cannot);
        }
        inBackground(this::accept);
    }

    int port() {
        return door.getLocalPort();
    }

    void silenceOpenConnections() {
        AtomicBoolean open = silent;
        silent = new AtomicBoolean();
        open.set(true);
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = door.accept();
            Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
            sockets.addAll(List.of(client, server));
            AtomicBoolean swallow = silent;
            inBackground(() -> pump(client, server, swallow));
            inBackground(() -> pump(server, client, swallow));
        }
    }

    private static void pump(Socket from, Socket to, AtomicBoolean swallow) throws IOException {
        byte[] buffer = new byte[8192];
        for (int read = from.getInputStream().read(buffer);
                read >= 0;
                read = from.getInputStream().read(buffer)) {
            if (!swallow.get()) {
                to.getOutputStream().write(buffer, 0, read);
            }
        }
        if (!swallow.get()) {
            to.close();
        }
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void inBackground(Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (IOException closed) {
                // the end of this connection
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        door.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
