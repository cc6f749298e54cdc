package tournament

import (
	"time"

	"chpok.org/chpok/tournament/setting"
)

// keizerSystem is the Keizer system: rounds as in a Swiss, an order of its own (package keizer).
type keizerSystem struct{ swiss }

func (keizerSystem) traits() traits {
	return traits{name: "keizer", late: true, order: true, again: true, report: "CUSTOM_KEIZER"}
}

func (keizerSystem) tiebreaks() []string { return nil }

// bounds keeps a season within what is paired and ordered at once.
func (keizerSystem) bounds(Settings) (least, most int) { return MinPlayers, 500 }

func (keizerSystem) defaults(s *Settings) { s.Rounds = 5 }

// late lets people in as long as there are rounds, unless the settings name an earlier one.
func (k keizerSystem) late(t *Tournament, isStaff bool, now time.Time) error {
	return k.swiss.late(t, isStaff || t.Settings.Entry.LateUntil == 0, now)
}

func (keizerSystem) foreign(Settings, *setting.Faults) {}
