package io.chargefence.standalone;

import io.chargefence.ChargeStage;
import io.chargefence.Charges;
import io.chargefence.flow.ChargeViews.Ledger;
import io.chargefence.mysql.MysqlChargeViews;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Unmatched;

/** An order back end: requests the orders of a file in transactions of its own, and works like a worker beside it. */
@Command(
        name = "backend",
        mixinStandardHelpOptions = true,
        description = "An order back end and worker in one. Takes Spring properties as --name=value.")
final class BackendCommand implements Callable<Integer> {

    @Option(names = "--orders", description = "CSV file with a header: one order step a line")
    Path orders;

    @Option(names = "--columns", description = "orderId=order_id,step=payment_sequential,amount=payment_value,…")
    String columns;

    @Option(names = "--currency", description = "of all lines, where the file has no currency column")
    String currency;

    @Option(names = "--exit-when-done", description = "stop when no charge is open any more")
    boolean exitWhenDone;

    @Option(names = "--parent-pid", description = "stop when this process is gone")
    Long parentPid;

    @Unmatched
    List<String> spring = new ArrayList<>();

    @Override
    public Integer call() throws Exception {
        CsvColumns mapping = CsvColumns.of(columns);
        ConfigurableApplicationContext context = StandaloneApplication.start(Map.of(), spring);
        if (orders != null) {
            request(context, new CsvOrders(orders, mapping, currency));
        }
        if (exitWhenDone) {
            awaitRest(context);
            context.close();
        } else {
            WorkerCommand.awaitTheEnd(context, parentPid);
        }
        return 0;
    }

    private static void request(ConfigurableApplicationContext context, CsvOrders file) {
        OrderIntake intake = new OrderIntake(
                context.getBean(Charges.class),
                new TransactionTemplate(context.getBean(PlatformTransactionManager.class)),
                line -> System.out.printf("line %d refused: %s%n", line.number(), line.refusal()));
        file.forEach(intake::accept);
        intake.flush();
        System.out.printf("%d order steps requested%n", intake.requested());
    }

    private static void awaitRest(ConfigurableApplicationContext context) throws InterruptedException {
        MysqlChargeViews views = new MysqlChargeViews(
                context.getBean(DataSource.class), context.getBean(PlatformTransactionManager.class));
        Ledger ledger = views.ledger();
        while (open(ledger) > 0) {
            TimeUnit.MILLISECONDS.sleep(200);
            ledger = views.ledger();
        }
        System.out.printf(
                "all at rest: %s, excess %d%n",
                ledger.steps(), ledger.invariant().excess());
    }

    private static long open(Ledger ledger) {
        return ledger.steps().entrySet().stream()
                .filter(entry -> !entry.getKey().isAtRest())
                .mapToLong(Map.Entry<ChargeStage, Long>::getValue)
                .sum();
    }
}
