-- The log: Axon's event table under our own DDL. Append-only; what happened to a charge, in order, readable.
--
-- uq_charge_event_stream is the belt under every step after the claim: two writers cannot both append event n of a charge.
-- The table has no other unique key besides its number, so that 1062 here has one meaning too.
-- order_id and step stand on every row for people with SQL, and so that a router on order_id keeps the fence and its events
-- on one shard; they are not indexed, the way in is the fence's charge_id.
-- payload_type and payload_revision are wire format: stable names, never class names.

CREATE TABLE charge_event (
    global_index     BIGINT NOT NULL AUTO_INCREMENT,
    event_id         CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    charge_id        CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'charge_fence.charge_id as text',
    sequence         BIGINT NOT NULL COMMENT 'counted from 0 without gaps within a charge',
    type             VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'kind of stream',
    recorded_at      DATETIME(6) NOT NULL COMMENT 'UTC, database clock of the decision',
    payload_type     VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    payload_revision VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    payload          JSON NOT NULL,
    metadata         JSON NOT NULL COMMENT 'who and why: worker, delivery, trace',
    order_id         VARBINARY(255) NOT NULL,
    step             VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    PRIMARY KEY (global_index),
    CONSTRAINT uq_charge_event_stream UNIQUE (charge_id, sequence)
) ENGINE = InnoDB;
