-- +goose Up

CREATE TABLE players (
    id            TEXT    NOT NULL PRIMARY KEY,
    handle        TEXT    NOT NULL CHECK (length(handle) BETWEEN 3 AND 20),
    handle_key    TEXT    NOT NULL UNIQUE,
    role          TEXT    NOT NULL CHECK (role IN ('player', 'organizer', 'operator')),
    bot           BOOLEAN NOT NULL DEFAULT FALSE,
    credential    TEXT    NOT NULL DEFAULT '',
    lang          TEXT    NOT NULL DEFAULT '',
    theme         TEXT    NOT NULL DEFAULT '',
    zone          TEXT    NOT NULL DEFAULT '',
    play          TEXT    NOT NULL DEFAULT '', -- how they like to play, where that is not as usual
    created_at    BIGINT  NOT NULL,
    -- Who answers for a bot; NULL: a person, or a bot that the house plays.
    maintainer_id TEXT    REFERENCES players (id),
    guest         BOOLEAN NOT NULL DEFAULT FALSE, -- plays without an account, until claimed
    bot_rules     TEXT    NOT NULL DEFAULT '', -- whom a bot plays, where that is not as usual
    learned       BIGINT  NOT NULL DEFAULT 0, -- lessons done, as bits from the first
    unclaimed     BOOLEAN NOT NULL DEFAULT FALSE -- made at a door: nobody has chosen its handle and password yet
);
-- Asked for at every visit until there is one.
CREATE INDEX players_operators ON players (id) WHERE role = 'operator';
CREATE INDEX players_guests ON players (created_at) WHERE guest;
CREATE INDEX players_by_maintainer ON players (maintainer_id) WHERE maintainer_id IS NOT NULL;

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
    used_at    BIGINT NOT NULL DEFAULT 0,
    ends_at    BIGINT NOT NULL DEFAULT 0, -- 0: never
    scopes     TEXT   NOT NULL, -- what it may do
    target     TEXT   NOT NULL DEFAULT '' -- of the application it was given to
);
CREATE INDEX tokens_by_player ON tokens (player_id);

-- What accounts have granted to applications of others, until a code is changed for a token, and then until it would have
-- expired: whoever shows one twice loses the token.
CREATE TABLE grant_codes (
    digest     TEXT   NOT NULL PRIMARY KEY,
    player_id  TEXT   NOT NULL REFERENCES players (id) ON DELETE CASCADE,
    client     TEXT   NOT NULL,
    target     TEXT   NOT NULL,
    challenge  TEXT   NOT NULL,
    scopes     TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    token      TEXT   NOT NULL DEFAULT '' -- digest of the token it was changed for
);

CREATE TABLE sign_in_links (
    digest     TEXT   NOT NULL PRIMARY KEY,
    player_id  TEXT   NOT NULL REFERENCES players (id) ON DELETE CASCADE,
    expires_at BIGINT NOT NULL
);

-- What was carried out under the key of a form or of a program's request, so that a repeat is answered like the first.
CREATE TABLE tries (
    digest  TEXT   NOT NULL PRIMARY KEY, -- of the key and of the browser or token it belongs to
    content TEXT   NOT NULL, -- digest of what was sent
    who     TEXT   NOT NULL, -- digest of the key and the account; empty: a visitor
    at      BIGINT NOT NULL,
    answer  TEXT -- sealed by the key; NULL: being made, or lost with its node; empty: there is none
);
CREATE INDEX tries_at ON tries (at);

CREATE TABLE settings (
    name  TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
);

-- version is raised by every change of the club and its people, so that two who
-- leave at once cannot both believe that the other stays.
CREATE TABLE clubs (
    id         TEXT   NOT NULL PRIMARY KEY,
    name       TEXT   NOT NULL,
    name_key   TEXT   NOT NULL UNIQUE,
    about      TEXT   NOT NULL DEFAULT '',
    created_at BIGINT NOT NULL,
    joining    TEXT   NOT NULL DEFAULT 'open' CHECK (joining IN ('open', 'request', 'code')),
    code       TEXT   NOT NULL DEFAULT '', -- sealed
    version    BIGINT NOT NULL DEFAULT 1
);

CREATE TABLE club_members (
    club_id   TEXT   NOT NULL REFERENCES clubs (id) ON DELETE CASCADE,
    player_id TEXT   NOT NULL REFERENCES players (id) ON DELETE CASCADE,
    role      TEXT   NOT NULL CHECK (role IN ('owner', 'organizer', 'arbiter', 'member')),
    joined_at BIGINT NOT NULL,
    PRIMARY KEY (club_id, player_id)
);
CREATE INDEX club_members_by_player ON club_members (player_id);

-- One head per match: what lists, clocks and bots ask for. It follows from the
-- log and can be rebuilt from it. Times are UTC milliseconds.
CREATE TABLE matches (
    id            TEXT     NOT NULL PRIMARY KEY,
    first_player  TEXT     NOT NULL REFERENCES players (id),
    second_player TEXT     NOT NULL REFERENCES players (id),
    first_bot     BOOLEAN  NOT NULL DEFAULT FALSE,
    second_bot    BOOLEAN  NOT NULL DEFAULT FALSE,
    seq           BIGINT   NOT NULL CHECK (seq >= 0),
    status        SMALLINT NOT NULL CHECK (status BETWEEN 0 AND 3), -- waiting, bidding, playing, over
    to_act        SMALLINT NOT NULL CHECK (to_act BETWEEN 0 AND 2), -- the seat whose clock runs, 0: none
    deadline_at   BIGINT,
    bot_due_at    BIGINT,
    outcome       SMALLINT NOT NULL DEFAULT 0 CHECK (outcome BETWEEN 0 AND 5),
    reason        TEXT     NOT NULL DEFAULT '',
    points_first  INTEGER  NOT NULL DEFAULT 0,
    points_second INTEGER  NOT NULL DEFAULT 0,
    opened_at     BIGINT   NOT NULL,
    last_at       BIGINT   NOT NULL,
    -- The level demanded, 0: none; what was achieved, 0: not known yet; and how
    -- much later watchers see the moves.
    level         SMALLINT NOT NULL DEFAULT 0 CHECK (level BETWEEN 0 AND 4),
    achieved      SMALLINT NOT NULL DEFAULT 0 CHECK (achieved BETWEEN 0 AND 4),
    feed_plies    INTEGER  NOT NULL DEFAULT 0,
    feed_seconds  INTEGER  NOT NULL DEFAULT 0,
    untimed       BOOLEAN  NOT NULL DEFAULT FALSE, -- a match to learn by
    -- Where play in it is reviewed: "tournaments/ID", "ladders/ID/SEASON" or
    -- "challenges/SEASON"; empty: nowhere.
    place         TEXT     NOT NULL DEFAULT '',
    CHECK (first_player <> second_player),
    CHECK ((status = 3) = (outcome > 0)),
    CHECK (status < 3 OR (deadline_at IS NULL AND bot_due_at IS NULL))
);
CREATE INDEX matches_deadline ON matches (deadline_at) WHERE deadline_at IS NOT NULL;
CREATE INDEX matches_bot_due ON matches (bot_due_at) WHERE bot_due_at IS NOT NULL;
-- A move changes none of these: of a match that runs they know what stays.
CREATE INDEX matches_running ON matches (opened_at) WHERE status < 3;
CREATE INDEX matches_first ON matches (first_player, status);
CREATE INDEX matches_second ON matches (second_player, status);
CREATE INDEX matches_first_ended ON matches (first_player, last_at) WHERE status = 3;
CREATE INDEX matches_second_ended ON matches (second_player, last_at) WHERE status = 3;
CREATE INDEX matches_ended ON matches (last_at) WHERE status = 3;
CREATE INDEX matches_guarded ON matches (last_at) WHERE status = 3 AND level > 1;
CREATE INDEX matches_place ON matches (place) WHERE place <> '';

-- What follows from the end of a match and is not done yet: written with the end.
CREATE TABLE match_chores (
    match_id TEXT     NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    kind     SMALLINT NOT NULL CHECK (kind BETWEEN 1 AND 4), -- result, bids, worth, positions
    seq      BIGINT   NOT NULL, -- of the end
    due_at   BIGINT   NOT NULL,
    PRIMARY KEY (match_id, kind)
);
CREATE INDEX match_chores_due ON match_chores (kind, due_at);

