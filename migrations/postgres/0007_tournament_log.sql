-- +goose Up

-- The rulebook says which formats and statuses there are.
ALTER TABLE tournaments DROP CONSTRAINT tournaments_format_check;
ALTER TABLE tournaments DROP CONSTRAINT tournaments_status_check;
ALTER TABLE tournaments ADD CONSTRAINT tournaments_format_check CHECK (format BETWEEN 1 AND 9);
ALTER TABLE tournaments ADD CONSTRAINT tournaments_status_check CHECK (status BETWEEN 1 AND 9);

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
