-- +goose Up

-- The log of a ladder is the ladder; state is what the log folds to, read and
-- written as a whole. seq is that of the last event.
CREATE TABLE ladders (
    id           TEXT    NOT NULL PRIMARY KEY,
    club_id      TEXT    REFERENCES clubs (id),
    organizer_id TEXT    NOT NULL REFERENCES players (id),
    name         TEXT    NOT NULL,
    state        TEXT    NOT NULL,
    players      INTEGER NOT NULL,
    running      INTEGER NOT NULL, -- challenges
    due_at       BIGINT, -- when something next happens by itself
    created_at   BIGINT  NOT NULL,
    changed_at   BIGINT  NOT NULL,
    seq          BIGINT  NOT NULL
);
CREATE INDEX ladders_due ON ladders (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX ladders_club ON ladders (club_id) WHERE club_id IS NOT NULL;

CREATE TABLE ladder_events (
    ladder_id TEXT    NOT NULL REFERENCES ladders (id),
    seq       BIGINT  NOT NULL CHECK (seq >= 1),
    at        BIGINT  NOT NULL,
    kind      TEXT    NOT NULL,
    player_id TEXT    NOT NULL DEFAULT '', -- whom it is about
    challenge INTEGER NOT NULL DEFAULT 0, -- 0: about none
    body      TEXT    NOT NULL,
    PRIMARY KEY (ladder_id, seq)
);
CREATE INDEX ladder_events_player ON ladder_events (ladder_id, player_id, seq);
CREATE INDEX ladder_events_challenge ON ladder_events (ladder_id, challenge, seq) WHERE challenge > 0;

-- What follows is found by player and by match; it says nothing that the log does not.
CREATE TABLE ladder_rungs (
    ladder_id TEXT    NOT NULL REFERENCES ladders (id),
    player_id TEXT    NOT NULL REFERENCES players (id),
    place     INTEGER NOT NULL CHECK (place >= 1),
    PRIMARY KEY (ladder_id, player_id)
);
CREATE INDEX ladder_rungs_player ON ladder_rungs (player_id);

CREATE TABLE ladder_challenges (
    ladder_id     TEXT    NOT NULL REFERENCES ladders (id),
    number        INTEGER NOT NULL CHECK (number >= 1),
    challenger_id TEXT    NOT NULL REFERENCES players (id),
    defender_id   TEXT    NOT NULL REFERENCES players (id),
    status        TEXT    NOT NULL,
    match_id      TEXT    UNIQUE REFERENCES matches (id),
    body          TEXT    NOT NULL,
    PRIMARY KEY (ladder_id, number),
    CHECK (challenger_id <> defender_id)
);
CREATE INDEX ladder_challenges_challenger ON ladder_challenges (challenger_id) WHERE status <> 'ended';
CREATE INDEX ladder_challenges_defender ON ladder_challenges (defender_id) WHERE status <> 'ended';
CREATE INDEX ladder_challenges_playing ON ladder_challenges (match_id) WHERE status = 'playing';
