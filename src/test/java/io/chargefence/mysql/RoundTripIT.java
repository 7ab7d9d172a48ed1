package io.chargefence.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import io.chargefence.ChargeStage;
import io.chargefence.IdempotencyKey;
import io.chargefence.Intent;
import io.chargefence.OrderStep;
import io.chargefence.ProviderReference;
import io.chargefence.flow.ChargeLog.Entry;
import io.chargefence.flow.ChargeLog.Known;
import io.chargefence.provider.DeclineKind;
import io.chargefence.provider.NoAnswerReason;
import io.chargefence.provider.NotChargedReason;
import io.chargefence.saga.ChargeEvent;
import io.chargefence.saga.ChargeEvent.Acked;
import io.chargefence.saga.ChargeEvent.ConflictSeen;
import io.chargefence.saga.ChargeEvent.Declined;
import io.chargefence.saga.ChargeEvent.EvidenceSeen;
import io.chargefence.saga.ChargeEvent.FenceClaimed;
import io.chargefence.saga.ChargeEvent.NoAnswer;
import io.chargefence.saga.ChargeEvent.NotCharged;
import io.chargefence.saga.ChargeEvent.Parked;
import io.chargefence.saga.ChargeEvent.ParkedReason;
import io.chargefence.saga.ChargeEvent.ProviderCalled;
import io.chargefence.saga.ChargeEvent.ReferenceStored;
import io.chargefence.saga.ChargeEvent.Released;
import io.chargefence.saga.ChargeEvent.Via;
import io.chargefence.saga.ChargeSaga;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The row equals the fold of the events, whatever happened to the charge and however the connection is set. */
class RoundTripIT {

    private static final int CHARGES = 150;
    private static final int ROUNDS = 8;
    private static final List<String> TEXTS = List.of("x", "ünï😀", "it's \"so\" \\ {}", "%s ${x} ?", "e\u0301");

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "&useServerPrepStmts=true",
                "&rewriteBatchedStatements=true&useAffectedRows=true&jdbcCompliantTruncation=false",
                "&connectionTimeZone=-05:00&forceConnectionTimeZoneToSession=true"
            })
    void what_is_read_back_equals_the_fold_of_the_events(String urlParameters) {
        try (Store store =
                Store.with(urlParameters, "ANSI_QUOTES,PIPES_AS_CONCAT,NO_BACKSLASH_ESCAPES,ONLY_FULL_GROUP_BY")) {
            List<ChargeSaga> sagas = claimed(store);
            Set<ChargeStage> stages = EnumSet.noneOf(ChargeStage.class);
            for (int round = 0; round < ROUNDS; round++) {
                sagas = moved(store, sagas);
                requireRoundTrip(store, sagas);
                sagas.forEach(saga -> stages.add(saga.stage()));
            }
            requireFold(store, sagas);
            assertThat(stages)
                    .containsExactlyInAnyOrderElementsOf(EnumSet.complementOf(EnumSet.of(ChargeStage.UNCLAIMED)));
        }
    }

    private List<ChargeSaga> claimed(Store store) {
        List<Entry> claims = IntStream.range(0, CHARGES)
                .mapToObj(i -> Stories.entry(
                        null, instant(), new FenceClaimed(new OrderStep("order 😀 " + i, "deposit"), intent())))
                .toList();
        assertThat(store.log.append(claims)).isEmpty();
        return claims.stream().map(Entry::after).toList();
    }

    private List<ChargeSaga> moved(Store store, List<ChargeSaga> sagas) {
        List<Entry> entries = sagas.stream()
                .map(saga -> Stories.entry(
                        saga,
                        random.nextBoolean() ? instant() : null,
                        IntStream.rangeClosed(0, random.nextInt(2))
                                .mapToObj(i -> event(saga))
                                .toArray(ChargeEvent[]::new)))
                .toList();
        assertThat(store.log.append(entries)).as("seed %d", seed).isEmpty();
        return entries.stream().map(Entry::after).toList();
    }

    private void requireFold(Store store, List<ChargeSaga> sagas) {
        List<ChargeSaga> folds = sagas.stream()
                .map(saga -> ChargeSaga.of(saga.chargeId(), store.events.read(saga.chargeId())))
                .toList();
        assertThat(folds).as("folds, seed %d", seed).isEqualTo(sagas);
    }

    private void requireRoundTrip(Store store, List<ChargeSaga> sagas) {
        Map<OrderStep, Known> charges = store.log
                .load(sagas.stream().map(ChargeSaga::orderStep).toList())
                .charges();
        List<ChargeSaga> rows =
                sagas.stream().map(saga -> charges.get(saga.orderStep()).saga()).toList();
        assertThat(rows).as("rows, seed %d", seed).isEqualTo(sagas);
    }

    private ChargeEvent event(ChargeSaga saga) {
        return switch (random.nextInt(11)) {
            case 0, 1 ->
                new ProviderCalled(
                        1 + random.nextInt(3),
                        1 + random.nextInt(3),
                        IdempotencyKey.of("test", saga.orderStep(), random.nextInt(9)),
                        "0f".repeat(32),
                        instant(),
                        random.nextBoolean() ? instant() : null);
            case 2 -> new NoAnswer(any(NoAnswerReason.values()), text(), random.nextBoolean());
            case 3 -> new NotCharged(any(NotChargedReason.values()), text(), random.nextBoolean() ? instant() : null);
            case 4 -> new ReferenceStored(reference(), any(Via.values()));
            case 5 -> new Declined(text(), any(DeclineKind.values()));
            case 6 -> new Parked(any(ParkedReason.values()));
            case 7 -> new Released(text(), text(), random.nextBoolean());
            case 8 -> new Acked(random.nextBoolean() ? "7-0" : null);
            case 9 -> new ConflictSeen(intent());
            default -> new EvidenceSeen(text(), random.nextBoolean() ? reference() : null);
        };
    }

    private Intent intent() {
        Map<String, String> attributes = new ArrayList<>(TEXTS)
                .subList(0, random.nextInt(TEXTS.size())).stream()
                        .collect(Collectors.toMap(text -> "a" + text.length(), text -> text, (one, other) -> other));
        return new Intent(
                1 + Math.floorMod(random.nextLong(), Intent.AMOUNT_MINOR_MAX),
                any("EUR", "JPY", "BHD"),
                text(),
                "acme.pay-1",
                new TreeMap<>(attributes));
    }

    private ProviderReference reference() {
        return new ProviderReference("ch_" + random.nextInt(4) + text());
    }

    private Instant instant() {
        return Stories.NOW.plusSeconds(random.nextInt(100_000_000)).plusNanos(1_000L * random.nextInt(1_000_000));
    }

    private String text() {
        return TEXTS.get(random.nextInt(TEXTS.size()));
    }

    @SafeVarargs
    private <T> T any(T... values) {
        return values[random.nextInt(values.length)];
    }
}
