package trf

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"chpok.org/chpok/tournament"
)

// FromField returns a report of a tournament: names, ratings, results, points and ranks
// by points. SetHeader adds texts such as place and dates.
func FromField(f tournament.Field) *Report {
	r := &Report{Rounds: f.Rounds, Opening: f.Opening, Points: f.Points}
	r.SetHeader("012", f.Name)
	rated := 0
	for _, p := range f.Players {
		if p.Rating > 0 {
			rated++
		}
	}
	r.SetHeader("062", strconv.Itoa(len(f.Players)))
	r.SetHeader("072", strconv.Itoa(rated))
	switch {
	case f.System != "":
		r.SetHeader("092", TypeOf(f.System))
		r.SetHeader("192", f.System)
	case f.RoundRobin:
		r.SetHeader("092", "Round Robin")
		r.SetHeader("192", "BERGER")
	default:
		r.SetHeader("092", "Swiss Dutch")
		r.SetHeader("192", "FIDE_DUTCH_2025")
	}
	r.Forbidden = cloneForbidden(f.Forbidden)
	for _, p := range f.Players {
		q := Player{
			Number: p.Number, Name: p.Name, Rating: p.Rating, HasPoints: true,
			Rounds: slices.Clone(p.Rounds), Virtual: slices.Clone(p.Virtual),
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
	slices.SortStableFunc(order, func(a, b *Player) int {
		return cmp.Or(cmp.Compare(b.Points, a.Points), cmp.Compare(a.Number, b.Number))
	})
	for i, p := range order {
		p.Rank = i + 1
		if f.Places != nil {
			p.Rank = f.Places[p.Number]
		}
	}
	return r
}

// TypeOf writes a system's code as a type of tournament: CUSTOM_TEAM_SWISS is Team swiss.
func TypeOf(system string) string {
	words := strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(system, "CUSTOM_"), "_", " "))
	return strings.ToUpper(words[:1]) + words[1:]
}

func cloneForbidden(list []tournament.Forbidden) []tournament.Forbidden {
	list = slices.Clone(list)
	for i := range list {
		list[i].Numbers = slices.Clone(list[i].Numbers)
	}
	return list
}
