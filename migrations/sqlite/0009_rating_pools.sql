-- +goose Up

-- A site has several rating lists: its own, those of clubs. rules and counts are
-- JSON texts; rules '' are the defaults. fold_id is the fold that is shown.
CREATE TABLE rating_pools (
    id         TEXT   NOT NULL PRIMARY KEY,
    club_id    TEXT   REFERENCES clubs (id) ON DELETE CASCADE, -- NULL: of the whole site
    name       TEXT   NOT NULL,
    zone       TEXT   NOT NULL,
    counts     TEXT   NOT NULL,
    rules      TEXT   NOT NULL,
    fold_id    BIGINT NOT NULL UNIQUE,
    created_at BIGINT NOT NULL
);
CREATE INDEX rating_pools_club ON rating_pools (club_id) WHERE club_id IS NOT NULL;
INSERT INTO rating_pools (id, club_id, name, zone, counts, rules, fold_id, created_at)
    SELECT 'main', NULL, '', 'UTC', '{"tournaments":true,"challenges":true,"ladders":false,"handicap":false}',
        COALESCE((SELECT value FROM settings WHERE name = 'rating'), ''), 1, 0;
INSERT INTO rating_pools (id, club_id, name, zone, counts, rules, fold_id, created_at)
    VALUES ('handicap', NULL, '', 'UTC', '{"tournaments":true,"challenges":true,"ladders":true,"handicap":true}', '', 2, 0);
DELETE FROM settings WHERE name = 'rating';

-- What a pool's events fold to, by its rules of that time. One is shown, one may
-- be in the making; a monthly list is a copy of where all stood. upto is the last
-- event that is in it; from stale_from on it has to be made anew.
CREATE TABLE rating_folds (
    id         BIGINT   NOT NULL PRIMARY KEY,
    pool_id    TEXT     NOT NULL REFERENCES rating_pools (id) ON DELETE CASCADE,
    status     SMALLINT NOT NULL CHECK (status BETWEEN 1 AND 4), -- shown, in the making, monthly, dropped
    month      TEXT     NOT NULL DEFAULT '', -- of a monthly list, as 2026-11
    counts     TEXT     NOT NULL,
    rules      TEXT     NOT NULL,
    upto       BIGINT   NOT NULL,
    stale_from BIGINT,
    at         BIGINT   NOT NULL -- when it was begun, or the moment of a monthly list
);
CREATE UNIQUE INDEX rating_folds_one ON rating_folds (pool_id, status, month) WHERE status < 4;
-- The first fold is made anew once: the old rows do not have all that it goes on from.
INSERT INTO rating_folds (id, pool_id, status, counts, rules, upto, stale_from, at)
    SELECT fold_id, id, 1, counts, rules, CASE id WHEN 'main' THEN COALESCE((SELECT MAX(ordinal) FROM rating_changes), 0) ELSE 0 END,
        CASE WHEN id = 'main' AND EXISTS (SELECT 1 FROM rating_changes) THEN 1 END, 0 FROM rating_pools;

-- Every rated event and its place among all: what changes ratings, in which order.
CREATE TABLE rated_events (
    ordinal       BIGINT  NOT NULL PRIMARY KEY,
    tournament_id TEXT    UNIQUE REFERENCES tournaments (id),
    challenge_id  TEXT    UNIQUE REFERENCES challenges (id),
    match_id      TEXT    UNIQUE REFERENCES matches (id), -- of a ladder
    pool_id       TEXT    REFERENCES rating_pools (id) ON DELETE CASCADE, -- ratings given to players of a pool
    handicap      BOOLEAN NOT NULL DEFAULT FALSE,
    ended_at      BIGINT  NOT NULL,
    rated_at      BIGINT  NOT NULL
);
INSERT INTO rated_events (ordinal, tournament_id, ended_at, rated_at)
    SELECT rated_no, id, ended_at, rated_at FROM tournaments WHERE rated_no IS NOT NULL;
INSERT INTO rated_events (ordinal, challenge_id, ended_at, rated_at)
    SELECT c.rated_no, c.id, m.last_at, c.rated_at FROM challenges c JOIN matches m ON m.id = c.match_id WHERE c.rated_no IS NOT NULL;

-- Who was a member of which club when an event was rated.
CREATE TABLE rated_members (
    ordinal   BIGINT NOT NULL REFERENCES rated_events (ordinal) ON DELETE CASCADE,
    club_id   TEXT   NOT NULL REFERENCES clubs (id) ON DELETE CASCADE,
    player_id TEXT   NOT NULL REFERENCES players (id),
    PRIMARY KEY (ordinal, club_id, player_id)
) WITHOUT ROWID;
INSERT INTO rated_members (ordinal, club_id, player_id)
    SELECT e.ordinal, m.club_id, m.player_id FROM rated_events e JOIN entries n ON n.tournament_id = e.tournament_id
        JOIN club_members m ON m.player_id = n.player_id;
