-- +goose Up

-- What became of a report: the review of whom it is about that ended next, and
-- whether something was upheld.
ALTER TABLE play_reports ADD COLUMN review_id TEXT NOT NULL DEFAULT '';
ALTER TABLE play_reports ADD COLUMN upheld BOOLEAN NOT NULL DEFAULT FALSE;

-- Who looked at what is recorded of a player, but himself. place is the event.
CREATE TABLE dossier_views (
    player_id TEXT   NOT NULL REFERENCES players (id),
    place     TEXT   NOT NULL,
    by_player TEXT   NOT NULL REFERENCES players (id),
    at        BIGINT NOT NULL,
    PRIMARY KEY (player_id, place, by_player, at)
);
CREATE INDEX dossier_views_by ON dossier_views (by_player, at);

-- Counts of months (as 2026-11) by name, for the numbers of a season: what they
-- count goes after its term.
CREATE TABLE fair_play_counts (
    month TEXT   NOT NULL,
    name  TEXT   NOT NULL,
    n     BIGINT NOT NULL,
    PRIMARY KEY (month, name)
);
-- The same for each who judges, for operators.
CREATE TABLE arbiter_counts (
    month     TEXT   NOT NULL,
    player_id TEXT   NOT NULL REFERENCES players (id),
    name      TEXT   NOT NULL,
    n         BIGINT NOT NULL,
    PRIMARY KEY (month, player_id, name)
);
CREATE INDEX arbiter_counts_by_player ON arbiter_counts (player_id);
