package literal

import (
	"slices"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/tournament"
)

// preference returns the seat that a team prefers (1.7); zero for none.
func (e *event) preference(t *entrant) (seat match.Seat, strong bool) {
	n := len(t.colors)
	if e.rules.Preferences == tournament.NoPreferences || n == 0 {
		return 0, false
	}
	both := func(s match.Seat) bool { return n >= 2 && t.colors[n-1] == s && t.colors[n-2] == s }
	if t.cd < -1 || (t.cd == 0 || t.cd == -1) && both(match.Second) {
		return match.First, true
	}
	if t.cd > 1 || (t.cd == 0 || t.cd == 1) && both(match.First) {
		return match.Second, true
	}
	if e.rules.Preferences != tournament.TypeB {
		return 0, false
	}
	if t.cd == -1 || t.cd == 0 && !e.last && t.colors[n-1] == match.Second {
		return match.First, false
	}
	if t.cd == 1 || t.cd == 0 && !e.last && t.colors[n-1] == match.First {
		return match.Second, false
	}
	return 0, false
}

// leads reports whether a is the first team (4.2).
func (e *event) leads(a, b *entrant) bool {
	if a.score != b.score {
		return a.score > b.score
	}
	if a.second != b.second && !e.rules.OneScore {
		return a.second > b.second
	}
	return a.tpn < b.tpn
}

// seat returns the seat of a (4.3).
func (e *event) seat(a, b *entrant) match.Seat {
	if !e.leads(a, b) {
		return e.seat(b, a).Other()
	}
	if len(a.colors)+len(b.colors) == 0 { // 4.3.1
		if a.arrival%2 == 1 {
			return e.initial
		}
		return e.initial.Other()
	}
	wa, sa := e.preference(a)
	wb, sb := e.preference(b)
	switch {
	case wa != 0 && wb == 0: // 4.3.2
		return wa
	case wb != 0 && wa == 0:
		return wb.Other()
	case wa != wb: // 4.3.3
		return wa
	}
	if e.rules.Preferences == tournament.TypeB && sa != sb { // 4.3.4
		if sa {
			return wa
		}
		return wb.Other()
	}
	if a.cd != b.cd { // 4.3.5
		if a.cd < b.cd {
			return match.First
		}
		return match.Second
	}
	// 4.3.6: matches stand against each other from the latest back, byes left out.
	x, y := slices.Clone(a.colors), slices.Clone(b.colors)
	slices.Reverse(x)
	slices.Reverse(y)
	for k := range min(len(x), len(y)) {
		if x[k] != y[k] {
			return x[k].Other()
		}
	}
	if wa != 0 { // 4.3.7
		return wa
	}
	if len(x) > 0 { // 4.3.8
		return x[0].Other()
	}
	return y[0] // 4.3.9
}

// enter reads a field.
func (p Pairer) enter(f tournament.Field) *event {
	e := &event{Pairer: p, initial: f.Opening, barred: map[[2]int]bool{}, known: map[uint]bool{}}
	if f.Teams != nil {
		e.rules = f.Teams.TeamRules
	}
	if e.initial == 0 {
		e.initial = match.First
	}
	round := f.Played + 1
	e.last = f.Rounds > 0 && round >= f.Rounds
	e.lastTwo = f.Rounds > 0 && round >= f.Rounds-1
	for _, x := range f.Forbidden {
		if x.From > round || x.To > 0 && x.To < round {
			continue
		}
		for _, a := range x.Numbers {
			for _, b := range x.Numbers {
				e.barred[[2]int{a, b}] = true
			}
		}
	}
	teams := slices.Clone(f.Players)
	slices.SortFunc(teams, func(a, b tournament.FieldPlayer) int { return a.Number - b.Number })
	arrived := 0
	for _, t := range teams {
		here := result(t, f.Played).Outcome == tournament.NoRecord
		was := false
		for k := range f.Played {
			c := result(t, k)
			was = was || c.Opponent > 0 || c.Outcome == tournament.PairingBye || c.Outcome == tournament.ForfeitWin
		}
		if here || was {
			arrived++
		}
		if here {
			e.teams = append(e.teams, entrantOf(f, t, arrived))
		}
	}
	return e
}

func result(t tournament.FieldPlayer, k int) (c tournament.RoundResult) {
	if k < len(t.Rounds) {
		c = t.Rounds[k]
	}
	return c
}

// games returns the game points of round k, and whether it had any game.
func games(f tournament.Field, t tournament.FieldPlayer, k int) (tournament.Score, bool) {
	var m tournament.TeamMatch
	if f.Teams != nil && k < len(f.Teams.Matches[t.Number]) {
		m = f.Teams.Matches[t.Number][k]
	}
	c := result(t, k)
	return m.Games, c.Opponent > 0 && (!c.Outcome.IsForfeit() || m.Played)
}

// total returns the two scores before a round (from 0).
func total(f tournament.Field, t tournament.FieldPlayer, round int) (first, second tournament.Score) {
	for k := range round {
		g, _ := games(f, t, k)
		first += f.Points.Of(result(t, k).Outcome)
		second += g
	}
	if f.Teams != nil && f.Teams.ByGames {
		first, second = second, first
	}
	if round < len(t.Virtual) {
		first += t.Virtual[round]
	}
	return first, second
}

func entrantOf(f tournament.Field, t tournament.FieldPlayer, arrival int) entrant {
	x := entrant{tpn: t.Number, arrival: arrival, met: map[int]bool{}}
	x.score, x.second = total(f, t, f.Played)
	for k := range f.Played {
		c := result(t, k)
		if c.Outcome == tournament.PairingBye || c.Outcome == tournament.FullBye || c.Outcome == tournament.ForfeitWin {
			x.noBye = true
		}
		if _, was := games(f, t, k); !was {
			continue
		}
		x.met[c.Opponent] = true
		x.colors = append(x.colors, c.Seat)
		if c.Seat == match.First {
			x.cd++
		} else {
			x.cd--
		}
		if k == f.Played-1 {
			for _, o := range f.Players {
				if o.Number == c.Opponent {
					mine, _ := total(f, t, k)
					theirs, _ := total(f, o, k)
					x.floater = mine != theirs
				}
			}
		}
	}
	return x
}
