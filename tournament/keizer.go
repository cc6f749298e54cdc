package tournament

import "chpok.org/chpok/tournament/setting"

// keizerSystem is the Keizer system: rounds as in a Swiss, an order of its own (package keizer).
type keizerSystem struct{ swiss }

func (keizerSystem) traits() traits { return traits{name: "keizer", late: true, order: true} }

// bounds keeps a season within what is paired and ordered at once.
func (keizerSystem) bounds(Settings) (least, most int) { return MinPlayers, 500 }

func (keizerSystem) defaults(s *Settings) { s.Rounds, s.Entry.LateUntil = 5, 5 }

func (keizerSystem) foreign(Settings, *setting.Faults) {}
