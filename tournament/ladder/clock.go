package ladder

import (
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
)

// due is something that happens by itself.
type due struct {
	at        time.Time
	challenge ChallengeID // 0: it is the player's
	player    player.ID
	what      Kind
}

// Due is when something next happens by itself; false: nothing ever will.
func (l *Ladder) Due() (time.Time, bool) {
	d, ok := l.next()
	return d.at, ok
}

// next is the first thing due. Of several at one moment the older challenge
// comes first, then the higher rung.
func (l *Ladder) next() (first due, ok bool) {
	offer := func(d due) {
		if !d.at.IsZero() && (!ok || d.at.Before(first.at)) {
			first, ok = d, true
		}
	}
	for _, c := range l.Challenges {
		if !c.IsPaused() {
			offer(due{at: c.Due, challenge: c.Number})
		}
	}
	for i, r := range l.Rungs {
		switch {
		case r.OnVacation():
			offer(due{at: r.VacationUntil, player: r.Player, what: VacationOver})
		case !l.sinks(i):
		case r.WarnedAt.IsZero():
			offer(due{at: l.SinkAt(r).Add(-l.Settings.Notice), player: r.Player, what: Warned})
		default:
			offer(due{at: l.SinkAt(r), player: r.Player, what: Sunk})
		}
	}
	return first, ok
}

// sinks tells whether silence can move the player of a rung: not the last, and
// nobody who is playing.
func (l *Ladder) sinks(i int) bool {
	if l.Settings.Inactivity == 0 || l.Settings.Sink == 0 || i == len(l.Rungs)-1 {
		return false
	}
	for _, c := range l.Challenges {
		if c.Status == Playing && c.Is(l.Rungs[i].Player) {
			return false
		}
	}
	return true
}

// SinkAt is when a player sinks unless they play before: after so much silence
// and what they have won by defending, and never without the whole notice. Zero:
// the ladder lets nobody sink.
func (l *Ladder) SinkAt(r Rung) time.Time {
	if l.Settings.Inactivity == 0 || l.Settings.Sink == 0 {
		return time.Time{}
	}
	at := r.ActiveAt.Add(l.Settings.Inactivity + r.Credit)
	if !r.WarnedAt.IsZero() {
		at = latest(at, r.WarnedAt.Add(l.Settings.Notice))
	}
	return at
}

// Settle does what was due by now, in the order in which it was due: late where
// nobody came in time, and every thing once. Matches are named by newMatch.
func (l *Ladder) Settle(now time.Time, newMatch func() match.ID) {
	for {
		d, ok := l.next()
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
		l.end(n, NoReply, c.Challenger, "", "", now)
	case Accepted:
		// Who has named no time at all while the other did has lost.
		asked := map[player.ID]bool{}
		for _, p := range c.Times {
			asked[p.By] = true
		}
		winner := player.ID("")
		if len(asked) == 1 {
			winner = c.Times[0].By
		}
		l.end(n, NoTime, winner, "", "", now)
	case Scheduled:
		l.record(Event{Kind: Opened, Challenge: n, Match: newMatch()}, now)
	case Claimed:
		l.end(n, Forfeited, c.Winner, "", "", now)
	}
}
