package teamswiss

import (
	"cmp"
	"slices"

	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/internal/blossom"
)

// begin returns the teams to be paired and who has the bye, -1 for nobody; an error if no pairing
// is legal.
func (r *round) begin() (open set, bye int, err error) {
	open, bye = newSet(len(r.teams)), -1
	for i := range r.teams {
		open.add(i)
	}
	if len(r.teams)%2 == 1 {
		if bye = r.findBye(open); bye < 0 {
			return nil, -1, tournament.ErrNoPairing
		}
		open.drop(bye)
	} else if !r.pairable(open) {
		return nil, -1, tournament.ErrNoPairing
	}
	for i := open.next(0); i >= 0; i = open.next(i + 1) {
		if s := r.teams[i].score; len(r.levels) == 0 || s != r.levels[len(r.levels)-1] {
			r.levels = append(r.levels, s)
		}
	}
	return open, bye, nil
}

// byeOrder returns the teams in the order in which the bye is offered to them (3.4.2 to 3.4.4).
func (r *round) byeOrder() []int {
	order := make([]int, len(r.teams))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		a, b := &r.teams[i], &r.teams[j]
		return cmp.Or(cmp.Compare(a.score, b.score), cmp.Compare(len(b.seats), len(a.seats)), cmp.Compare(b.number, a.number))
	})
	return order
}

// findBye returns who has the bye: the first who may and leaves a legal pairing (3.4.1).
func (r *round) findBye(all set) int {
	for _, i := range r.byeOrder() {
		if r.mayHaveBye(all, i) {
			return i
		}
	}
	return -1
}

func (r *round) mayHaveBye(all set, i int) bool {
	if !r.teams[i].mayBye {
		return false
	}
	rest := slices.Clone(all)
	rest.drop(i)
	return r.pairable(rest)
}

// pairable reports whether all teams of a set can be paired with each other.
func (r *round) pairable(alive set) bool { return r.pairableBut(alive, nil) }

// pairableBut is pairable without pairs among apart; nil: nobody.
func (r *round) pairableBut(alive, apart set) bool {
	c := blossom.NewCardinality(alive, len(r.teams), func(i int, row []uint64) {
		copy(row, r.legal[i])
		set(row).meet(alive)
		if apart != nil && apart.has(i) {
			for k := range row {
				row[k] &^= apart[k]
			}
		}
	})
	return len(c.Match()) == 0
}

// top returns the top scoregroup of the teams not yet paired (3.2).
func (r *round) top(open set) (list []int) {
	for i := open.next(0); i >= 0 && (len(list) == 0 || r.teams[i].score == r.teams[list[0]].score); i = open.next(i + 1) {
		list = append(list, i)
	}
	return list
}
