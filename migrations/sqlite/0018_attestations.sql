-- +goose Up

-- Whose word counts, besides the site's own. seed is of the Ed25519 key it signs
-- with; sig is its parent's, over the certificate.
CREATE TABLE issuers (
    id           TEXT   NOT NULL PRIMARY KEY,
    kind         TEXT   NOT NULL CHECK (kind IN ('federation', 'club', 'arbiter')),
    name         TEXT   NOT NULL,
    club_id      TEXT   REFERENCES clubs (id),
    player_id    TEXT   REFERENCES players (id),
    parent_id    TEXT   NOT NULL,
    seed         TEXT   NOT NULL,
    since        BIGINT NOT NULL,
    sig          TEXT   NOT NULL,
    revoked_at   BIGINT NOT NULL DEFAULT 0,
    revoked_by   TEXT   NOT NULL DEFAULT '',
    revoked_code TEXT   NOT NULL DEFAULT '',
    revoked_sig  TEXT   NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX issuers_club ON issuers (club_id) WHERE club_id IS NOT NULL AND revoked_at = 0;
CREATE UNIQUE INDEX issuers_player ON issuers (player_id) WHERE player_id IS NOT NULL AND revoked_at = 0;

-- What issuers say about players. No document ever stands beside it.
CREATE TABLE attestations (
    id           TEXT   NOT NULL PRIMARY KEY,
    player_id    TEXT   NOT NULL REFERENCES players (id),
    issuer_id    TEXT   NOT NULL,
    by_player    TEXT   NOT NULL,
    kind         TEXT   NOT NULL CHECK (kind IN ('identity', 'presence', 'strength')),
    how          TEXT   NOT NULL CHECK (how IN ('in-person', 'video', 'federation-id')),
    issued       BIGINT NOT NULL,
    expires      BIGINT NOT NULL,
    note         TEXT   NOT NULL DEFAULT '',
    sig          TEXT   NOT NULL,
    revoked_at   BIGINT NOT NULL DEFAULT 0,
    revoked_by   TEXT   NOT NULL DEFAULT '',
    revoked_code TEXT   NOT NULL DEFAULT '',
    revoked_sig  TEXT   NOT NULL DEFAULT '',
    warned_at    BIGINT NOT NULL DEFAULT 0 -- of the coming end
);
CREATE INDEX attestations_by_player ON attestations (player_id);
CREATE INDEX attestations_by_issuer ON attestations (issuer_id, issued);
CREATE INDEX attestations_by_end ON attestations (expires) WHERE warned_at = 0 AND revoked_at = 0;

-- Who somebody is, as a keyed hash: two accounts with one mark are one person.
CREATE TABLE person_marks (
    mark      TEXT   NOT NULL,
    player_id TEXT   NOT NULL REFERENCES players (id),
    at        BIGINT NOT NULL,
    PRIMARY KEY (mark, player_id)
);
CREATE INDEX person_marks_by_player ON person_marks (player_id);
