-- The log: every fact about every charge, appended and never changed. Kept through Axon's event store, under our own DDL:
-- Axon's would take the server's default collation. UNIQUE (charge_id, sequence) is the belt under every step after the
-- claim: two workers cannot both append event n. charge_id is time-ordered, so the log grows at its right edge whatever the
-- order ids look like. order_id and step stand in every row for people with SQL, and for a router that shards by order_id.
CREATE TABLE charge_event (
  global_index     BIGINT       NOT NULL AUTO_INCREMENT,
  charge_id        CHAR(36)     CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  sequence         BIGINT       NOT NULL,
  event_id         CHAR(36)     CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  stream_type      VARCHAR(16)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  payload_type     VARCHAR(32)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  payload_revision VARCHAR(8)   CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  payload          JSON         NOT NULL,
  metadata         JSON         NOT NULL,
  recorded_at      DATETIME(6)  NOT NULL,
  order_id         VARBINARY(255) NOT NULL,
  step             VARCHAR(64)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  CONSTRAINT charge_event_pk PRIMARY KEY (global_index),
  CONSTRAINT charge_event_once_per_sequence UNIQUE (charge_id, sequence)
) ENGINE = InnoDB;
