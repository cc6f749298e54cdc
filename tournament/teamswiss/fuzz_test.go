package teamswiss_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/teamswiss"
	"chpok.org/chpok/tournament/teamswiss/literal"
)

// legal tells what is wrong with a pairing, without any code of the engine: everybody due exactly once,
// nobody twice against the same team or against one kept apart, no second bye.
func legal(f tournament.Field, p tournament.RoundPairing) string {
	count := map[int]int{p.Bye: 1}
	met := map[tournament.Board]bool{}
	due := 0
	for _, x := range f.Players {
		if f.IsDue(x) {
			due++
		}
		for k, c := range x.Rounds[:min(len(x.Rounds), f.Played)] {
			if c.Opponent != 0 && (!c.Outcome.IsForfeit() || f.Teams.Matches[x.Number][k].Played) {
				met[tournament.Board{First: x.Number, Second: c.Opponent}] = true
			}
			if x.Number == p.Bye && (c.Outcome == tournament.PairingBye || c.Outcome == tournament.ForfeitWin) {
				return "a bye for who had one or won by forfeit"
			}
		}
	}
	for _, x := range f.Forbidden {
		if x.From <= f.Played+1 && (x.To == 0 || x.To > f.Played) {
			met[tournament.Board{First: x.Numbers[0], Second: x.Numbers[1]}] = true
		}
	}
	for _, b := range p.Boards {
		count[b.First]++
		count[b.Second]++
		if met[b] || met[tournament.Board{First: b.Second, Second: b.First}] {
			return "a second meeting"
		}
	}
	delete(count, 0)
	for _, k := range count {
		if k != 1 {
			return "somebody twice"
		}
	}
	if len(count) != due {
		return "not everybody due, or somebody absent"
	}
	return ""
}

func FuzzPairsAsTheTextReads(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) { twice(t, seed, 2, 9, literal.Pairer{}) })
}

// FuzzTheGroupBelowIsEnough: looking at one group below, and at others only where that does not do, gives
// what looking at all teams gives.
func FuzzTheGroupBelowIsEnough(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) { twice(t, seed, 4, 60, teamswiss.Whole()) })
}

func TestTheGroupBelowIsEnough(t *testing.T) {
	t.Parallel()
	for seed := range uint64(60) {
		twice(t, seed, 4, 40, teamswiss.Whole())
	}
	for seed := range uint64(4) {
		twice(t, seed, 80, 120, teamswiss.Whole())
	}
}

// Teams with a score of their own each, who may not meet, all need somebody from below.
func TestManyScoresAreWeighed(t *testing.T) {
	t.Parallel()
	const n = 60
	f := tournament.Field{Rounds: 5, Points: points(), Teams: &tournament.TeamEvent{Boards: 1}}
	var apart []int
	for i := range 2 * n {
		p := tournament.FieldPlayer{Number: i + 1, Virtual: []tournament.Score{tournament.Score(2*n - i)}}
		if i < n {
			apart = append(apart, i+1)
		}
		f.Players = append(f.Players, p)
	}
	f.Forbidden = []tournament.Forbidden{{Numbers: apart}}
	round, err := teamswiss.Swiss{}.Pair(f)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range round.Boards {
		if max(b.First, b.Second) != min(b.First, b.Second)+n {
			t.Errorf("match %v", b)
		}
	}
}

func TestContradictoryFieldsAreRefused(t *testing.T) {
	t.Parallel()
	twiceThere := six()
	twiceThere.Players[1].Number = 1
	noSeat := six()
	noSeat.Played = 1
	noSeat.Players[0].Rounds = []tournament.RoundResult{{Opponent: 2, Outcome: tournament.Win}}
	for name, f := range map[string]tournament.Field{"a number twice": twiceThere, "a match without seats": noSeat} {
		if _, err := (teamswiss.Swiss{}).Pair(f); !errors.Is(err, teamswiss.ErrField) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := (teamswiss.Swiss{}).Pair(position(tournament.TeamRules{}, "1 0 2f", "2 0 1s")); !errors.Is(err, tournament.ErrNoPairing) {
		t.Errorf("two who have met: %v", err)
	}
}

// The order of the teams in the field does not matter.
func TestPairingDoesNotDependOnTheOrderOfTeams(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 5))
	e := mixed(rng, 20, 20)
	_, err := e.play(rng, func(f tournament.Field) (tournament.RoundPairing, error) {
		shuffled := f
		shuffled.Players = append([]tournament.FieldPlayer(nil), f.Players...)
		rng.Shuffle(len(f.Players), func(i, j int) {
			shuffled.Players[i], shuffled.Players[j] = shuffled.Players[j], shuffled.Players[i]
		})
		x, errX := teamswiss.Swiss{}.Pair(f)
		y, errY := teamswiss.Swiss{}.Pair(shuffled)
		if !errors.Is(errX, errY) || strings.Join(lines(x), " ") != strings.Join(lines(y), " ") {
			t.Errorf("round %d: %v, shuffled %v", f.Played+1, x, y)
		}
		return x, errX
	})
	if err != nil {
		t.Fatal(err)
	}
}
