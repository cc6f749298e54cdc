package literal

import (
	"cmp"
	"slices"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/tournament"
)

// bracketQuality is C6 and C7: the number of downfloaters, and their scores, highest
// first.
type bracketQuality []int

func (e *event) floatQuality(floaters []int) bracketQuality {
	q := bracketQuality{len(floaters)}
	for _, i := range floaters {
		q = append(q, int(e.players[i].score))
	}
	slices.SortFunc(q[1:], func(a, b int) int { return b - a })
	return q
}

// following returns the best C6 and C7 that the next bracket can reach with these
// downfloaters (C8).
func (e *event) following(floaters []int, end int) bracketQuality {
	var key uint
	for _, i := range floaters {
		key |= 1 << i
	}
	if q, ok := e.lower[key]; ok {
		return q
	}
	var best bracketQuality
	e.candidates(floaters, end, e.groupEnd(end), func(c candidate) {
		if q := e.floatQuality(c.floaters); best == nil || slices.Compare(q, best) < 0 {
			best = q
		}
	})
	e.lower[key] = best
	return best
}

// quality returns C6…C21 as one list; smaller is better.
func (e *event) quality(c candidate, moved, begin, end int, single bool) []int {
	q := slices.Clone(e.floatQuality(c.floaters))
	if end < len(e.players) {
		q = append(q, e.following(c.floaters, end)...)
	}
	if single {
		idle := 0
		for _, i := range c.floaters {
			idle += e.players[i].idle
		}
		q = append(q, idle)
	}
	var wide, third, wish, strong int
	isMoved := func(i int) bool { return i < begin }
	for _, p := range c.pairs {
		first, second := &e.players[p[0]], &e.players[p[1]]
		if e.seat(first, second) != match.First {
			first, second = second, first
		}
		for _, x := range []struct {
			p    *entrant
			seat match.Seat
			step int
		}{{first, match.First, 1}, {second, match.Second, -1}} {
			if d := x.p.difference + x.step; d > 2 || d < -2 {
				wide++
			}
			if n := len(x.p.games); n > 1 && x.p.games[n-1] == x.seat && x.p.games[n-2] == x.seat {
				third++
			}
			if w, s := x.p.wish(); w != 0 && w != x.seat {
				wish++
				if s == 2 {
					strong++
				}
			}
		}
	}
	q = append(q, wide, third, wish, strong)
	for back := range 2 {
		down, up := 0, 0
		for _, i := range c.floaters {
			if !isMoved(i) && e.players[i].down[back] {
				down++
			}
		}
		for _, p := range c.pairs {
			if isMoved(p[0]) && e.players[p[1]].up[back] {
				up++
			}
		}
		q = append(q, down, up)
	}
	for back := range 2 {
		var downs, ups []int
		for _, i := range c.floaters {
			if isMoved(i) && e.players[i].down[back] {
				downs = append(downs, 1_000_000+int(e.players[i].score))
			}
		}
		for _, p := range c.pairs {
			if !isMoved(p[0]) {
				continue
			}
			gap := int(e.players[p[0]].score - e.players[p[1]].score)
			if e.players[p[0]].down[back] {
				downs = append(downs, gap)
			}
			if e.players[p[1]].up[back] {
				ups = append(ups, gap)
			}
		}
		q = append(q, descending(downs)...)
		q = append(q, descending(ups)...)
	}
	return q
}

func descending(list []int) []int {
	slices.SortFunc(list, func(a, b int) int { return b - a })
	return list
}

// place returns where the rules generate a candidate (4.2–4.4); smaller is earlier. Of
// several exchanges that give the same pairs the earliest counts.
func (e *event) place(c candidate, moved []int, begin, end int) []int {
	opponent := map[int]int{}
	for _, p := range c.pairs {
		opponent[p[0]], opponent[p[1]] = p[1], p[0]
	}
	var set, opponents []int
	taken := map[int]bool{}
	for _, i := range moved {
		if j, ok := opponent[i]; ok {
			set, opponents = append(set, i), append(opponents, j)
			taken[j] = true
		}
	}
	var rest []int
	var pairs [][2]int
	for i := begin; i < end; i++ {
		if taken[i] {
			continue
		}
		if j, ok := opponent[i]; ok && j > i {
			pairs = append(pairs, [2]int{len(rest), 0})
			pairs[len(pairs)-1][1] = j
		}
		rest = append(rest, i)
	}
	number := map[int]int{}
	for k, i := range rest {
		number[i] = k
	}
	for k := range pairs {
		pairs[k][1] = number[pairs[k][1]]
	}
	var best []int
	for choice := range 1 << len(pairs) {
		upper := map[int]int{}
		for k, p := range pairs {
			if choice>>k&1 == 0 {
				upper[p[0]] = p[1]
			} else {
				upper[p[1]] = p[0]
			}
		}
		if o := exchangeOrder(upper, len(rest), len(pairs)); best == nil || slices.Compare(o, best) < 0 {
			best = o
		}
	}
	return slices.Concat(set, opponents, best)
}

// exchangeOrder returns the place of a homogeneous candidate: the exchange between S1 and
// S2 (4.3), then the transposition (4.2). upper maps S1 to opponents.
func exchangeOrder(upper map[int]int, n, half int) []int {
	var out, in, opponents []int
	difference := 0
	for k := range n {
		j, isUpper := upper[k]
		switch {
		case k < half && !isUpper:
			out = append(out, -k) // the highest number comes first; higher is better
			difference -= k
		case k >= half && isUpper:
			in = append(in, k)
			difference += k
		}
		if isUpper {
			opponents = append(opponents, j)
		}
	}
	slices.Sort(out)
	return slices.Concat([]int{len(in), difference}, out, in, opponents)
}

