package io.chargefence.demo;

import io.chargefence.Charges;
import io.chargefence.OrderStep;
import io.chargefence.mysql.MysqlChargeViews;
import io.chargefence.standalone.CsvColumns;
import io.chargefence.standalone.CsvOrders;
import io.chargefence.standalone.CsvOrders.Line;
import io.chargefence.standalone.OrderIntake;
import io.chargefence.standalone.StandaloneApplication;
import io.chargefence.testing.ProviderLedger.Kind;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Real order steps, real processes, real kills: an order back end places orders in transactions, two workers charge them at a
 * provider that fails and that kills a worker right after a charge every few seconds. At the end the provider's ledger is held
 * against the database. Exit code 2 when anything is off.
 */
public final class Demo {

    private static final Duration PATIENCE = Duration.ofMinutes(20);

    private final DemoOptions options;
    private final PrintStream out;
    private final Set<OrderStep> requested = new HashSet<>();
    private final Map<String, Integer> refusals = new HashMap<>();
    private long refused;

    Demo(DemoOptions options, PrintStream out) {
        this.options = options;
        this.out = out;
    }

    public static void main(String[] arguments) throws Exception {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        System.exit(new Demo(DemoOptions.fromSystemProperties(), out).run(Path.of("target", "demo")));
    }

    int run(Path home) throws Exception {
        List<Line> lines = lines(home);
        try (DemoWorld world = new DemoWorld(options, home)) {
            return options.fence() ? withFence(world, lines) : withoutFence(world, lines);
        }
    }

    private List<Line> lines(Path home) throws Exception {
        Path file = options.orders() != null
                ? options.orders()
                : GeneratedOrders.write(home.resolve("orders.csv"), options.count(), options.seed());
        List<Line> lines = new ArrayList<>();
        String currency = options.currency().isEmpty() ? null : options.currency();
        new CsvOrders(file, CsvColumns.of(options.columns()), currency).forEach(lines::add);
        out.printf("%d order steps in %s%n", lines.size(), file.getFileName());
        return lines;
    }

    private int withFence(DemoWorld world, List<Line> lines) throws Exception {
        Map<String, Object> settings = new HashMap<>(world.settings());
        settings.put("chargefence.worker.enabled", "false");
        settings.put("logging.level.io.chargefence", "WARN");
        try (ConfigurableApplicationContext backend = StandaloneApplication.start(settings, List.of())) {
            world.startWorkers();
            DataSource dataSource = backend.getBean(DataSource.class);
            DemoDatabase database = new DemoDatabase(
                    new MysqlChargeViews(dataSource, backend.getBean(PlatformTransactionManager.class)), dataSource);
            long began = System.nanoTime();
            boolean finished = placeAndWait(world, lines, backend, database);
            double seconds = (System.nanoTime() - began) / 1e9;
            DemoReport report = DemoReport.of(
                    lines.size(),
                    refused,
                    requested,
                    database.rows(requested),
                    world.readLedger(),
                    database.redeliveries());
            return tell(report, database, seconds, finished);
        }
    }

    /** Places orders as they would arrive, and waits until each has its outcome. */
    private boolean placeAndWait(
            DemoWorld world, List<Line> lines, ConfigurableApplicationContext backend, DemoDatabase database)
            throws InterruptedException {
        OrderIntake intake = new OrderIntake(
                backend.getBean(Charges.class),
                new TransactionTemplate(backend.getBean(PlatformTransactionManager.class)),
                this::refuse);
        int perTick = Math.max(1, options.rateFor(lines.size()) / 5);
        long until = System.nanoTime() + PATIENCE.toNanos();
        int placed = 0;
        long open = lines.size();
        try (Progress progress = new Progress("charging", lines.size())) {
            while ((placed < lines.size() || open > 0) && System.nanoTime() < until) {
                int upTo = Math.min(lines.size(), placed + perTick);
                lines.subList(placed, upTo).forEach(line -> place(intake, line));
                intake.flush();
                placed = upTo;
                world.keepWorkersAlive();
                open = database.open();
                progress.at(placed - open, "%d open, %d kills".formatted(open, kills(world)));
                TimeUnit.MILLISECONDS.sleep(200);
            }
        }
        return open == 0;
    }

    private void place(OrderIntake intake, Line line) {
        if (line.request() != null) {
            requested.add(line.request().orderStep());
        }
        intake.accept(line);
    }

    private void refuse(Line line) {
        refused++;
        String reason = String.valueOf(line.refusal());
        if (refusals.merge(reason, 1, Integer::sum) <= 5) {
            out.printf("line %d refused: %s%n", line.number(), reason);
        }
    }

    private static long kills(DemoWorld world) {
        return world.readLedger().stream()
                .filter(entry -> entry.kind() == Kind.KILL)
                .count();
    }

    private int tell(DemoReport report, DemoDatabase database, double seconds, boolean finished) {
        out.println();
        out.printf("%-40s %8s%n", "provider " + options.mode().name().toLowerCase(), "");
        database.outcomes().forEach((what, count) -> out.printf("  %-38s %8d%n", what, count));
        out.printf("  %-38s %8.1f%n", "seconds", seconds);
        out.printf("  %-38s %8.1f%n", "steps a second", report.steps() / seconds);
        boolean clean =
                finished && report.isClean() && database.ledger().invariant().holds() == (report.parkedCharged() >= 0);
        if (!finished) {
            out.printf("not all steps came to rest within %s%n", PATIENCE);
        }
        if (report.otherAmounts() > 0) {
            out.printf("%d charges of another amount than requested%n", report.otherAmounts());
        }
        out.println(report.firstLine());
        out.println(report.secondLine());
        return clean ? 0 : 2;
    }

    private int withoutFence(DemoWorld world, List<Line> lines) throws Exception {
        NaiveShop shop = new NaiveShop(world, out);
        return shop.run(lines, options.rateFor(lines.size()));
    }
}
