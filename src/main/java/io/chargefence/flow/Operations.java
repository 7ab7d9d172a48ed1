package io.chargefence.flow;

import io.chargefence.ChargeView;
import io.chargefence.OrderStep;
import io.chargefence.ProviderReference;

/**
 * What a person may do to a parked charge. Each command is an event with the person's name and reason. None of them reaches
 * a provider: a release goes back behind the fence, and a look-up comes first.
 */
public interface Operations {

    /**
     * Lets a parked charge go on: to IN_DOUBT (look-up first) when a call is unproven, else to CLAIMED with a new budget of
     * calls.
     *
     * @throws io.chargefence.ChargefenceException when the charge is not parked, or nothing but a verdict can settle it
     */
    ChargeView release(OrderStep orderStep, String actor, String reason);

    /** The verdict "the provider took the money, this is its reference", with the evidence as the reason. */
    ChargeView resolveCharged(OrderStep orderStep, ProviderReference reference, String actor, String reason);

    /** The verdict "the provider did not and will not take the money", with the evidence as the reason. */
    ChargeView resolveNotCharged(OrderStep orderStep, String actor, String reason);
}
