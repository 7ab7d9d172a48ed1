package io.chargefence.flow;

import io.chargefence.ChargeStage;
import io.chargefence.ChargeView;
import io.chargefence.Intent;
import io.chargefence.Invariant;
import io.chargefence.OrderStep;
import io.chargefence.saga.ChargeEvent;
import io.chargefence.saga.ChargeSaga;
import io.chargefence.saga.OperatorRules;
import io.chargefence.saga.RecordedEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Supplier;

/** The database as the flow sees it, in memory: the unique keys, the due times, and faults on demand. */
final class MemoryStore implements ChargeLog, Outbox, ChargeViews {

    private static final Duration PUBLISH_GRACE = Duration.ofSeconds(5);

    final Map<OrderStep, ChargeSaga> fences = new TreeMap<>();
    final Map<OrderStep, Instant> due = new HashMap<>();
    final Map<UUID, List<RecordedEvent>> events = new LinkedHashMap<>();
    final Map<OrderStep, Requested> requests = new TreeMap<>();
    final Map<OrderStep, Instant> requestsDue = new HashMap<>();
    final List<Map<String, String>> metadata = new ArrayList<>();
    private final Supplier<Instant> now;
    private final List<Runnable> afterCompletion = new ArrayList<>();
    private final List<Runnable> afterCommit = new ArrayList<>();
    boolean transaction;
    int failures;
    int lostAnswers;
    boolean fenced = true;
    Runnable beforeAppend = () -> {};
    OrderStep corrupt;

    MemoryStore(Supplier<Instant> now) {
        this.now = now;
    }

    @Override
    public synchronized Snapshot load(Collection<OrderStep> orderSteps) {
        failIfAsked();
        if (orderSteps.contains(corrupt)) {
            throw new IllegalStateException(corrupt + ": a row that does not fit");
        }
        Map<OrderStep, Known> known = new HashMap<>();
        for (OrderStep step : orderSteps) {
            if (requests.containsKey(step) || fences.containsKey(step)) {
                known.put(step, new Known(requests.get(step), fences.get(step)));
            }
        }
        return new Snapshot(now.get(), known);
    }

    @Override
    public synchronized Set<OrderStep> append(List<Entry> entries) {
        failIfAsked();
        beforeAppend.run();
        Set<OrderStep> lost = new HashSet<>();
        for (Entry entry : entries) {
            if (fenced && (!stands(entry) || forgetsConflict(entry))) {
                lost.add(entry.orderStep());
            } else {
                store(entry);
            }
        }
        if (lostAnswers > 0) {
            lostAnswers--;
            throw new StoreUnavailableException("the answer to the commit was lost, and stays lost", null);
        }
        return lost;
    }

    private boolean stands(Entry entry) {
        ChargeSaga now = fences.get(entry.orderStep());
        return now == null
                ? entry.before() == null
                : entry.before() != null
                        && now.chargeId().equals(entry.before().chargeId())
                        && now.sequence() == entry.before().sequence();
    }

    /** A conflict was noted beside the request after the decision was taken. */
    private boolean forgetsConflict(Entry entry) {
        Requested request = requests.get(entry.orderStep());
        return entry.settlesRequest()
                && request != null
                && request.conflict() != null
                && entry.after().conflicts() < OperatorRules.CONFLICTS_RECORDED_MAX
                && entry.events().stream().noneMatch(recorded -> recorded.event() instanceof ChargeEvent.ConflictSeen);
    }

    private void store(Entry entry) {
        fences.put(entry.orderStep(), entry.after());
        events.computeIfAbsent(entry.after().chargeId(), id -> new ArrayList<>())
                .addAll(entry.events());
        metadata.add(entry.metadata());
        if (entry.after().stage().isAtRest()) {
            due.remove(entry.orderStep());
        } else if (entry.dueAt() != null) {
            due.put(entry.orderStep(), entry.dueAt());
        }
        if (entry.settlesRequest()) {
            requests.remove(entry.orderStep());
            requestsDue.remove(entry.orderStep());
        }
    }

    @Override
    public synchronized List<OrderStep> takeDue(int max, Duration reservation) {
        return take(due, max, reservation);
    }

