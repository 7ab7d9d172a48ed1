package io.chargefence.spring;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.UUID;

/** Unique per process: two processes with one name would take each other's deliveries for their own. */
record WorkerName(String value) {

    static WorkerName ofThisProcess() {
        String random = UUID.randomUUID().toString().substring(0, 8);
        return new WorkerName(host() + "-" + ProcessHandle.current().pid() + "-" + random);
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException unnamed) {
            return "host";
        }
    }
}
