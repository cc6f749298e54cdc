-- +goose Up

-- Where every player stands, in hundredths of a point. It follows from
-- rating_changes, and those from the results.
CREATE TABLE ratings (
    player_id   TEXT    NOT NULL PRIMARY KEY REFERENCES players (id),
    rating      BIGINT  NOT NULL,
    games       INTEGER NOT NULL,
    provisional BOOLEAN NOT NULL,
    peak        BIGINT  NOT NULL,
    at          BIGINT  NOT NULL
);
CREATE INDEX ratings_order ON ratings (rating);

-- Why it is so: what each tournament did to each player. steps has every game
-- that counted (JSON).
CREATE TABLE rating_changes (
    tournament_id TEXT     NOT NULL REFERENCES tournaments (id),
    player_id     TEXT     NOT NULL REFERENCES players (id),
    reason        SMALLINT NOT NULL,
    ordinal       BIGINT   NOT NULL, -- of the tournament among the rated ones
    before        BIGINT   NOT NULL,
    after         BIGINT   NOT NULL,
    k             INTEGER  NOT NULL,
    games         INTEGER  NOT NULL, -- rated games completed afterwards
    steps         TEXT     NOT NULL,
    at            BIGINT   NOT NULL,
    PRIMARY KEY (tournament_id, player_id, reason)
);
CREATE INDEX rating_changes_player ON rating_changes (player_id, ordinal);
