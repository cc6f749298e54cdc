-- +goose Up

-- The rulebook says which formats and statuses there are. SQLite changes no
-- check, so the table is made anew; until the rows are back, the tables that
-- refer to it wait.
PRAGMA defer_foreign_keys = ON;
CREATE TABLE tournaments_kept AS SELECT * FROM tournaments;
DROP TABLE tournaments;
CREATE TABLE tournaments (
    id           TEXT     NOT NULL PRIMARY KEY,
    organizer_id TEXT     NOT NULL REFERENCES players (id),
    name         TEXT     NOT NULL,
    format       SMALLINT NOT NULL CHECK (format BETWEEN 1 AND 9),
    status       SMALLINT NOT NULL CHECK (status BETWEEN 1 AND 9),
    rated        BOOLEAN  NOT NULL,
    settings     TEXT     NOT NULL,
    opening      SMALLINT NOT NULL DEFAULT 0 CHECK (opening BETWEEN 0 AND 2),
    seed         TEXT     NOT NULL DEFAULT '',
    forbidden    TEXT     NOT NULL DEFAULT '',
    rounds       INTEGER  NOT NULL DEFAULT 0, -- planned
    next_at      BIGINT, -- when the next round opens by itself
    stuck        TEXT     NOT NULL DEFAULT '', -- why the next round could not be paired
    created_at   BIGINT   NOT NULL,
    started_at   BIGINT   NOT NULL DEFAULT 0,
    ended_at     BIGINT   NOT NULL DEFAULT 0,
    rated_at     BIGINT,
    rated_no     BIGINT UNIQUE, -- its place among the rated ones
    version      BIGINT   NOT NULL
);
INSERT INTO tournaments SELECT * FROM tournaments_kept;
DROP TABLE tournaments_kept;
CREATE INDEX tournaments_next ON tournaments (next_at) WHERE next_at IS NOT NULL;
CREATE INDEX tournaments_status ON tournaments (status, created_at);
CREATE INDEX tournaments_organizer ON tournaments (organizer_id);

-- Everything done to a tournament, one line a version: folded, they are the
-- tournament. changes is a JSON list of path, before and after.
CREATE TABLE tournament_deeds (
    tournament_id TEXT     NOT NULL REFERENCES tournaments (id),
    seq           BIGINT   NOT NULL CHECK (seq >= 1),
    at            BIGINT   NOT NULL,
    by_player     TEXT     NOT NULL DEFAULT '', -- '': the site by itself
    duty          SMALLINT NOT NULL DEFAULT 0,
    act           TEXT     NOT NULL,
    reason        TEXT     NOT NULL DEFAULT '',
    changes       TEXT     NOT NULL,
    PRIMARY KEY (tournament_id, seq)
);

CREATE TABLE tournament_staff (
    tournament_id TEXT     NOT NULL REFERENCES tournaments (id),
    player_id     TEXT     NOT NULL REFERENCES players (id),
    place         INTEGER  NOT NULL,
    duty          SMALLINT NOT NULL CHECK (duty BETWEEN 1 AND 9), -- owner, arbiter, pairing, results, read-only
    invited       BOOLEAN  NOT NULL,
    since         BIGINT   NOT NULL,
    PRIMARY KEY (tournament_id, player_id)
);
CREATE INDEX tournament_staff_by_player ON tournament_staff (player_id);

INSERT INTO tournament_staff (tournament_id, player_id, place, duty, invited, since)
    SELECT id, organizer_id, 0, 1, FALSE, created_at FROM tournaments;
