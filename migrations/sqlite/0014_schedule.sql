-- +goose Up

-- What staff have changed of the plan (pause, appointed times; JSON), and of
-- which tournament this is the rehearsal.
ALTER TABLE tournaments ADD COLUMN timetable TEXT NOT NULL DEFAULT '';
ALTER TABLE tournaments ADD COLUMN rehearsal TEXT NOT NULL DEFAULT '';

-- For which rounds the entry has checked in, and which it missed (JSON).
ALTER TABLE entries ADD COLUMN check_in TEXT NOT NULL DEFAULT '';

-- Matches to which a player did not come, and what he said about it.
CREATE TABLE no_shows (
    id            TEXT     NOT NULL PRIMARY KEY,
    player_id     TEXT     NOT NULL REFERENCES players (id) ON DELETE CASCADE,
    tournament_id TEXT     NOT NULL REFERENCES tournaments (id),
    round         INTEGER  NOT NULL,
    board         INTEGER  NOT NULL,
    match_id      TEXT     NOT NULL,
    at            BIGINT   NOT NULL,
    appeal        TEXT     NOT NULL DEFAULT '',
    appealed_at   BIGINT   NOT NULL DEFAULT 0,
    verdict       SMALLINT NOT NULL DEFAULT 0 CHECK (verdict BETWEEN 0 AND 2), -- none yet, excused, upheld
    answer        TEXT     NOT NULL DEFAULT '',
    decided_by    TEXT     NOT NULL DEFAULT '',
    decided_at    BIGINT   NOT NULL DEFAULT 0,
    UNIQUE (match_id, player_id)
);
CREATE INDEX no_shows_player ON no_shows (player_id, at);
CREATE INDEX no_shows_tournament ON no_shows (tournament_id);

-- Dry runs: what is simulated, how far it has come and what came of it, both
-- JSON. Nodes work on a piece at a time: done guards it, leased_until keeps the
-- others from the same piece.
CREATE TABLE dry_runs (
    id            TEXT     NOT NULL PRIMARY KEY,
    tournament_id TEXT     NOT NULL REFERENCES tournaments (id),
    by_player     TEXT     NOT NULL REFERENCES players (id),
    seed          BIGINT   NOT NULL,
    total         INTEGER  NOT NULL CHECK (total >= 1),
    done          INTEGER  NOT NULL DEFAULT 0 CHECK (done BETWEEN 0 AND total),
    first         INTEGER  NOT NULL,
    plan          TEXT     NOT NULL,
    samples       TEXT     NOT NULL DEFAULT '',
    state         SMALLINT NOT NULL CHECK (state BETWEEN 1 AND 4), -- running, done, cancelled, failed
    leased_until  BIGINT   NOT NULL DEFAULT 0,
    created_at    BIGINT   NOT NULL,
    ended_at      BIGINT   NOT NULL DEFAULT 0
);
CREATE INDEX dry_runs_tournament ON dry_runs (tournament_id, created_at);
CREATE INDEX dry_runs_running ON dry_runs (created_at) WHERE state = 1;
