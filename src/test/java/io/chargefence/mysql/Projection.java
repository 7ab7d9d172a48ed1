package io.chargefence.mysql;

import io.chargefence.OrderStep;
import java.time.Duration;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.axonframework.common.jdbc.ConnectionProvider;
import org.axonframework.eventhandling.DomainEventMessage;
import org.axonframework.eventhandling.EventMessage;
import org.axonframework.eventhandling.EventMessageHandler;
import org.axonframework.eventhandling.SimpleEventHandlerInvoker;
import org.axonframework.eventhandling.TrackingEventProcessor;
import org.axonframework.eventhandling.TrackingEventProcessorConfiguration;
import org.axonframework.eventhandling.tokenstore.jdbc.GenericTokenTableFactory;
import org.axonframework.eventhandling.tokenstore.jdbc.JdbcTokenStore;
import org.axonframework.messaging.StreamableMessageSource;
import org.axonframework.serialization.json.JacksonSerializer;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * What an embedder builds on the log: a table of his own, kept by a tracking processor whose token commits with it. Counts the
 * events of each charge, so that one that was seen twice or never shows.
 */
public final class Projection {

    private static final Duration CLAIM_TIMEOUT = Duration.ofSeconds(2);

    private final DataSource dataSource;
    private final JdbcTemplate jdbc;
    private final TransactionTemplate transaction;
    private final AxonTransactions joining;
    private final AxonEventLog log;
    private final Consumer<OrderStep> updated;

    /** @param updated told after the table and before the token */
    public Projection(
            DataSource dataSource, PlatformTransactionManager transactionManager, Consumer<OrderStep> updated) {
        this.dataSource = new TransactionAwareDataSourceProxy(dataSource);
        this.jdbc = new JdbcTemplate(dataSource);
        this.transaction = new TransactionTemplate(transactionManager);
        this.joining = new AxonTransactions(transactionManager);
        this.log = new AxonEventLog(dataSource, transactionManager);
        this.updated = updated;
    }

    /** Its tables, once, before the first processor. */
    public void createTables() {
        jdbc.execute("CREATE TABLE campaign_projection (charge_id CHAR(36) PRIMARY KEY, events INT NOT NULL)");
        transaction.executeWithoutResult(status -> tokens("nobody").createSchema(GenericTokenTableFactory.INSTANCE));
    }

    public void start(String nodeName) {
        TrackingEventProcessor.builder()
                .name("campaign")
                .eventHandlerInvoker(SimpleEventHandlerInvoker.builder()
                        .eventHandlers((EventMessageHandler) this::count)
                        .build())
                .messageSource((StreamableMessageSource) log.configuration().eventStore())
                .tokenStore(tokens(nodeName))
                .transactionManager(joining)
                .trackingEventProcessorConfiguration(TrackingEventProcessorConfiguration.forSingleThreadedProcessing()
                        .andInitialTrackingToken(StreamableMessageSource::createTailToken))
                .build()
                .start();
    }

    private Object count(EventMessage<?> message) {
        jdbc.update(
                "INSERT INTO campaign_projection (charge_id, events) VALUES (?, 1) ON DUPLICATE KEY UPDATE events = events + 1",
                ((DomainEventMessage<?>) message).getAggregateIdentifier());
        updated.accept(new OrderStep((String) message.getMetaData().get(EventInsert.ORDER_ID), (String)
                message.getMetaData().get(EventInsert.STEP)));
        return null;
    }

    private JdbcTokenStore tokens(String nodeName) {
        ConnectionProvider connections = dataSource::getConnection;
        return JdbcTokenStore.builder()
                .connectionProvider(connections)
                .serializer(JacksonSerializer.defaultSerializer())
                .claimTimeout(CLAIM_TIMEOUT)
                .nodeId(nodeName)
                .build();
    }
}
