-- The outbox: what an order back end asked for and no worker has claimed yet. The row commits or rolls back with the
-- order, so a charge can neither be lost nor be made for an order that never was. The claim deletes it in its own
-- transaction, so the table stays small.
--
-- It is also the door for other languages: INSERT the order id (as bytes), step, amount, currency, source and provider in
-- the producer's own transaction; everything else has a default.
--
-- Why VARBINARY: every text collation that MySQL and MariaDB share merges ids that differ (case, accents, emoji, or, even in
-- utf8mb4_bin, trailing spaces), and a merged id is an order that is never charged.
-- Why utc_timestamp(6): now() is local to whatever time zone the session has.

CREATE TABLE charge_request (
    order_id     VARBINARY(255) NOT NULL,
    step         VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    amount_minor BIGINT NOT NULL COMMENT 'minor units of the currency',
    currency     CHAR(3) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    source       VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL COMMENT 'token of the payment method',
    provider     VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    attributes   JSON NULL COMMENT 'object of short texts for the provider',
    conflict     JSON NULL COMMENT 'another intent that was refused for this step',
    traceparent  VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL,
    requested_at DATETIME(6) NOT NULL DEFAULT (utc_timestamp(6)),
    due_at       DATETIME(6) NOT NULL DEFAULT (utc_timestamp(6)) COMMENT 'published when this has passed',
    PRIMARY KEY (order_id, step),
    CONSTRAINT ck_charge_request_order_id CHECK (length(order_id) > 0),
    CONSTRAINT ck_charge_request_step CHECK (char_length(step) > 0),
    CONSTRAINT ck_charge_request_amount CHECK (amount_minor > 0 AND amount_minor <= 999999999999),
    CONSTRAINT ck_charge_request_currency CHECK (char_length(currency) = 3),
    CONSTRAINT ck_charge_request_source CHECK (char_length(source) > 0),
    INDEX ix_charge_request_due (due_at)
) ENGINE = InnoDB;
