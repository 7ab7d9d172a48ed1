package io.chargefence.embedded;

/** Runs one closing action once: when asked, or by a shutdown hook when nobody asked before the JVM ends. */
final class ClosedAtExit {

    private final Runnable action;
    private final Thread hook;
    private boolean closed;

    ClosedAtExit(String name, Runnable action) {
        this.action = action;
        this.hook = new Thread(this::runOnce, "chargefence-close-" + name);
        Runtime.getRuntime().addShutdownHook(hook);
    }

    void closeNow() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException jvmIsGoing) {
            // The hook runs by itself then, at the same time as we do; runOnce settles that.
        }
        runOnce();
    }

    private synchronized void runOnce() {
        if (!closed) {
            closed = true;
            action.run();
        }
    }
}