INSERT INTO rated_members (ordinal, club_id, player_id)
    SELECT e.ordinal, m.club_id, m.player_id FROM rated_events e JOIN challenges c ON c.id = e.challenge_id
        JOIN club_members m ON m.player_id IN (c.challenger_id, c.opponent_id);

-- Ratings given to players: of an import.
CREATE TABLE rating_starts (
    ordinal   BIGINT  NOT NULL REFERENCES rated_events (ordinal) ON DELETE CASCADE,
    player_id TEXT    NOT NULL REFERENCES players (id),
    rating    INTEGER NOT NULL CHECK (rating > 0),
    games     INTEGER NOT NULL CHECK (games >= 0),
    deviation INTEGER NOT NULL CHECK (deviation >= 0),
    PRIMARY KEY (ordinal, player_id)
) WITHOUT ROWID;

-- For the K-factor of the young, shown to nobody but the player and operators.
CREATE TABLE rating_births (
    player_id TEXT     NOT NULL PRIMARY KEY REFERENCES players (id) ON DELETE CASCADE,
    year      SMALLINT NOT NULL CHECK (year BETWEEN 1900 AND 2200)
);

CREATE TABLE pool_ratings (
    fold_id     BIGINT  NOT NULL,
    player_id   TEXT    NOT NULL REFERENCES players (id),
    bot         BOOLEAN NOT NULL,
    rating      BIGINT  NOT NULL, -- 0: none yet
    games       INTEGER NOT NULL,
    provisional BOOLEAN NOT NULL,
    peak        BIGINT  NOT NULL,
    deviation   BIGINT  NOT NULL, -- hundredths, as ratings; 0: the method has none
    state       TEXT    NOT NULL, -- what else the fold goes on from (JSON)
    at          BIGINT  NOT NULL,
    PRIMARY KEY (fold_id, player_id)
) WITHOUT ROWID;
INSERT INTO pool_ratings (fold_id, player_id, bot, rating, games, provisional, peak, deviation, state, at)
    SELECT 1, r.player_id, p.bot, r.rating, r.games, r.provisional, r.peak, 0, '', r.at FROM ratings r JOIN players p ON p.id = r.player_id;
DROP TABLE ratings;
ALTER TABLE pool_ratings RENAME TO ratings;
-- All that the filters of a list ask for.
CREATE INDEX ratings_order ON ratings (fold_id, bot, rating, player_id, games, provisional, at);

-- A change holds where the player stood after it: a fold can go on from any event.
CREATE TABLE pool_changes (
    fold_id     BIGINT   NOT NULL,
    ordinal     BIGINT   NOT NULL,
    player_id   TEXT     NOT NULL REFERENCES players (id),
    reason      SMALLINT NOT NULL,
    final       BOOLEAN  NOT NULL, -- the last one of the player in the event
    before      BIGINT   NOT NULL,
    after       BIGINT   NOT NULL,
    k           INTEGER  NOT NULL,
    games       INTEGER  NOT NULL, -- rated games completed afterwards
    provisional BOOLEAN  NOT NULL,
    peak        BIGINT   NOT NULL,
    deviation   BIGINT   NOT NULL,
    state       TEXT     NOT NULL,
    steps       TEXT     NOT NULL, -- every game that counted (JSON)
    at          BIGINT   NOT NULL,
    PRIMARY KEY (fold_id, ordinal, player_id, reason)
) WITHOUT ROWID;
INSERT INTO pool_changes (fold_id, ordinal, player_id, reason, final, before, after, k, games, provisional, peak, deviation, state, steps, at)
    SELECT 1, ordinal, player_id, reason, reason > 1, before, after, k, games, FALSE, after, 0, '', steps, at FROM rating_changes;
DROP TABLE rating_changes;
ALTER TABLE pool_changes RENAME TO rating_changes;
CREATE INDEX rating_changes_player ON rating_changes (fold_id, player_id, ordinal);

-- What each player paid in a match for each target, and how it went: it follows
-- from the logs and can be made anew. A match is in match_bids_done once it was read.
CREATE TABLE match_bids (
    match_id  TEXT     NOT NULL REFERENCES matches (id),
    player_id TEXT     NOT NULL REFERENCES players (id),
    target    SMALLINT NOT NULL CHECK (target BETWEEN 0 AND 9),
    chips     INTEGER  NOT NULL,
    purse     INTEGER  NOT NULL, -- chips at the beginning
    won       SMALLINT NOT NULL, -- 1: had the last word, 0: the other one, 2: chance or nobody
    score     SMALLINT NOT NULL, -- half points of the match
    PRIMARY KEY (match_id, player_id, target)
) WITHOUT ROWID;
CREATE INDEX match_bids_player ON match_bids (player_id, target);
CREATE TABLE match_bids_done (
    match_id TEXT NOT NULL PRIMARY KEY REFERENCES matches (id)
);
CREATE INDEX matches_ended ON matches (last_at) WHERE status = 3;
