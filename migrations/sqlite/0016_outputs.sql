-- +goose Up

-- Records of matches that were played on the site a tournament comes from.
CREATE TABLE imported_records (
    tournament_id TEXT    NOT NULL REFERENCES tournaments (id),
    round         INTEGER NOT NULL,
    board         INTEGER NOT NULL,
    record        TEXT    NOT NULL,
    PRIMARY KEY (tournament_id, round, board)
);

-- A screen is a page for a venue's projector; who has its link sees it.
CREATE TABLE screens (
    id            TEXT     NOT NULL PRIMARY KEY,
    tournament_id TEXT     NOT NULL REFERENCES tournaments (id),
    token         TEXT     NOT NULL UNIQUE,
    name          TEXT     NOT NULL,
    shows         SMALLINT NOT NULL CHECK (shows BETWEEN 0 AND 31), -- a bit for each picture
    seconds       INTEGER  NOT NULL CHECK (seconds BETWEEN 5 AND 600),
    message       TEXT     NOT NULL DEFAULT '',
    lang          TEXT     NOT NULL,
    zone          TEXT     NOT NULL,
    version       BIGINT   NOT NULL,
    created_at    BIGINT   NOT NULL
);
CREATE INDEX screens_by_tournament ON screens (tournament_id);
