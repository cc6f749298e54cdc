package tournament

import (
	"slices"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/tournament/contest"
	"chpok.org/chpok/tournament/setting"
)

// At the Rolling pace a knock-out does not wait for whole rounds: a match opens as soon as both
// players are known. Rounds are then just columns of the table, and several can be open at once.

// rollingProblems finds faults of the rolling pace.
func (s Settings) rollingProblems(f *setting.Faults) {
	if s.Pace != Rolling {
		return
	}
	if !s.Format.HasBracket() {
		f.Add("pace", "unsuitable", "only a knock-out can open matches as soon as their players are known")
	}
	if s.Review {
		f.Add("review", "unsuitable", "matches that open by themselves are not drafted")
	}
	if s.CheckIn.Scope == ForRound {
		f.Add("checkIn", "unsuitable", "matches that open by themselves have no check-in per round")
	}
}

// Rolls reports whether matches open now as soon as their players are known.
func (t *Tournament) Rolls() bool {
	return t.Pace == Rolling && t.Status == Running && len(t.Rounds) > 0 && !t.Timetable.IsPaused()
}

// NextMatch is a match that opens by itself.
type NextMatch struct {
	contest.State
	At time.Time
}

// NextMatches returns the matches whose players are known at the rolling pace, the earliest first.
func (t *Tournament) NextMatches() (list []NextMatch) {
	if !t.Rolls() {
		return nil
	}
	for _, s := range t.Bracket(len(t.Rounds)).Ready() {
		list = append(list, NextMatch{s, t.readyAt(s)})
	}
	slices.SortStableFunc(list, func(a, b NextMatch) int { return a.At.Compare(b.At) })
	return list
}

// NextMatchOf returns the next match of an entry, and whether its opponent is known.
func (t *Tournament) NextMatchOf(e Entry) (next NextMatch, known bool) {
	list := t.NextMatches()
	i := slices.IndexFunc(list, func(n NextMatch) bool { return slices.Contains(n.Sides[:], e.Number) })
	if i < 0 {
		return next, false
	}
	return list[i], true
}

// readyAt returns when the next match of a contest may open: a break after its players' latest results.
func (t *Tournament) readyAt(s contest.State) time.Time {
	free, ids := t.StartedAt, t.idsByNumber()
	for _, number := range s.Sides {
		if n, p := t.lastBoard(ids[number]); n > 0 {
			free = later(free, p.Result.At.Add(t.Break))
		}
	}
	return free
}

// lastBoard returns the last board of an entry with its round; 0: it had none.
func (l Rounds) lastBoard(id EntryID) (round int, p Pairing) {
	for n := len(l); n > 0; n-- {
		if p, sits := l[n-1].BoardOf(id); sits {
			return n, p
		}
	}
	return 0, Pairing{}
}

// Roll opens each match whose players are known and whose time has come, or at once without the
// break, in the round after the last of either. It returns the boards it adds.
func (t *Tournament) Roll(newID func() match.ID, now time.Time, atOnce bool) (opened []Pairing) {
	for t.Rolls() { // repeatedly, as a forfeit may advance somebody at once
		before := len(opened)
		for _, next := range t.NextMatches() {
			if atOnce || !next.At.After(now) {
				opened = append(opened, t.openContest(next.State, newID, now))
			}
		}
		if len(opened) == before {
			break
		}
	}
	return opened
}

// openContest opens the next match of a contest.
func (t *Tournament) openContest(s contest.State, newID func() match.ID, now time.Time) Pairing {
	ids := t.idsByNumber()
	p := Pairing{First: ids[s.First], Second: ids[s.Second()], Contest: s.At, Sealed: s.Sealed}
	first, _ := t.lastBoard(p.First)
	second, _ := t.lastBoard(p.Second)
	n := max(first, second, min(s.Wave-1, len(t.Rounds))) + 1
	if n > len(t.Rounds) {
		t.Rounds = append(t.Rounds, Round{Number: n, OpenedAt: now, Engine: contest.Version})
	}
	r := &t.Rounds[n-1]
	p.Board = len(r.Pairings) + 1
	if p.Result = t.absence(p, len(t.Rounds)+1, now); p.Result.IsPending() {
		t.NameMatch(&p, newID)
	}
	r.Pairings = append(r.Pairings, p)
	return p
}

// rollingLeft returns how many rounds the rest of a bracket adds, at least and at most. The rest
// may fit into existing rounds, but while none of them is open it counts as one more.
func (t *Table) rollingLeft(b contest.Bracket) (least, most int) {
	least, most = b.Rounds()
	none := 0
	if t.RoundIsOver() {
		none = 1
	}
	return max(none, least-len(t.Rounds)), max(none, most-len(t.Rounds))
}

// supports reports whether later boards rely on the result of a board.
func (t *Tournament) supports(p *Pairing) bool {
	stood := p.Result
	p.Result = Result{Odds: stood.Odds}
	defer func() { p.Result = stood }()
	return len(t.strays()) > 0
}
