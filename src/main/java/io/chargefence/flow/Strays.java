package io.chargefence.flow;

import io.chargefence.ChargefenceException;
import io.chargefence.flow.ChargeLog.Known;
import io.chargefence.flow.Deliveries.Delivery;
import io.chargefence.flow.Fact.Delivered;
import io.chargefence.flow.Fact.Reported;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Facts that match nothing here, and the way out for deliveries. None of it can cause a call. */
final class Strays {

    private final FlowPorts ports;
    private final Window window;

    Strays(FlowPorts ports, Window window) {
        this.ports = ports;
        this.window = window;
    }

    /** Either no such charge is known, or its provider is none of this process's. */
    void leave(Move move, List<Delivery> done) {
        Fact fact = move.fact();
        if (fact instanceof Delivered delivered && move.known().equals(Known.NOTHING)) {
            quarantine(delivered.delivery(), "matches no request and no fence", done);
        } else if (fact instanceof Delivered delivered) {
            ports.listener().alert(Sentences.unknownProvider(fact.orderStep(), move.known()));
            done.add(delivered.delivery()); // due in MySQL: it comes again, perhaps to a worker that has the provider
            window.release(1);
        } else {
            if (fact instanceof Reported) {
                ports.listener().alert(Sentences.reportWithoutCharge(fact.orderStep()));
            }
            throw new ChargefenceException(fact.orderStep()
                    + ": no such charge in reach of this process. Nothing was changed, and no call was made.");
        }
    }

    /** Deliveries that cannot be read, or whose ids cannot be an order step. */
    void quarantine(Collection<Delivery> unreadable) {
        List<Delivery> done = new ArrayList<>();
        unreadable.forEach(delivery -> quarantine(delivery, "cannot be read", done));
        ack(done);
    }

    void broken(Fact fact, RuntimeException cause) {
        ports.listener().alert(Sentences.broken(fact, cause));
        window.release(1);
    }

    void ack(List<Delivery> done) {
        if (done.isEmpty()) {
            return;
        }
        try {
            ports.deliveries().ack(done);
        } catch (TransportUnavailableException away) {
            ports.listener().trouble("ack of %d deliveries; they come again".formatted(done.size()), away);
        }
    }

    private void quarantine(Delivery delivery, String reason, List<Delivery> done) {
        try {
            ports.deliveries().quarantine(delivery, reason);
            ports.listener().alert(Sentences.quarantined(delivery, reason));
            done.add(delivery);
        } catch (TransportUnavailableException away) {
            ports.listener().trouble("quarantine of " + delivery.id() + "; it comes again", away);
        }
        window.release(1);
    }
}
