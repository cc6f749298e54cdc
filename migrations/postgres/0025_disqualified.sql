-- +goose Up

-- Where a disqualified entry stood before, for the taking back: a status; 0: active.
ALTER TABLE entries ADD COLUMN was SMALLINT NOT NULL DEFAULT 0 CHECK (was BETWEEN 0 AND 5);
