package tournament

import (
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/tournament/contest"
	"chpok.org/chpok/tournament/setting"
)

// A knock-out at the Rolling pace has no barrier between its rounds: a match opens as
// soon as both of its players are known. Rounds are the columns of the table then, and
// several can be open at once.

// rollingProblems are the faults of a pace that knows no rounds.
func (s Settings) rollingProblems(f *setting.Faults) {
	if s.Pace != Rolling {
		return
	}
	if s.Format != KnockOut {
		f.Add("pace", "unsuitable", "only in a knock-out do matches open as soon as their players are known")
	}
	if s.Review {
		f.Add("review", "unsuitable", "matches that open by themselves are not drafted")
	}
	if s.CheckIn.Scope == ForRound {
		f.Add("checkIn", "unsuitable", "matches that open by themselves have no check-in of a round")
	}
}

// Rolls reports whether matches open by themselves as soon as their players are known.
func (t *Course) Rolls() bool {
	return t.Pace == Rolling && t.Status == Running && len(t.Rounds) > 0 && t.Draft == nil && !t.IsHeld() && !t.Timetable.IsPaused()
}

// nextContestAt is when the next match opens of those whose players are known: after a
// break from their latest results. False: none waits.
func (t *Course) nextContestAt() (next time.Time, waits bool) {
	for _, s := range t.Bracket(len(t.Rounds)).Ready() {
		if at := t.readyAt(s); !waits || at.Before(next) {
			next, waits = at, true
		}
	}
	return next, waits
}

// readyAt is when a match between the two sides of a contest may open.
func (t *Course) readyAt(s contest.State) time.Time {
	free, ids := t.StartedAt, t.idsByNumber()
	for _, number := range s.Sides {
		if n, p := t.lastBoard(ids[number]); n > 0 && p.Result.At.Add(t.Break).After(free) {
			free = p.Result.At.Add(t.Break)
		}
	}
	return free
}

// lastBoard is the last board of an entry with its round; 0: it had none.
func (l Rounds) lastBoard(id EntryID) (round int, p Pairing) {
	for n := len(l); n > 0; n-- {
		if p, sits := l[n-1].BoardOf(id); sits {
			return n, p
		}
	}
	return 0, Pairing{}
}

// Roll opens every match whose players are known and whose moment has come, in the round
// after the last of either. It answers the boards that were added.
func (t *Course) Roll(newID func() match.ID, now time.Time) (opened []Pairing) {
	for t.Rolls() {
		before := len(opened)
		for _, s := range t.Bracket(len(t.Rounds)).Ready() {
			if !t.readyAt(s).After(now) {
				opened = append(opened, t.openContest(s, newID, now))
			}
		}
		if len(opened) == before {
			break // a forfeit lets somebody go on at once
		}
	}
	return opened
}

func (t *Course) openContest(s contest.State, newID func() match.ID, now time.Time) Pairing {
	ids := t.idsByNumber()
	p := Pairing{First: ids[s.First], Second: ids[s.Sides[0]+s.Sides[1]-s.First], Contest: s.At, Sealed: s.Sealed}
	first, _ := t.lastBoard(p.First)
	second, _ := t.lastBoard(p.Second)
	n := max(first, second, min(s.Wave-1, len(t.Rounds))) + 1
	if n > len(t.Rounds) {
		t.Rounds = append(t.Rounds, Round{Number: n, OpenedAt: now, Engine: contest.Version})
	}
	r := &t.Rounds[n-1]
	p.Board = len(r.Pairings) + 1
	if p.Result = t.absence(p, len(t.Rounds)+1, now); p.Result.IsPending() {
		t.nameMatch(&p, newID)
	}
	r.Pairings = append(r.Pairings, p)
	return p
}

// rollingLeft is how many rounds the rest of a bracket adds, at least and at most. What is
// left may fit into rounds there are; while none of them is open it counts as one more.
func (t *Table) rollingLeft(b contest.Bracket) (least, most int) {
	least, most = b.Rounds()
	none := 0
	if t.RoundIsOver() {
		none = 1
	}
	return max(none, least-len(t.Rounds)), max(none, most-len(t.Rounds))
}

// supports reports whether boards stand that would not without the result of a board.
func (t *Course) supports(p *Pairing) bool {
	stood := p.Result
	p.Result = Result{Odds: stood.Odds}
	defer func() { p.Result = stood }()
	return len(t.strays()) > 0
}
