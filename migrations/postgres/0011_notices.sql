-- +goose Up

-- What players are told. Of one kind, a player is told of a key once; that is
-- what keeps jobs that run late, twice or on several nodes from telling twice.
CREATE TABLE notices (
    id         TEXT    NOT NULL PRIMARY KEY,
    player_id  TEXT    NOT NULL REFERENCES players (id) ON DELETE CASCADE,
    kind       TEXT    NOT NULL,
    about      TEXT    NOT NULL, -- the key
    args       TEXT    NOT NULL DEFAULT '{}', -- JSON, of the text
    url        TEXT    NOT NULL,
    moment     BIGINT  NOT NULL DEFAULT 0, -- it tells of; 0: none
    until      BIGINT  NOT NULL DEFAULT 0, -- when it is of no more use; 0: never
    at         BIGINT  NOT NULL,
    shown      BOOLEAN NOT NULL, -- on the site
    read_at    BIGINT  NOT NULL DEFAULT 0,
    mail_due   BIGINT, -- NULL: no mail, or sent, or given up
    mail_tries INTEGER NOT NULL DEFAULT 0,
    mailed_at  BIGINT  NOT NULL DEFAULT 0,
    UNIQUE (player_id, kind, about)
);
CREATE INDEX notices_player ON notices (player_id, at);
CREATE INDEX notices_unread ON notices (player_id) WHERE shown AND read_at = 0;
CREATE INDEX notices_mail ON notices (mail_due) WHERE mail_due IS NOT NULL;

-- What a player chose; kinds that are missing follow their defaults.
CREATE TABLE notice_settings (
    player_id TEXT    NOT NULL REFERENCES players (id) ON DELETE CASCADE,
    kind      TEXT    NOT NULL,
    app       BOOLEAN NOT NULL,
    mail      BOOLEAN NOT NULL,
    PRIMARY KEY (player_id, kind)
);

-- Where mail reaches a player, once he has confirmed it by a link. A new address
-- waits beside the old one until then.
CREATE TABLE mail_addresses (
    player_id    TEXT   NOT NULL PRIMARY KEY REFERENCES players (id) ON DELETE CASCADE,
    address      TEXT   NOT NULL DEFAULT '', -- confirmed; '': none yet
    confirmed_at BIGINT NOT NULL DEFAULT 0,
    pending      TEXT   NOT NULL DEFAULT '',
    digest       TEXT   NOT NULL DEFAULT '', -- of the secret of the link that confirms pending
    asked_at     BIGINT NOT NULL DEFAULT 0,
    lang         TEXT   NOT NULL DEFAULT '', -- in which he asked for mail
    zone         TEXT   NOT NULL DEFAULT '',
    mailed_at    BIGINT NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX mail_addresses_digest ON mail_addresses (digest) WHERE digest <> '';

-- How long before a moment a player wants to be reminded of it; 0: not.
CREATE TABLE reminder_leads (
    player_id TEXT   NOT NULL PRIMARY KEY REFERENCES players (id) ON DELETE CASCADE,
    early     BIGINT NOT NULL,
    late      BIGINT NOT NULL
);

-- Reminders given: of a subject at a moment, so long before it. The row makes
-- sure that one node gives it, once.
CREATE TABLE reminders (
    subject TEXT   NOT NULL,
    moment  BIGINT NOT NULL,
    lead    BIGINT NOT NULL,
    PRIMARY KEY (subject, moment, lead)
);
CREATE INDEX reminders_moment ON reminders (moment);

-- The link by which programs read a player's calendar without signing in.
CREATE TABLE calendar_links (
    player_id  TEXT   NOT NULL PRIMARY KEY REFERENCES players (id) ON DELETE CASCADE,
    digest     TEXT   NOT NULL UNIQUE,
    created_at BIGINT NOT NULL
);

-- What a player tells about himself, and whom. Missing: nothing, and the defaults.
CREATE TABLE profiles (
    player_id     TEXT    NOT NULL PRIMARY KEY REFERENCES players (id) ON DELETE CASCADE,
    name          TEXT    NOT NULL DEFAULT '',
    about         TEXT    NOT NULL DEFAULT '',
    country       TEXT    NOT NULL DEFAULT '',
    links         TEXT    NOT NULL DEFAULT '', -- one a line
    see_profile   TEXT    NOT NULL CHECK (see_profile IN ('everyone', 'members', 'clubs', 'nobody')),
    see_history   TEXT    NOT NULL CHECK (see_history IN ('everyone', 'members', 'clubs', 'nobody')),
    see_online    TEXT    NOT NULL CHECK (see_online IN ('everyone', 'members', 'clubs', 'nobody')),
    may_challenge TEXT    NOT NULL CHECK (may_challenge IN ('everyone', 'members', 'clubs', 'nobody')),
    hidden        BOOLEAN NOT NULL DEFAULT FALSE -- from search engines
);

CREATE TABLE blocks (
    player_id  TEXT   NOT NULL REFERENCES players (id) ON DELETE CASCADE,
    blocked_id TEXT   NOT NULL REFERENCES players (id) ON DELETE CASCADE,
    at         BIGINT NOT NULL,
    PRIMARY KEY (player_id, blocked_id),
    CHECK (player_id <> blocked_id)
);
CREATE INDEX blocks_blocked ON blocks (blocked_id);

-- Accounts that are to be erased, and those that were: number names the ghost
-- for good.
CREATE TABLE erasures (
    player_id TEXT    NOT NULL PRIMARY KEY REFERENCES players (id) ON DELETE CASCADE,
    number    INTEGER NOT NULL UNIQUE,
    asked_at  BIGINT  NOT NULL,
    due_at    BIGINT  NOT NULL,
    done_at   BIGINT  NOT NULL DEFAULT 0
);
CREATE INDEX erasures_due ON erasures (due_at) WHERE done_at = 0;
