package io.chargefence.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chargefence.ChargefenceException;
import io.chargefence.flow.ChargeLog.Entry;
import io.chargefence.mysql.AxonEventLog.Appended;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.axonframework.common.stream.BlockingStream;
import org.axonframework.config.Configuration;
import org.axonframework.eventhandling.DomainEventMessage;
import org.axonframework.eventhandling.TrackedEventMessage;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.SimpleTransactionStatus;

class AxonEventLogIT {

    private Store store;

    @BeforeEach
    void open() {
        store = Store.fresh();
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void a_stream_of_any_length_is_read_back_whole_and_in_order() {
        Entry claim = Stories.claim(Stories.step("order-1"));
        store.log.append(List.of(claim));
        Entry more = Stories.entry(
                claim.after(),
                null,
                IntStream.range(0, 350)
                        .mapToObj(i -> new io.chargefence.saga.ChargeEvent.EvidenceSeen("look " + i, null))
                        .toArray(io.chargefence.saga.ChargeEvent[]::new));
        store.log.append(List.of(more));

        assertThat(store.events.read(claim.after().chargeId()))
                .isEqualTo(Stream.concat(claim.events().stream(), more.events().stream())
                        .toList());
    }

    @Test
    void a_charge_that_is_not_there_has_no_events() {
        assertThat(store.events.read(Stories.id())).isEmpty();
    }

    @Test
    void an_event_of_an_unknown_type_stops_the_reading() {
        Entry claim = Stories.claim(Stories.step("order-1"));
        store.log.append(List.of(claim));
        store.sql.update("UPDATE charge_event SET payload_type = 'RefundAsked' WHERE sequence = 1");

        assertThatThrownBy(() -> store.events.read(claim.after().chargeId()))
                .isInstanceOf(ChargefenceException.class)
                .hasMessageContaining("RefundAsked");
    }

    @Test
    void events_are_not_appended_outside_a_transaction() {
        assertThatThrownBy(() -> store.events.append(List.of(appended()))).isInstanceOf(IllegalStateException.class);
        assertThat(store.count("charge_event")).isZero();
    }

    @Test
    void events_roll_back_with_the_transaction_they_are_appended_in() {
        store.transaction().executeWithoutResult(status -> {
            store.events.append(List.of(appended()));
            status.setRollbackOnly();
        });
        assertThat(store.count("charge_event")).isZero();
    }

    @Test
    void a_transaction_manager_that_opens_none_is_refused() {
        PlatformTransactionManager none = new PlatformTransactionManager() {
            @Override
            public TransactionStatus getTransaction(TransactionDefinition definition) {
                return new SimpleTransactionStatus();
            }

            @Override
            public void commit(TransactionStatus status) {}

            @Override
            public void rollback(TransactionStatus status) {}
        };
        assertThatThrownBy(() -> new AxonEventLog(store.dataSource, none))
                .isInstanceOf(ChargefenceException.class)
                .hasMessageContaining("opens no transaction");
    }

    @Test
    void a_transaction_manager_of_another_data_source_is_refused() {
        try (Store other = Store.fresh()) {
            assertThatThrownBy(() ->
                            new AxonEventLog(store.dataSource, new DataSourceTransactionManager(other.dataSource)))
                    .isInstanceOf(ChargefenceException.class)
                    .hasMessageContaining("belong together");
        }
    }

    @Test
    void a_tracking_reader_sees_every_event_with_the_order_it_is_about() throws Exception {
        List<Entry> claims =
                Stories.steps(120).stream().sorted().map(Stories::claim).toList();
        store.log.append(claims);
        Configuration axon = store.events.configuration();
        axon.start();
        try (BlockingStream<TrackedEventMessage<?>> stream =
                axon.getComponent(EventStore.class).openStream(null)) {
            for (Entry claim : claims) {
                for (int sequence = 0; sequence < 2; sequence++) {
                    DomainEventMessage<?> message = (DomainEventMessage<?>) stream.nextAvailable();
                    assertThat(message.getPayload())
                            .isEqualTo(claim.events().get(sequence).event());
                    assertThat(message.getTimestamp())
                            .isEqualTo(claim.events().get(sequence).at());
                    assertThat(message.getMetaData())
                            .containsEntry("orderId", claim.orderStep().orderId())
                            .containsEntry("step", claim.orderStep().step())
                            .containsEntry("worker", "w-1");
                }
            }
        } finally {
            axon.shutdown();
        }
    }

    @Test
    void a_tracking_position_can_be_found_by_time() {
        store.log.append(Stories.steps(3).stream().map(Stories::claim).toList());
        EventStore events = store.events.configuration().getComponent(EventStore.class);
        assertThat(events.createTokenAt(Stories.NOW).position().orElseThrow())
                .isLessThan(events.createHeadToken().position().orElseThrow());
        assertThat(events.createTokenAt(Stories.NOW.plusNanos(1_000)).position())
                .isEqualTo(events.createHeadToken().position());
    }

    @Test
    void axon_phones_nobody() {
        Configuration axon = store.events.configuration();
        axon.start();
        try {
            assertThat(System.getProperty("axoniq.update-checker.disabled")).isEqualTo("true");
            assertThat(axon.getModules())
                    .noneMatch(module -> module.getClass().getName().contains("UpdateChecker"));
            assertThat(Thread.getAllStackTraces().keySet())
                    .noneMatch(thread ->
                            thread.getName().toLowerCase(java.util.Locale.ROOT).contains("update"));
            assertThat(Files.exists(Path.of(System.getProperty("user.home"), ".axoniq")))
                    .isFalse();
        } finally {
            axon.shutdown();
        }
    }

    @Test
    void what_the_host_said_about_phoning_home_stands() {
        String before = System.setProperty("axoniq.update-checker.disabled", "false");
        try {
            PhoneHome.off();
            assertThat(System.getProperty("axoniq.update-checker.disabled")).isEqualTo("false");
            System.clearProperty("axoniq.update-checker.disabled");
            PhoneHome.off();
            assertThat(System.getProperty("axoniq.update-checker.disabled")).isEqualTo("true");
        } finally {
            System.setProperty("axoniq.update-checker.disabled", String.valueOf(before));
        }
    }

    private static Appended appended() {
        Entry claim = Stories.claim(Stories.step("order-1"));
        UUID chargeId = claim.after().chargeId();
        return new Appended(chargeId, claim.orderStep(), claim.events().get(0), Map.of());
    }
}
