package tournament

import (
	"time"
)

// Misfit is a round that in the worst case, with the longest matches possible, does not fit
// the plan.
type Misfit struct {
	Round int           // the round that lasts too long
	End   bool          // beyond Settings.Until; otherwise into the next round
	By    time.Duration // by how much
}

// Misfits returns where fixed times and Settings.Until do not fit. A round that is still in
// play delays the next one. A first round without a time is assumed to open now.
func (t *Tournament) Misfits(now time.Time) []Misfit {
	var list []Misfit
	rounds := t.mostRounds()
	if t.Pace == Correspondence {
		rounds = min(rounds, max(1, len(t.Rounds))) // all last as long as the first
	}
	end := now
	if n := len(t.Rounds); n > 0 {
		end = later(now, t.Rounds[n-1].OpenedAt.Add(t.longestRound()))
	}
	for n := len(t.Rounds) + 1; n <= rounds; n++ {
		opens, fixed := t.FixedAt(n)
		if fixed && opens.Before(end) && n > 1 {
			list = append(list, Misfit{Round: n - 1, By: end.Sub(opens)})
		}
		switch {
		case fixed:
			end = later(end, opens)
		case t.Pace.OpensByItself() && n > 1:
			end = end.Add(t.Gap(n))
		case t.Pace.OpensByItself() && t.needsCheckIn(n):
			end = end.Add(t.CheckIn.Opens)
		}
		end = end.Add(t.longestRound())
	}
	if !t.Until.IsZero() && end.After(t.Until) {
		list = append(list, Misfit{Round: rounds, End: true, By: end.Sub(t.Until)})
	}
	return list
}

// later returns the later of two times.
func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// earlier returns the earlier of two times.
func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// longestRound returns the longest a round can last. In an arena the last match may begin at
// the end of the window; matches that players arrange, or play by correspondence, end in theirs.
func (t *Tournament) longestRound() time.Duration {
	if t.Pace.HasWindow() {
		return t.Window
	}
	return t.Window + t.Timetable.Extra + t.WorstRound()
}

// overrun returns by how much the worst case exceeds Settings.Until; 0: it does not.
func (t *Tournament) overrun(now time.Time) time.Duration {
	for _, m := range t.Misfits(now) {
		if m.End {
			return m.By
		}
	}
	return 0
}

// Gap returns the time between an automatic round and the one before.
func (s Settings) Gap(n int) time.Duration {
	if s.needsCheckIn(n) {
		return max(s.Break, s.CheckIn.Opens)
	}
	return s.Break
}

// RoundsExpected returns the number of rounds or, before the start, what it would be with the
// entries so far.
func (t *Table) RoundsExpected() int {
	if t.Settings.Rounds > 0 {
		return t.Settings.Rounds
	}
	return t.Format.rules().rounds(t)
}
