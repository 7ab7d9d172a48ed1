package io.chargefence.standalone;

import io.chargefence.ChargefenceException;
import io.chargefence.Charges;
import io.chargefence.standalone.CsvOrders.Line;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.springframework.transaction.support.TransactionTemplate;

/** Requests order lines as an order back end does: in transactions, here of many lines, and of one when one of them fails. */
public final class OrderIntake {

    private static final int LINES_PER_TRANSACTION = 50;

    private final Charges charges;
    private final TransactionTemplate transaction;
    private final Consumer<Line> refused;
    private final List<Line> waiting = new ArrayList<>();
    private long requested;

    /** @param refused told of each line that was not requested, with the reason */
    public OrderIntake(Charges charges, TransactionTemplate transaction, Consumer<Line> refused) {
        this.charges = charges;
        this.transaction = transaction;
        this.refused = refused;
    }

    public void accept(Line line) {
        if (line.request() == null) {
            refused.accept(line);
            return;
        }
        waiting.add(line);
        if (waiting.size() >= LINES_PER_TRANSACTION) {
            flush();
        }
    }

    /** Requests what is left. */
    public void flush() {
        try {
            transaction.executeWithoutResult(status -> waiting.forEach(line -> charges.request(line.request())));
            requested += waiting.size();
        } catch (ChargefenceException oneOfThem) {
            waiting.forEach(this::requestAlone);
        }
        waiting.clear();
    }

    private void requestAlone(Line line) {
        try {
            transaction.executeWithoutResult(status -> charges.request(line.request()));
            requested++;
        } catch (ChargefenceException failed) {
            refused.accept(new Line(line.number(), null, failed.getMessage()));
        }
    }

    /** Lines that were requested, repetitions of the same request included. */
    public long requested() {
        return requested;
    }
}
