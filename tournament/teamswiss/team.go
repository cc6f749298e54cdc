package teamswiss

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/tournament"
)

// team is what the rules need to know about a team in one round.
type team struct {
	number     int
	rank       int              // number among the teams that have arrived, from 1 (4.3.1)
	score      tournament.Score // primary, with acceleration points of this round
	other      tournament.Score // secondary
	seats      []match.Seat     // of the matches played
	difference int              // matches as First minus matches as Second (1.6.2)
	want       match.Seat       // zero: no preference (1.7)
	strong     bool
	floated    bool // met another score in the last round (1.5), unless that no longer counts
	mayBye     bool // C2
}

// round is one round to be paired, with teams by score, then number.
type round struct {
	teams   []team
	legal   []set // who may meet whom (C1, and the organizer's prohibitions)
	rules   tournament.TeamRules
	opening match.Seat
	levels  []tournament.Score // scores of those to be paired without the bye's holder, from the highest
	met     []meeting
	stop    func() bool // cancels; may be nil
	whole   bool
}

// meeting is a match that was played, by numbers.
type meeting struct{ a, b, round int }

// ErrField is the error of an inconsistent field.
var ErrField = errors.New("inconsistent field")

// record is a field by numbers.
type record struct {
	tournament.Field
	teams    tournament.TeamEvent
	byNumber map[int]*tournament.FieldPlayer
}

// prepare reads a field.
func (s Swiss) prepare(f tournament.Field) (*round, error) {
	f, err := s.Relax(f)
	if err != nil {
		return nil, err
	}
	return s.read(f)
}

func (s Swiss) read(f tournament.Field) (*round, error) {
	e := record{Field: f, byNumber: map[int]*tournament.FieldPlayer{}}
	if f.Teams != nil {
		e.teams = *f.Teams
	}
	order := make([]*tournament.FieldPlayer, len(f.Players))
	for i := range f.Players {
		p := &f.Players[i]
		if e.byNumber[p.Number] != nil {
			return nil, fmt.Errorf("%w: number %d belongs to two teams", ErrField, p.Number)
		}
		order[i], e.byNumber[p.Number] = p, p
	}
	slices.SortFunc(order, func(a, b *tournament.FieldPlayer) int { return cmp.Compare(a.Number, b.Number) })
	r := &round{rules: e.teams.TeamRules, opening: f.Opening}
	if r.opening == 0 {
		r.opening = match.First
	}
	rank := 0
	for _, p := range order {
		if !f.IsDue(*p) && !e.hasArrived(p) {
			continue
		}
		rank++
		if !f.IsDue(*p) {
			continue
		}
		t, err := e.describe(p)
		if err != nil {
			return nil, err
		}
		t.rank = rank
		r.teams = append(r.teams, t)
	}
	slices.SortStableFunc(r.teams, func(a, b team) int { return cmp.Compare(b.score, a.score) })
	r.allow(e)
	return r, nil
}

// cell returns what round k (from 0) gave a team.
func cell(p *tournament.FieldPlayer, k int) (c tournament.RoundResult) {
	if k < len(p.Rounds) {
		c = p.Rounds[k]
	}
	return c
}

// hasArrived reports whether a team was ever part of a pairing.
func (e record) hasArrived(p *tournament.FieldPlayer) bool {
	for k := range e.Played {
		c := cell(p, k)
		if c.Opponent != 0 || c.Outcome == tournament.PairingBye || c.Outcome == tournament.ForfeitWin {
			return true
		}
	}
	return false
}

// match returns what round k gave a team beside its cell.
func (e record) match(number, k int) (m tournament.TeamMatch) {
	if list := e.teams.Matches[number]; k < len(list) {
		m = list[k]
	}
	return m
}

// hasPlayed reports whether a match was played, or is being played.
func (e record) hasPlayed(p *tournament.FieldPlayer, k int) bool {
	c := cell(p, k)
	return c.Opponent != 0 && (c.Outcome.IsPlayed() || c.Outcome == tournament.Unfinished ||
		c.Outcome.IsForfeit() && e.match(p.Number, k).Played)
}

