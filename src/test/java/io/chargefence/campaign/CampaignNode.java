package io.chargefence.campaign;

import io.chargefence.ChargeRequest;
import io.chargefence.Charges;
import io.chargefence.OrderStep;
import io.chargefence.ProviderReference;
import io.chargefence.flow.Evidence;
import io.chargefence.flow.FlowPorts;
import io.chargefence.flow.Operations;
import io.chargefence.mysql.Projection;
import io.chargefence.provider.PaymentProvider;
import io.chargefence.provider.ProviderAnswer;
import io.chargefence.standalone.StandaloneApplication;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.sql.DataSource;
import org.joda.money.CurrencyUnit;
import org.joda.money.Money;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * A process of the campaign: order back end, webhook endpoint, operator and worker in one, with barriers. Takes its commands from
 * standard input and ends with it.
 */
final class CampaignNode {

    private static final long AMOUNT_MINOR = 1_290;

    private final Barrier barrier;
    private final Charges charges;
    private final Evidence evidence;
    private final Operations operations;
    private final TransactionTemplate transaction;
    private final ExecutorService threads = Executors.newCachedThreadPool();

    private CampaignNode(Barrier barrier, ConfigurableApplicationContext context) {
        this.barrier = barrier;
        charges = context.getBean(Charges.class);
        evidence = context.getBean(Evidence.class);
        operations = context.getBean(Operations.class);
        transaction = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
    }

    public static void main(String[] arguments) throws IOException {
        Barrier barrier = new Barrier(System.out);
        SpringApplication application = new SpringApplication(StandaloneApplication.class);
        application.setDefaultProperties(Map.of("spring.config.name", "chargefence-standalone"));
        application.addInitializers(context -> context.getBeanFactory().addBeanPostProcessor(barring(barrier)));
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--chargefence.stripe.headers.X-Caller-Pid="
                + ProcessHandle.current().pid());
        ConfigurableApplicationContext context = application.run(all.toArray(String[]::new));
        Projection projection = new Projection(
                context.getBean(DataSource.class),
                context.getBean(PlatformTransactionManager.class),
                step -> barrier.at(Point.C17, step));
        projection.start(Long.toString(ProcessHandle.current().pid()));
        barrier.say("READY", ProcessHandle.current().pid());
        new CampaignNode(barrier, context).obey();
        Runtime.getRuntime().halt(0); // the campaign is over, or gone
    }

    private static BeanPostProcessor barring(Barrier barrier) {
        return new BeanPostProcessor() {
            @Override
            public Object postProcessAfterInitialization(Object bean, String name) {
                if (bean instanceof FlowPorts ports) {
                    return BarredPorts.of(ports, barrier);
                }
                if (bean instanceof DataSource dataSource) {
                    return new BeforeCommit(dataSource, barrier);
                }
                return bean instanceof PaymentProvider provider ? new BarredProvider(provider, barrier) : bean;
            }
        };
    }

    private void obey() throws IOException {
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = commands.readLine(); line != null; line = commands.readLine()) {
            String[] words = line.split(" ");
            if (words[0].equals("GO")) {
                barrier.goOn(Long.parseLong(words[1]));
            } else {
                threads.execute(() -> obey(words));
            }
        }
    }

    private void obey(String[] words) {
        try {
            switch (words[0]) {
                case "PLACE" -> place(words[1]);
                case "REPORT" -> report(words[1], words[2]);
                case "RESOLVE" -> resolve(words[1], words[2]);
                default -> throw new IllegalArgumentException(words[0]);
            }
        } catch (RuntimeException refused) {
            barrier.say(
                    "REFUSED", words[1], String.valueOf(refused.getMessage()).replace('\n', ' '));
        }
    }

    private void place(String orderId) {
        transaction.executeWithoutResult(status -> charges.request(ChargeRequest.forStep(orderId, Order.STEP)
                .amount(Money.ofMinor(CurrencyUnit.EUR, AMOUNT_MINOR))
                .source("pm_card_visa")));
        barrier.say("PLACED", orderId);
    }

    /** A webhook: verified here, stored there. */
    private void report(String orderId, String reference) {
        OrderStep step = new OrderStep(orderId, Order.STEP);
        barrier.at(Point.C13, step);
        evidence.charged(step, new ProviderAnswer.Charged(new ProviderReference(reference), AMOUNT_MINOR, "EUR"));
        barrier.at(Point.C14, step);
        barrier.say("TOLD", orderId);
    }

    private void resolve(String orderId, String reference) {
        OrderStep step = new OrderStep(orderId, Order.STEP);
        operations.resolveCharged(step, new ProviderReference(reference), "campaign", "it is in the provider's ledger");
        barrier.say("TOLD", orderId);
    }
}
