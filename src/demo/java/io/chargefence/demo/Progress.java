package io.chargefence.demo;

import java.time.Duration;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** A bar on a terminal, a line every few seconds elsewhere. On standard error, so that the result stands alone. */
final class Progress implements AutoCloseable {

    private static final long LINE_EVERY_NANOS = Duration.ofSeconds(5).toNanos();

    private final ProgressBar bar;
    private final long all;
    private long nextLineNanos;

    Progress(String task, long all) {
        this.all = all;
        this.bar = System.console() == null
                ? null
                : new ProgressBarBuilder()
                        .setTaskName(task)
                        .setInitialMax(all)
                        .setStyle(ProgressBarStyle.ASCII)
                        .build();
    }

    void at(long done, String extra) {
        if (bar != null) {
            bar.stepTo(done);
            bar.setExtraMessage(extra);
        } else if (System.nanoTime() > nextLineNanos) {
            nextLineNanos = System.nanoTime() + LINE_EVERY_NANOS;
            System.err.printf("  %d of %d · %s%n", done, all, extra);
        }
    }

    @Override
    public void close() {
        if (bar != null) {
            bar.close();
        }
    }
}
