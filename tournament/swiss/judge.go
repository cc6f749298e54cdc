package swiss

import (
	"errors"
	"slices"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/tournament"
)

// Objection is a rule that a manual pairing breaks.
type Objection struct {
	// Rule is C1 (have met), C2 (a second bye), C3 (both claim the same seat), forbidden,
	// wish, or seats (reversed by the rules); or, without numbers, the criterion by which
	// the whole pairing is worse than the system's: C5…C21, order (as good, but not the
	// first).
	Rule          string
	First, Second int // numbers; Second 0: First has the bye
	Round         int // C1: when they met
}

// Judge returns what a pairing of the field's next round breaks, board by board and as a
// whole. A pairing that omits players is judged by its boards only.
func Judge(f tournament.Field, p tournament.RoundPairing) ([]Objection, error) {
	r, err := prepare(f)
	if err != nil {
		return nil, err
	}
	e, index := &explainer{round: r, field: f}, r.index()
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

// objection returns the absolute rule, or the wish, that a board breaks.
func (e *explainer) objection(i, j int, b tournament.Board) (Objection, bool) {
	o := Objection{First: b.First, Second: b.Second}
	x, y := &e.players[i], &e.players[j]
	if o.Round = e.metIn(b.First, b.Second); o.Round > 0 {
		o.Rule = "C1"
		return o, true
	}
	for _, set := range e.field.Forbidden {
		if !inForce(set, e.played) || !slices.Contains(set.Numbers, b.First) || !slices.Contains(set.Numbers, b.Second) {
			continue
		}
		if o.Rule = "forbidden"; !set.Soft {
			return o, true
		}
		o.Rule = "wish"
	}
	if sameClaim(x, y) {
		o.Rule = "C3"
	}
	return o, o.Rule != ""
}

// compare returns the criterion by which the pairing is worse than the system's.
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