-- What our engine says of finished matches, made piece by piece: asked for with the
-- end, or by who looks at an older match. body is JSON of the positions done.
CREATE TABLE match_analyses (
    match_id TEXT     NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    engine   INTEGER  NOT NULL, -- its version
    seq      BIGINT   NOT NULL, -- of the end that it is about
    state    SMALLINT NOT NULL CHECK (state BETWEEN 1 AND 4), -- under way, done, failed, searched for puzzles
    done     INTEGER  NOT NULL, -- positions
    body     TEXT     NOT NULL,
    due_at   BIGINT   NOT NULL, -- when somebody may do the next piece
    PRIMARY KEY (match_id, engine)
);
CREATE INDEX match_analyses_due ON match_analyses (due_at) WHERE state = 1;
CREATE INDEX match_analyses_mine ON match_analyses (due_at) WHERE state = 2;

-- Positions to solve, from finished matches or given to every site; body is JSON.
-- Ratings are those of Glicko-2, in hundredths and millionths.
CREATE TABLE puzzles (
    id         TEXT    NOT NULL PRIMARY KEY, -- of the position
    match_id   TEXT REFERENCES matches (id) ON DELETE SET NULL,
    ply        INTEGER NOT NULL,
    body       TEXT    NOT NULL,
    rating     INTEGER NOT NULL,
    deviation  INTEGER NOT NULL,
    volatility INTEGER NOT NULL
);
CREATE INDEX puzzles_rating ON puzzles (rating, id);

-- Who tried which puzzle for the first time, and where they stand after it.
CREATE TABLE puzzle_tries (
    player_id  TEXT    NOT NULL REFERENCES players (id) ON DELETE CASCADE,
    n          INTEGER NOT NULL CHECK (n >= 1), -- of this player
    puzzle_id  TEXT    NOT NULL REFERENCES puzzles (id) ON DELETE CASCADE,
    at         BIGINT  NOT NULL,
    solved     BOOLEAN NOT NULL,
    rating     INTEGER NOT NULL,
    deviation  INTEGER NOT NULL,
    volatility INTEGER NOT NULL,
    streak     INTEGER NOT NULL, -- solved in a row
    PRIMARY KEY (player_id, n),
    UNIQUE (player_id, puzzle_id)
);

-- The puzzle of each day in the site's zone (YYYY-MM-DD), chosen when somebody first looks.
CREATE TABLE daily_puzzles (
    day       TEXT NOT NULL PRIMARY KEY,
    puzzle_id TEXT NOT NULL REFERENCES puzzles (id) ON DELETE CASCADE
);
CREATE INDEX daily_puzzles_puzzle ON daily_puzzles (puzzle_id);

-- Who answered it on its day: the first answer, and on how many days in a row it was right.
CREATE TABLE daily_tries (
    player_id TEXT    NOT NULL REFERENCES players (id) ON DELETE CASCADE,
    day       TEXT    NOT NULL,
    solved    BOOLEAN NOT NULL,
    streak    INTEGER NOT NULL,
    PRIMARY KEY (player_id, day)
);

-- The log: append-only, gapless from 1 per match. command_id stands on the first
-- event that a client's command led to, so that the same command cannot act twice.
CREATE TABLE match_events (
    match_id   TEXT     NOT NULL REFERENCES matches (id),
    seq        BIGINT   NOT NULL CHECK (seq >= 1),
    at         BIGINT   NOT NULL,
    kind       TEXT     NOT NULL,
    v          SMALLINT NOT NULL,
    seat       SMALLINT NOT NULL CHECK (seat BETWEEN 0 AND 2), -- whose command it was, 0: the server's
    command_id TEXT,
    body       TEXT     NOT NULL,
    PRIMARY KEY (match_id, seq)
) WITHOUT ROWID; -- sqlite
);               -- postgres
CREATE UNIQUE INDEX match_events_command ON match_events (match_id, command_id) WHERE command_id IS NOT NULL;

-- When each node last said that it is alive, and the outages found from that.
CREATE TABLE heartbeats (
    node TEXT   NOT NULL PRIMARY KEY,
    at   BIGINT NOT NULL
);

CREATE TABLE outages (
    from_at BIGINT  NOT NULL PRIMARY KEY,
    to_at   BIGINT  NOT NULL,
    settled BOOLEAN NOT NULL DEFAULT FALSE,
    CHECK (to_at > from_at)
);

-- One head per tournament. Settings are one JSON text: they are read and written
-- as a whole, and nothing asks for a part of them. version is raised by every
-- change of the tournament, its entries, rounds and results.
CREATE TABLE tournaments (
    id           TEXT     NOT NULL PRIMARY KEY,
    organizer_id TEXT     NOT NULL REFERENCES players (id),
    name         TEXT     NOT NULL,
    format       SMALLINT NOT NULL CHECK (format BETWEEN 1 AND 9),
    status       SMALLINT NOT NULL CHECK (status BETWEEN 1 AND 9),
    rated        BOOLEAN  NOT NULL,
    settings     TEXT     NOT NULL,
    opening      SMALLINT NOT NULL DEFAULT 0 CHECK (opening BETWEEN 0 AND 2),
    seed         TEXT     NOT NULL DEFAULT '',
    promise      TEXT     NOT NULL DEFAULT '', -- SHA-256 of the seed of its next draw
    forbidden    TEXT     NOT NULL DEFAULT '',
    rounds       INTEGER  NOT NULL DEFAULT 0, -- planned
    next_at      BIGINT, -- when the next round opens by itself
    starts_at    BIGINT   NOT NULL DEFAULT 0, -- or when it began; 0: when its staff say so
    stuck        TEXT     NOT NULL DEFAULT '', -- why the next round could not be paired
    created_at   BIGINT   NOT NULL,
    started_at   BIGINT   NOT NULL DEFAULT 0,
    ended_at     BIGINT   NOT NULL DEFAULT 0,
    rated_at     BIGINT,
    rated_no     BIGINT   UNIQUE, -- its place among the rated ones
    version      BIGINT   NOT NULL,
    club_id      TEXT     REFERENCES clubs (id), -- whose it is; the settings say the same
    -- Whether registration of an announced tournament is closed, since when, and
    -- when that changes by itself.
    gate_closed  BOOLEAN  NOT NULL DEFAULT FALSE,
    gate_at      BIGINT   NOT NULL DEFAULT 0,
    gate_due     BIGINT,
    -- What staff have changed of the plan (pause, appointed times; JSON), and of
    -- which tournament this is the rehearsal.
    timetable    TEXT     NOT NULL DEFAULT '',
    rehearsal    TEXT     NOT NULL DEFAULT '',
    -- The next round before it is published, and by whose word a tournament is
    -- final (JSON; empty: none).
    draft        TEXT     NOT NULL DEFAULT '',
    signed       TEXT     NOT NULL DEFAULT '',
    origin       TEXT     NOT NULL DEFAULT '', -- which places of other tournaments its players have come from (JSON)
    part_of      TEXT     NOT NULL DEFAULT '', -- of a group or a play-off: the tournament whose places it decides
    interests    TEXT     NOT NULL DEFAULT '', -- acts of staff who play here in which they had a stake (JSON)
    chat         BOOLEAN  NOT NULL DEFAULT FALSE -- whether entrants may talk
);
CREATE INDEX tournaments_next ON tournaments (next_at) WHERE next_at IS NOT NULL;
CREATE INDEX tournaments_starts ON tournaments (starts_at) WHERE starts_at > 0;
CREATE INDEX tournaments_status ON tournaments (status, created_at);
CREATE INDEX tournaments_organizer ON tournaments (organizer_id);
CREATE INDEX tournaments_club ON tournaments (club_id) WHERE club_id IS NOT NULL;
CREATE INDEX tournaments_gate ON tournaments (gate_due) WHERE gate_due IS NOT NULL;
CREATE INDEX tournaments_parts ON tournaments (part_of) WHERE part_of <> '';

