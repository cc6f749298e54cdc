package teamswiss

import (
	"errors"
	"slices"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/tournament"
)

// The rules of objections to a pairing begin with this, so that they are not taken for those of the
// individual system: team.C1 … team.C10, team.bye.
const ruleOf = "team."

// Judge returns what a pairing of the field's next round breaks, match by match and as a whole. A
// pairing that omits teams is judged by its matches only.
func (s Swiss) Judge(f tournament.Field, p tournament.RoundPairing) ([]tournament.Objection, error) {
	r, err := s.prepare(f)
	if err != nil {
		return nil, err
	}
	list, isWhole := r.judge(f, p)
	if !isWhole {
		return list, nil
	}
	expected, err := s.Pair(f)
	if errors.Is(err, tournament.ErrNoPairing) {
		return list, nil
	}
	if err != nil {
		return nil, err
	}
	rule, better, err := r.tellApart(expected, p)
	if err != nil || rule == "seats" || better {
		return list, err
	}
	return append(list, tournament.Objection{Rule: rule}), nil
}

// JudgeBoards returns what the matches of a pairing break, whatever the rest is like.
func (s Swiss) JudgeBoards(f tournament.Field, p tournament.RoundPairing) ([]tournament.Objection, error) {
	r, err := s.prepare(f)
	if err != nil {
		return nil, err
	}
	list, _ := r.judge(f, p)
	return list, nil
}

// judge returns what matches and bye break, and whether all are paired, and nobody else, without
// breaking an absolute rule.
func (r *round) judge(f tournament.Field, p tournament.RoundPairing) (list []tournament.Objection, isWhole bool) {
	index := r.index()
	standing, isWhole := 0, true
	for _, b := range p.Boards {
		i, ok := index[b.First]
		j, ok2 := index[b.Second]
		if !ok || !ok2 || i == j {
			isWhole = false
			continue
		}
		standing += 2
		o := tournament.Objection{First: b.First, Second: b.Second, Round: r.metIn(b.First, b.Second)}
		if o.Round > 0 {
			o.Rule = ruleOf + "C1"
		}
		for _, x := range f.Forbidden {
			if o.Round == 0 && isInForce(x, f.Played) && slices.Contains(x.Numbers, b.First) && slices.Contains(x.Numbers, b.Second) {
				if o.Rule = "forbidden"; x.Soft {
					o.Rule = "wish"
				}
			}
		}
		if o.Rule != "" {
			list = append(list, o)
			isWhole = isWhole && o.Rule == "wish"
		}
		high, low := r.firstTeam(&r.teams[i], &r.teams[j])
		if seat, _ := r.seatOf(high, low); (seat == match.First) != (high.number == b.First) {
			list = append(list, tournament.Objection{Rule: "seats", First: b.First, Second: b.Second})
		}
	}
	if i, ok := index[p.Bye]; ok && p.Bye != 0 {
		standing++
		if !r.teams[i].mayBye {
			list, isWhole = append(list, tournament.Objection{Rule: ruleOf + "C2", First: p.Bye}), false
		}
	}
	return list, isWhole && standing == len(r.teams)
}

// value is the quality of a bracket by one criterion; smaller is better.
type value struct {
	rule string
	list []int
}

// assess returns the quality of a bracket by C4 to C10, and then its identifier.
func (r *round) assess(g group) []value {
	lower, isUp := slices.Clone(g.below), newSet(len(r.teams))
	floated := 0
	var scores, tops, bottoms []int
	for _, i := range g.up {
		lower.add(i)
		isUp.add(i)
		floated += int(one(r.teams[i].floated))
		scores = append(scores, -int(r.teams[i].score))
	}
	slices.Sort(scores)
	slices.Reverse(scores) // the lowest score first
	var wish, strong, opponents int
	for _, p := range g.pairs {
		a, b := &r.teams[p[0]], &r.teams[p[1]]
		wish += int(one(clash(a, b)))
		strong += int(one(clashStrongly(a, b)))
		opponents += int(one(isUp.has(p[0]) && b.floated || isUp.has(p[1]) && a.floated))
		tops, bottoms = append(tops, a.number), append(bottoms, b.number)
	}
	return []value{
		{ruleOf + "C4", []int{len(g.up)}}, {ruleOf + "C5", scores}, {ruleOf + "C6", []int{r.needed(g.top, g.up, lower)}},
		{ruleOf + "C7", []int{floated}}, {ruleOf + "C8", []int{wish}}, {ruleOf + "C9", []int{strong}},
		{ruleOf + "C10", []int{opponents}}, {"order", slices.Concat(tops, bottoms)},
	}
}

// TellApart returns the first rule by which two pairings of the field's next round differ, as an
// objection names it, and whether the second is better by it.
func (s Swiss) TellApart(f tournament.Field, expected, actual tournament.RoundPairing) (rule string, better bool, err error) {
	r, err := s.prepare(f)
	if err != nil {
		return "", false, err
	}
	list, isWhole := r.judge(f, actual)
	for _, o := range list {
		if o.Rule != "seats" && o.Rule != "wish" {
			return o.Rule, false, nil
		}
	}
	if !isWhole {
		return "order", false, nil
	}
	return r.tellApart(expected, actual)
}

// tellApart returns the first rule by which two legal pairings of all teams differ, from the highest
// bracket down.
func (r *round) tellApart(expected, actual tournament.RoundPairing) (rule string, better bool, err error) {
	if expected.Bye != actual.Bye {
		return ruleOf + "bye", false, nil
	}
	index := r.index()
	want, err := r.mates(expected, index)
	if err != nil {
		return "", false, err
	}
	have, err := r.mates(actual, index)
	if err != nil {
		return "", false, err
	}
	r.setLevels(want)
	a, b := r.groups(want), r.groups(have)
	for k := range min(len(a), len(b)) {
		x, y := r.assess(a[k]), r.assess(b[k])
		for n := range x {
			if c := slices.Compare(x[n].list, y[n].list); c != 0 {
				return x[n].rule, c > 0, nil
			}
		}
	}
	return "seats", false, nil
}
