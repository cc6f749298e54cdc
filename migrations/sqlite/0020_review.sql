-- +goose Up

-- Who watches an entry's matches for its fair play.
ALTER TABLE entries ADD COLUMN steward TEXT NOT NULL DEFAULT '';

-- What match pages told of themselves. Each hash covers the row before.
CREATE TABLE telemetry (
    match_id  TEXT     NOT NULL REFERENCES matches (id),
    seat      SMALLINT NOT NULL CHECK (seat BETWEEN 1 AND 2),
    no        INTEGER  NOT NULL,
    player_id TEXT     NOT NULL REFERENCES players (id),
    at        BIGINT   NOT NULL,
    kind      TEXT     NOT NULL,
    move      INTEGER  NOT NULL,
    number    INTEGER  NOT NULL,
    hash      TEXT     NOT NULL,
    PRIMARY KEY (match_id, seat, no)
);
CREATE INDEX telemetry_by_player ON telemetry (player_id);

-- What stewards did at a side of a match.
CREATE TABLE watches (
    match_id    TEXT     NOT NULL REFERENCES matches (id),
    seat        SMALLINT NOT NULL CHECK (seat BETWEEN 1 AND 2),
    steward_id  TEXT     NOT NULL REFERENCES players (id),
    player_id   TEXT     NOT NULL REFERENCES players (id),
    accepted_at BIGINT   NOT NULL DEFAULT 0,
    opened_at   BIGINT   NOT NULL DEFAULT 0,
    absent_at   BIGINT   NOT NULL DEFAULT 0,
    signed_at   BIGINT   NOT NULL DEFAULT 0,
    verdict     TEXT     NOT NULL DEFAULT '',
    checks      TEXT     NOT NULL DEFAULT '', -- with notes (JSON)
    PRIMARY KEY (match_id, seat)
);
CREATE INDEX watches_by_steward ON watches (steward_id);
CREATE INDEX watches_by_player ON watches (player_id);

-- Concerns about players, for them and for arbiters only. version counts changes.
CREATE TABLE reviews (
    id             TEXT   NOT NULL PRIMARY KEY,
    player_id      TEXT   NOT NULL REFERENCES players (id),
    tournament_id  TEXT   NOT NULL REFERENCES tournaments (id),
    status         TEXT   NOT NULL CHECK (status IN ('open', 'told', 'decided', 'appealed', 'closed')),
    opened_at      BIGINT NOT NULL,
    decided_at     BIGINT NOT NULL DEFAULT 0,
    closed_at      BIGINT NOT NULL DEFAULT 0,
    upheld         BOOLEAN NOT NULL DEFAULT FALSE,
    excluded_until BIGINT NOT NULL DEFAULT 0,
    version        BIGINT NOT NULL,
    body           TEXT   NOT NULL
);
CREATE INDEX reviews_by_player ON reviews (player_id, opened_at);
CREATE INDEX reviews_by_tournament ON reviews (tournament_id, opened_at);
CREATE UNIQUE INDEX reviews_running ON reviews (player_id, tournament_id) WHERE status <> 'closed';

-- What players report of others' play. Who reported is for arbiters only.
CREATE TABLE play_reports (
    match_id    TEXT   NOT NULL REFERENCES matches (id),
    reporter_id TEXT   NOT NULL REFERENCES players (id),
    player_id   TEXT   NOT NULL REFERENCES players (id),
    at          BIGINT NOT NULL,
    text        TEXT   NOT NULL,
    PRIMARY KEY (match_id, reporter_id, player_id)
);
CREATE INDEX play_reports_by_reporter ON play_reports (reporter_id, at);
CREATE INDEX play_reports_by_player ON play_reports (player_id, at);
