-- +goose Up

-- One head per match: what lists, clocks and bots ask for. It follows from the
-- log and can be rebuilt from it. Times are UTC milliseconds.
CREATE TABLE matches (
    id            TEXT     NOT NULL PRIMARY KEY,
    first_player  TEXT     NOT NULL REFERENCES players (id),
    second_player TEXT     NOT NULL REFERENCES players (id),
    first_bot     BOOLEAN  NOT NULL DEFAULT FALSE,
    second_bot    BOOLEAN  NOT NULL DEFAULT FALSE,
    seq           BIGINT   NOT NULL CHECK (seq >= 0),
    status        SMALLINT NOT NULL CHECK (status BETWEEN 0 AND 3), -- waiting, bidding, playing, over
    to_act        SMALLINT NOT NULL CHECK (to_act BETWEEN 0 AND 2), -- the seat whose clock runs, 0: none
    deadline_at   BIGINT,
    bot_due_at    BIGINT,
    outcome       SMALLINT NOT NULL DEFAULT 0 CHECK (outcome BETWEEN 0 AND 5),
    reason        TEXT     NOT NULL DEFAULT '',
    points_first  INTEGER  NOT NULL DEFAULT 0,
    points_second INTEGER  NOT NULL DEFAULT 0,
    opened_at     BIGINT   NOT NULL,
    last_at       BIGINT   NOT NULL,
    CHECK (first_player <> second_player),
    CHECK ((status = 3) = (outcome > 0)),
    CHECK (status < 3 OR (deadline_at IS NULL AND bot_due_at IS NULL))
);
CREATE INDEX matches_deadline ON matches (deadline_at) WHERE deadline_at IS NOT NULL;
CREATE INDEX matches_bot_due ON matches (bot_due_at) WHERE bot_due_at IS NOT NULL;
CREATE INDEX matches_running ON matches (last_at) WHERE status < 3;
CREATE INDEX matches_first ON matches (first_player, last_at);
CREATE INDEX matches_second ON matches (second_player, last_at);

-- The log: append-only, gapless from 1 per match. command_id stands on the first
-- event that a client's command led to, so that the same command cannot act twice.
CREATE TABLE match_events (
    match_id   TEXT     NOT NULL REFERENCES matches (id),
    seq        BIGINT   NOT NULL CHECK (seq >= 1),
    at         BIGINT   NOT NULL,
    kind       TEXT     NOT NULL,
    v          SMALLINT NOT NULL,
    seat       SMALLINT NOT NULL CHECK (seat BETWEEN 0 AND 2), -- whose command it was, 0: the server's
    command_id TEXT,
    body       TEXT     NOT NULL,
    PRIMARY KEY (match_id, seq)
) WITHOUT ROWID;
CREATE UNIQUE INDEX match_events_command ON match_events (match_id, command_id) WHERE command_id IS NOT NULL;

-- When each node last said that it is alive, and the outages found from that.
CREATE TABLE heartbeats (
    node TEXT   NOT NULL PRIMARY KEY,
    at   BIGINT NOT NULL
);
CREATE TABLE outages (
    from_at BIGINT  NOT NULL PRIMARY KEY,
    to_at   BIGINT  NOT NULL,
    settled BOOLEAN NOT NULL DEFAULT FALSE,
    CHECK (to_at > from_at)
);
