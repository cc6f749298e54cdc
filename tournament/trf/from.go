package trf

import (
	"sort"
	"strconv"

	"chpok.org/chpok/tournament"
)

// FromField makes a report of a tournament: names, ratings, results, points and
// ranks by points. Texts such as place and dates are added with SetHeader.
func FromField(f tournament.Field) *Report {
	r := &Report{Rounds: f.Rounds, Opening: f.Opening, Points: f.Points}
	r.SetHeader("012", f.Name)
	r.SetHeader("062", strconv.Itoa(len(f.Players)))
	switch {
	case f.Places != nil:
		r.SetHeader("092", "Knock-out")
		r.SetHeader("192", knockOut)
	case f.RoundRobin:
		r.SetHeader("092", "Round Robin")
		r.SetHeader("192", "BERGER")
	default:
		r.SetHeader("092", "Swiss Dutch")
		r.SetHeader("192", "FIDE_DUTCH_2025")
	}
	for _, b := range f.Forbidden {
		b.Numbers = append([]int(nil), b.Numbers...)
		r.Forbidden = append(r.Forbidden, b)
	}
	for _, p := range f.Players {
		q := Player{
			Number: p.Number, Name: p.Name, Rating: p.Rating, HasPoints: true,
			Rounds:  append([]tournament.RoundResult(nil), p.Rounds...),
			Virtual: append([]tournament.Score(nil), p.Virtual...),
		}
		for i, c := range p.Rounds {
			if i < f.Played {
				q.Points += f.Points.Of(c.Outcome)
			}
		}
		r.Players = append(r.Players, q)
	}
	order := make([]*Player, len(r.Players))
	for i := range r.Players {
		order[i] = &r.Players[i]
	}
	sort.SliceStable(order, func(i, j int) bool {
		if order[i].Points != order[j].Points {
			return order[i].Points > order[j].Points
		}
		return order[i].Number < order[j].Number
	})
	for i, p := range order {
		if p.Rank = i + 1; f.Places != nil {
			p.Rank = f.Places[p.Number]
		}
	}
	return r
}
