package teamswiss

import (
	"cmp"
	"fmt"
	"slices"

	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/swiss"
)

// Keys of reasons, with the arguments that their texts may use; others are those of package swiss.
const (
	TakenUp      = "pairing.team.up"            // Player, Score, Other, OtherScore
	UpOdd        = "pairing.team.up.odd"        // Score
	UpForced     = "pairing.team.up.forced"     // Score: those there cannot all meet each other
	UpImpossible = "pairing.team.up.impossible" // Player, Other: stands higher; not all could be paired
	UpNext       = "pairing.team.up.next"       // Player, Other: the group below would need more (C6)
	UpSpared     = "pairing.team.up.spared"     // Player, Other: floated in the last round (C7)
	UpOthers     = "pairing.team.up.others"     // Player, Other: worse for the others who came up

	Exchanged  = "pairing.team.exchanged"   // Score: the first half cannot meet the second
	NotFloated = "pairing.team.not.floated" // Player, Other: would meet by number; floated in the last round (C10)

	SeatBalance   = "pairing.team.seat.balance"  // Player, Other (4.3.5)
	SeatDiffered  = "pairing.team.seat.differed" // Player, Other (4.3.6)
	SeatFirstTeam = "pairing.team.seat.first"    // Player, Other (4.3.8)
	SeatOtherTeam = "pairing.team.seat.other"    // Player, Other (4.3.9)

	ByeLowest     = "pairing.team.bye.lowest"     // Player, Score
	ByeHad        = "pairing.team.bye.had"        // Other: had a bye, or won without playing
	ByeImpossible = "pairing.team.bye.impossible" // Other: the others could not be paired
)

// Keys returns every key of a Reason that package swiss has not.
func Keys() []string {
	return []string{
		TakenUp, UpOdd, UpForced, UpImpossible, UpNext, UpSpared, UpOthers, Exchanged, NotFloated,
		SeatBalance, SeatDiffered, SeatFirstTeam, SeatOtherTeam, ByeLowest, ByeHad, ByeImpossible,
	}
}

// group is one bracket of a finished pairing, by indices.
type group struct {
	top, up []int
	pairs   [][2]int // the smaller number first, by number
	below   set      // who is left after it
}

// groups splits a pairing into brackets: of the teams left those with the highest score, and whom
// they meet.
func (r *round) groups(mate []int) (list []group) {
	open := newSet(len(r.teams))
	for i, j := range mate {
		if j >= 0 {
			open.add(i)
		}
	}
	for !open.isEmpty() {
		g := group{top: r.top(open)}
		for _, i := range g.top {
			j := mate[i]
			if r.teams[j].score != r.teams[i].score {
				g.up = append(g.up, j)
			}
			if open.has(i) && open.has(j) {
				if r.teams[i].number > r.teams[j].number {
					i, j = j, i
				}
				g.pairs = append(g.pairs, [2]int{i, j})
			}
			open.drop(i)
			open.drop(j)
		}
		slices.Sort(g.up)
		slices.SortFunc(g.pairs, func(a, b [2]int) int { return cmp.Compare(r.teams[a[0]].number, r.teams[b[0]].number) })
		g.below = slices.Clone(open)
		list = append(list, g)
	}
	return list
}

// mates returns everybody's opponent in a pairing, -1 for none.
func (r *round) mates(p tournament.RoundPairing, index map[int]int) ([]int, error) {
	mate := slices.Repeat([]int{-1}, len(r.teams))
	for _, b := range p.Boards {
		i, ok := index[b.First]
		j, ok2 := index[b.Second]
		if !ok || !ok2 || i == j {
			return nil, fmt.Errorf("%w: %d and %d are not two teams of this round", ErrField, b.First, b.Second)
		}
		mate[i], mate[j] = j, i
	}
	return mate, nil
}

