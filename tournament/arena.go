package tournament

import (
	"slices"
	"time"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/tournament/setting"
)

// An arena is a single round that stays open for its window; each pass adds boards to it.

// Refusals of arenas.
var (
	ErrArena     = refusal.Conflict("arena.error.arena", "tournament: an arena pairs by itself")
	ErrArenaOver = refusal.Conflict("arena.error.over", "tournament: the arena has stopped pairing")
)

// arena is an arena.
type arena struct{ usual }

func (arena) traits() traits {
	return traits{name: "arena", endless: true, late: true, order: true, again: true}
}

func (arena) defaults(s *Settings) {
	s.Rounds, s.Window, s.Lateness = 1, time.Hour, 20*time.Second
	s.Envelope.Chips, s.Envelope.Minutes, s.Envelope.Increment = 4, [2]int{3, 3}, [2]int{0, 0}
	s.Envelope.MoveLimit, s.Envelope.Defaults.MoveLimit = [2]int{20, 40}, 40
	s.Envelope.Presets = []bidding.TimeControl{{Minutes: 3, Increment: 0}}
	s.Envelope.Undos, s.Envelope.Defaults.Undos = [2]int{0, 0}, 0
}

func (arena) edits(EditKind) error { return ErrArena }

// late lets people in as long as pairing goes on.
func (arena) late(t *Tournament, _ bool, now time.Time) error {
	if until, open := t.PairsUntil(); len(t.Rounds) > 0 && (!open || !now.Before(until)) {
		return ErrLate
	}
	return nil
}

// back is possible while it runs: whoever waits is paired.
func (arena) back(*Table, Entry) error { return nil }

func (arena) foreign(s Settings, f *setting.Faults) {
	if s.Window != 0 && !s.Pace.HasWindow() {
		f.Add("window", "unsuitable", "only an arena, and matches that players arrange or play by correspondence, have a window")
	}
}

func (arena) faults(s Settings, f *setting.Faults) {
	f.Arena(s.Window, s.MatchOptions().Envelope.WorstCase(match.DefaultStartDelay), s.Lateness, map[string]bool{
		"onClaim": s.OnClaim, "review": s.Review, "checkIn": s.CheckIn != CheckIn{},
		"double": s.Double, "times": len(s.Times) > 1,
	})
}

// Pass is what the latest pairing of an arena was made from.
type Pass struct {
	At      time.Time  `json:"at"`
	Engine  string     `json:"engine,omitempty"` // with its version; empty: no pass yet
	Boards  int        `json:"boards,omitempty"` // boards before it
	Waiting []Awaiting `json:"waiting,omitempty"`
	Closed  bool       `json:"closed,omitempty"` // pairing has stopped
}

// Awaiting is an entry that waits for an opponent.
type Awaiting struct {
	Entry EntryID   `json:"entry"`
	Since time.Time `json:"since"`
}

func (p *Pass) clone() *Pass {
	if p == nil {
		return nil
	}
	return &Pass{p.At, p.Engine, p.Boards, slices.Clone(p.Waiting), p.Closed}
}

// ArenaRound returns the round of an arena, once it is open.
func (t *Tournament) ArenaRound() (Round, bool) {
	if t.Format.InRounds() || len(t.Rounds) == 0 || t.Rounds[0].Pass == nil {
		return Round{}, false
	}
	return t.Rounds[0], true
}

// ArenaTimes returns when pairing stops, when the window ends, and when the last match ends
// at the latest. Pairing stops early enough for about half of the last matches to end within
// the window. It reports false while the start is not known.
func (t *Tournament) ArenaTimes() (closes, ends, latest time.Time, known bool) {
	opened := t.StartsAt()
	if r, open := t.ArenaRound(); open {
		opened = r.OpenedAt
	}
	ends = opened.Add(t.Window + t.Timetable.Extra)
	closes = ends.Add(-min(t.Window/4, t.UsualRound()*8/10).Round(time.Second))
	return closes, ends, closes.Add(t.WorstRound()), !opened.IsZero() && !t.Format.InRounds()
}

// PairsUntil returns when pairing of an open arena stops; false if it is not open.
func (t *Tournament) PairsUntil() (time.Time, bool) {
	r, open := t.ArenaRound()
	if !open || r.Pass.Closed || t.Status != Running {
		return time.Time{}, false
	}
	closes, _, _, known := t.ArenaTimes()
	return closes, known
}

// GiveBackWindow makes the window of an open arena longer by what an outage of the site took from it,
// once, and reports whether it did. Outages come in their order.
func (t *Tournament) GiveBackWindow(from, to time.Time) bool {
	until, pairs := t.PairsUntil()
	if !pairs || !from.Before(until) { // what begins after the end takes nothing
		return false
	}
	lost := to.Sub(later(from, later(t.Rounds[0].OpenedAt, t.Timetable.Credited)))
	if lost < time.Second {
		return false
	}
	t.Timetable.Extra += lost.Round(time.Second)
	t.Timetable.Credited = to
	return true
}

// CloseArena stops pairing for good if its time has come, and reports whether it did.
// Matches in play still count.
func (t *Tournament) CloseArena(now time.Time) bool {
	until, open := t.PairsUntil()
	if !open || now.Before(until) {
		return false
	}
	t.closeArena()
	return true
}

func (t *Tournament) closeArena() {
	t.Rounds[0].Pass = t.Rounds[0].Pass.clone()
	t.Rounds[0].Pass.Closed = true
}

// nextRound returns the first round that a new entry can play in.
func (t *Table) nextRound() int {
	if !t.Format.InRounds() {
		return 1
	}
	return len(t.Rounds) + 1
}

// StartArena starts an arena whose time has come, on nobody's behalf.
func (t *Tournament) StartArena(d Drawing, now time.Time) error {
	if !t.Format.InRounds() && t.Status == Registration {
		return t.start(d, now)
	}
	return ErrArena
}
