package tournament

import (
	"slices"
	"time"
)

// Misfit is a place where the worst case does not fit the plan: every match of
// a round takes the longest it can.
type Misfit struct {
	Round int           // the round that goes on for too long
	End   bool          // beyond the hard end; otherwise into the next round
	By    time.Duration // how much too long
}

// Misfits are those of rounds with fixed times, and of the hard end. A round
// that is not over yet does not keep the next from its time in the plan: it
// opens late. now counts for a tournament whose first round has no time.
func (t *Course) Misfits(now time.Time) []Misfit {
	var list []Misfit
	rounds := t.mostRounds()
	end := now
	if len(t.Rounds) > 0 {
		end = slices.MaxFunc([]time.Time{now, t.Rounds[len(t.Rounds)-1].OpenedAt.Add(t.longestRound())}, time.Time.Compare)
	}
	for n := len(t.Rounds) + 1; n <= rounds; n++ {
		opens, fixed := t.FixedAt(n)
		if fixed && opens.Before(end) && n > 1 {
			list = append(list, Misfit{Round: n - 1, By: end.Sub(opens)})
		}
		switch {
		case fixed:
			end = slices.MaxFunc([]time.Time{end, opens}, time.Time.Compare)
		case t.Pace.opensByItself() && n > 1:
			end = end.Add(t.Gap(n))
		case t.Pace.opensByItself() && t.needsCheckIn(n):
			end = end.Add(t.CheckIn.Opens)
		}
		end = end.Add(t.longestRound())
	}
	if !t.Until.IsZero() && end.After(t.Until) {
		list = append(list, Misfit{Round: rounds, End: true, By: end.Sub(t.Until)})
	}
	return list
}

// longestRound is the longest that a round can last: of an arena the last match begins
// at the end of its window at the latest.
func (t *Course) longestRound() time.Duration {
	if t.Format == Arena {
		return t.Window + t.WorstRound()
	}
	return t.WorstRound()
}

// overrun is how long after the hard end the worst case ends; 0: before it, or
// there is none.
func (t *Course) overrun(now time.Time) time.Duration {
	for _, m := range t.Misfits(now) {
		if m.End {
			return m.By
		}
	}
	return 0
}

// FixedAt is the moment that a round to come was given beforehand.
func (t *Course) FixedAt(n int) (time.Time, bool) {
	if t.Pace.opensByItself() && len(t.Timetable.Appointed) == 0 {
		return time.Time{}, false
	}
	c := Course{Table: Table{Settings: t.Settings}, Timetable: t.Timetable}
	return c.plannedAt(n)
}

// Gap is how long an automatic round lets pass after the one before.
func (s Settings) Gap(n int) time.Duration {
	if s.needsCheckIn(n) {
		return max(s.Break, s.CheckIn.Opens)
	}
	return s.Break
}

// RoundsExpected is how many rounds there are, or would be with the entries so
// far.
func (t *Table) RoundsExpected() int {
	if t.Settings.Rounds > 0 || !t.Format.HasTable() {
		return t.Settings.Rounds
	}
	if t.Format == KnockOut {
		least, _ := t.contestsLeft()
		return least
	}
	if n := t.Active(); t.Format == ClubMatch || n >= MinRoundRobinPlayers {
		return t.tableRounds(n)
	}
	return len(t.Times)
}
