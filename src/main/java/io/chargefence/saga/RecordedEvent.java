package io.chargefence.saga;

import java.time.Instant;
import java.util.UUID;

/**
 * An event with its place in the charge's stream.
 *
 * @param id of this event, drawn before the append: after a commit whose answer was lost it tells whether the event at
 *     this place is ours
 * @param sequence counted from 0 without gaps
 * @param at when it was decided, in database time
 */
public record RecordedEvent(UUID id, long sequence, Instant at, ChargeEvent event) {}
