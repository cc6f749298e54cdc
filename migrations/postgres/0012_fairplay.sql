-- +goose Up

-- What a token may do. Those there are could do all that their account could.
ALTER TABLE tokens ADD COLUMN scopes TEXT NOT NULL DEFAULT 'read challenge board:play';
UPDATE tokens SET scopes = 'read challenge bot:play' WHERE player_id IN (SELECT id FROM players WHERE bot);

-- Who answers for a bot; NULL: a person, or a bot that the house plays.
ALTER TABLE players ADD COLUMN maintainer_id TEXT REFERENCES players (id);
CREATE INDEX players_by_maintainer ON players (maintainer_id) WHERE maintainer_id IS NOT NULL;

-- Demands that an arbiter let an entry pass without, by their names.
ALTER TABLE entries ADD COLUMN waived TEXT NOT NULL DEFAULT '';

-- The level demanded, 0 for matches from before there were levels; what was
-- achieved, 0: not known yet; and how much later watchers see the moves.
ALTER TABLE matches ADD COLUMN level SMALLINT NOT NULL DEFAULT 0 CHECK (level BETWEEN 0 AND 4);
ALTER TABLE matches ADD COLUMN achieved SMALLINT NOT NULL DEFAULT 0 CHECK (achieved BETWEEN 0 AND 4);
ALTER TABLE matches ADD COLUMN feed_plies INTEGER NOT NULL DEFAULT 0;
ALTER TABLE matches ADD COLUMN feed_seconds INTEGER NOT NULL DEFAULT 0;
CREATE INDEX matches_unassured ON matches (last_at) WHERE status = 3 AND level > 0 AND achieved = 0;
CREATE INDEX matches_guarded ON matches (last_at) WHERE level > 1;

-- A policy is named by the hash of its text and never changes.
CREATE TABLE policies (
    hash  TEXT     NOT NULL PRIMARY KEY,
    level SMALLINT NOT NULL CHECK (level BETWEEN 1 AND 4),
    body  TEXT     NOT NULL
);
CREATE TABLE match_policies (
    match_id    TEXT NOT NULL PRIMARY KEY REFERENCES matches (id),
    policy_hash TEXT NOT NULL REFERENCES policies (hash),
    statement   TEXT NOT NULL DEFAULT '' -- signed, once the match is over (JSON)
);

-- What happened on either side of a match; of each kind once.
CREATE TABLE match_facts (
    match_id  TEXT     NOT NULL REFERENCES matches (id),
    seat      SMALLINT NOT NULL CHECK (seat BETWEEN 1 AND 2),
    kind      TEXT     NOT NULL,
    demand    TEXT     NOT NULL DEFAULT '',
    at        BIGINT   NOT NULL,
    move      INTEGER  NOT NULL DEFAULT 0,
    number    INTEGER  NOT NULL DEFAULT 0,
    by_player TEXT     NOT NULL DEFAULT '',
    PRIMARY KEY (match_id, seat, kind, demand)
);

-- What the server noticed about a player; for him and the arbiters only.
CREATE TABLE signals (
    id        TEXT    NOT NULL PRIMARY KEY,
    player_id TEXT    NOT NULL REFERENCES players (id),
    match_id  TEXT    NOT NULL REFERENCES matches (id),
    kind      TEXT    NOT NULL,
    at        BIGINT  NOT NULL,
    move      INTEGER NOT NULL DEFAULT 0,
    detail    TEXT    NOT NULL DEFAULT ''
);
CREATE INDEX signals_by_player ON signals (player_id, at);
CREATE INDEX signals_by_match ON signals (match_id, at);

-- Who asked our analysis for a position that was being played.
CREATE TABLE analysis_refusals (
    id        TEXT   NOT NULL PRIMARY KEY,
    match_id  TEXT   NOT NULL REFERENCES matches (id),
    player_id TEXT   NOT NULL REFERENCES players (id),
    at        BIGINT NOT NULL,
    position  TEXT   NOT NULL
);
CREATE INDEX analysis_refusals_by_match ON analysis_refusals (match_id, at);

-- From which browsers and networks a match was played, as keyed hashes.
CREATE TABLE match_devices (
    match_id TEXT     NOT NULL REFERENCES matches (id),
    seat     SMALLINT NOT NULL CHECK (seat BETWEEN 1 AND 2),
    session  TEXT     NOT NULL,
    device   TEXT     NOT NULL,
    network  TEXT     NOT NULL,
    at       BIGINT   NOT NULL,
    PRIMARY KEY (match_id, seat, session, device, network)
);
CREATE INDEX match_devices_by_time ON match_devices (at);

-- Who accepted which fair-play text.
CREATE TABLE fair_play_acceptances (
    player_id TEXT    NOT NULL REFERENCES players (id),
    text_hash TEXT    NOT NULL,
    version   INTEGER NOT NULL,
    at        BIGINT  NOT NULL,
    PRIMARY KEY (player_id, text_hash)
);
