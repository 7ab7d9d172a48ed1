-- The fence. One row per order step, for ever: its primary key is the unique key that lets one worker claim a step once,
-- committed before the call leaves. Whoever gets error 1062 here has lost the race and does not call.
--
-- The rest of the row is the state of the charge, the fold of its events, so that state is one read by primary key. A write
-- names the stream_seq it decided on; the row of whoever decided on an older one does not match, and the write is refused.
--
-- Rows are never deleted: a deleted fence is a step that can be charged again.
-- There is no second unique key, so that 1062 on this table has one meaning.

CREATE TABLE charge_fence (
    order_id           VARBINARY(255) NOT NULL,
    step               VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    charge_id          BINARY(16) NOT NULL COMMENT 'UUIDv7 of the event stream, born with the claim',
    stage              VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    stream_seq         BIGINT NOT NULL COMMENT 'sequence of the last event',

    amount_minor       BIGINT NOT NULL COMMENT 'minor units of the currency',
    currency           CHAR(3) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    source             VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL COMMENT 'token of the payment method',
    provider           VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    attributes         JSON NULL COMMENT 'object of short texts for the provider',

    attempt            INT NOT NULL,
    calls              INT NOT NULL COMMENT 'transmissions of this attempt that count',
    waits              INT NOT NULL COMMENT 'calls proven not executed, for the backoff',
    look_ups           INT NOT NULL COMMENT 'look-ups without a result since the last call',
    not_found          INT NOT NULL COMMENT 'those of them that found nothing',
    doubt              VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NULL COMMENT 'what was seen instead of an answer',
    unproven           BOOLEAN NOT NULL COMMENT 'a call was made whose end is neither known nor proven',
    retry_at           DATETIME(6) NULL COMMENT 'no further call before that',
    opened_at          DATETIME(6) NOT NULL COMMENT 'when the budget of calls was opened',
    called_sequence    BIGINT NULL COMMENT 'sequence of the last ProviderCalled',
    idempotency_key    VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL,
    request_hash       VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL,
    call_deadline      DATETIME(6) NULL COMMENT 'until then the last call may be under way',
    resend_safe_until  DATETIME(6) NULL COMMENT 'until then the provider remembers the key',

    provider_reference VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL COMMENT 'set: the money was taken',
    decline_code       VARCHAR(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
    decline_kind       VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NULL,
    parked_reason      VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NULL,
    other_reference    VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL COMMENT 'another charge that was seen',
    charges_seen       INT NOT NULL COMMENT 'distinct successful charges; more than 1 is a double charge',
    conflicts          INT NOT NULL COMMENT 'refused requests with another intent',

    requested_at       DATETIME(6) NOT NULL,
    created_at         DATETIME(6) NOT NULL COMMENT 'when it was claimed',
    updated_at         DATETIME(6) NOT NULL DEFAULT (utc_timestamp(6)) COMMENT 'last event, by the database clock',
    due_at             DATETIME(6) NULL COMMENT 'acted on when this has passed; null at rest',

    PRIMARY KEY (order_id, step),
    CONSTRAINT ck_charge_fence_order_id CHECK (length(order_id) > 0),
    CONSTRAINT ck_charge_fence_amount CHECK (amount_minor > 0),
    INDEX ix_charge_fence_due (due_at)
) ENGINE = InnoDB;
