-- +goose Up
CREATE TABLE players (
    id         TEXT    NOT NULL PRIMARY KEY,
    handle     TEXT    NOT NULL CHECK (length(handle) BETWEEN 3 AND 20),
    handle_key TEXT    NOT NULL UNIQUE,
    role       TEXT    NOT NULL CHECK (role IN ('player', 'organizer', 'operator')),
    bot        BOOLEAN NOT NULL DEFAULT FALSE,
    credential TEXT    NOT NULL DEFAULT '',
    lang       TEXT    NOT NULL DEFAULT '',
    theme      TEXT    NOT NULL DEFAULT '',
    zone       TEXT    NOT NULL DEFAULT '',
    silent     BOOLEAN NOT NULL DEFAULT FALSE,
    created_at BIGINT  NOT NULL
);

CREATE TABLE sessions (
    digest     TEXT   NOT NULL PRIMARY KEY,
    id         TEXT   NOT NULL UNIQUE,
    player_id  TEXT   NOT NULL REFERENCES players (id) ON DELETE CASCADE,
    created_at BIGINT NOT NULL,
    used_at    BIGINT NOT NULL,
    device     TEXT   NOT NULL,
    address    TEXT   NOT NULL
);
CREATE INDEX sessions_by_player ON sessions (player_id);
CREATE INDEX sessions_by_use ON sessions (used_at);

CREATE TABLE tokens (
    digest     TEXT   NOT NULL PRIMARY KEY,
    id         TEXT   NOT NULL UNIQUE,
    player_id  TEXT   NOT NULL REFERENCES players (id) ON DELETE CASCADE,
    name       TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    used_at    BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX tokens_by_player ON tokens (player_id);

CREATE TABLE sign_in_links (
    digest     TEXT   NOT NULL PRIMARY KEY,
    player_id  TEXT   NOT NULL REFERENCES players (id) ON DELETE CASCADE,
    expires_at BIGINT NOT NULL
);

CREATE TABLE settings (
    name  TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
);

CREATE TABLE clubs (
    id         TEXT   NOT NULL PRIMARY KEY,
    name       TEXT   NOT NULL,
    name_key   TEXT   NOT NULL UNIQUE,
    about      TEXT   NOT NULL DEFAULT '',
    created_at BIGINT NOT NULL
);

CREATE TABLE club_members (
    club_id   TEXT   NOT NULL REFERENCES clubs (id) ON DELETE CASCADE,
    player_id TEXT   NOT NULL REFERENCES players (id) ON DELETE CASCADE,
    role      TEXT   NOT NULL CHECK (role IN ('member', 'head')),
    joined_at BIGINT NOT NULL,
    PRIMARY KEY (club_id, player_id)
);
CREATE INDEX club_members_by_player ON club_members (player_id);
