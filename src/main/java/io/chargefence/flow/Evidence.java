package io.chargefence.flow;

import io.chargefence.ChargeView;
import io.chargefence.OrderStep;
import io.chargefence.provider.ProviderAnswer;

/**
 * The door for what a provider says unasked: in a webhook, in a settlement report. Called by the host's own endpoint, after it
 * verified that the provider said it.
 *
 * <p>Promised: a report settles what is open, never what is settled; it may come twice, late, in any order and at the same time
 * as the answer; nothing here calls a provider. A refusal settles a charge only when one call was made in all, since a report
 * does not name the call. Contradictions are recorded, told by an alert, and overwrite nothing.
 *
 * <p>Each method returns after the commit. When it throws, nothing was recorded: answer the provider with a 5xx, so that it
 * sends the report again.
 */
public interface Evidence {

    /**
     * The provider took the money.
     *
     * @throws io.chargefence.ChargefenceException when no charge of this order step is recorded here (yet), or MySQL is away
     */
    ChargeView charged(OrderStep orderStep, ProviderAnswer.Charged said);

    /**
     * The provider refused, for good.
     *
     * @throws io.chargefence.ChargefenceException when no charge of this order step is recorded here (yet), or MySQL is away
     */
    ChargeView declined(OrderStep orderStep, ProviderAnswer.Declined said);
}
