package swiss

import (
	"errors"
	"slices"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/tournament"
)

// Objection is a rule that a pairing made by hand breaks.
type Objection struct {
	// Rule is C1 (have met), C2 (a second bye), C3 (both are owed the same seat),
	// forbidden, wish, seats (by the rules the other way round), or, with no
	// numbers, what the whole pairing does worse than that of the system: C5…C21,
	// order (as good, but not the first).
	Rule          string
	First, Second int // numbers; Second 0: First has the bye
	Round         int // C1: when they met
}

// Judge names what a pairing of the field's next round breaks, board by board
// and then as a whole. A pairing that leaves somebody out is judged by its boards
// only.
func Judge(f tournament.Field, p tournament.RoundPairing) ([]Objection, error) {
	r, err := prepare(f)
	if err != nil {
		return nil, err
	}
	e := &explainer{round: r, field: f}
	index := map[int]int{}
	for i, x := range r.players {
		index[x.number] = i
	}
	var list []Objection
	standing := 0
	absolutely := false
	for _, b := range p.Boards {
		i, ok := index[b.First]
		j, ok2 := index[b.Second]
		if !ok || !ok2 || i == j {
			continue
		}
		standing += 2
		if o, broken := e.objection(i, j, b); broken {
			list = append(list, o)
			absolutely = absolutely || o.Rule != "wish"
		}
		if seat, _ := r.seatOf(&r.players[min(i, j)], &r.players[max(i, j)]); (seat == match.First) != (i < j) {
			list = append(list, Objection{Rule: "seats", First: b.First, Second: b.Second})
		}
	}
	if i, ok := index[p.Bye]; ok && p.Bye != 0 {
		standing++
		if !r.players[i].mayBye {
			list, absolutely = append(list, Objection{Rule: "C2", First: p.Bye}), true
		}
	}
	if absolutely || standing < len(r.players) {
		return list, nil
	}
	whole, err := r.compare(f, p)
	return append(list, whole...), err
}

// objection is the absolute rule, or the wish, that a board breaks.
func (e *explainer) objection(i, j int, b tournament.Board) (Objection, bool) {
	o := Objection{First: b.First, Second: b.Second}
	x, y := &e.players[i], &e.players[j]
	if o.Round = e.metIn(b.First, b.Second); o.Round > 0 {
		o.Rule = "C1"
		return o, true
	}
	for _, set := range e.field.Forbidden {
		now := e.played + 1
		if set.From > now || set.To > 0 && set.To < now || !slices.Contains(set.Numbers, b.First) || !slices.Contains(set.Numbers, b.Second) {
			continue
		}
		if o.Rule = "forbidden"; !set.Soft {
			return o, true
		}
		o.Rule = "wish"
	}
	if x.strength == absolute && y.strength == absolute && x.want == y.want && !x.top && !y.top {
		o.Rule = "C3"
	}
	return o, o.Rule != ""
}

// compare is what the pairing does worse than that of the system.
func (r *round) compare(f tournament.Field, p tournament.RoundPairing) ([]Objection, error) {
	expected, err := Dutch{}.Pair(f)
	if errors.Is(err, tournament.ErrNoPairing) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	criterion, better, err := r.tellApart(expected, p)
	if err != nil || criterion == "seats" || better {
		return nil, err
	}
	return []Objection{{Rule: criterion}}, nil
}
