package io.chargefence.standalone;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.springframework.context.ConfigurableApplicationContext;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Unmatched;

/** Claims and calls until it is told to stop (SIGTERM), then finishes what is in its hands. */
@Command(
        name = "worker",
        mixinStandardHelpOptions = true,
        description =
                "A worker: as many as one likes on one MySQL and one Redis. Takes Spring properties as --name=value.")
final class WorkerCommand implements Callable<Integer> {

    @Option(names = "--parent-pid", description = "stop when this process is gone")
    Long parentPid;

    @Unmatched
    List<String> spring = new ArrayList<>();

    @Override
    public Integer call() throws Exception {
        ConfigurableApplicationContext context = StandaloneApplication.start(Map.of(), spring);
        awaitTheEnd(context, parentPid);
        return 0;
    }

    /** Spring closes the context on SIGTERM; a parent that is gone is as good as one. */
    static void awaitTheEnd(ConfigurableApplicationContext context, Long parentPid) throws InterruptedException {
        CountDownLatch closed = new CountDownLatch(1);
        context.addApplicationListener(event -> {
            if (event instanceof org.springframework.context.event.ContextClosedEvent) {
                closed.countDown();
            }
        });
        if (parentPid != null) {
            ProcessHandle.of(parentPid)
                    .ifPresentOrElse(parent -> parent.onExit().thenRun(context::close), context::close);
        }
        closed.await();
    }
}
