package tournament

import (
	"slices"
	"time"

	"chpok.org/chpok/civil"
	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
)

// ActRounds changes the number of rounds after the start.
const ActRounds Act = "rounds"

// Refusals of another number of rounds.
var (
	ErrRoundsFixed  = refusal.Conflict("schedule.error.rounds-fixed", "tournament: the rounds follow from who plays")
	ErrRoundsRange  = refusal.Invalid("schedule.error.rounds-range", "tournament: not that many rounds")
	ErrRoundsMany   = refusal.Conflict("schedule.error.rounds-many", "tournament: more rounds than opponents")
	ErrRoundsFaster = refusal.Conflict("schedule.error.rounds-accelerated", "tournament: the acceleration of paired rounds would change")
)

// LeastRounds returns the fewest rounds that a running tournament can have yet: with no round open, the next one is
// the last; to play none any more is to finish.
func (t *Tournament) LeastRounds() int {
	if n := len(t.Rounds); t.Draft == nil && n > 0 && !t.RoundIsOver() {
		return n
	}
	return len(t.Rounds) + 1
}

// MostOpponents returns in how many rounds everybody who is in can meet somebody new, or have the one bye.
func (t *Tournament) MostOpponents() int {
	n := t.Active()
	return n - 1 + n%2
}

// SetRounds changes how many rounds a running Swiss has. More rounds than opponents ask for sure, because the last of
// them could not be paired. New rounds of a timetable follow at the last distance, by the clocks of the event.
func (t *Tournament) SetRounds(by player.Viewer, rounds int, sure bool, now time.Time) error {
	switch least := t.LeastRounds(); {
	case !t.May(by, ActRounds):
		return ErrNotAllowed
	case t.Status.IsOver():
		return ErrFinished
	case t.Status != Running:
		return ErrNotRunning
	case !t.Format.PairsByScore():
		return ErrRoundsFixed
	case rounds < least || rounds > MaxRounds || rounds == t.Settings.Rounds:
		return refusal.Case(ErrRoundsRange, ErrRoundsRange.Error(), "Least", least, "Most", MaxRounds, "Now", t.Settings.Rounds)
	case !t.Format.MeetsAgain() && rounds > t.MostOpponents() && rounds > t.Settings.Rounds && !sure:
		return refusal.Case(ErrRoundsMany, ErrRoundsMany.Error(), "Rounds", rounds, "Most", t.MostOpponents())
	}
	c := t.Clone()
	c.Settings.Rounds = rounds
	c.Settings.Entry.LateUntil, c.Settings.Entry.HalfUntil = min(c.Settings.Entry.LateUntil, rounds), min(c.Settings.Entry.HalfUntil, rounds)
	paired := len(t.Rounds)
	if t.Draft != nil {
		paired++
	}
	for _, e := range t.Entries {
		was, is := t.Virtual(e), c.Virtual(e)
		for r := range paired {
			if virtualIn(was, r) != virtualIn(is, r) {
				return ErrRoundsFaster
			}
		}
	}
	if c.Pace == Times {
		c.Times = retimed(c.Times, rounds, c.Location())
	}
	c.Timetable.Appointed = slices.DeleteFunc(slices.Clone(c.Timetable.Appointed), func(a Appointment) bool { return a.Round > rounds })
	if c.Firm && c.overrun(now) > 0 {
		return ErrCannotFit
	}
	if t.Draft != nil && !t.Format.MeetsAgain() && (t.Draft.Number == rounds) != (t.Draft.Number == t.Settings.Rounds) {
		c.Draft.Basis = otherRounds // the last round of a Swiss is paired otherwise
	}
	*t = *c
	return nil
}

// otherRounds is a basis of drafts that no results have.
const otherRounds = "-"

// otherNumbers is one as well.
const otherNumbers = "#"

func virtualIn(points []Score, round int) Score {
	if round < len(points) {
		return points[round]
	}
	return 0
}

// retimed returns the times of as many rounds.
func retimed(times []time.Time, rounds int, zone *time.Location) []time.Time {
	list := slices.Clone(times[:min(len(times), rounds)])
	for len(list) < rounds && len(list) > 0 {
		last, before := list[len(list)-1], list[max(0, len(list)-2)]
		next := civil.Shift(last, before, last, zone)
		if !next.After(last) {
			next = civil.AddDays(last, 1, zone) // of a single round nobody knows the distance
		}
		list = append(list, next)
	}
	return list
}
