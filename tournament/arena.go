package tournament

import (
	"slices"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/tournament/setting"
)

// An arena is one round that stays open for its window: boards come to it pass by pass.

// What an arena refuses.
var (
	ErrArena     = refusal.Conflict("arena.error.arena", "tournament: an arena is paired by itself, of whoever waits")
	ErrArenaOver = refusal.Conflict("arena.error.over", "tournament: nobody is paired any more")
)

// arenaProblems are the faults of what only an arena has.
func (s Settings) arenaProblems(f *setting.Faults) {
	if s.Format != Arena {
		if s.Window != 0 {
			f.Add("window", "unsuitable", "only an arena is open for a time")
		}
		return
	}
	f.Arena(s.Window, s.MatchOptions().Envelope.WorstCase(match.DefaultStartDelay), s.Lateness, map[string]bool{
		"onClaim": s.OnClaim, "review": s.Review, "checkIn": s.CheckIn != CheckIn{}, "tiebreaks": len(s.Tiebreaks) > 0,
		"double": s.Double, "times": len(s.Times) > 1,
	})
}

// Pass is what the latest pairing of an arena was made from.
type Pass struct {
	At      time.Time  `json:"at"`
	Engine  string     `json:"engine,omitempty"` // with its version; empty: none yet
	Boards  int        `json:"boards,omitempty"` // that were paired before it
	Waiting []Awaiting `json:"waiting,omitempty"`
	Closed  bool       `json:"closed,omitempty"` // nobody is paired any more
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

// ArenaRound is the round of an arena, once it is open.
func (t *Course) ArenaRound() (Round, bool) {
	if t.Format != Arena || len(t.Rounds) == 0 || t.Rounds[0].Pass == nil {
		return Round{}, false
	}
	return t.Rounds[0], true
}

// ArenaTimes are when pairing stops – half of the last matches are over when the window
// is –, the window’s end, and the latest end of a match; false: nobody knows when it begins.
func (t *Course) ArenaTimes() (closes, ends, latest time.Time, known bool) {
	opened := t.StartsAt()
	if r, open := t.ArenaRound(); open {
		opened = r.OpenedAt
	}
	ends = opened.Add(t.Window)
	closes = ends.Add(-min(t.Window/4, t.UsualRound()*8/10).Round(time.Second))
	return closes, ends, closes.Add(t.WorstRound()), !opened.IsZero() && t.Format == Arena
}

// PairsUntil is when pairing of an open arena stops; false: it is not open.
func (t *Course) PairsUntil() (time.Time, bool) {
	r, open := t.ArenaRound()
	if !open || r.Pass.Closed || t.Status != Running {
		return time.Time{}, false
	}
	closes, _, _, known := t.ArenaTimes()
	return closes, known
}

// CloseArena stops pairing for good, when it is time to or by who may finish; matches
// under way count. False: it is not time, or closed already.
func (t *Course) CloseArena(now time.Time) bool {
	until, open := t.PairsUntil()
	if !open || now.Before(until) {
		return false
	}
	t.closeArena()
	return true
}

func (t *Course) closeArena() {
	t.Rounds[0].Pass = t.Rounds[0].Pass.clone()
	t.Rounds[0].Pass.Closed = true
}

// nextRound is the first round that an entry of this moment can play in.
func (t *Table) nextRound() int {
	if t.Format == Arena {
		return 1
	}
	return len(t.Rounds) + 1
}

// StartArena starts an arena whose time has come; nobody need allow it.
func (t *Tournament) StartArena(d Drawing, now time.Time) error {
	if t.Format == Arena && t.Status == Registration {
		return t.start(d, now)
	}
	return ErrArena
}
