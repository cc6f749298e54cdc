package keizer_test

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/keizer"
)

// field returns players 1 to n with rounds; a game is {first, second, 2 for a win of first, 1 for a
// draw, 0}. Who is in no game was absent.
func field(n int, rounds ...[][3]int) tournament.Field {
	f := tournament.Field{Played: len(rounds), Points: tournament.StandardPoints(), Opening: match.First}
	for i := range n {
		f.Players = append(f.Players, tournament.FieldPlayer{Number: i + 1})
	}
	outcomes := []tournament.Outcome{tournament.Loss, tournament.Draw, tournament.Win}
	for _, games := range rounds {
		for i := range f.Players {
			f.Players[i].Rounds = append(f.Players[i].Rounds, tournament.RoundResult{Outcome: tournament.ZeroBye})
		}
		r := len(f.Players[0].Rounds) - 1
		for _, g := range games {
			f.Players[g[0]-1].Rounds[r] = tournament.RoundResult{Opponent: g[1], Seat: match.First, Outcome: outcomes[g[2]]}
			f.Players[g[1]-1].Rounds[r] = tournament.RoundResult{Opponent: g[0], Seat: match.Second, Outcome: outcomes[2-g[2]]}
		}
	}
	return f
}

func TestValuesFollowFromTheOrderAndTheOrderFromValues(t *testing.T) {
	first := [][3]int{{2, 1, 2}, {3, 4, 2}, {5, 6, 1}}
	for _, x := range []struct {
		name   string
		rounds [][][3]int
		order  []int
		scores []string // by order, in points
		value  []int
	}{
		{"before the first round by number", nil, []int{1, 2, 3, 4, 5, 6}, []string{"7", "6", "5", "4", "3", "2"}, []int{7, 6, 5, 4, 3, 2}},
		{"one round", [][][3]int{first}, []int{2, 3, 1, 4, 5, 6}, []string{"12", "10", "5", "4", "4", "3 3/6"}, []int{7, 6, 5, 4, 3, 2}},
		{"a third of their own value for who was absent", [][][3]int{first, {{2, 3, 1}, {1, 5, 2}}},
			[]int{2, 3, 1, 4, 6, 5}, []string{"15", "13 3/6", "7", "5 2/6", "5", "3 3/6"}, []int{7, 6, 5, 4, 3, 2}},
	} {
		var order, value []int
		var scores []string
		for _, l := range keizer.Order(field(6, x.rounds...)) {
			order, value, scores = append(order, l.Number), append(value, l.Value), append(scores, l.String())
		}
		if !slices.Equal(order, x.order) || !slices.Equal(scores, x.scores) || !slices.Equal(value, x.value) {
			t.Errorf("%s: %v %v with values %v, want %v %v %v", x.name, order, scores, value, x.order, x.scores, x.value)
		}
	}
}

// The orders of these four never settle, so that nobody has a value and the scores are averages.
func TestAnOrderThatNeverSettlesIsAnAverage(t *testing.T) {
	lines := keizer.Order(field(4, [][3]int{{3, 4, 2}, {1, 2, 2}}, [][3]int{{4, 1, 2}, {2, 3, 2}}))
	for i, l := range lines {
		if l.Value != 0 || l.Over < 2 || i > 0 && l.Tenths() > lines[i-1].Tenths() {
			t.Errorf("line %d: %+v", i+1, l)
		}
	}
}

func TestNeighborsMeet(t *testing.T) {
	for _, x := range []struct {
		name string
		f    tournament.Field
		want tournament.RoundPairing
	}{
		{"first round", field(4), tournament.RoundPairing{Boards: []tournament.Board{{First: 1, Second: 2}, {First: 4, Second: 3}}}},
		{"the lowest rests", field(3), tournament.RoundPairing{Boards: []tournament.Board{{First: 1, Second: 2}}, Bye: 3}},
		// 2 beat 1 and 3 beat 4: 2 3 1 4, and with 2-1 and 3-4 out of the way 2-3 and 1-4 are nearest.
		{"not the same again", field(4, [][3]int{{2, 1, 2}, {3, 4, 2}}),
			tournament.RoundPairing{Boards: []tournament.Board{{First: 2, Second: 3}, {First: 1, Second: 4}}}},
	} {
		got, err := keizer.Neighbors{}.Pair(x.f)
		if err != nil || got.Bye != x.want.Bye || !slices.Equal(got.Boards, x.want.Boards) {
			t.Errorf("%s: %+v, %v; want %+v", x.name, got, err, x.want)
		}
	}
	apart := field(4)
	apart.Forbidden = []tournament.Forbidden{{Numbers: []int{1, 2, 3, 4}}}
	if _, err := (keizer.Neighbors{}).Pair(apart); !errors.Is(err, tournament.ErrNoPairing) {
		t.Errorf("nobody may meet: %v", err)
	}
}

// Over a whole season everybody who is there is paired once a round or rests, and all are in the order.
func TestASeason(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(2, 14).Draw(rt, "players")
		f := field(n)
		f.Opening = match.Seats[rapid.IntRange(0, 1).Draw(rt, "opening")]
		for round := range rapid.IntRange(1, 8).Draw(rt, "rounds") {
			present := 0
			for i := range f.Players {
				if rapid.IntRange(0, 4).Draw(rt, "comes") == 0 {
					f.Players[i].Rounds = append(f.Players[i].Rounds, tournament.RoundResult{Outcome: tournament.ZeroBye})
				} else {
					present++
				}
			}
			p, err := keizer.Neighbors{}.Pair(f)
			if err != nil {
				rt.Fatalf("round %d: %v", round+1, err)
			}
			if 2*len(p.Boards)+present%2 != present || (p.Bye != 0) != (present%2 == 1) {
				rt.Fatalf("round %d: %d are there, paired %+v", round+1, present, p)
			}
			for i := range f.Players {
				if len(f.Players[i].Rounds) == round {
					f.Players[i].Rounds = append(f.Players[i].Rounds, tournament.RoundResult{Outcome: tournament.PairingBye})
				}
			}
			for _, b := range p.Boards {
				a, c := &f.Players[b.First-1], &f.Players[b.Second-1]
				if a.Rounds[round].Outcome != tournament.PairingBye || c.Rounds[round].Outcome != tournament.PairingBye {
					rt.Fatalf("round %d: %+v is absent or twice on a board", round+1, b)
				}
				won := rapid.SampledFrom([]tournament.Outcome{tournament.Win, tournament.Draw, tournament.Loss}).Draw(rt, "result")
				lost := map[tournament.Outcome]tournament.Outcome{tournament.Win: tournament.Loss, tournament.Draw: tournament.Draw,
					tournament.Loss: tournament.Win}[won]
				a.Rounds[round] = tournament.RoundResult{Opponent: b.Second, Seat: match.First, Outcome: won}
				c.Rounds[round] = tournament.RoundResult{Opponent: b.First, Seat: match.Second, Outcome: lost}
			}
			f.Played++
			lines := keizer.Order(f)
			for i, l := range lines {
				if l.Score < 0 || i > 0 && l.Tenths() > lines[i-1].Tenths() || l.Rank > i+1 {
					rt.Fatalf("after round %d: %+v", round+1, lines)
				}
			}
			if len(lines) != n {
				rt.Fatalf("%d lines for %d players", len(lines), n)
			}
		}
	})
}