CREATE TABLE entries (
    tournament_id TEXT     NOT NULL REFERENCES tournaments (id),
    id            INTEGER  NOT NULL CHECK (id >= 1), -- in the order of entering
    player_id     TEXT     REFERENCES players (id), -- NULL: a guest
    name          TEXT     NOT NULL,
    club          TEXT     NOT NULL DEFAULT '',
    rating        INTEGER  NOT NULL DEFAULT 0,
    bot           BOOLEAN  NOT NULL DEFAULT FALSE,
    status        SMALLINT NOT NULL CHECK (status BETWEEN 1 AND 9),
    number        INTEGER  NOT NULL DEFAULT 0,
    from_round    INTEGER  NOT NULL DEFAULT 1,
    until_round   INTEGER  NOT NULL DEFAULT 0,
    byes          TEXT     NOT NULL DEFAULT '', -- asked for: round and kind
    fast          BOOLEAN  NOT NULL DEFAULT FALSE,
    entered_at    BIGINT   NOT NULL,
    accepted_at   BIGINT   NOT NULL DEFAULT 0, -- by staff; 0: they were not asked
    team          INTEGER  NOT NULL DEFAULT 0, -- the entry that it plays for; 0: itself
    place         INTEGER  NOT NULL DEFAULT 0, -- in its team's board order
    camp          SMALLINT NOT NULL DEFAULT 0, -- of a battle: its team, by the list of the settings from 1
    captains      TEXT     NOT NULL DEFAULT '', -- of a team: who act for it (JSON)
    club_id       TEXT     REFERENCES clubs (id), -- of a team: the club that it plays for
    -- Demands that an arbiter let an entry pass without, by their names.
    waived        TEXT     NOT NULL DEFAULT '',
    late_bye      SMALLINT NOT NULL DEFAULT 0, -- what each round before from_round gave
    removed       BOOLEAN  NOT NULL DEFAULT FALSE, -- withdrawn by staff
    reason        TEXT     NOT NULL DEFAULT '', -- why refused, or let in against a condition
    -- For which rounds the entry has checked in, and which it missed (JSON).
    check_in      TEXT     NOT NULL DEFAULT '',
    expelled      BOOLEAN  NOT NULL DEFAULT FALSE,
    -- Who watches an entry's matches for its fair play.
    steward       TEXT     NOT NULL DEFAULT '',
    fixed_board   INTEGER  NOT NULL DEFAULT 0, -- of a player who cannot move about; 0: any
    -- Where a disqualified entry stood before, for the taking back: a status; 0: active.
    was           SMALLINT NOT NULL DEFAULT 0 CHECK (was BETWEEN 0 AND 6),
    born          INTEGER  NOT NULL DEFAULT 0, -- the year, as declared for a prize; 0: none
    over_the_board BOOLEAN NOT NULL DEFAULT FALSE, -- has an account, but plays at a table
    report        TEXT     NOT NULL DEFAULT '', -- what a report's line of them tells besides (JSON)
    PRIMARY KEY (tournament_id, id)
);
CREATE UNIQUE INDEX entries_player ON entries (tournament_id, player_id) WHERE player_id IS NOT NULL;
CREATE INDEX entries_by_player ON entries (player_id);
CREATE INDEX entries_with_captains ON entries (tournament_id) WHERE captains <> '';
CREATE INDEX entries_of_clubs ON entries (club_id) WHERE club_id IS NOT NULL;

-- input is the report the round was paired from, engine what paired it: together
-- they give the same pairing again.
CREATE TABLE rounds (
    tournament_id TEXT    NOT NULL REFERENCES tournaments (id),
    number        INTEGER NOT NULL CHECK (number >= 1),
    opened_at     BIGINT  NOT NULL,
    engine        TEXT    NOT NULL,
    input         TEXT    NOT NULL DEFAULT '',
    edited        BOOLEAN NOT NULL DEFAULT FALSE,
    overtaken     BOOLEAN NOT NULL DEFAULT FALSE, -- by a correction of what it was paired from
    pass          TEXT    NOT NULL DEFAULT '', -- of an arena: what its latest boards were paired from (JSON)
    PRIMARY KEY (tournament_id, number)
);

-- Who waits in an arena for an opponent, since when, and when their page was last
-- open; board is where they sit meanwhile, 0: nowhere.
CREATE TABLE arena_waiting (
    tournament_id TEXT    NOT NULL,
    entry         INTEGER NOT NULL,
    since         BIGINT  NOT NULL,
    seen_at       BIGINT  NOT NULL,
    board         INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (tournament_id, entry),
    FOREIGN KEY (tournament_id, entry) REFERENCES entries (tournament_id, id)
);

CREATE TABLE pairings (
    tournament_id TEXT     NOT NULL,
    round         INTEGER  NOT NULL,
    board         INTEGER  NOT NULL CHECK (board >= 1),
    first_entry   INTEGER  NOT NULL,
    second_entry  INTEGER  NOT NULL,
    match_id      TEXT     UNIQUE REFERENCES matches (id),
    result        SMALLINT NOT NULL DEFAULT 0 CHECK (result BETWEEN 0 AND 6), -- 0: none yet
    points_first  INTEGER  NOT NULL DEFAULT 0,
    points_second INTEGER  NOT NULL DEFAULT 0,
    reason        TEXT     NOT NULL DEFAULT '',
    by_player     TEXT     NOT NULL DEFAULT '', -- who entered it by hand
    result_at     BIGINT   NOT NULL DEFAULT 0,
    -- What the ratings count of a board (0: its result), and how it was played
    -- where somebody's leaving made it a forfeit (0: as the result says).
    rated_as      SMALLINT NOT NULL DEFAULT 0 CHECK (rated_as BETWEEN 0 AND 6),
    played_as     SMALLINT NOT NULL DEFAULT 0 CHECK (played_as BETWEEN 0 AND 6),
    why           TEXT     NOT NULL DEFAULT '', -- the reason of by_player
    stood_as      SMALLINT NOT NULL DEFAULT 0 CHECK (stood_as BETWEEN 0 AND 6), -- before it was corrected
    contest       SMALLINT NOT NULL DEFAULT 0, -- of a knock-out: its place in the bracket
    team_match    SMALLINT NOT NULL DEFAULT 0, -- of teams: its number in the round
    sealed        BOOLEAN  NOT NULL DEFAULT FALSE, -- the two bid for draw odds
    odds          SMALLINT NOT NULL DEFAULT 0 CHECK (odds BETWEEN 0 AND 2), -- the seat that a draw lets go on
    gone          TEXT     NOT NULL DEFAULT '', -- of a knock-out: the entries that had left when the result came, as JSON
    fixture       TEXT     NOT NULL DEFAULT '', -- how the two arrange their match, where they do
    PRIMARY KEY (tournament_id, round, board),
    FOREIGN KEY (tournament_id, round) REFERENCES rounds (tournament_id, number),
    FOREIGN KEY (tournament_id, first_entry) REFERENCES entries (tournament_id, id),
    FOREIGN KEY (tournament_id, second_entry) REFERENCES entries (tournament_id, id),
    CHECK (first_entry <> second_entry)
);
CREATE INDEX pairings_pending ON pairings (match_id) WHERE result = 0;
CREATE INDEX pairings_arranged ON pairings (tournament_id) WHERE result = 0 AND fixture <> '';

CREATE TABLE byes (
    tournament_id TEXT     NOT NULL,
    round         INTEGER  NOT NULL,
    entry         INTEGER  NOT NULL,
    kind          SMALLINT NOT NULL,
    PRIMARY KEY (tournament_id, round, entry),
    FOREIGN KEY (tournament_id, round) REFERENCES rounds (tournament_id, number),
    FOREIGN KEY (tournament_id, entry) REFERENCES entries (tournament_id, id)
);

-- Who meets whom in a round of teams, by entries; the boards are pairings with that number. opened_at 0: line-ups
-- are awaited. lost is who forfeits the match by decision: 1 the first, 2 the second, 3 both.
CREATE TABLE team_matches (
    tournament_id TEXT     NOT NULL,
    round         INTEGER  NOT NULL,
    number        INTEGER  NOT NULL CHECK (number >= 1),
    first_entry   INTEGER  NOT NULL,
    second_entry  INTEGER  NOT NULL,
    contest       INTEGER  NOT NULL DEFAULT 0, -- knock-out: index in the bracket
    opened_at     BIGINT   NOT NULL DEFAULT 0,
    lost          SMALLINT NOT NULL DEFAULT 0 CHECK (lost BETWEEN 0 AND 3),
    by_player     TEXT     NOT NULL DEFAULT '',
    why           TEXT     NOT NULL DEFAULT '',
    PRIMARY KEY (tournament_id, round, number),
    FOREIGN KEY (tournament_id, round) REFERENCES rounds (tournament_id, number),
    FOREIGN KEY (tournament_id, first_entry) REFERENCES entries (tournament_id, id),
    FOREIGN KEY (tournament_id, second_entry) REFERENCES entries (tournament_id, id),
    CHECK (first_entry <> second_entry)
);

