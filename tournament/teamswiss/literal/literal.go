// Package literal pairs a few teams by C.04.6 exactly as its text reads: it tries every set of
// upfloaters and every pairing of a bracket, and takes the first of the best. It is the reference for
// the fast engine and shares no code with it.
package literal

import (
	"cmp"
	"errors"
	"math/bits"
	"slices"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/tournament"
)

// MaxTeams limits the teams to be paired; the number of candidates grows factorially.
const MaxTeams = 10

// ErrTooMany refuses a field that is too large.
var ErrTooMany = errors.New("too many teams for trying every candidate")

// Pairer is the system for teams by exhaustive search.
type Pairer struct {
	Without string // a criterion to leave out, C1 to C10, to see what it does; empty: none
}

var _ tournament.Pairer = Pairer{}

// entrant is a team with its record.
type entrant struct {
	tpn, arrival  int
	score, second tournament.Score
	colors        []match.Seat
	cd            int
	met           map[int]bool
	floater       bool // in the previous round
	noBye         bool
}

// event is a round to be paired. Sets of teams are bits by their place in teams.
type event struct {
	Pairer
	rules   tournament.TeamRules
	teams   []entrant
	initial match.Seat
	last    bool // the last round
	lastTwo bool // the last round or the one before
	barred  map[[2]int]bool
	known   map[uint]bool
}

func (e *event) has(criterion string) bool { return e.Without != criterion }

// Pair returns the pairing of the next round, with matches in no particular order.
func (p Pairer) Pair(f tournament.Field) (tournament.RoundPairing, error) {
	e := p.enter(f)
	if len(e.teams) > MaxTeams {
		return tournament.RoundPairing{}, ErrTooMany
	}
	return e.pair()
}

func (e *event) pair() (out tournament.RoundPairing, err error) {
	left := uint(1)<<len(e.teams) - 1
	if len(e.teams)%2 == 1 {
		i := e.bye(left)
		if i < 0 {
			return out, tournament.ErrNoPairing
		}
		out.Bye = e.teams[i].tpn
		left &^= 1 << i
	} else if !e.pairable(left) {
		return out, tournament.ErrNoPairing
	}
	round := left
	for left != 0 {
		residents := e.best(left)
		set, ok := e.upfloaters(residents, left&^residents, round)
		if !ok {
			return out, tournament.ErrNoPairing
		}
		for _, q := range e.firstPairing(residents, set) {
			a, b := &e.teams[q[0]], &e.teams[q[1]]
			if e.seat(a, b) == match.First {
				out.Boards = append(out.Boards, tournament.Board{First: a.tpn, Second: b.tpn})
			} else {
				out.Boards = append(out.Boards, tournament.Board{First: b.tpn, Second: a.tpn})
			}
		}
		left &^= residents | set
	}
	return out, nil
}

func each(set uint, f func(i int)) {
	for ; set != 0; set &= set - 1 {
		f(bits.TrailingZeros(set))
	}
}

// best returns the teams with the highest score of a set.
func (e *event) best(set uint) (top uint) {
	high := tournament.Score(-1 << 30)
	each(set, func(i int) { high = max(high, e.teams[i].score) })
	each(set, func(i int) {
		if e.teams[i].score == high {
			top |= 1 << i
		}
	})
	return top
}

// mayMeet is C1.
func (e *event) mayMeet(i, j int) bool {
	a, b := &e.teams[i], &e.teams[j]
	return !e.barred[[2]int{a.tpn, b.tpn}] && (!a.met[b.tpn] || !e.has("C1"))
}

func (e *event) pairable(set uint) bool {
	if set == 0 {
		return true
	}
	if known, ok := e.known[set]; ok {
		return known
	}
	i := bits.TrailingZeros(set)
	rest, found := set&^(1<<i), false
	each(rest, func(j int) {
		found = found || e.mayMeet(i, j) && e.pairable(rest&^(1<<j))
	})
	e.known[set] = found
	return found
}

// bye returns who has the bye (3.4), -1 for nobody.
func (e *event) bye(all uint) int {
	best := -1
	each(all, func(i int) {
		t := &e.teams[i]
		if t.noBye && e.has("C2") || !e.pairable(all&^(1<<i)) {
			return
		}
		if best < 0 {
			best = i
			return
		}
		o := &e.teams[best]
		if cmp.Or(cmp.Compare(t.score, o.score), cmp.Compare(len(o.colors), len(t.colors)), cmp.Compare(o.tpn, t.tpn)) < 0 {
			best = i
		}
	})
	return best
}

