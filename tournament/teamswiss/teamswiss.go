package teamswiss

import (
	"cmp"
	"fmt"
	"slices"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/internal/blossom"
	"chpok.org/chpok/tournament/swiss"
)

// Version identifies the behavior of this engine: the same rules, field and version give the
// same pairing on any machine.
const Version = "team-2026.02-1"

// Swiss is the system for teams. What an event decides about it stands in the field: tournament.TeamRules.
type Swiss struct {
	Cancelled func() bool // polled; may be nil

	whole bool // always look at all teams that are left: slow, for comparisons
}

var _ tournament.Pairer = Swiss{}

// Pair returns the pairing of the next round in publishing order. Errors: tournament.ErrNoPairing,
// swiss.ErrCancelled, ErrField.
func (s Swiss) Pair(f tournament.Field) (tournament.RoundPairing, error) {
	r, err := s.prepare(f)
	if err != nil {
		return tournament.RoundPairing{}, err
	}
	pairs, bye, err := s.pair(r)
	if err != nil {
		return tournament.RoundPairing{}, err
	}
	return r.publish(pairs, bye), nil
}

var errTooWide = fmt.Errorf("%w: thousands of different scores meet in one bracket", ErrField)

// pair returns pairs of indices and that of the bye's holder, -1 for none.
func (s Swiss) pair(r *round) (pairs [][2]int, bye int, err error) {
	defer func() {
		switch x := recover().(type) {
		case nil:
		case blossom.Stopped:
			pairs, bye, err = nil, -1, swiss.ErrCancelled
		case tooWide:
			pairs, bye, err = nil, -1, errTooWide
		default:
			panic(x)
		}
	}()
	r.stop, r.whole = s.Cancelled, s.whole
	open, bye, err := r.begin()
	if err != nil {
		return nil, -1, err
	}
	for !open.isEmpty() {
		if r.stop != nil && r.stop() {
			return nil, -1, swiss.ErrCancelled
		}
		top := r.top(open)
		up, ok := r.upfloaters(open, top)
		if !ok {
			return nil, -1, tournament.ErrNoPairing
		}
		list := r.bracket(top, up)
		for _, p := range list {
			open.drop(p[0])
			open.drop(p[1])
		}
		pairs = append(pairs, list...)
	}
	return pairs, bye, nil
}

// publish assigns seats and orders the matches by the score of the first team, that of the other,
// and the number of the first team.
func (r *round) publish(pairs [][2]int, bye int) tournament.RoundPairing {
	type board struct{ high, low, opens *team }
	var boards []board
	for _, p := range pairs {
		high, low := r.firstTeam(&r.teams[p[0]], &r.teams[p[1]])
		b := board{high, low, high}
		if seat, _ := r.seatOf(high, low); seat == match.Second {
			b.opens = low
		}
		boards = append(boards, b)
	}
	slices.SortFunc(boards, func(a, b board) int {
		return cmp.Or(cmp.Compare(b.high.score, a.high.score), cmp.Compare(b.low.score, a.low.score),
			cmp.Compare(a.high.number, b.high.number))
	})
	var out tournament.RoundPairing
	for _, b := range boards {
		if b.opens == b.high {
			out.Boards = append(out.Boards, tournament.Board{First: b.high.number, Second: b.low.number})
		} else {
			out.Boards = append(out.Boards, tournament.Board{First: b.low.number, Second: b.high.number})
		}
	}
	if bye >= 0 {
		out.Bye = r.teams[bye].number
	}
	return out
}
