-- +goose Up

-- The next round before it is published, and by whose word a tournament is
-- final (JSON; empty: none).
ALTER TABLE tournaments ADD COLUMN draft TEXT NOT NULL DEFAULT '';
ALTER TABLE tournaments ADD COLUMN signed TEXT NOT NULL DEFAULT '';

ALTER TABLE rounds ADD COLUMN edited BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE entries ADD COLUMN expelled BOOLEAN NOT NULL DEFAULT FALSE;

-- What the ratings count of a board (0: its result), and how it was played
-- where somebody's leaving made it a forfeit (0: as the result says).
ALTER TABLE pairings ADD COLUMN rated_as SMALLINT NOT NULL DEFAULT 0 CHECK (rated_as BETWEEN 0 AND 6);
ALTER TABLE pairings ADD COLUMN played_as SMALLINT NOT NULL DEFAULT 0 CHECK (played_as BETWEEN 0 AND 6);