// read converts a field to an event.
func read(f tournament.Field) *event {
	e := &event{
		last: f.Rounds > 0 && f.Played+1 >= f.Rounds, opening: f.Opening,
		banned: map[[2]int]bool{}, memo: map[[2]uint]bool{}, lower: map[uint]bracketQuality{},
	}
	if e.opening == 0 {
		e.opening = match.First
	}
	for _, set := range f.Forbidden {
		if round := f.Played + 1; set.From > round || set.To != 0 && set.To < round {
			continue
		}
		for _, a := range set.Numbers {
			for _, b := range set.Numbers {
				e.banned[[2]int{a, b}] = true
			}
		}
	}
	players := slices.Clone(f.Players)
	slices.SortFunc(players, func(a, b tournament.FieldPlayer) int { return a.Number - b.Number })
	rank := 0
	for _, p := range players {
		here := cell(p, f.Played).Outcome == tournament.NoRecord
		known := here
		for k := range f.Played {
			if c := cell(p, k); c.Opponent > 0 || c.Outcome == tournament.PairingBye || c.Outcome == tournament.ForfeitWin {
				known = true
			}
		}
		if known {
			rank++
		}
		if here {
			e.players = append(e.players, enter(f, players, p, rank))
		}
	}
	slices.SortFunc(e.players, func(a, b entrant) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.rank, b.rank)) })
	return e
}

// cell returns a player's result in a round, from 0; the zero value for none.
func cell(p tournament.FieldPlayer, k int) (c tournament.RoundResult) {
	if k < len(p.Rounds) {
		c = p.Rounds[k]
	}
	return c
}

// enter converts a player to an entrant.
func enter(f tournament.Field, players []tournament.FieldPlayer, p tournament.FieldPlayer, rank int) entrant {
	x := entrant{number: p.Number, rank: rank, met: map[int]bool{}, byeless: true}
	for k := range f.Played {
		c := cell(p, k)
		worth := f.Points.Of(c.Outcome)
		x.plain += worth
		if c.Opponent > 0 && !c.Outcome.IsForfeit() {
			x.met[c.Opponent] = true
			x.games = append(x.games, c.Seat)
			if c.Seat == match.First {
				x.difference++
			} else {
				x.difference--
			}
			continue
		}
		x.idle++
		if c.Outcome != tournament.NoRecord && worth >= f.Points.Win || c.Outcome == tournament.PairingBye {
			x.byeless = false
		}
	}
	x.score = total(f, p, f.Played)
	for back := range 2 {
		k := f.Played - 1 - back
		if k < 0 {
			continue
		}
		switch c := cell(p, k); {
		case c.Opponent > 0 && !c.Outcome.IsForfeit():
			for _, o := range players {
				if o.Number == c.Opponent {
					x.down[back] = total(f, p, k) > total(f, o, k)
					x.up[back] = total(f, p, k) < total(f, o, k)
				}
			}
		case f.Points.Of(c.Outcome) > f.Points.Loss:
			x.down[back] = true
		}
	}
	x.star = 2*int(x.score) > f.Played*int(max(f.Points.Win, f.Points.Draw))
	return x
}

// total returns a score before a round, with the acceleration of that round.
func total(f tournament.Field, p tournament.FieldPlayer, round int) (s tournament.Score) {
	for k, c := range p.Rounds {
		if k < round {
			s += f.Points.Of(c.Outcome)
		}
	}
	if round < len(p.Virtual) {
		s += p.Virtual[round]
	}
	return s
}

// wish returns the seat that a player is due and how strongly (1.7): 3 absolute, 2
// strong, 1 mild, 0 none.
func (p *entrant) wish() (match.Seat, int) {
	n := len(p.games)
	switch {
	case p.difference > 1:
		return match.Second, 3
	case p.difference < -1:
		return match.First, 3
	case n > 1 && p.games[n-1] == p.games[n-2]:
		return p.games[n-1].Other(), 3
	case p.difference == 1:
		return match.Second, 2
	case p.difference == -1:
		return match.First, 2
	case n > 0:
		return p.games[n-1].Other(), 1
	}
	return 0, 0
}

// seat returns the seat of a against b, a being ranked higher (5.2).
func (e *event) seat(a, b *entrant) match.Seat {
	wa, sa := a.wish()
	wb, sb := b.wish()
	if wa == 0 && wb != 0 {
		return wb.Other()
	}
	if wa != 0 && wa != wb {
		return wa
	}
	if wa != 0 {
		da, db := max(a.difference, -a.difference), max(b.difference, -b.difference)
		if sa > sb || sa == 3 && sb == 3 && da > db {
			return wa
		}
		if sb > sa || sa == 3 && sb == 3 && db > da {
			return wb.Other()
		}
		for k := 1; k <= len(a.games) && k <= len(b.games); k++ {
			if x, y := a.games[len(a.games)-k], b.games[len(b.games)-k]; x != y {
				return y
			}
		}
		return wa
	}
	if a.rank%2 == 1 {
		return e.opening
	}
	return e.opening.Other()
}
