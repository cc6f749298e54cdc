package tournament

import (
	"time"

	"chpok.org/chpok/tournament/setting"
)

// swiss is the Swiss system.
type swiss struct{ usual }

func (swiss) traits() traits {
	return traits{name: "swiss", late: true, teams: true}
}

func (swiss) bounds(s Settings) (least, most int) {
	if s.HasTeams() {
		return MinPlayers, MaxTeams
	}
	return MinPlayers, MaxPlayers
}

func (swiss) tiebreaks() []string { return []string{"BH/C1", "BH", "SB", "DE"} }

func (swiss) defaults(s *Settings) { s.Rounds, s.Entry.HalfByes = 5, 1 }

func (swiss) faults(s Settings, f *setting.Faults) {
	if s.Rounds < 1 || s.Rounds > MaxRounds {
		f.Add("rounds", "range", "there are 1…%d rounds, not %d", MaxRounds, s.Rounds)
	}
	if s.Double {
		f.Add("double", "unsuitable", "only formats with a table can be double")
	}
}

func (swiss) foreign(s Settings, f *setting.Faults) {
	if s.Acceleration != NoAcceleration {
		f.Add("acceleration", "unsuitable", "only a Swiss can be accelerated")
	}
}

// late lets staff enter people as long as there are rounds, and others until the round that the
// settings name.
func (swiss) late(t *Tournament, isStaff bool, _ time.Time) error {
	switch late := t.Settings.Entry.LateUntil; {
	case !isStaff && late == 0:
		return ErrClosed
	case !isStaff && len(t.Rounds) >= late:
		return ErrLate
	case len(t.Rounds) >= t.Settings.Rounds:
		return ErrNoRoundsLeft
	}
	return nil
}

// back is possible as long as there are rounds: those that they miss are absences.
func (swiss) back(t *Table, _ Entry) error {
	if len(t.Rounds) >= t.Settings.Rounds {
		return ErrNoRoundsLeft
	}
	return nil
}
