-- +goose Up

-- Keys that devices keep for an account (WebAuthn). Nothing of fingers or faces
-- ever comes here. Binary values are Base64.
CREATE TABLE passkeys (
    id              TEXT    NOT NULL PRIMARY KEY,
    player_id       TEXT    NOT NULL REFERENCES players (id),
    credential      TEXT    NOT NULL UNIQUE,
    public_key      TEXT    NOT NULL,
    aaguid          TEXT    NOT NULL, -- the make of the device, as it says itself
    sign_count      BIGINT  NOT NULL,
    backup_eligible BOOLEAN NOT NULL, -- it may be synced to other devices
    backed_up       BOOLEAN NOT NULL, -- it is
    name            TEXT    NOT NULL,
    created_at      BIGINT  NOT NULL,
    used_at         BIGINT  NOT NULL DEFAULT 0
);
CREATE INDEX passkeys_by_player ON passkeys (player_id);

-- What a device was asked to sign; each answer takes its row away.
CREATE TABLE ceremonies (
    challenge  TEXT   NOT NULL PRIMARY KEY,
    kind       TEXT   NOT NULL,
    player_id  TEXT   NOT NULL DEFAULT '', -- empty: whoever signs in
    session_id TEXT   NOT NULL DEFAULT '',
    match_id   TEXT   NOT NULL DEFAULT '',
    policy     TEXT   NOT NULL DEFAULT '', -- its hash
    page_key   TEXT   NOT NULL DEFAULT '',
    expires_at BIGINT NOT NULL
);
CREATE INDEX ceremonies_by_end ON ceremonies (expires_at);

-- Pages that were checked in to a match; of each side the last one plays.
CREATE TABLE check_ins (
    match_id   TEXT     NOT NULL REFERENCES matches (id),
    seat       SMALLINT NOT NULL CHECK (seat BETWEEN 1 AND 2),
    no         INTEGER  NOT NULL,
    player_id  TEXT     NOT NULL REFERENCES players (id),
    session_id TEXT     NOT NULL,
    page_key   TEXT     NOT NULL,
    policy     TEXT     NOT NULL,
    means      TEXT     NOT NULL CHECK (means IN ('passkey', 'code')),
    by_player  TEXT     NOT NULL DEFAULT '', -- who gave the code
    synced     BOOLEAN  NOT NULL DEFAULT FALSE,
    at         BIGINT   NOT NULL,
    PRIMARY KEY (match_id, seat, no)
);
CREATE INDEX check_ins_by_player ON check_ins (player_id);

-- One-time codes with which an arbiter lets somebody without a device check in.
CREATE TABLE check_in_codes (
    digest     TEXT   NOT NULL PRIMARY KEY,
    match_id   TEXT   NOT NULL REFERENCES matches (id),
    player_id  TEXT   NOT NULL REFERENCES players (id),
    by_player  TEXT   NOT NULL,
    issued_at  BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    used_at    BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX check_in_codes_by_match ON check_in_codes (match_id);
CREATE INDEX check_in_codes_by_player ON check_in_codes (player_id);