// scores returns match points and game points before round k.
func (e record) scores(p *tournament.FieldPlayer, k int) (points, games tournament.Score) {
	for i := range k {
		points += e.Points.Of(cell(p, i).Outcome)
		games += e.match(p.Number, i).Games
	}
	return points, games
}

// score returns the primary score before round k, with the acceleration points of that round, and
// the secondary one.
func (e record) score(p *tournament.FieldPlayer, k int) (primary, secondary tournament.Score) {
	primary, secondary = e.scores(p, k)
	if e.teams.ByGames {
		primary, secondary = secondary, primary
	}
	if k < len(p.Virtual) {
		primary += p.Virtual[k]
	}
	return primary, secondary
}

// describe reads a team's record.
func (e record) describe(p *tournament.FieldPlayer) (team, error) {
	t := team{number: p.Number, mayBye: true}
	t.score, t.other = e.score(p, e.Played)
	for k := range e.Played {
		c := cell(p, k)
		switch c.Outcome {
		case tournament.PairingBye, tournament.FullBye, tournament.ForfeitWin:
			t.mayBye = false
		}
		if !e.hasPlayed(p, k) {
			continue
		}
		switch c.Seat {
		case match.First:
			t.difference++
		case match.Second:
			t.difference--
		default:
			return t, fmt.Errorf("%w: team %d has no seat in round %d", ErrField, p.Number, k+1)
		}
		t.seats = append(t.seats, c.Seat)
	}
	t.want, t.strong = preference(e.teams.Preferences, t.seats, t.difference, e.Rounds > 0 && e.Played+1 >= e.Rounds)
	// C7 and C10 do not hold in the last two rounds.
	if last := e.Played - 1; last >= 0 && (e.Rounds == 0 || e.Played < e.Rounds-2) && e.hasPlayed(p, last) {
		if o := e.byNumber[cell(p, last).Opponent]; o != nil {
			mine, _ := e.score(p, last)
			theirs, _ := e.score(o, last)
			t.floated = mine != theirs
		}
	}
	return t, nil
}

// preference returns that of a team with these seats, the latest last (1.7).
func preference(k tournament.SeatPreferences, seats []match.Seat, difference int, isLast bool) (want match.Seat, strong bool) {
	n := len(seats)
	if k == tournament.NoPreferences || n == 0 {
		return 0, false
	}
	twice := match.Seat(0)
	if n > 1 && seats[n-1] == seats[n-2] {
		twice = seats[n-1]
	}
	switch {
	case difference < -1 || difference <= 0 && twice == match.Second:
		return match.First, true
	case difference > 1 || difference >= 0 && twice == match.First:
		return match.Second, true
	case k == tournament.TypeA:
		return 0, false
	case difference == -1:
		return match.First, false
	case difference == 1:
		return match.Second, false
	case isLast:
		return 0, false
	}
	return seats[n-1].Other(), false
}

// isInForce reports whether a prohibition holds in the next round.
func isInForce(x tournament.Forbidden, played int) bool {
	return x.From <= played+1 && (x.To <= 0 || x.To > played)
}

// index returns the places of teams by their numbers.
func (r *round) index() map[int]int {
	index := make(map[int]int, len(r.teams))
	for i, t := range r.teams {
		index[t.number] = i
	}
	return index
}

// allow computes who may meet whom.
func (r *round) allow(e record) {
	n, index := len(r.teams), r.index()
	for i := range n {
		row := newSet(n)
		for j := range n {
			row.add(j)
		}
		row.drop(i)
		r.legal = append(r.legal, row)
	}
	apart := func(a, b int) {
		i, ok := index[a]
		j, ok2 := index[b]
		if ok && ok2 {
			r.legal[i].drop(j)
			r.legal[j].drop(i)
		}
	}
	for _, t := range r.teams {
		p := e.byNumber[t.number]
		for k := range e.Played {
			if e.hasPlayed(p, k) {
				o := cell(p, k).Opponent
				apart(t.number, o)
				r.met = append(r.met, meeting{t.number, o, k + 1})
			}
		}
	}
	for _, x := range e.Forbidden {
		if !isInForce(x, e.Played) {
			continue
		}
		for i, a := range x.Numbers {
			for _, b := range x.Numbers[i+1:] {
				apart(a, b)
			}
		}
	}
}
