-- Proof is about one call. With two calls of one key under way, "the second was not executed" says nothing of the first, so
-- the calls whose end is open are counted, where a flag stood. calls_made counts what was transmitted in all: unlike calls,
-- which a release starts anew, it tells whether a report that names no call can only be about the one that was made.

ALTER TABLE charge_fence
    ADD COLUMN calls_made     INT NOT NULL DEFAULT 0 COMMENT 'transmissions of this attempt in all' AFTER doubt,
    ADD COLUMN unproven_calls INT NOT NULL DEFAULT 0 COMMENT 'those whose end is neither known nor proven' AFTER calls_made;

UPDATE charge_fence
   SET calls_made     = GREATEST(calls, CASE WHEN called_sequence IS NULL THEN 0 ELSE 1 END),
       unproven_calls = CASE WHEN unproven THEN GREATEST(calls, 1) ELSE 0 END;

ALTER TABLE charge_fence
    DROP COLUMN unproven,
    ALTER COLUMN calls_made DROP DEFAULT,
    ALTER COLUMN unproven_calls DROP DEFAULT;
