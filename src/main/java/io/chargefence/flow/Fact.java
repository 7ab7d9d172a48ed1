package io.chargefence.flow;

import io.chargefence.Intent;
import io.chargefence.OrderStep;
import io.chargefence.flow.Deliveries.Delivery;
import io.chargefence.provider.ProviderAnswer;
import io.chargefence.saga.Answer;
import io.chargefence.saga.ChargeSaga;
import io.chargefence.saga.Decision;
import io.chargefence.saga.Moment;
import io.chargefence.saga.Terms;
import org.jspecify.annotations.Nullable;

/** Something that happened and must be settled: decided on, recorded, acted on. A fact is never dropped. */
sealed interface Fact {

    OrderStep orderStep();

    /** The message in hand, or null. */
    default @Nullable Delivery delivery() {
        return null;
    }

    /** Whether it takes up room in the worker's window until it is settled. */
    default boolean holdsRoom() {
        return false;
    }

    /** A readable delivery. */
    record Delivered(Delivery delivery) implements Fact {
        @Override
        public OrderStep orderStep() {
            return delivery.orderStep();
        }

        @Override
        public boolean holdsRoom() {
            return true;
        }
    }

    /** The end of a call or a look-up. */
    record Answered(
            OrderStep orderStep, Answer answer, @Nullable Delivery delivery) implements Fact {
        @Override
        public boolean holdsRoom() {
            return true;
        }
    }

    /** The step was requested again with another intent. */
    record Conflicted(OrderStep orderStep, Intent other) implements Fact {}

    /** What an operator wants. */
    record Commanded(OrderStep orderStep, Command command) implements Fact {}

    /** What the provider says unasked: in a webhook, in a report. It names the order step, not the call. */
    record Reported(OrderStep orderStep, ProviderAnswer said) implements Fact {}

    /** Decides on an operator's command; throws when it is refused. */
    @FunctionalInterface
    interface Command {
        Decision decide(ChargeSaga saga, Terms terms, Moment moment);
    }
}
