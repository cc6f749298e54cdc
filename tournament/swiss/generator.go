package swiss

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/tournament"
)

// Generator describes random tournaments. Rates are between 0 and 1.
type Generator struct {
	Players, Rounds int
	Lowest, Highest int     // ratings
	Draws           float64 // of games played
	Forfeits        float64 // of scheduled games
	HalfByes        float64 // of players, in every round but the last
	Absences        float64 // zero-point byes, likewise
	LateEntries     float64 // of players
	Withdrawals     float64 // of players, before every round but the first
	Forbidden       float64 // of players in forbidden pairs
	Accelerated     bool
	Points          tournament.PointSystem
}

// Mixed returns a generator of random kind and size, for long checks. Every doubling of
// the size is equally likely.
func Mixed(rng *rand.Rand, smallest, largest int) Generator {
	size := math.Exp(math.Log(float64(smallest)) + rng.Float64()*math.Log(float64(largest+1)/float64(smallest)))
	g := Generator{
		Players: min(int(size), largest), Lowest: 1000, Highest: 1000 + rng.IntN(1800),
		Draws: 0.6 * rng.Float64(), Points: tournament.StandardPoints(),
	}
	g.Rounds = 3 + rng.IntN(max(1, min(g.Players, 11)-2))
	some := func(p, most float64) float64 {
		if rng.Float64() < p {
			return most * rng.Float64()
		}
		return 0
	}
	g.Forfeits, g.HalfByes, g.Absences = some(0.5, 0.2), some(0.4, 0.15), some(0.4, 0.2)
	g.LateEntries, g.Withdrawals, g.Forbidden = some(0.3, 0.2), some(0.3, 0.05), some(0.2, 0.3)
	g.Accelerated = rng.Float64() < 0.15
	switch rng.IntN(16) {
	case 0:
		g.Points = tournament.PointSystem{Win: 30, Draw: 10, ForfeitWin: 30, FullBye: 30, HalfBye: 10, PairBye: 30}
	case 1: // a bye worth less than a win, points for a loss
		g.Points = tournament.PointSystem{Win: 30, Draw: 20, Loss: 10, ForfeitWin: 30, FullBye: 30, HalfBye: 20, PairBye: 20}
	case 2: // a bye worth a draw
		g.Points.PairBye = 5
	}
	return g
}

// Play generates one tournament: pairer pairs the rounds, results follow the expectation
// of ratings. The tournament ends early when a round cannot be paired
// (tournament.ErrNoPairing).
func (g Generator) Play(rng *rand.Rand, pairer tournament.Pairer) (tournament.Field, error) {
	f := g.field(rng)
	enters := make([]int, len(f.Players))
	gone := make([]bool, len(f.Players))
	for i := range f.Players {
		if rng.Float64() < g.LateEntries && f.Rounds > 1 {
			enters[i] = 1 + rng.IntN(f.Rounds-1)
		}
	}
	for f.Played < f.Rounds {
		for i := range f.Players {
			p := &f.Players[i]
			p.Rounds = append(p.Rounds, tournament.RoundResult{})
			c := &p.Rounds[f.Played]
			gone[i] = gone[i] || f.Played > 0 && rng.Float64() < g.Withdrawals
			switch {
			case gone[i] || enters[i] > f.Played:
				c.Outcome = tournament.ZeroBye
			case rng.Float64() < g.Absences:
				c.Outcome = tournament.ZeroBye
			case rng.Float64() < g.HalfByes && f.Played+1 < f.Rounds:
				c.Outcome = tournament.HalfBye
			}
		}
		round, err := pairer.Pair(f)
		if errors.Is(err, tournament.ErrNoPairing) {
			for i := range f.Players {
				f.Players[i].Rounds = f.Players[i].Rounds[:f.Played]
			}
			return f, nil
		}
		if err != nil {
			return f, err
		}
		g.results(rng, &f, round)
		f.Played++
	}
	return f, nil
}

func (g Generator) field(rng *rand.Rand) tournament.Field {
	f := tournament.Field{Name: "Generated", Rounds: g.Rounds, Points: g.Points, Opening: match.First}
	if rng.IntN(2) == 0 {
		f.Opening = match.Second
	}
	ratings := make([]int, g.Players)
	for i := range ratings {
		ratings[i] = g.Lowest + rng.IntN(max(1, g.Highest-g.Lowest+1))
	}
	slices.SortFunc(ratings, descending)
	for i, r := range ratings {
		f.Players = append(f.Players, tournament.FieldPlayer{Number: i + 1, Rating: r})
	}
	for range int(g.Forbidden * float64(g.Players) / 2) {
		a, b := 1+rng.IntN(g.Players), 1+rng.IntN(g.Players)
		if a != b {
			f.Forbidden = append(f.Forbidden, tournament.Forbidden{Numbers: []int{a, b}})
		}
	}
	if g.Accelerated {
		Baku(&f)
	}
	return f
}

// Baku gives a field that has not begun the virtual points of Baku acceleration
// (FIDE C.04.7). The first half of all rounds is accelerated. The upper half of the
// players, rounded up to an even number, gets a win's worth in the first half of
// those rounds and a draw's worth in the rest.
func Baku(f *tournament.Field) {
	upper := 2 * ((len(f.Players) + 3) / 4)
	accelerated := (f.Rounds + 1) / 2
	full := (accelerated + 1) / 2
	order := make([]int, len(f.Players))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return f.Players[a].Number - f.Players[b].Number })
	for _, i := range order[:min(upper, len(order))] {
		v := make([]tournament.Score, accelerated)
		for k := range v {
			v[k] = f.Points.Win
			if k >= full {
				v[k] = f.Points.Draw
			}
		}
		f.Players[i].Virtual = v
	}
}

// results plays a paired round.
func (g Generator) results(rng *rand.Rand, f *tournament.Field, round tournament.RoundPairing) {
	index, k := map[int]int{}, f.Played
	for i, p := range f.Players {
		index[p.Number] = i
	}
	for _, b := range round.Boards {
		first, second := &f.Players[index[b.First]], &f.Players[index[b.Second]]
		a, z := tournament.RoundResult{Opponent: b.Second, Seat: match.First}, tournament.RoundResult{Opponent: b.First, Seat: match.Second}
		expected := 1 / (1 + math.Pow(10, float64(second.Rating-first.Rating)/400))
		draw := min(g.Draws, 2*expected, 2*(1-expected))
		switch x := rng.Float64(); {
		case rng.Float64() < g.Forfeits:
			switch rng.IntN(5) {
			case 0:
				a.Outcome, z.Outcome = tournament.ForfeitLoss, tournament.ForfeitLoss
			case 1, 2:
				a.Outcome, z.Outcome = tournament.ForfeitLoss, tournament.ForfeitWin
			default:
				a.Outcome, z.Outcome = tournament.ForfeitWin, tournament.ForfeitLoss
			}
		case x < draw:
			a.Outcome, z.Outcome = tournament.Draw, tournament.Draw
		case x < expected+draw/2:
			a.Outcome, z.Outcome = tournament.Win, tournament.Loss
		default:
			a.Outcome, z.Outcome = tournament.Loss, tournament.Win
		}
		first.Rounds[k], second.Rounds[k] = a, z
	}
	if round.Bye != 0 {
		f.Players[index[round.Bye]].Rounds[k].Outcome = tournament.PairingBye
	}
}
