package io.chargefence.saga;

import io.chargefence.provider.ProviderAnswer;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a call or a look-up brought, and what it is about.
 *
 * @param lookUp whether it was a look-up
 * @param chargeId the charge that was called; after a failover that forgot it, another stands under the same step
 * @param callSequence of the {@code ProviderCalled} that was asked about; tells the answer of an earlier call from the last
 * @param sequence of the charge when the question was asked
 * @param delivery the message in hand, or null
 */
public record Answer(
        ProviderAnswer said,
        boolean lookUp,
        UUID chargeId,
        long callSequence,
        long sequence,
        @Nullable String delivery) {}
