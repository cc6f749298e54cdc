package swiss

import (
	"errors"
	"slices"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/tournament"
)

// Judge returns what a pairing of the field's next round breaks, board by board and as a
// whole. A pairing that omits players is judged by its boards only.
func Judge(f tournament.Field, p tournament.RoundPairing) ([]tournament.Objection, error) {
	r, err := prepare(f)
	if err != nil {
		return nil, err
	}
	list, isWhole := r.judge(f, p)
	if !isWhole {
		return list, nil
	}
	whole, err := r.compare(f, p)
	return append(list, whole...), err
}

// JudgeBoards returns what the boards of a pairing break, whatever the rest is like.
func JudgeBoards(f tournament.Field, p tournament.RoundPairing) ([]tournament.Objection, error) {
	r, err := prepare(f)
	if err != nil {
		return nil, err
	}
	list, _ := r.judge(f, p)
	return list, nil
}

// judge returns what boards and bye break, and whether all are paired, and nobody else, without breaking an absolute
// rule, so that the whole can be compared with the system's.
func (r *round) judge(f tournament.Field, p tournament.RoundPairing) (list []tournament.Objection, isWhole bool) {
	e, index := &explainer{round: r, field: f}, r.index()
	standing, seats := 0, 2*len(p.Boards)
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
			list = append(list, tournament.Objection{Rule: "seats", First: b.First, Second: b.Second})
		}
	}
	if p.Bye != 0 {
		seats++
	}
	if i, ok := index[p.Bye]; ok && p.Bye != 0 {
		standing++
		if !r.players[i].mayBye {
			list, absolutely = append(list, tournament.Objection{Rule: "C2", First: p.Bye}), true
		}
	}
	return list, !absolutely && standing == len(r.players) && standing == seats
}

// objection returns the absolute rule, or the wish, that a board breaks.
func (e *explainer) objection(i, j int, b tournament.Board) (tournament.Objection, bool) {
	o := tournament.Objection{First: b.First, Second: b.Second}
	x, y := &e.players[i], &e.players[j]
	if o.Round = e.metIn(b.First, b.Second); o.Round > 0 {
		o.Rule = "C1"
		return o, true
	}
	for _, set := range e.field.Forbidden {
		if !inForce(set, e.played) || !slices.Contains(set.Numbers, b.First) || !slices.Contains(set.Numbers, b.Second) {
			continue
		}
		o.Rule = "forbidden"
		if !set.Soft {
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
func (r *round) compare(f tournament.Field, p tournament.RoundPairing) ([]tournament.Objection, error) {
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
	return []tournament.Objection{{Rule: criterion}}, nil
}