-- Whom a captain has named for a round stays here, and out of the tournament that everybody reads, until the boards of
-- the match open.
CREATE TABLE line_ups (
    tournament_id TEXT    NOT NULL,
    round         INTEGER NOT NULL,
    team          INTEGER NOT NULL,
    players       TEXT    NOT NULL, -- entries in board order, JSON
    by_player     TEXT    NOT NULL,
    named_at      BIGINT  NOT NULL,
    PRIMARY KEY (tournament_id, round, team),
    FOREIGN KEY (tournament_id, team) REFERENCES entries (tournament_id, id)
);

-- One player's offer to another, or by link to whoever has it. Settings are one
-- JSON text: nothing asks for a part of them. Once accepted there is a match.
CREATE TABLE challenges (
    id              TEXT     NOT NULL PRIMARY KEY,
    challenger_id   TEXT     NOT NULL REFERENCES players (id),
    opponent_id     TEXT     REFERENCES players (id), -- NULL: nobody has accepted by link yet
    by_link         BOOLEAN  NOT NULL,
    challenger_seat SMALLINT NOT NULL CHECK (challenger_seat BETWEEN 1 AND 2),
    rated           BOOLEAN  NOT NULL,
    lobby           TEXT     NOT NULL DEFAULT '', -- the length under which anyone may find it
    settings        TEXT     NOT NULL,
    status          SMALLINT NOT NULL CHECK (status BETWEEN 1 AND 5), -- open, accepted, declined, withdrawn, expired
    why             TEXT     NOT NULL DEFAULT '', -- it was declined, if that was told
    match_id        TEXT     UNIQUE REFERENCES matches (id),
    rematch_of      TEXT     REFERENCES matches (id),
    created_at      BIGINT   NOT NULL,
    expires_at      BIGINT   NOT NULL,
    closed_at       BIGINT   NOT NULL DEFAULT 0,
    rated_at        BIGINT,
    rated_no        BIGINT   UNIQUE, -- its place among the rated events
    CHECK (challenger_id <> opponent_id),
    CHECK (by_link OR opponent_id IS NOT NULL),
    CHECK ((status = 2) = (match_id IS NOT NULL)),
    CHECK ((rated_at IS NULL) = (rated_no IS NULL))
);
-- One may wait for the same player; a match has one rematch, offered or played.
CREATE UNIQUE INDEX challenges_open_pair ON challenges (challenger_id, opponent_id) WHERE status = 1;
CREATE UNIQUE INDEX challenges_rematch ON challenges (rematch_of) WHERE status <= 2 AND rematch_of IS NOT NULL;
-- What waits for an answer (closed_at 0), and what was answered since a moment.
CREATE INDEX challenges_challenger ON challenges (challenger_id, closed_at);
CREATE INDEX challenges_opponent ON challenges (opponent_id, closed_at);
CREATE INDEX challenges_lobby ON challenges (status, closed_at) WHERE lobby <> '';
CREATE INDEX challenges_expiry ON challenges (expires_at) WHERE status = 1;
CREATE INDEX challenges_unrated ON challenges (closed_at) WHERE status = 2 AND rated AND rated_no IS NULL;

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
    due_at       BIGINT, -- the next deadline
    opens_at     BIGINT, -- when a match next opens, or a vacation ends
    created_at   BIGINT  NOT NULL,
    changed_at   BIGINT  NOT NULL,
    seq          BIGINT  NOT NULL
);
CREATE INDEX ladders_due ON ladders (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX ladders_opens ON ladders (opens_at) WHERE opens_at IS NOT NULL;
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
    -- Whether a challenge's match counts for the rating lists, as the ladder's
    -- settings were when it opened.
    rated         BOOLEAN NOT NULL DEFAULT FALSE,
    PRIMARY KEY (ladder_id, number),
    CHECK (challenger_id <> defender_id)
);
CREATE INDEX ladder_challenges_challenger ON ladder_challenges (challenger_id) WHERE status <> 'ended';
CREATE INDEX ladder_challenges_defender ON ladder_challenges (defender_id) WHERE status <> 'ended';
CREATE INDEX ladder_challenges_playing ON ladder_challenges (match_id) WHERE status = 'playing';

-- Everything done to a tournament, one line a version: folded, they are the
-- tournament. changes is a JSON list of path, before and after.
CREATE TABLE tournament_deeds (
    tournament_id TEXT     NOT NULL REFERENCES tournaments (id),
    seq           BIGINT   NOT NULL CHECK (seq >= 1),
    at            BIGINT   NOT NULL,
    by_player     TEXT     NOT NULL DEFAULT '', -- '': the site by itself
    duty          SMALLINT NOT NULL DEFAULT 0,
    act           TEXT     NOT NULL,
    reason        TEXT     NOT NULL DEFAULT '',
    changes       TEXT     NOT NULL,
    PRIMARY KEY (tournament_id, seq)
);

CREATE TABLE tournament_staff (
    tournament_id TEXT     NOT NULL REFERENCES tournaments (id),
    player_id     TEXT     NOT NULL REFERENCES players (id),
    place         INTEGER  NOT NULL,
    duty          SMALLINT NOT NULL CHECK (duty BETWEEN 1 AND 9), -- owner, arbiter, pairing, results, read-only
    invited       BOOLEAN  NOT NULL,
    since         BIGINT   NOT NULL,
    PRIMARY KEY (tournament_id, player_id)
);
CREATE INDEX tournament_staff_by_player ON tournament_staff (player_id);

-- A player's call for an arbiter. Where the match stood is kept with it, for a
-- match that is played again stands there no more.
CREATE TABLE match_calls (
    id            TEXT     NOT NULL PRIMARY KEY,
    match_id      TEXT     NOT NULL REFERENCES matches (id),
    tournament_id TEXT     REFERENCES tournaments (id),
    ladder_id     TEXT     REFERENCES ladders (id),
    round         INTEGER  NOT NULL DEFAULT 0,
    board         INTEGER  NOT NULL DEFAULT 0,
    caller_id     TEXT     NOT NULL REFERENCES players (id),
    seat          SMALLINT NOT NULL CHECK (seat BETWEEN 1 AND 2),
    text          TEXT     NOT NULL,
    stopped       BOOLEAN  NOT NULL, -- the clocks
    at            BIGINT   NOT NULL,
    taken_by      TEXT     REFERENCES players (id), -- NULL: it waits
    taken_at      BIGINT   NOT NULL DEFAULT 0,
    resolved_by   TEXT     REFERENCES players (id),
    resolved_at   BIGINT   NOT NULL DEFAULT 0 -- 0: it is open
);
CREATE INDEX match_calls_match ON match_calls (match_id);
CREATE INDEX match_calls_tournament ON match_calls (tournament_id, resolved_at) WHERE tournament_id IS NOT NULL;
CREATE UNIQUE INDEX match_calls_open ON match_calls (match_id, caller_id) WHERE resolved_at = 0;

-- The talk between arbiters and the two players of a match.
CREATE TABLE match_messages (
    match_id TEXT    NOT NULL REFERENCES matches (id),
    no       INTEGER NOT NULL CHECK (no >= 1),
    by_id    TEXT    NOT NULL REFERENCES players (id),
    staff    BOOLEAN NOT NULL,
    text     TEXT    NOT NULL,
    at       BIGINT  NOT NULL,
    PRIMARY KEY (match_id, no)
);

-- A match that was made void and is played again as another.
CREATE TABLE match_replays (
    match_id TEXT NOT NULL PRIMARY KEY REFERENCES matches (id),
    next_id  TEXT NOT NULL UNIQUE REFERENCES matches (id)
);

-- When each player last had the page of their match open.
CREATE TABLE match_presence (
    match_id  TEXT   NOT NULL REFERENCES matches (id),
    player_id TEXT   NOT NULL REFERENCES players (id),
    at        BIGINT NOT NULL,
    PRIMARY KEY (match_id, player_id)
);
CREATE INDEX match_presence_at ON match_presence (at);

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
INSERT INTO rating_pools (id, club_id, name, zone, counts, rules, fold_id, created_at) VALUES
    ('main', NULL, '', 'UTC', '{"tournaments":true,"challenges":true,"ladders":true,"handicap":false}', '', 1, 0),
    ('handicap', NULL, '', 'UTC', '{"tournaments":true,"challenges":true,"ladders":true,"handicap":true}', '', 2, 0);
INSERT INTO rating_folds (id, pool_id, status, counts, rules, upto, at)
    SELECT fold_id, id, 1, counts, rules, 0, 0 FROM rating_pools;

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

