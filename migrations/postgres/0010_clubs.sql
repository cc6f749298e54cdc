-- +goose Up

-- A column is replaced by a new one of its name where its CHECK has become too
-- narrow: SQLite cannot change a CHECK, and both dialects go the same way.
ALTER TABLE club_members ADD COLUMN new_role TEXT NOT NULL DEFAULT 'member' CHECK (new_role IN ('owner', 'organizer', 'arbiter', 'member'));
UPDATE club_members SET new_role = CASE role WHEN 'head' THEN 'owner' ELSE 'member' END;
ALTER TABLE club_members DROP COLUMN role;
ALTER TABLE club_members RENAME COLUMN new_role TO role;

-- version is raised by every change of the club and its people, so that two who
-- leave at once cannot both believe that the other stays.
ALTER TABLE clubs ADD COLUMN joining TEXT NOT NULL DEFAULT 'open' CHECK (joining IN ('open', 'request', 'code'));
ALTER TABLE clubs ADD COLUMN code TEXT NOT NULL DEFAULT '';
ALTER TABLE clubs ADD COLUMN version BIGINT NOT NULL DEFAULT 1;

CREATE TABLE club_requests (
    club_id   TEXT   NOT NULL REFERENCES clubs (id) ON DELETE CASCADE,
    player_id TEXT   NOT NULL REFERENCES players (id) ON DELETE CASCADE,
    note      TEXT   NOT NULL,
    asked_at  BIGINT NOT NULL,
    PRIMARY KEY (club_id, player_id)
);
CREATE INDEX club_requests_by_player ON club_requests (player_id);

CREATE TABLE club_bans (
    club_id   TEXT   NOT NULL REFERENCES clubs (id) ON DELETE CASCADE,
    player_id TEXT   NOT NULL REFERENCES players (id) ON DELETE CASCADE,
    by_player TEXT   NOT NULL,
    reason    TEXT   NOT NULL,
    banned_at BIGINT NOT NULL,
    until_at  BIGINT, -- NULL: for good
    PRIMARY KEY (club_id, player_id)
);
CREATE INDEX club_bans_by_player ON club_bans (player_id);

CREATE TABLE club_posts (
    id        TEXT   NOT NULL PRIMARY KEY,
    club_id   TEXT   NOT NULL REFERENCES clubs (id) ON DELETE CASCADE,
    author_id TEXT   NOT NULL REFERENCES players (id),
    title     TEXT   NOT NULL,
    body      TEXT   NOT NULL,
    posted_at BIGINT NOT NULL,
    edited_at BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX club_posts_by_club ON club_posts (club_id, posted_at);

-- Whose tournament it is; the settings say the same. Of those that are older, the
-- ones that an owner of a club has made in its name are the club's.
ALTER TABLE tournaments ADD COLUMN club_id TEXT REFERENCES clubs (id);
UPDATE tournaments SET club_id = (
    SELECT c.id FROM clubs c JOIN club_members m ON m.club_id = c.id
    WHERE c.name = tournaments.settings::jsonb ->> 'club' AND m.player_id = tournaments.organizer_id AND m.role = 'owner');
UPDATE tournaments SET settings = (settings::jsonb || jsonb_build_object('clubId', club_id))::text WHERE club_id IS NOT NULL;
CREATE INDEX tournaments_club ON tournaments (club_id) WHERE club_id IS NOT NULL;

-- Of a club match: when the line-ups were laid open, and whose player an entry is
-- (1 the home club's, 2 its opponent's).
ALTER TABLE tournaments ADD COLUMN line_ups_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE entries ADD COLUMN side SMALLINT NOT NULL DEFAULT 0;

-- Matches between two clubs, found by either; due_at is when the line-ups are
-- laid open if one of them is missing, NULL: they are open.
CREATE TABLE club_matches (
    tournament_id TEXT   NOT NULL PRIMARY KEY REFERENCES tournaments (id),
    home_id       TEXT   NOT NULL REFERENCES clubs (id),
    guest_id      TEXT   NOT NULL REFERENCES clubs (id),
    due_at        BIGINT,
    CHECK (home_id <> guest_id)
);
CREATE INDEX club_matches_home ON club_matches (home_id);
CREATE INDEX club_matches_guest ON club_matches (guest_id);
CREATE INDEX club_matches_due ON club_matches (due_at) WHERE due_at IS NOT NULL;

-- What a captain has named stays here, and out of the tournament that everybody
-- reads, until both line-ups are laid open together.
CREATE TABLE club_lineups (
    tournament_id TEXT   NOT NULL REFERENCES club_matches (tournament_id),
    club_id       TEXT   NOT NULL REFERENCES clubs (id),
    players       TEXT   NOT NULL, -- ids by board, JSON
    by_player     TEXT   NOT NULL,
    named_at      BIGINT NOT NULL,
    PRIMARY KEY (tournament_id, club_id)
);

-- A recurring event; rule and template are one JSON text. Every date up to
-- through is decided; due_at is when the next one is announced.
CREATE TABLE series (
    id           TEXT   NOT NULL PRIMARY KEY,
    club_id      TEXT   NOT NULL REFERENCES clubs (id),
    organizer_id TEXT   NOT NULL REFERENCES players (id),
    settings     TEXT   NOT NULL,
    through      TEXT   NOT NULL, -- YYYY-MM-DD in the zone of the series
    due_at       BIGINT,
    created_at   BIGINT NOT NULL,
    ended_at     BIGINT NOT NULL DEFAULT 0,
    version      BIGINT NOT NULL
);
CREATE INDEX series_club ON series (club_id);
CREATE INDEX series_due ON series (due_at) WHERE due_at IS NOT NULL;

-- What became of a date, once: the key lets no node announce it again. start_at
-- is when its tournament starts by itself.
CREATE TABLE series_dates (
    series_id     TEXT NOT NULL REFERENCES series (id),
    day           TEXT NOT NULL,
    status        TEXT NOT NULL CHECK (status IN ('announced', 'skipped', 'missed')),
    tournament_id TEXT UNIQUE REFERENCES tournaments (id),
    start_at      BIGINT,
    PRIMARY KEY (series_id, day)
);
CREATE INDEX series_dates_start ON series_dates (start_at) WHERE start_at IS NOT NULL;
