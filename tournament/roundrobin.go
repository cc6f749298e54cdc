package tournament

import "chpok.org/chpok/tournament/setting"

// roundRobin is a round robin by the Berger tables.
type roundRobin struct{ usual }

func (roundRobin) traits() traits {
	return traits{name: "round-robin", table: true, meetAll: true, teams: true}
}

func (roundRobin) tiebreaks() []string { return []string{"DE", "WIN", "SB", "KS"} }

func (roundRobin) bounds(s Settings) (least, most int) {
	if s.HasTeams() {
		return MinPlayers, MaxRoundRobinPlayers
	}
	return MinRoundRobinPlayers, MaxRoundRobinPlayers
}

func (roundRobin) foreign(s Settings, f *setting.Faults) {
	if s.Numbering == Varma {
		f.Add("numbering", "unsuitable", "the Varma tables are for round robins")
	}
}

// rounds follows from the tables; while there are too few players, from the times for rounds.
func (roundRobin) rounds(t *Table) int {
	n := t.Active()
	if n < t.LeastPlayers() {
		return len(t.Times)
	}
	return t.meetings() * (n - 1 + n%2)
}

func (roundRobin) edits(k EditKind) error { return swapsOnly(k) }

// swapsOnly allows what leaves tables as they are but for who sits where.
func swapsOnly(k EditKind) error {
	if k != SwapEntries && k != SwapSeats {
		return ErrTable
	}
	return nil
}

// meetings returns how often the same players meet by a table.
func (s Settings) meetings() int {
	if s.Double {
		return 2
	}
	return 1
}
