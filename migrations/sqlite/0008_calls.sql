-- +goose Up

-- A player's call for an arbiter. Where the match stood is kept with it, for a
-- match that is played again stands there no more.
CREATE TABLE match_calls (
    id            TEXT     NOT NULL PRIMARY KEY,
    match_id      TEXT     NOT NULL REFERENCES matches (id),
    tournament_id TEXT     REFERENCES tournaments (id),
    ladder_id     TEXT     REFERENCES ladders (id),
    round         INTEGER  NOT NULL DEFAULT 0,
    board         INTEGER  NOT NULL DEFAULT 0,
    caller_id     TEXT     NOT NULL REFERENCES players (id),
    seat          SMALLINT NOT NULL CHECK (seat BETWEEN 1 AND 2),
    text          TEXT     NOT NULL,
    stopped       BOOLEAN  NOT NULL, -- the clocks
    at            BIGINT   NOT NULL,
    taken_by      TEXT     REFERENCES players (id), -- NULL: it waits
    taken_at      BIGINT   NOT NULL DEFAULT 0,
    resolved_by   TEXT     REFERENCES players (id),
    resolved_at   BIGINT   NOT NULL DEFAULT 0 -- 0: it is open
);
CREATE INDEX match_calls_match ON match_calls (match_id);
CREATE INDEX match_calls_tournament ON match_calls (tournament_id, resolved_at) WHERE tournament_id IS NOT NULL;
CREATE UNIQUE INDEX match_calls_open ON match_calls (match_id, caller_id) WHERE resolved_at = 0;

-- The talk between arbiters and the two players of a match.
CREATE TABLE match_messages (
    match_id TEXT    NOT NULL REFERENCES matches (id),
    no       INTEGER NOT NULL CHECK (no >= 1),
    by_id    TEXT    NOT NULL REFERENCES players (id),
    staff    BOOLEAN NOT NULL,
    text     TEXT    NOT NULL,
    at       BIGINT  NOT NULL,
    PRIMARY KEY (match_id, no)
);

-- A match that was made void and is played again as another.
CREATE TABLE match_replays (
    match_id TEXT NOT NULL PRIMARY KEY REFERENCES matches (id),
    next_id  TEXT NOT NULL UNIQUE REFERENCES matches (id)
);

-- When each player last had the page of his match open.
CREATE TABLE match_presence (
    match_id  TEXT   NOT NULL REFERENCES matches (id),
    player_id TEXT   NOT NULL REFERENCES players (id),
    at        BIGINT NOT NULL,
    PRIMARY KEY (match_id, player_id)
);
CREATE INDEX match_presence_at ON match_presence (at);
