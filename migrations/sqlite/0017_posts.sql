-- +goose Up

-- Whether entrants may talk.
ALTER TABLE tournaments ADD COLUMN chat BOOLEAN NOT NULL DEFAULT FALSE;

-- Announcements and the chat of a tournament.
CREATE TABLE tournament_posts (
    tournament_id TEXT    NOT NULL REFERENCES tournaments (id),
    no            INTEGER NOT NULL CHECK (no >= 1),
    by_id         TEXT    NOT NULL REFERENCES players (id),
    at            BIGINT  NOT NULL,
    announcement  BOOLEAN NOT NULL,
    text          TEXT    NOT NULL,
    deleted_by    TEXT    NOT NULL DEFAULT '',
    reports       TEXT    NOT NULL DEFAULT '', -- who, when, why
    settled       BOOLEAN NOT NULL DEFAULT FALSE,
    PRIMARY KEY (tournament_id, no)
);
CREATE INDEX tournament_posts_by ON tournament_posts (by_id);

CREATE TABLE tournament_mutes (
    tournament_id TEXT   NOT NULL REFERENCES tournaments (id),
    player_id     TEXT   NOT NULL REFERENCES players (id),
    by_id         TEXT   NOT NULL REFERENCES players (id),
    at            BIGINT NOT NULL,
    until_at      BIGINT NOT NULL, -- 0: for good
    reason        TEXT   NOT NULL,
    PRIMARY KEY (tournament_id, player_id)
);
