package ladder

import (
	"iter"
	"slices"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament/fixture"
)

// due is something that happens by itself.
type due struct {
	at        time.Time
	challenge ChallengeID // 0: about the player
	player    player.ID
	what      Kind

	isNoDeadline bool
}

// Due returns when something next happens by itself: a deadline, and what is none. Zero: nothing
// ever will.
func (l *Ladder) Due() (deadline, other time.Time) {
	for d := range l.dues() {
		first := &deadline
		if d.isNoDeadline {
			first = &other
		}
		if first.IsZero() || d.at.Before(*first) {
			*first = d.at
		}
	}
	return deadline, other
}

// next returns what is due first; at equal times the older challenge, then the higher
// rung. Deadlines that stay, as nobody could keep them, are passed over; an agreed time and the end
// of a vacation are none.
func (l *Ladder) next(stays func(deadline time.Time) bool) (first due, ok bool) {
	for d := range l.dues() {
		if (!ok || d.at.Before(first.at)) && (d.isNoDeadline || !stays(d.at)) {
			first, ok = d, true
		}
	}
	return first, ok
}

// dues yields all that will happen by itself unless something is done: the older challenge, then the
// higher rung first.
func (l *Ladder) dues() iter.Seq[due] {
	return func(yield func(due) bool) {
		for _, c := range l.Challenges {
			d := due{at: c.Due, challenge: c.Number, isNoDeadline: c.Status == fixture.Scheduled}
			if !c.IsPaused() && !c.Due.IsZero() && !yield(d) {
				return
			}
		}
		for i, r := range l.Rungs {
			d := due{at: l.SinkAt(r), player: r.Player, what: Sunk}
			switch {
			case r.OnVacation():
				d = due{at: r.VacationUntil, player: r.Player, what: VacationOver, isNoDeadline: true}
			case !l.Sinks(i):
				continue
			case r.WarnedAt.IsZero():
				d.at, d.what = d.at.Add(-l.Settings.Notice), Warned
			}
			if !d.at.IsZero() && !yield(d) {
				return
			}
		}
	}
}

// Sinks reports whether inactivity can move the player of a rung: not the last one, and nobody who
// has a challenge, or for whom there is nobody to challenge.
func (l *Ladder) Sinks(i int) bool {
	me := l.Rungs[i].Player
	return l.Settings.Inactivity != 0 && l.Settings.Sink != 0 && i != len(l.Rungs)-1 &&
		!slices.ContainsFunc(l.Challenges, func(c Challenge) bool { return c.Is(me) }) &&
		slices.ContainsFunc(l.Rungs[max(0, i-l.Reach(me)):i], func(r Rung) bool { return !r.OnVacation() })
}

// SinkAt returns when a player sinks unless they play: after Inactivity and the credit
// for defenses, and never without the whole Notice. Zero: never.
func (l *Ladder) SinkAt(r Rung) time.Time {
	if l.Settings.Inactivity == 0 || l.Settings.Sink == 0 {
		return time.Time{}
	}
	at := r.ActiveAt.Add(l.Settings.Inactivity + r.Credit)
	if !r.WarnedAt.IsZero() {
		at = later(at, r.WarnedAt.Add(l.Settings.Notice))
	}
	return at
}

// Settle does everything due by now, in order and exactly once, except deadlines that stay. newMatch
// returns ids for matches.
func (l *Ladder) Settle(now time.Time, stays func(deadline time.Time) bool, newMatch func() match.ID) {
	for {
		d, ok := l.next(stays)
		if !ok || d.at.After(now) {
			return
		}
		if d.challenge != 0 {
			l.settleChallenge(d.challenge, now, newMatch)
			continue
		}
		switch d.what {
		case VacationOver:
			l.endVacation(d.player, "", now)
		case Warned:
			r, _ := l.RungOf(d.player)
			r.WarnedAt = now
			l.record(Event{Kind: Warned, Player: d.player, Due: l.SinkAt(r)}, now)
		case Sunk:
			from := l.Place(d.player)
			to := min(from+l.Settings.Sink, len(l.Rungs))
			l.record(Event{Kind: Sunk, Player: d.player, From: from, To: to}, now)
		}
	}
}

func (l *Ladder) settleChallenge(n ChallengeID, now time.Time, newMatch func() match.ID) {
	c := *l.challenge(n)
	switch c.Status {
	case Proposed:
		l.end(Event{Challenge: n, Ending: NoReply, Player: c.Challenger}, now)
	case fixture.Arranging:
		// Only one of the two proposed a time: the other loses.
		l.end(Event{Challenge: n, Ending: NoTime, Player: c.Unmet()}, now)
	case fixture.Scheduled:
		l.record(Event{Kind: fixture.Opened, Challenge: n, Match: newMatch()}, now)
	case fixture.Claimed, fixture.Disputed:
		l.end(Event{Challenge: n, Ending: Forfeited, Player: c.Winner}, now)
	}
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
