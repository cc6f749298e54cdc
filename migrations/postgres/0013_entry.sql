-- +goose Up

-- The rulebook says where entries can stand. SQLite changes no check, so the
-- column is made anew.
ALTER TABLE entries ADD COLUMN standing SMALLINT NOT NULL DEFAULT 1 CHECK (standing BETWEEN 1 AND 9);
UPDATE entries SET standing = status;
ALTER TABLE entries DROP COLUMN status;
ALTER TABLE entries RENAME COLUMN standing TO status;

ALTER TABLE entries ADD COLUMN late_bye SMALLINT NOT NULL DEFAULT 0; -- what each round before from_round gave
ALTER TABLE entries ADD COLUMN removed BOOLEAN NOT NULL DEFAULT FALSE; -- withdrawn by staff
ALTER TABLE entries ADD COLUMN reason TEXT NOT NULL DEFAULT ''; -- why refused, or let in against a condition

-- Whether registration of an announced tournament is closed, since when, and
-- when that changes by itself.
ALTER TABLE tournaments ADD COLUMN gate_closed BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE tournaments ADD COLUMN gate_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE tournaments ADD COLUMN gate_due BIGINT;
CREATE INDEX tournaments_gate ON tournaments (gate_due) WHERE gate_due IS NOT NULL;