-- Who was a member of which club when an event was rated.
CREATE TABLE rated_members (
    ordinal   BIGINT NOT NULL REFERENCES rated_events (ordinal) ON DELETE CASCADE,
    club_id   TEXT   NOT NULL REFERENCES clubs (id) ON DELETE CASCADE,
    player_id TEXT   NOT NULL REFERENCES players (id),
    PRIMARY KEY (ordinal, club_id, player_id)
) WITHOUT ROWID; -- sqlite
);               -- postgres

-- Ratings given to players: of an import.
CREATE TABLE rating_starts (
    ordinal   BIGINT  NOT NULL REFERENCES rated_events (ordinal) ON DELETE CASCADE,
    player_id TEXT    NOT NULL REFERENCES players (id),
    rating    INTEGER NOT NULL CHECK (rating > 0),
    games     INTEGER NOT NULL CHECK (games >= 0),
    deviation INTEGER NOT NULL CHECK (deviation >= 0),
    PRIMARY KEY (ordinal, player_id)
) WITHOUT ROWID; -- sqlite
);               -- postgres

-- For the K-factor of the young, shown to nobody but the player and operators.
CREATE TABLE rating_births (
    player_id TEXT     NOT NULL PRIMARY KEY REFERENCES players (id) ON DELETE CASCADE,
    year      SMALLINT NOT NULL CHECK (year BETWEEN 1900 AND 2200)
);

CREATE TABLE ratings (
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
) WITHOUT ROWID; -- sqlite
);               -- postgres
-- All that the filters of a list ask for.
CREATE INDEX ratings_order ON ratings (fold_id, bot, rating, player_id, games, provisional, at);

-- A change holds where the player stood after it: a fold can go on from any event.
CREATE TABLE rating_changes (
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
) WITHOUT ROWID; -- sqlite
);               -- postgres
CREATE INDEX rating_changes_player ON rating_changes (fold_id, player_id, ordinal);

-- What each player paid in a match for each target, and how it went: it follows
-- from the logs and can be made anew.
CREATE TABLE match_bids (
    match_id  TEXT     NOT NULL REFERENCES matches (id),
    player_id TEXT     NOT NULL REFERENCES players (id),
    target    SMALLINT NOT NULL CHECK (target BETWEEN 0 AND 9),
    chips     INTEGER  NOT NULL,
    purse     INTEGER  NOT NULL, -- chips at the beginning
    won       SMALLINT NOT NULL, -- 1: had the last word, 0: the other one, 2: chance or nobody
    score     SMALLINT NOT NULL, -- half points of the match
    raised    TEXT     NOT NULL, -- the outcome of their last raise (a row, minutes+increment, features); empty: none
    PRIMARY KEY (match_id, player_id, target)
) WITHOUT ROWID; -- sqlite
);               -- postgres
CREATE INDEX match_bids_player ON match_bids (player_id, target);

-- What each player did in a match that is worth looking back on; from the logs too.
CREATE TABLE match_feats (
    match_id  TEXT NOT NULL REFERENCES matches (id),
    player_id TEXT NOT NULL REFERENCES players (id),
    feat      TEXT NOT NULL,
    PRIMARY KEY (match_id, player_id, feat)
) WITHOUT ROWID; -- sqlite
);               -- postgres
CREATE INDEX match_feats_player ON match_feats (player_id, feat);

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

-- Who was the last to change a part of a club: its settings, somebody's place in it, a post, a series. version is that of
-- the club after it; whoever has seen an earlier one overwrites nothing.
CREATE TABLE club_changes (
    club_id    TEXT   NOT NULL REFERENCES clubs (id) ON DELETE CASCADE,
    part       TEXT   NOT NULL,
    version    BIGINT NOT NULL,
    act        TEXT   NOT NULL,
    by_player  TEXT   NOT NULL,
    changed_at BIGINT NOT NULL,
    PRIMARY KEY (club_id, part)
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
    series_id     TEXT   NOT NULL REFERENCES series (id),
    day           TEXT   NOT NULL,
    status        TEXT   NOT NULL CHECK (status IN ('announced', 'skipped', 'missed')),
    tournament_id TEXT   UNIQUE REFERENCES tournaments (id),
    start_at      BIGINT,
    PRIMARY KEY (series_id, day)
);
CREATE INDEX series_dates_start ON series_dates (start_at) WHERE start_at IS NOT NULL;

