package io.chargefence.mysql;

import io.chargefence.ChargefenceException;
import io.chargefence.OrderStep;
import io.chargefence.saga.ChargeEvent;
import io.chargefence.saga.RecordedEvent;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.axonframework.config.Configuration;
import org.axonframework.config.DefaultConfigurer;
import org.axonframework.eventhandling.DomainEventMessage;
import org.axonframework.eventhandling.GenericDomainEventMessage;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The event log. Axon lives behind this class, in a configuration of its own built by hand, so that a host that uses Axon
 * itself keeps its own untouched.
 *
 * <p>There are no upcasters yet: every event has its first revision.
 */
public final class AxonEventLog {

    private static final String STREAM_TYPE = "Charge";

    private final EventEngine engine;
    private final Transactions transactions;
    private final Configuration configuration;

    /** An event with the charge it belongs to. */
    record Appended(UUID chargeId, OrderStep orderStep, RecordedEvent recorded, Map<String, String> metadata) {}

    /** @throws ChargefenceException when the transaction manager does not govern the data source */
    public AxonEventLog(DataSource dataSource, PlatformTransactionManager transactionManager) {
        PhoneHome.off();
        this.transactions = new Transactions(dataSource, transactionManager);
        this.transactions.requireReal();
        EventCodec codec = EventCodec.create();
        AxonTransactions joining = new AxonTransactions(transactionManager);
        this.engine = EventEngine.on(dataSource, joining, codec);
        this.configuration = DefaultConfigurer.defaultConfiguration(false)
                .configureSerializer(config -> codec)
                .configureTransactionManager(config -> joining)
                .configureEmbeddedEventStore(config -> engine)
                .buildConfiguration();
    }

    /** In the current transaction, which must be one: the fence and its events commit together or not at all. */
    void append(List<Appended> events) {
        if (!TransactionSynchronizationManager.isActualTransactionActive()) {
            throw new IllegalStateException("events are appended in the transaction of their fence, and there is none");
        }
        engine.appendEvents(events.stream().map(AxonEventLog::message).toList());
    }

    /**
     * The whole stream of a charge, in order; empty when there is none.
     *
     * @throws ChargefenceException when an event is of a type or a revision that this version does not know
     */
    public List<RecordedEvent> read(UUID chargeId) {
        return transactions.read(
                "events of charge " + chargeId,
                () -> engine.readEvents(chargeId.toString())
                        .asStream()
                        .map(AxonEventLog::recorded)
                        .toList());
    }

    /** Axon's parts over this log, for tracking processors. Not started: nothing here needs it to be. */
    Configuration configuration() {
        return configuration;
    }

    private static DomainEventMessage<ChargeEvent> message(Appended appended) {
        RecordedEvent recorded = appended.recorded();
        Map<String, String> metadata = new HashMap<>(appended.metadata());
        metadata.put(EventInsert.ORDER_ID, appended.orderStep().orderId());
        metadata.put(EventInsert.STEP, appended.orderStep().step());
        return new GenericDomainEventMessage<>(
                STREAM_TYPE,
                appended.chargeId().toString(),
                recorded.sequence(),
                recorded.event(),
                metadata,
                recorded.id().toString(),
                recorded.at());
    }

    private static RecordedEvent recorded(DomainEventMessage<?> message) {
        return new RecordedEvent(
                UUID.fromString(message.getIdentifier()),
                message.getSequenceNumber(),
                message.getTimestamp(),
                (ChargeEvent) message.getPayload());
    }
}