// Explain gives the reasons of a pairing of the field's next round, match by match in the given
// order, the bye last. For a pairing changed by hand it says how the rules see it, not why it was made.
func (s Swiss) Explain(f tournament.Field, p tournament.RoundPairing) ([]swiss.Explanation, error) {
	r, err := s.prepare(f)
	if err != nil {
		return nil, err
	}
	index := r.index()
	mate, err := r.mates(p, index)
	if err != nil {
		return nil, err
	}
	e := &explainer{round: r, reasons: make([][]swiss.Reason, len(r.teams))}
	r.setLevels(mate)
	for _, g := range r.groups(mate) {
		e.group(g)
	}
	var list []swiss.Explanation
	for _, b := range p.Boards {
		i, j := index[b.First], index[b.Second]
		reasons := slices.Concat(e.reasons[min(i, j)], e.reasons[max(i, j)], []swiss.Reason{e.seat(i, j, b.First)})
		list = append(list, swiss.Explanation{First: b.First, Second: b.Second, Reasons: reasons})
	}
	if i, ok := index[p.Bye]; ok && p.Bye != 0 {
		list = append(list, swiss.Explanation{First: p.Bye, Reasons: e.bye(i)})
	}
	return list, nil
}

// setLevels sets the scores of those who are paired.
func (r *round) setLevels(mate []int) {
	r.levels = nil
	for i, j := range mate {
		if s := r.teams[i].score; j >= 0 && (len(r.levels) == 0 || s != r.levels[len(r.levels)-1]) {
			r.levels = append(r.levels, s)
		}
	}
}

type explainer struct {
	*round
	reasons [][]swiss.Reason // by one of a pair
}

func (e *explainer) say(i int, r swiss.Reason) { e.reasons[i] = append(e.reasons[i], r) }

// group explains the pairs of one bracket.
func (e *explainer) group(g group) {
	score := e.teams[g.top[0]].score
	came := map[int]bool{}
	for _, i := range g.up {
		came[i] = true
	}
	var bottoms []int // numbers the bracket offers to tops, in order
	for _, p := range g.pairs {
		bottoms = append(bottoms, p[1])
	}
	slices.SortFunc(bottoms, func(i, j int) int { return cmp.Compare(e.teams[i].number, e.teams[j].number) })
	exchanged := len(g.pairs) > 0 && e.teams[g.pairs[len(g.pairs)-1][0]].number > e.teams[bottoms[0]].number
	for _, p := range g.pairs {
		up, other := p[0], p[1]
		if came[other] {
			up, other = other, up
		}
		if !came[up] {
			e.say(p[0], swiss.Reason{Key: swiss.SameScore, Score: score})
		} else {
			e.say(p[0], swiss.Reason{Key: TakenUp, Player: e.teams[up].number, Score: e.teams[up].score,
				Other: e.teams[other].number, OtherScore: score})
			key := UpForced
			if len(g.up) == len(g.top)%2 {
				key = UpOdd
			}
			e.say(p[0], swiss.Reason{Key: key, Score: score})
			if r, ok := e.instead(g, up); ok {
				e.say(p[0], r)
			}
		}
		if exchanged {
			e.say(p[0], swiss.Reason{Key: Exchanged, Score: score})
		}
		e.order(p, bottoms[0], came)
		bottoms = slices.DeleteFunc(bottoms, func(i int) bool { return i == p[1] })
	}
}

// order says whether a top meets the first bottom that is left, or why not.
func (e *explainer) order(p [2]int, natural int, came map[int]bool) {
	r := swiss.Reason{Player: e.teams[p[0]].number, Other: e.teams[natural].number}
	if natural == p[1] {
		r.Key = swiss.ByRank
		e.say(p[0], r)
		return
	}
	a, b := &e.teams[p[0]], &e.teams[natural]
	switch {
	case !e.legal[p[0]].has(natural):
		r.Key = swiss.NotForbidden
		if round := e.metIn(a.number, b.number); round > 0 {
			r.Key, r.Round = swiss.NotMet, round
		}
	case clash(a, b):
		r.Key = swiss.NotWish
	case came[p[0]] && b.floated, came[natural] && a.floated:
		r.Key = NotFloated
	default:
		r.Key = swiss.NotOthers
	}
	e.say(p[0], r)
}