-- Leagues of clubs, each with all its seasons. The log is what people read.
CREATE TABLE leagues (
    id           TEXT   NOT NULL PRIMARY KEY,
    club_id      TEXT   NOT NULL REFERENCES clubs (id),
    organizer_id TEXT   NOT NULL REFERENCES players (id),
    name         TEXT   NOT NULL,
    state        TEXT   NOT NULL,
    due_at       BIGINT, -- the next offer of a place, or the start of a season
    created_at   BIGINT NOT NULL,
    version      BIGINT NOT NULL
);
CREATE INDEX leagues_club ON leagues (club_id);
CREATE INDEX leagues_due ON leagues (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE league_events (
    league_id TEXT   NOT NULL REFERENCES leagues (id),
    seq       BIGINT NOT NULL CHECK (seq >= 1),
    body      TEXT   NOT NULL,
    PRIMARY KEY (league_id, seq)
);

-- Programs of others that are told of an event, or of all events of a club, and what
-- each was told. A message says only what happened; whoever is told asks for the rest.
CREATE TABLE hooks (
    id            TEXT   NOT NULL PRIMARY KEY,
    topic         TEXT   NOT NULL, -- tournament/ID, ladder/ID or club/ID
    url           TEXT   NOT NULL, -- or telegram:CHAT
    lang          TEXT   NOT NULL DEFAULT '', -- of the messages in a chat; '': a program, which is told of everything
    title         TEXT   NOT NULL DEFAULT '', -- of the group on Telegram
    secret_sealed TEXT   NOT NULL,
    before_sealed TEXT   NOT NULL DEFAULT '', -- signs along until until_at
    until_at      BIGINT NOT NULL DEFAULT 0,
    by_player     TEXT   NOT NULL REFERENCES players (id),
    created_at    BIGINT NOT NULL,
    stopped_at    BIGINT NOT NULL DEFAULT 0 -- given up; 0: it is told
);
CREATE INDEX hooks_topic ON hooks (topic);

-- Links by which staff let the bot write to a group.
CREATE TABLE group_codes (
    digest    TEXT   NOT NULL PRIMARY KEY,
    topic     TEXT   NOT NULL, -- as of hooks
    by_player TEXT   NOT NULL REFERENCES players (id) ON DELETE CASCADE,
    asked_at  BIGINT NOT NULL,
    lang      TEXT   NOT NULL
);

CREATE TABLE hook_messages (
    hook_id TEXT    NOT NULL REFERENCES hooks (id) ON DELETE CASCADE,
    topic   TEXT    NOT NULL,
    seq     BIGINT  NOT NULL, -- in the log of the topic; 0: a trial
    act     TEXT    NOT NULL,
    at      BIGINT  NOT NULL,
    due_at  BIGINT, -- NULL: taken, or given up
    tries   INTEGER NOT NULL DEFAULT 0,
    sent_at BIGINT  NOT NULL DEFAULT 0,
    answer  INTEGER NOT NULL DEFAULT 0, -- status of HTTP
    trouble TEXT    NOT NULL DEFAULT '',
    PRIMARY KEY (hook_id, topic, seq)
);
CREATE INDEX hook_messages_due ON hook_messages (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX hook_messages_at ON hook_messages (at);

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
    zone       TEXT    NOT NULL DEFAULT '', -- of its event; empty: none
    until      BIGINT  NOT NULL DEFAULT 0, -- when it is of no more use; 0: never
    at         BIGINT  NOT NULL,
    shown      BOOLEAN NOT NULL, -- on the site
    read_at    BIGINT  NOT NULL DEFAULT 0,
    mail_due   BIGINT, -- NULL: no mail, or sent, or given up
    mail_tries INTEGER NOT NULL DEFAULT 0,
    mailed_at  BIGINT  NOT NULL DEFAULT 0,
    push_due   BIGINT, -- NULL: nothing to push, or pushed, or given up
    push_tries INTEGER NOT NULL DEFAULT 0,
    telegram_due   BIGINT, -- NULL: nothing to say there, or said, or given up
    telegram_tries INTEGER NOT NULL DEFAULT 0,
    UNIQUE (player_id, kind, about)
);
CREATE INDEX notices_player ON notices (player_id, at);
CREATE INDEX notices_unread ON notices (player_id) WHERE shown AND read_at = 0;
CREATE INDEX notices_of ON notices (kind) WHERE shown AND read_at = 0;
CREATE INDEX notices_mail ON notices (mail_due) WHERE mail_due IS NOT NULL;
CREATE INDEX notices_push ON notices (push_due) WHERE push_due IS NOT NULL;
CREATE INDEX notices_telegram ON notices (telegram_due) WHERE telegram_due IS NOT NULL;

-- Browsers that take what is pushed, each for as long as its session lasts.
CREATE TABLE push_devices (
    endpoint   TEXT   NOT NULL PRIMARY KEY,
    player_id  TEXT   NOT NULL REFERENCES players (id) ON DELETE CASCADE,
    session_id TEXT   NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    public_key TEXT   NOT NULL,
    auth       TEXT   NOT NULL,
    lang       TEXT   NOT NULL,
    zone       TEXT   NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX push_devices_player ON push_devices (player_id);
CREATE INDEX push_devices_session ON push_devices (session_id);

-- Where the site's bot on Telegram reaches a player. A link joins, or moves to another chat.
CREATE TABLE telegram_chats (
    player_id  TEXT   NOT NULL PRIMARY KEY REFERENCES players (id) ON DELETE CASCADE,
    chat       BIGINT, -- NULL: none yet, or the bot was blocked there
    joined_at  BIGINT NOT NULL DEFAULT 0,
    blocked_at BIGINT NOT NULL DEFAULT 0, -- when the bot last found itself blocked; 0: not since they joined
    digest     TEXT   NOT NULL DEFAULT '', -- of the code in the link that joins; '': used
    asked_at   BIGINT NOT NULL DEFAULT 0,
    lang       TEXT   NOT NULL, -- in which they asked, like zone
    zone       TEXT   NOT NULL
);
CREATE UNIQUE INDEX telegram_chats_chat ON telegram_chats (chat);
CREATE UNIQUE INDEX telegram_chats_digest ON telegram_chats (digest) WHERE digest <> '';

-- What one node does for all, and which node that is for now.
CREATE TABLE leases (
    name     TEXT   NOT NULL PRIMARY KEY,
    holder   TEXT   NOT NULL,
    until_at BIGINT NOT NULL
);

-- What a player chose; kinds that are missing follow their defaults.
CREATE TABLE notice_settings (
    player_id TEXT    NOT NULL REFERENCES players (id) ON DELETE CASCADE,
    kind      TEXT    NOT NULL,
    app       BOOLEAN NOT NULL,
    mail      BOOLEAN NOT NULL,
    push      BOOLEAN NOT NULL,
    telegram  BOOLEAN NOT NULL,
    PRIMARY KEY (player_id, kind)
);

-- Where mail reaches a player, once they have confirmed it by a link. A new address
-- waits beside the old one until then.
CREATE TABLE mail_addresses (
    player_id    TEXT   NOT NULL PRIMARY KEY REFERENCES players (id) ON DELETE CASCADE,
    address      TEXT   NOT NULL DEFAULT '', -- confirmed; '': none yet
    confirmed_at BIGINT NOT NULL DEFAULT 0,
    pending      TEXT   NOT NULL DEFAULT '',
    digest       TEXT   NOT NULL DEFAULT '', -- of the secret of the link that confirms pending
    asked_at     BIGINT NOT NULL DEFAULT 0,
    lang         TEXT   NOT NULL DEFAULT '', -- in which they asked for mail
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

-- Days on which players cannot play, by their own calendar. Those that are over go with the next change.
CREATE TABLE days_off (
    player_id TEXT NOT NULL REFERENCES players (id) ON DELETE CASCADE,
    day       TEXT NOT NULL CHECK (LENGTH(day) = 10), -- YYYY-MM-DD
    PRIMARY KEY (player_id, day)
);

-- What players tell about themselves, and whom. Missing: nothing, and the defaults.
CREATE TABLE profiles (
    player_id     TEXT    NOT NULL PRIMARY KEY REFERENCES players (id) ON DELETE CASCADE,
    name          TEXT    NOT NULL DEFAULT '',
    about         TEXT    NOT NULL DEFAULT '',
    country       TEXT    NOT NULL DEFAULT '',
    fide          TEXT    NOT NULL DEFAULT '', -- their number in FIDE's lists
    links         TEXT    NOT NULL DEFAULT '', -- one a line
    see_profile   TEXT    NOT NULL CHECK (see_profile IN ('everyone', 'members', 'clubs', 'nobody')),
    see_history   TEXT    NOT NULL CHECK (see_history IN ('everyone', 'members', 'clubs', 'nobody')),
    see_online    TEXT    NOT NULL CHECK (see_online IN ('everyone', 'members', 'clubs', 'nobody')),
    may_challenge TEXT    NOT NULL CHECK (may_challenge IN ('everyone', 'members', 'clubs', 'nobody')),
    may_follow    TEXT    NOT NULL DEFAULT 'everyone' CHECK (may_follow IN ('everyone', 'members', 'clubs', 'nobody')),
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

-- Whose play somebody wants to hear of, and which clubs' events.
CREATE TABLE follows (
    player_id   TEXT   NOT NULL REFERENCES players (id) ON DELETE CASCADE,
    followed_id TEXT   NOT NULL REFERENCES players (id) ON DELETE CASCADE,
    at          BIGINT NOT NULL,
    PRIMARY KEY (player_id, followed_id),
    CHECK (player_id <> followed_id)
);
CREATE INDEX follows_followed ON follows (followed_id);

CREATE TABLE club_follows (
    player_id TEXT   NOT NULL REFERENCES players (id) ON DELETE CASCADE,
    club_id   TEXT   NOT NULL REFERENCES clubs (id) ON DELETE CASCADE,
    at        BIGINT NOT NULL,
    PRIMARY KEY (player_id, club_id)
);
CREATE INDEX club_follows_club ON club_follows (club_id);

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

-- A policy is named by the hash of its text and never changes.
CREATE TABLE policies (
    hash  TEXT     NOT NULL PRIMARY KEY,
    level SMALLINT NOT NULL CHECK (level BETWEEN 1 AND 4),
    body  TEXT     NOT NULL
);

CREATE TABLE match_policies (
    match_id    TEXT NOT NULL PRIMARY KEY REFERENCES matches (id),
    policy_hash TEXT NOT NULL REFERENCES policies (hash),
    statement   TEXT NOT NULL DEFAULT '', -- signed, once the match is over (JSON)
    superseded  TEXT NOT NULL DEFAULT ''  -- what was signed of its earlier ends, a line of JSON each
);

-- What happened on either side of a match; of each kind once.
CREATE TABLE match_facts (
    match_id  TEXT     NOT NULL REFERENCES matches (id),
    seat      SMALLINT NOT NULL CHECK (seat BETWEEN 1 AND 2),
    kind      TEXT     NOT NULL,
    demand    TEXT     NOT NULL DEFAULT '',
    at        BIGINT   NOT NULL,
    move      INTEGER  NOT NULL DEFAULT 0,
    number    INTEGER  NOT NULL DEFAULT 0,
    by_player TEXT     NOT NULL DEFAULT '',
    PRIMARY KEY (match_id, seat, kind, demand)
);

-- What the server noticed about a player; for them and the arbiters only.
CREATE TABLE signals (
    id        TEXT    NOT NULL PRIMARY KEY,
    player_id TEXT    NOT NULL REFERENCES players (id),
    match_id  TEXT    NOT NULL REFERENCES matches (id),
    kind      TEXT    NOT NULL,
    at        BIGINT  NOT NULL,
    move      INTEGER NOT NULL DEFAULT 0,
    detail    TEXT    NOT NULL DEFAULT ''
);
CREATE INDEX signals_by_player ON signals (player_id, at);
CREATE INDEX signals_by_match ON signals (match_id, at);

-- Who asked our analysis for a position that was being played.
CREATE TABLE analysis_refusals (
    id        TEXT   NOT NULL PRIMARY KEY,
    match_id  TEXT   NOT NULL REFERENCES matches (id),
    player_id TEXT   NOT NULL REFERENCES players (id),
    at        BIGINT NOT NULL,
    position  TEXT   NOT NULL
);
CREATE INDEX analysis_refusals_by_match ON analysis_refusals (match_id, at);

-- From which browsers and networks a match was played, as keyed hashes.
CREATE TABLE match_devices (
    match_id TEXT     NOT NULL REFERENCES matches (id),
    seat     SMALLINT NOT NULL CHECK (seat BETWEEN 1 AND 2),
    session  TEXT     NOT NULL,
    device   TEXT     NOT NULL,
    network  TEXT     NOT NULL,
    at       BIGINT   NOT NULL,
    PRIMARY KEY (match_id, seat, session, device, network)
);
CREATE INDEX match_devices_by_time ON match_devices (at);
CREATE INDEX match_devices_by_device ON match_devices (device);

-- Who accepted which fair-play text.
CREATE TABLE fair_play_acceptances (
    player_id TEXT    NOT NULL REFERENCES players (id),
    version   INTEGER NOT NULL,
    lang      TEXT    NOT NULL,
    text_hash TEXT    NOT NULL,
    at        BIGINT  NOT NULL,
    PRIMARY KEY (player_id, version)
);

-- Matches to which a player did not come, and what they said about it.
CREATE TABLE no_shows (
    id            TEXT     NOT NULL PRIMARY KEY,
    player_id     TEXT     NOT NULL REFERENCES players (id) ON DELETE CASCADE,
    tournament_id TEXT     NOT NULL REFERENCES tournaments (id),
    round         INTEGER  NOT NULL,
    board         INTEGER  NOT NULL,
    match_id      TEXT     NOT NULL,
    at            BIGINT   NOT NULL,
    appeal        TEXT     NOT NULL DEFAULT '',
    appealed_at   BIGINT   NOT NULL DEFAULT 0,
    verdict       SMALLINT NOT NULL DEFAULT 0 CHECK (verdict BETWEEN 0 AND 2), -- none yet, excused, upheld
    answer        TEXT     NOT NULL DEFAULT '',
    decided_by    TEXT     NOT NULL DEFAULT '',
    decided_at    BIGINT   NOT NULL DEFAULT 0,
    UNIQUE (match_id, player_id)
);
CREATE INDEX no_shows_player ON no_shows (player_id, at);
CREATE INDEX no_shows_tournament ON no_shows (tournament_id);

-- Dry runs: what is simulated, how far it has come and what came of it, both
-- JSON. Nodes work on a piece at a time: done guards it, leased_until keeps the
-- others from the same piece.
CREATE TABLE dry_runs (
    id            TEXT     NOT NULL PRIMARY KEY,
    tournament_id TEXT     NOT NULL REFERENCES tournaments (id),
    by_player     TEXT     NOT NULL REFERENCES players (id),
    seed          BIGINT   NOT NULL,
    total         INTEGER  NOT NULL CHECK (total >= 1),
    done          INTEGER  NOT NULL DEFAULT 0 CHECK (done BETWEEN 0 AND total),
    first         INTEGER  NOT NULL,
    plan          TEXT     NOT NULL,
    samples       TEXT     NOT NULL DEFAULT '',
    state         SMALLINT NOT NULL CHECK (state BETWEEN 1 AND 4), -- running, done, cancelled, failed
    leased_until  BIGINT   NOT NULL DEFAULT 0,
    created_at    BIGINT   NOT NULL,
    ended_at      BIGINT   NOT NULL DEFAULT 0
);
CREATE INDEX dry_runs_tournament ON dry_runs (tournament_id, created_at);
CREATE INDEX dry_runs_running ON dry_runs (created_at) WHERE state = 1;

-- Records of matches that were played on the site a tournament comes from.
CREATE TABLE imported_records (
    tournament_id TEXT    NOT NULL REFERENCES tournaments (id),
    round         INTEGER NOT NULL,
    board         INTEGER NOT NULL,
    record        TEXT    NOT NULL,
    PRIMARY KEY (tournament_id, round, board)
);

-- A screen is a page for a venue's projector; who has its link sees it.
CREATE TABLE screens (
    id            TEXT     NOT NULL PRIMARY KEY,
    tournament_id TEXT     NOT NULL REFERENCES tournaments (id),
    token_digest  TEXT     NOT NULL UNIQUE,
    token_sealed  TEXT     NOT NULL,
    name          TEXT     NOT NULL,
    shows         SMALLINT NOT NULL CHECK (shows BETWEEN 0 AND 63), -- a bit for each picture
    seconds       INTEGER  NOT NULL CHECK (seconds BETWEEN 5 AND 600),
    message       TEXT     NOT NULL DEFAULT '',
    lang          TEXT     NOT NULL,
    zone          TEXT     NOT NULL,
    version       BIGINT   NOT NULL,
    created_at    BIGINT   NOT NULL
);
CREATE INDEX screens_by_tournament ON screens (tournament_id);

-- The short address by which people come in to a tournament, told on its poster, and the secret of the
-- page on which many do so at one device.
CREATE TABLE doors (
    tournament_id TEXT   NOT NULL PRIMARY KEY REFERENCES tournaments (id),
    code          TEXT   NOT NULL UNIQUE,
    kiosk_digest  TEXT   NOT NULL UNIQUE,
    kiosk_sealed  TEXT   NOT NULL,
    opened_at     BIGINT NOT NULL
);

-- Accounts that were made at a door, by the name that was typed there. The code lets
-- in on another device; it goes when the account is claimed.
CREATE TABLE club_guests (
    player_id     TEXT   NOT NULL PRIMARY KEY REFERENCES players (id) ON DELETE CASCADE,
    club_id       TEXT   REFERENCES clubs (id),
    tournament_id TEXT   NOT NULL REFERENCES tournaments (id),
    name          TEXT   NOT NULL,
    code_digest   TEXT   UNIQUE, -- NULL: claimed
    code_sealed   TEXT   NOT NULL DEFAULT '',
    made_at       BIGINT NOT NULL
);
CREATE INDEX club_guests_by_club ON club_guests (club_id);

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

-- The clubs whose word counts, besides the site's own. seed is of the Ed25519 key one signs
-- with; sig is the site's, over the certificate.
CREATE TABLE issuers (
    id           TEXT   NOT NULL PRIMARY KEY,
    name         TEXT   NOT NULL,
    club_id      TEXT   NOT NULL REFERENCES clubs (id),
    seed         TEXT   NOT NULL,
    since        BIGINT NOT NULL,
    sig          TEXT   NOT NULL,
    revoked_at   BIGINT NOT NULL DEFAULT 0,
    revoked_by   TEXT   NOT NULL DEFAULT '',
    revoked_code TEXT   NOT NULL DEFAULT '',
    revoked_sig  TEXT   NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX issuers_club ON issuers (club_id) WHERE revoked_at = 0;

-- What issuers say about players. No document ever stands beside it.
CREATE TABLE attestations (
    id           TEXT    NOT NULL PRIMARY KEY,
    player_id    TEXT    NOT NULL REFERENCES players (id),
    issuer_id    TEXT    NOT NULL,
    by_player    TEXT    NOT NULL,
    kind         TEXT    NOT NULL CHECK (kind IN ('identity', 'presence', 'strength')),
    how          TEXT    NOT NULL CHECK (how IN ('in-person', 'video', 'federation-id')),
    issued       BIGINT  NOT NULL,
    expires      BIGINT  NOT NULL,
    note         TEXT    NOT NULL DEFAULT '',
    sig          TEXT    NOT NULL,
    revoked_at   BIGINT  NOT NULL DEFAULT 0,
    revoked_by   TEXT    NOT NULL DEFAULT '',
    revoked_code TEXT    NOT NULL DEFAULT '',
    revoked_sig  TEXT    NOT NULL DEFAULT '',
    warned_at    BIGINT  NOT NULL DEFAULT 0, -- of the coming end
    -- Of a minor: the club has the consent of a guardian. No paper of it is kept here.
    guardian     BOOLEAN NOT NULL DEFAULT FALSE
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

-- What match pages told of themselves. Each hash covers the row before.
CREATE TABLE telemetry (
    match_id  TEXT     NOT NULL REFERENCES matches (id),
    seat      SMALLINT NOT NULL CHECK (seat BETWEEN 1 AND 2),
    no        INTEGER  NOT NULL,
    player_id TEXT     NOT NULL REFERENCES players (id),
    at        BIGINT   NOT NULL,
    kind      TEXT     NOT NULL,
    move      INTEGER  NOT NULL,
    number    INTEGER  NOT NULL,
    hash      TEXT     NOT NULL,
    PRIMARY KEY (match_id, seat, no)
);
CREATE INDEX telemetry_by_player ON telemetry (player_id);

-- What stewards did at a side of a match.
CREATE TABLE watches (
    match_id    TEXT     NOT NULL REFERENCES matches (id),
    seat        SMALLINT NOT NULL CHECK (seat BETWEEN 1 AND 2),
    steward_id  TEXT     NOT NULL REFERENCES players (id),
    player_id   TEXT     NOT NULL REFERENCES players (id),
    accepted_at BIGINT   NOT NULL DEFAULT 0,
    opened_at   BIGINT   NOT NULL DEFAULT 0,
    absent_at   BIGINT   NOT NULL DEFAULT 0,
    signed_at   BIGINT   NOT NULL DEFAULT 0,
    verdict     TEXT     NOT NULL DEFAULT '',
    checks      TEXT     NOT NULL DEFAULT '', -- with notes (JSON)
    PRIMARY KEY (match_id, seat)
);
CREATE INDEX watches_by_steward ON watches (steward_id);
CREATE INDEX watches_by_player ON watches (player_id);

-- Concerns about players, for them and for arbiters only. version counts changes.
CREATE TABLE reviews (
    id             TEXT    NOT NULL PRIMARY KEY,
    player_id      TEXT    NOT NULL REFERENCES players (id),
    place          TEXT    NOT NULL, -- as of a match
    status         TEXT    NOT NULL CHECK (status IN ('open', 'told', 'decided', 'appealed', 'closed')),
    opened_at      BIGINT  NOT NULL,
    decided_at     BIGINT  NOT NULL DEFAULT 0,
    closed_at      BIGINT  NOT NULL DEFAULT 0,
    upheld         BOOLEAN NOT NULL DEFAULT FALSE,
    excluded_until BIGINT  NOT NULL DEFAULT 0,
    version        BIGINT  NOT NULL,
    body           TEXT    NOT NULL
);
CREATE INDEX reviews_by_player ON reviews (player_id, opened_at);
CREATE INDEX reviews_by_place ON reviews (place, opened_at);
CREATE UNIQUE INDEX reviews_running ON reviews (player_id, place) WHERE status <> 'closed';

-- What an engine says of a player's moves in a rated match above Open: what each
-- possible action gave away, and which was taken. Body is JSON.
CREATE TABLE match_choices (
    match_id  TEXT     NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    seat      SMALLINT NOT NULL CHECK (seat BETWEEN 1 AND 2),
    player_id TEXT     NOT NULL REFERENCES players (id),
    engine    INTEGER  NOT NULL, -- its version
    seq       BIGINT   NOT NULL, -- of the end that it is about
    rating    INTEGER  NOT NULL, -- of the player at that end
    state     SMALLINT NOT NULL CHECK (state BETWEEN 1 AND 4), -- under way, done, failed, in a dossier
    done      INTEGER  NOT NULL, -- moves of the player
    body      TEXT     NOT NULL,
    due_at    BIGINT   NOT NULL, -- when somebody may do the next piece
    PRIMARY KEY (match_id, seat)
);
CREATE INDEX match_choices_due ON match_choices (due_at) WHERE state = 1;
CREATE INDEX match_choices_done ON match_choices (match_id) WHERE state = 2;
CREATE INDEX match_choices_by_engine ON match_choices (engine, state);
CREATE INDEX match_choices_by_player ON match_choices (player_id);

-- How people beyond doubt choose, as JSON; an empty body while a node works on it,
-- and where there are too few.
CREATE TABLE calibrations (
    id     TEXT    NOT NULL PRIMARY KEY, -- hash of what it is based on
    engine INTEGER NOT NULL,
    bots   TEXT    NOT NULL, -- hash of the house's
    people INTEGER NOT NULL,
    sides  INTEGER NOT NULL, -- of matches
    at     BIGINT  NOT NULL, -- 0: not known yet
    due_at BIGINT  NOT NULL,
    power  TEXT    NOT NULL, -- what it is worth (JSON)
    body   TEXT    NOT NULL
);

-- What the moves of a player in one place come to: of an event when it is over.
-- Only arbiters see it, and the player, in a review. p is NULL where nothing is said.
CREATE TABLE dossiers (
    player_id   TEXT    NOT NULL REFERENCES players (id),
    place       TEXT    NOT NULL,
    calibration TEXT    NOT NULL REFERENCES calibrations (id),
    at          BIGINT  NOT NULL,
    p           DOUBLE PRECISION,
    adjusted    DOUBLE PRECISION, -- p among all who were looked at in that place
    concern     BOOLEAN NOT NULL,
    earlier     TEXT    NOT NULL DEFAULT '[]', -- the p of earlier dossiers of the player in the place (JSON)
    since       BIGINT  NOT NULL DEFAULT 0,    -- after which the matches ended
    past        TEXT    NOT NULL DEFAULT '[]', -- matches before, by which they are judged, in order (JSON)
    matches     TEXT    NOT NULL, -- in order (JSON)
    body        TEXT    NOT NULL,
    PRIMARY KEY (player_id, place)
);
CREATE INDEX dossiers_by_place ON dossiers (place);
CREATE INDEX dossiers_by_time ON dossiers (at);
CREATE INDEX dossiers_by_calibration ON dossiers (calibration);

-- What players report of others' play. Who reported is for arbiters only.
CREATE TABLE play_reports (
    match_id    TEXT    NOT NULL REFERENCES matches (id),
    reporter_id TEXT    NOT NULL REFERENCES players (id),
    player_id   TEXT    NOT NULL REFERENCES players (id),
    at          BIGINT  NOT NULL,
    text        TEXT    NOT NULL,
    -- What became of a report: the review of whom it is about that ended next, and
    -- whether something was upheld.
    review_id   TEXT    NOT NULL DEFAULT '',
    upheld      BOOLEAN NOT NULL DEFAULT FALSE,
    PRIMARY KEY (match_id, reporter_id, player_id)
);
CREATE INDEX play_reports_by_reporter ON play_reports (reporter_id, at);
CREATE INDEX play_reports_by_player ON play_reports (player_id, at);

-- Which positions stood on the board in which finished match, for the analysis
-- lock: those of plies 4 to 60, each as eight bytes of a hash.
CREATE TABLE known_positions (
    position BIGINT NOT NULL,
    match_id TEXT   NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    PRIMARY KEY (position, match_id)
) WITHOUT ROWID; -- sqlite
);               -- postgres

-- Networks that arbiters named as where an event is played, as keyed hashes.
CREATE TABLE tournament_venues (
    tournament_id TEXT   NOT NULL REFERENCES tournaments (id) ON DELETE CASCADE,
    network       TEXT   NOT NULL,
    at            BIGINT NOT NULL,
    PRIMARY KEY (tournament_id, network)
);

-- Who looked at what is recorded of a player, other than the player. place is the event.
CREATE TABLE dossier_views (
    player_id TEXT   NOT NULL REFERENCES players (id),
    place     TEXT   NOT NULL,
    by_player TEXT   NOT NULL REFERENCES players (id),
    at        BIGINT NOT NULL,
    PRIMARY KEY (player_id, place, by_player, at)
);
CREATE INDEX dossier_views_by ON dossier_views (by_player, at);

-- Counts of months (as 2026-11) by name, for the numbers of a season: what they
-- count goes after its term.
CREATE TABLE fair_play_counts (
    month TEXT   NOT NULL,
    name  TEXT   NOT NULL,
    n     BIGINT NOT NULL,
    PRIMARY KEY (month, name)
);

-- The same for each who judges, for operators.
CREATE TABLE arbiter_counts (
    month     TEXT   NOT NULL,
    player_id TEXT   NOT NULL REFERENCES players (id),
    name      TEXT   NOT NULL,
    n         BIGINT NOT NULL,
    PRIMARY KEY (month, player_id, name)
);
CREATE INDEX arbiter_counts_by_player ON arbiter_counts (player_id);

-- By which words players (1), tournaments (2), clubs (3), ladders (4) and leagues (5) are found:
-- folded by the program, compared byte by byte on both databases.
CREATE TABLE search_words (
    kind SMALLINT NOT NULL CHECK (kind BETWEEN 1 AND 5),
    id   TEXT     NOT NULL,
    word TEXT     NOT NULL,             -- sqlite
    word TEXT     COLLATE "C" NOT NULL, -- postgres
    PRIMARY KEY (kind, word, id)
) WITHOUT ROWID; -- sqlite
);               -- postgres
CREATE INDEX search_words_of ON search_words (kind, id);
