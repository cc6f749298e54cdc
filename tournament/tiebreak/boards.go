package tiebreak

import (
	"slices"

	"chpok.org/chpok/tournament"
)

// onBoards returns the game points on each board in all matches of a team (12). Forfeits are games,
// and a pairing-allocated bye is a win on every board, whatever it was worth.
func (e *event) onBoards(team int) []int64 {
	list := make([]int64, e.teams.Boards)
	game := e.teams.Game
	for r, c := range e.cells[team] {
		m := e.teams.match(e.field.Players[team].Number, r)
		if len(m.Boards) == 0 && (c.Outcome == tournament.PairingBye || c.Outcome == tournament.FullBye || c.Outcome == tournament.ForfeitWin) {
			for b := range list {
				list[b] += int64(game.Win)
			}
		}
		for b, o := range m.Boards {
			switch o {
			case tournament.ForfeitWin:
				o = tournament.Win
			case tournament.ForfeitLoss:
				o = tournament.Loss
			}
			list[b] += int64(game.Of(o))
		}
	}
	return list
}

// boardCount is BC (12.1): board numbers times the points there, the lower the better; only teams with
// the same game points can be compared by it.
func (e *event) boardCount(group []int, _ Code) (map[int]Value, map[int]Explanation) {
	values, whys := map[int]Value{}, map[int]Explanation{}
	games := e.by(GamePoints).scores
	isLevel := !slices.ContainsFunc(group, func(t int) bool { return games[t] != games[group[0]] })
	for _, t := range group {
		why := Explanation{Tied: e.numbers(group)}
		for b, points := range e.onBoards(t) {
			why.Terms = append(why.Terms, Term{
				Board: b + 1, Basis: whole(b + 1), Points: tenths(points), Worth: tenths(int64(b+1) * points),
			})
		}
		if isLevel {
			values[t] = sum(why.Terms)
		}
		whys[t] = why
	}
	return values, whys
}

// topBoards is TBR (12.2): the points on the first board, then those on the next.
func (e *event) topBoards(group []int, _ Code) (map[int]Value, map[int]Explanation) {
	return e.inTurn(group, func(points []int64) (terms []Term) {
		for b, p := range points {
			terms = append(terms, Term{Board: b + 1, Worth: tenths(p)})
		}
		return terms
	})
}

// bottomBoards is BBE (12.3): the points without the last board, then without the last two.
func (e *event) bottomBoards(group []int, _ Code) (map[int]Value, map[int]Explanation) {
	return e.inTurn(group, func(points []int64) (terms []Term) {
		var above int64
		for b, p := range points[:len(points)-1] {
			above += p
			terms = append(terms, Term{Board: b + 1, Worth: tenths(above)})
		}
		slices.Reverse(terms)
		return terms
	})
}

// inTurn compares teams by one figure after the other. The value shows the first.
func (e *event) inTurn(group []int, figures func(points []int64) []Term) (map[int]Value, map[int]Explanation) {
	values, whys := map[int]Value{}, map[int]Explanation{}
	for _, t := range group {
		whys[t] = Explanation{Tied: e.numbers(group), Terms: figures(e.onBoards(t))}
	}
	compare := func(a, b int) int {
		return slices.CompareFunc(whys[b].Terms, whys[a].Terms, func(x, y Term) int { return x.Worth.compare(y.Worth) })
	}
	order := slices.SortedStableFunc(slices.Values(group), compare)
	for place, level := range split(order, func(a, b int) bool { return compare(a, b) == 0 }) {
		for _, t := range level {
			v := whole(0)
			if len(whys[t].Terms) > 0 {
				v = whys[t].Terms[0].Worth
			}
			v.rest = -int64(place)
			values[t] = v
		}
	}
	return values, whys
}

// extendedEncounter is EDE (13.3): direct encounter by the primary score and, if that separates
// nobody, by the secondary one, from the beginning for every group that becomes smaller; for two
// teams that are left the endings in turn.
func extendedEncounter(endings ...Kind) func(*event, []int, Code) (map[int]Value, map[int]Explanation) {
	return func(e *event, group []int, c Code) (map[int]Value, map[int]Explanation) {
		x := &extension{
			e: e, forfeits: c.Forfeits || e.field.RoundRobin, endings: endings,
			places: map[int]Value{}, steps: map[int][]Explanation{},
		}
		x.rank(group, 1)
		whys := map[int]Explanation{}
		for _, t := range group {
			whys[t] = Explanation{Tied: e.numbers(group)}
			if steps := x.steps[t]; len(steps) > 0 {
				why := steps[0]
				why.Then = steps[1:]
				whys[t] = why
			}
		}
		return x.places, whys
	}
}

// extension is the work of EDE on one group.
type extension struct {
	e        *event
	forfeits bool
	endings  []Kind
	places   map[int]Value
	steps    map[int][]Explanation
}

func (x *extension) rank(group []int, first int) {
	if len(group) == 1 {
		x.places[group[0]] = whole(first)
		return
	}
	for _, s := range []Score{x.e.teams.first(), x.e.teams.second()} {
		d := encounter{x.e.by(s), x.forfeits}
		for _, t := range group {
			x.say(t, scoreNames[s], d.explain(t, group))
		}
		if x.into(d.separate(group), first) {
			return
		}
	}
	if len(group) == 2 {
		for _, ending := range x.endings {
			c := Code{Kind: ending}
			values, whys := ending.among(x.e, group, c)
			for _, t := range group {
				x.say(t, ending.Code, whys[t])
			}
			order := slices.SortedStableFunc(slices.Values(group), func(a, b int) int { return c.compare(values[a], values[b]) })
			if x.into(split(order, func(a, b int) bool { return values[a] == values[b] }), first) {
				return
			}
		}
	}
	for _, t := range group {
		x.places[t] = whole(first)
	}
}

// into ranks the parts of a group; false: it was not parted.
func (x *extension) into(classes [][]int, first int) bool {
	if len(classes) == 1 {
		return false
	}
	for _, level := range classes {
		x.rank(level, first)
		first += len(level)
	}
	return true
}

func (x *extension) say(team int, by string, why Explanation) {
	why.By = by
	x.steps[team] = append(x.steps[team], why)
}
