package tournament

import "time"

// RoundAt is when a round that is still to come begins by the clock; false: its
// time is not known, or it has been paired. Rounds count from 1.
func (t *Tournament) RoundAt(round int) (time.Time, bool) {
	if round <= len(t.Rounds) || round < 1 || t.Status == Finished || t.Status == Draft {
		return time.Time{}, false
	}
	if t.Pace == Times && round <= len(t.Times) {
		return t.Times[round-1], true
	}
	if round == len(t.Rounds)+1 {
		return t.NextRoundAt()
	}
	return time.Time{}, false
}