    @Override
    public synchronized List<OrderStep> takeUnclaimed(int max, Duration reservation) {
        return take(requestsDue, max, reservation);
    }

    private List<OrderStep> take(Map<OrderStep, Instant> dueTimes, int max, Duration reservation) {
        failIfAsked();
        List<OrderStep> taken = dueTimes.entrySet().stream()
                .filter(entry -> !entry.getValue().isAfter(now.get()))
                .map(Map.Entry::getKey)
                .sorted()
                .limit(max)
                .toList();
        taken.forEach(step -> dueTimes.put(step, now.get().plus(reservation)));
        return taken;
    }

    @Override
    public synchronized boolean inTransaction() {
        return transaction;
    }

    @Override
    public synchronized Intent file(OrderStep orderStep, Intent intent) {
        if (fences.containsKey(orderStep)) {
            return fences.get(orderStep).intent();
        }
        if (requests.containsKey(orderStep)) {
            return requests.get(orderStep).intent();
        }
        requests.put(orderStep, new Requested(orderStep, intent, null, now.get(), null));
        requestsDue.put(orderStep, now.get().plus(PUBLISH_GRACE));
        return null;
    }

    @Override
    public synchronized boolean noteConflict(OrderStep orderStep, Intent refused) {
        Requested waiting = requests.get(orderStep);
        if (waiting == null) {
            return false;
        }
        requests.put(
                orderStep,
                new Requested(orderStep, waiting.intent(), refused, waiting.requestedAt(), waiting.traceparent()));
        return true;
    }

    @Override
    public void afterCommit(Runnable action) {
        afterCommit.add(action);
    }

    @Override
    public void afterCompletion(Runnable action) {
        afterCompletion.add(action);
    }

    /** Runs the work as an order back end's transaction that commits. */
    void inTransaction(Runnable work) {
        transaction = true;
        try {
            work.run();
            run(afterCommit);
        } finally {
            transaction = false;
            afterCommit.clear();
            run(afterCompletion);
        }
    }

    private static void run(List<Runnable> actions) {
        List<Runnable> all = List.copyOf(actions);
        actions.clear();
        all.forEach(Runnable::run);
    }

    @Override
    public synchronized Optional<ChargeView> find(OrderStep orderStep) {
        return Optional.ofNullable(fences.get(orderStep)).map(saga -> view(saga));
    }

    private ChargeView view(ChargeSaga saga) {
        return new ChargeView(
                saga.orderStep(),
                saga.chargeId().toString(),
                saga.stage(),
                saga.intent(),
                saga.attempt().number(),
                saga.attempt().calls(),
                null,
                saga.outcome().reference(),
                saga.outcome().declineCode(),
                null,
                null,
                null,
                due.get(saga.orderStep()),
                saga.conflicts(),
                saga.claimedAt(),
                saga.claimedAt());
    }

    @Override
    public synchronized List<ChargeView> findByOrder(String orderId) {
        return fences.values().stream()
                .filter(saga -> saga.orderStep().orderId().equals(orderId))
                .map(this::view)
                .toList();
    }

    @Override
    public synchronized Ledger ledger() {
        Map<ChargeStage, Long> steps = new EnumMap<>(ChargeStage.class);
        long seen = fences.values().stream()
                .mapToInt(saga -> saga.outcome().chargesSeen())
                .sum();
        long charged = fences.values().stream()
                .filter(saga -> saga.outcome().reference() != null)
                .count();
        return new Ledger(steps, new Invariant(seen, charged, fences.size()), Duration.ZERO);
    }

    /** The names of a charge's events, in order. */
    List<String> story(OrderStep orderStep) {
        return events.get(fences.get(orderStep).chargeId()).stream()
                .map(recorded -> recorded.event().getClass().getSimpleName())
                .toList();
    }

    <E extends ChargeEvent> List<E> eventsOf(OrderStep orderStep, Class<E> type) {
        return events.get(fences.get(orderStep).chargeId()).stream()
                .map(RecordedEvent::event)
                .filter(type::isInstance)
                .map(type::cast)
                .toList();
    }

    private void failIfAsked() {
        if (failures > 0) {
            failures--;
            throw new StoreUnavailableException("MySQL is away", new java.sql.SQLException("08S01"));
        }
    }
}
