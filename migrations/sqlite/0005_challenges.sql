-- +goose Up

-- One player's offer to another, or by link to whoever has it. Settings are one
-- JSON text: nothing asks for a part of them. Once accepted there is a match.
CREATE TABLE challenges (
    id              TEXT     NOT NULL PRIMARY KEY,
    challenger_id   TEXT     NOT NULL REFERENCES players (id),
    opponent_id     TEXT     REFERENCES players (id), -- NULL: nobody has accepted by link yet
    by_link         BOOLEAN  NOT NULL,
    challenger_seat SMALLINT NOT NULL CHECK (challenger_seat BETWEEN 1 AND 2),
    rated           BOOLEAN  NOT NULL,
    settings        TEXT     NOT NULL,
    status          SMALLINT NOT NULL CHECK (status BETWEEN 1 AND 5), -- open, accepted, declined, withdrawn, expired
    match_id        TEXT     UNIQUE REFERENCES matches (id),
    rematch_of      TEXT     REFERENCES matches (id),
    created_at      BIGINT   NOT NULL,
    expires_at      BIGINT   NOT NULL,
    closed_at       BIGINT   NOT NULL DEFAULT 0,
    rated_at        BIGINT,
    rated_no        BIGINT   UNIQUE, -- its place among the rated events
    CHECK (challenger_id <> opponent_id),
    CHECK (by_link OR opponent_id IS NOT NULL),
    CHECK ((status = 2) = (match_id IS NOT NULL)),
    CHECK ((rated_at IS NULL) = (rated_no IS NULL))
);
-- One may wait for the same player; a match has one rematch, offered or played.
CREATE UNIQUE INDEX challenges_open_pair ON challenges (challenger_id, opponent_id) WHERE status = 1;
CREATE UNIQUE INDEX challenges_rematch ON challenges (rematch_of) WHERE status <= 2 AND rematch_of IS NOT NULL;
CREATE INDEX challenges_open_opponent ON challenges (opponent_id) WHERE status = 1;
CREATE INDEX challenges_expiry ON challenges (expires_at) WHERE status = 1;
CREATE INDEX challenges_unrated ON challenges (closed_at) WHERE status = 2 AND rated AND rated_no IS NULL;

-- A rated challenge changes ratings as a tournament does. What is rated together
-- is one event, and its ordinal is its place among all of them.
CREATE TABLE rating_changes_of_events (
    ordinal       BIGINT   NOT NULL,
    player_id     TEXT     NOT NULL REFERENCES players (id),
    reason        SMALLINT NOT NULL,
    tournament_id TEXT     REFERENCES tournaments (id),
    challenge_id  TEXT     REFERENCES challenges (id),
    before        BIGINT   NOT NULL,
    after         BIGINT   NOT NULL,
    k             INTEGER  NOT NULL,
    games         INTEGER  NOT NULL, -- rated games completed afterwards
    steps         TEXT     NOT NULL, -- every game that counted (JSON)
    at            BIGINT   NOT NULL,
    PRIMARY KEY (ordinal, player_id, reason),
    CHECK ((tournament_id IS NULL) <> (challenge_id IS NULL))
);
INSERT INTO rating_changes_of_events (ordinal, player_id, reason, tournament_id, challenge_id, before, after, k, games, steps, at)
    SELECT ordinal, player_id, reason, tournament_id, NULL, before, after, k, games, steps, at FROM rating_changes;
DROP TABLE rating_changes;
ALTER TABLE rating_changes_of_events RENAME TO rating_changes;
CREATE INDEX rating_changes_player ON rating_changes (player_id, ordinal);
CREATE INDEX rating_changes_tournament ON rating_changes (tournament_id) WHERE tournament_id IS NOT NULL;
CREATE INDEX rating_changes_challenge ON rating_changes (challenge_id) WHERE challenge_id IS NOT NULL;
