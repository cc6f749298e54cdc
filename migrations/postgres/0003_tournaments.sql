-- +goose Up

-- One head per tournament. Settings are one JSON text: they are read and written
-- as a whole, and nothing asks for a part of them. version is raised by every
-- change of the tournament, its entries, rounds and results.
CREATE TABLE tournaments (
    id           TEXT     NOT NULL PRIMARY KEY,
    organizer_id TEXT     NOT NULL REFERENCES players (id),
    name         TEXT     NOT NULL,
    format       SMALLINT NOT NULL CHECK (format BETWEEN 1 AND 2), -- round robin, Swiss
    status       SMALLINT NOT NULL CHECK (status BETWEEN 1 AND 4), -- draft, registration, running, finished
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
CREATE INDEX tournaments_next ON tournaments (next_at) WHERE next_at IS NOT NULL;
CREATE INDEX tournaments_status ON tournaments (status, created_at);
CREATE INDEX tournaments_organizer ON tournaments (organizer_id);

CREATE TABLE entries (
    tournament_id TEXT     NOT NULL REFERENCES tournaments (id),
    id            INTEGER  NOT NULL CHECK (id >= 1), -- in the order of entering
    player_id     TEXT     REFERENCES players (id), -- NULL: a guest
    name          TEXT     NOT NULL,
    club          TEXT     NOT NULL DEFAULT '',
    rating        INTEGER  NOT NULL DEFAULT 0,
    bot           BOOLEAN  NOT NULL DEFAULT FALSE,
    status        SMALLINT NOT NULL CHECK (status BETWEEN 1 AND 2), -- active, withdrawn
    number        INTEGER  NOT NULL DEFAULT 0,
    from_round    INTEGER  NOT NULL DEFAULT 1,
    until_round   INTEGER  NOT NULL DEFAULT 0,
    byes          TEXT     NOT NULL DEFAULT '', -- asked for: round and kind
    fast          BOOLEAN  NOT NULL DEFAULT FALSE,
    entered_at    BIGINT   NOT NULL,
    PRIMARY KEY (tournament_id, id)
);
CREATE UNIQUE INDEX entries_player ON entries (tournament_id, player_id) WHERE player_id IS NOT NULL;
CREATE INDEX entries_by_player ON entries (player_id);

-- input is the report the round was paired from, engine what paired it: together
-- they give the same pairing again.
CREATE TABLE rounds (
    tournament_id TEXT    NOT NULL REFERENCES tournaments (id),
    number        INTEGER NOT NULL CHECK (number >= 1),
    opened_at     BIGINT  NOT NULL,
    engine        TEXT    NOT NULL,
    input         TEXT    NOT NULL DEFAULT '',
    PRIMARY KEY (tournament_id, number)
);

CREATE TABLE pairings (
    tournament_id TEXT     NOT NULL,
    round         INTEGER  NOT NULL,
    board         INTEGER  NOT NULL CHECK (board >= 1),
    first_entry   INTEGER  NOT NULL,
    second_entry  INTEGER  NOT NULL,
    match_id      TEXT     UNIQUE REFERENCES matches (id),
    result        SMALLINT NOT NULL DEFAULT 0 CHECK (result BETWEEN 0 AND 6), -- 0: none yet
    points_first  INTEGER  NOT NULL DEFAULT 0,
    points_second INTEGER  NOT NULL DEFAULT 0,
    reason        TEXT     NOT NULL DEFAULT '',
    by_player     TEXT     NOT NULL DEFAULT '', -- who entered it by hand
    result_at     BIGINT   NOT NULL DEFAULT 0,
    PRIMARY KEY (tournament_id, round, board),
    FOREIGN KEY (tournament_id, round) REFERENCES rounds (tournament_id, number),
    FOREIGN KEY (tournament_id, first_entry) REFERENCES entries (tournament_id, id),
    FOREIGN KEY (tournament_id, second_entry) REFERENCES entries (tournament_id, id),
    CHECK (first_entry <> second_entry)
);
CREATE INDEX pairings_pending ON pairings (match_id) WHERE result = 0;

CREATE TABLE byes (
    tournament_id TEXT     NOT NULL,
    round         INTEGER  NOT NULL,
    entry         INTEGER  NOT NULL,
    kind          SMALLINT NOT NULL,
    PRIMARY KEY (tournament_id, round, entry),
    FOREIGN KEY (tournament_id, round) REFERENCES rounds (tournament_id, number),
    FOREIGN KEY (tournament_id, entry) REFERENCES entries (tournament_id, id)
);
