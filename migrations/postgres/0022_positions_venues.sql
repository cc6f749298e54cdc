-- +goose Up

-- Which positions stood on the board in which finished match, for the analysis
-- lock: those of plies 4 to 60, each as eight bytes of a hash. read_seq is the
-- place of the log up to which they were read, 0: not yet.
ALTER TABLE matches ADD COLUMN read_seq BIGINT NOT NULL DEFAULT 0;
CREATE INDEX matches_unread ON matches (last_at) WHERE status = 3 AND read_seq < seq;
CREATE TABLE known_positions (
    position BIGINT NOT NULL,
    match_id TEXT   NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    PRIMARY KEY (position, match_id)
);

-- Networks that arbiters named as where an event is played, as keyed hashes.
CREATE TABLE tournament_venues (
    tournament_id TEXT   NOT NULL REFERENCES tournaments (id) ON DELETE CASCADE,
    network       TEXT   NOT NULL,
    at            BIGINT NOT NULL,
    PRIMARY KEY (tournament_id, network)
);