// isLegal reports whether a bracket can be paired, and then all others (C3).
func (e *event) isLegal(residents, set, lower uint) bool {
	return e.pairable(residents|set) && (e.pairable(lower&^set) || !e.has("C3"))
}

// subsets calls f with every subset of a set.
func subsets(set uint, f func(sub uint)) {
	for sub := set; ; sub = (sub - 1) & set {
		f(sub)
		if sub == 0 {
			return
		}
	}
}

// upfloaters returns the set of 3.5.5.
func (e *event) upfloaters(residents, lower, round uint) (chosen uint, ok bool) {
	var quality []int
	subsets(lower, func(set uint) {
		if !e.isLegal(residents, set, lower) {
			return
		}
		q := e.assess(residents, set, lower, round)
		if !ok || slices.Compare(q, quality) < 0 {
			chosen, quality, ok = set, q, true
		}
	})
	return chosen, ok
}

// assess returns C4 to C7 and the place in the order of 3.5.4 as one list; smaller is better.
func (e *event) assess(residents, set, lower, round uint) (q []int) {
	var members []*entrant
	each(set, func(i int) { members = append(members, &e.teams[i]) })
	slices.SortFunc(members, func(a, b *entrant) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.tpn, b.tpn)) })
	if e.has("C4") {
		q = append(q, len(members))
	}
	if e.has("C5") { // the scores in ascending order, the higher the better
		for k := len(members) - 1; k >= 0; k-- {
			q = append(q, -int(members[k].score))
		}
	}
	if e.has("C6") {
		q = append(q, e.needed(residents, set, lower, round))
	}
	if e.has("C7") && !e.lastTwo {
		floaters := 0
		for _, m := range members {
			if m.floater {
				floaters++
			}
		}
		q = append(q, floaters)
	}
	for _, m := range members {
		q = append(q, m.tpn)
	}
	return q
}

// needed returns how many upfloaters the bracket of the following scoregroup needs (C6).
func (e *event) needed(residents, set, lower, round uint) int {
	var first int
	each(residents, func(i int) { first = i })
	var below uint
	each(round, func(i int) {
		if e.teams[i].score < e.teams[first].score {
			below |= 1 << i
		}
	})
	rest := lower &^ set
	following := e.best(below) & rest
	if following == 0 {
		return 0
	}
	least := len(e.teams) + 1
	others := rest &^ following
	subsets(others, func(more uint) {
		if e.isLegal(following, more, others) {
			least = min(least, bits.OnesCount(more))
		}
	})
	return least
}

// firstPairing returns the pairing of 3.6.4.
func (e *event) firstPairing(residents, set uint) (chosen [][2]int) {
	var quality []int
	var pairs [][2]int
	var walk func(left uint)
	walk = func(left uint) {
		if left == 0 {
			q := e.rate(pairs, set)
			if chosen == nil || slices.Compare(q, quality) < 0 {
				chosen, quality = slices.Clone(pairs), q
			}
			return
		}
		i := bits.TrailingZeros(left)
		rest := left &^ (1 << i)
		each(rest, func(j int) {
			if e.mayMeet(i, j) {
				pairs = append(pairs, [2]int{i, j})
				walk(rest &^ (1 << j))
				pairs = pairs[:len(pairs)-1]
			}
		})
	}
	walk(residents | set)
	return chosen
}

// rate returns C8 to C10 and the identifier (3.6.2) as one list; smaller is better.
func (e *event) rate(pairs [][2]int, set uint) (q []int) {
	wish, strong, floaters := 0, 0, 0
	tops := map[int]int{}
	for _, p := range pairs {
		a, b := &e.teams[p[0]], &e.teams[p[1]]
		tops[min(a.tpn, b.tpn)] = max(a.tpn, b.tpn)
		seat := e.seat(a, b)
		for k, t := range []*entrant{a, b} {
			has := seat
			if k == 1 {
				has = seat.Other()
			}
			if w, isStrong := e.preference(t); w != 0 && w != has {
				wish++
				if isStrong {
					strong++
				}
			}
		}
		for k := range 2 {
			if set>>p[k]&1 != 0 && e.teams[p[1-k]].floater {
				floaters++
			}
		}
	}
	if e.has("C8") {
		q = append(q, wish)
	}
	if e.has("C9") && e.rules.Preferences == tournament.TypeB {
		q = append(q, strong)
	}
	if e.has("C10") && !e.lastTwo {
		q = append(q, floaters)
	}
	var first, second []int
	for t := range tops {
		first = append(first, t)
	}
	slices.Sort(first)
	for _, t := range first {
		second = append(second, tops[t])
	}
	return slices.Concat(q, first, second)
}
