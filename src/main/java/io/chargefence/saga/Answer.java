package io.chargefence.saga;

import io.chargefence.provider.ProviderAnswer;
import org.jspecify.annotations.Nullable;

/**
 * What a call or a look-up brought, and what it is about.
 *
 * @param lookUp whether it was a look-up
 * @param callSequence of the {@code ProviderCalled} that was asked about; tells the answer of an earlier call from the last
 * @param sequence of the charge when the question was asked
 * @param delivery the message in hand, or null
 */
public record Answer(
        ProviderAnswer said,
        boolean lookUp,
        long callSequence,
        long sequence,
        @Nullable String delivery) {}