// metIn returns the round in which two teams met, or 0.
func (r *round) metIn(a, b int) int {
	for _, m := range r.met {
		if m.a == a && m.b == b || m.a == b && m.b == a {
			return m.round
		}
	}
	return 0
}

// instead says why a team came up and not the first that stands above it in the order of 3.5.3.
func (e *explainer) instead(g group, up int) (r swiss.Reason, ok bool) {
	others := slices.DeleteFunc(slices.Clone(g.up), func(i int) bool { return i == up })
	lower := slices.Clone(g.below)
	for _, i := range g.up {
		lower.add(i)
	}
	for c := lower.next(0); c >= 0 && c < up; c = lower.next(c + 1) {
		if slices.Contains(g.up, c) {
			continue
		}
		r = swiss.Reason{Key: UpOthers, Player: e.teams[up].number, Other: e.teams[c].number}
		instead := append(slices.Clone(others), c)
		switch {
		case !e.isLegal(g.top, instead, lower):
			r.Key = UpImpossible
		case e.needed(g.top, instead, lower) > e.needed(g.top, g.up, lower):
			r.Key = UpNext
		case e.teams[c].floated && !e.teams[up].floated:
			r.Key = UpSpared
		}
		return r, true
	}
	return r, false
}

// isLegal reports whether a bracket can be paired, and then all others.
func (r *round) isLegal(top, up []int, lower set) bool {
	bracket, rest := newSet(len(r.teams)), slices.Clone(lower)
	for _, i := range top {
		bracket.add(i)
	}
	for _, i := range up {
		bracket.add(i)
		rest.drop(i)
	}
	return r.pairable(bracket) && r.pairable(rest)
}

// needed returns how many upfloaters the following scoregroup needs if these leave (C6).
func (r *round) needed(top, up []int, lower set) int {
	rest := slices.Clone(lower)
	for _, i := range up {
		rest.drop(i)
	}
	next := r.top(rest)
	if k := slices.Index(r.levels, r.teams[top[0]].score); len(next) == 0 || r.teams[next[0]].score != r.levels[k+1] {
		return 0
	}
	list, ok := r.upfloaters(rest, next)
	if !ok {
		return len(r.teams)
	}
	return len(list)
}

// seat says why first, the number of i or j, opens the bidding.
func (e *explainer) seat(i, j, first int) swiss.Reason {
	high, low := e.firstTeam(&e.teams[i], &e.teams[j])
	_, rule := e.seatOf(high, low)
	r := swiss.Reason{Key: rule, Player: high.number, Other: low.number}
	if r.Player != first {
		r.Player, r.Other = r.Other, r.Player
	}
	return r
}

// mostByes is how many teams the reasons of a bye name at most.
const mostByes = 3

// bye says why i has the bye, and not those who stand lower.
func (e *explainer) bye(i int) []swiss.Reason {
	t := &e.teams[i]
	out := []swiss.Reason{{Key: ByeLowest, Player: t.number, Score: t.score}}
	all := newSet(len(e.teams))
	for k := range e.teams {
		all.add(k)
	}
	for j := len(e.teams) - 1; j > i && len(out) <= mostByes; j-- {
		r := swiss.Reason{Key: ByeImpossible, Player: t.number, Other: e.teams[j].number}
		switch o := &e.teams[j]; {
		case !o.mayBye:
			r.Key = ByeHad
		case o.score == t.score && len(o.seats) < len(t.seats):
			r.Key = swiss.ByeGames
		case e.mayHaveBye(all, j):
			continue
		}
		out = append(out, r)
	}
	return out
}
