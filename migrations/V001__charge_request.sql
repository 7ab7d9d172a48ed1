-- The outbox: what order back ends asked for and no worker has claimed yet. A row is written in the order's own transaction
-- and leaves in the transaction of its claim, so the table stays small. Also the door for other languages: an INSERT of
-- order_id, step, amount_minor, currency, source and provider is enough.
-- order_id is bytes: ORD-1, ord-1 and ÖRD-1 are three orders under any server's default collation.
CREATE TABLE charge_request (
  order_id     VARBINARY(255) NOT NULL,
  step         VARCHAR(64)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  amount_minor BIGINT       NOT NULL,
  currency     CHAR(3)      CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  source       VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  provider     VARCHAR(32)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  attributes   JSON         NULL,
  conflict     JSON         NULL,
  traceparent  VARCHAR(64)  CHARACTER SET ascii COLLATE ascii_bin NULL,
  requested_at DATETIME(6)  NOT NULL DEFAULT (utc_timestamp(6)),
  due_at       DATETIME(6)  NOT NULL DEFAULT (utc_timestamp(6)),
  CONSTRAINT charge_request_pk PRIMARY KEY (order_id, step),
  CONSTRAINT charge_request_amount_is_positive CHECK (amount_minor > 0),
  INDEX charge_request_due (due_at)
) ENGINE = InnoDB;
