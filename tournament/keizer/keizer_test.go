package keizer_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
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

// Prohibitions in place of the wishes that a round grants lead to the same round.
func TestARoundFollowsFromTheWishesItGrants(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(2, 12).Draw(rt, "players")
		f := field(n)
		for range rapid.IntRange(0, 6).Draw(rt, "wishes") {
			x := tournament.Forbidden{Soft: rapid.IntRange(0, 3).Draw(rt, "soft") > 0}
			for number := 1; number <= n; number++ {
				if rapid.IntRange(0, 2).Draw(rt, "in") == 0 {
					x.Numbers = append(x.Numbers, number)
				}
			}
			f.Forbidden = append(f.Forbidden, x)
		}
		want, err := keizer.Neighbors{}.Pair(f)
		held, relaxErr := keizer.Relax(f)
		if (err == nil) != (relaxErr == nil) && slices.ContainsFunc(f.Forbidden, func(x tournament.Forbidden) bool { return x.Soft }) {
			rt.Fatal(err, relaxErr)
		}
		if slices.ContainsFunc(held.Forbidden, func(x tournament.Forbidden) bool { return x.Soft }) {
			rt.Fatalf("wishes are left: %+v", held.Forbidden)
		}
		if got, _ := (keizer.Neighbors{}).Pair(held); relaxErr == nil && err == nil && (got.Bye != want.Bye || !slices.Equal(got.Boards, want.Boards)) {
			rt.Fatalf("%+v, not %+v", got, want)
		}
	})
}

// By points the bye of 5 is worth most, by the system least: boards are in the order of the system, also those paired by hand.
func TestBoardsPairedByHandAreInTheOrderOfTheSystem(t *testing.T) {
	host := player.Viewer{Player: player.Player{ID: "host", Role: player.Organizer}}
	s := tournament.DefaultSettings(tournament.Keizer)
	s.Name = "Friday"
	tour, err := tournament.New("t", host.ID, s, time.Time{})
	must := func(err error) {
		if err != nil {
			t.Helper()
			t.Fatal(err)
		}
	}
	must(err)
	for i := range 5 {
		_, err := tour.Register(host, tournament.Candidate{Name: fmt.Sprint("Player ", i+1), Rating: 1500 - i}, time.Time{})
		must(err)
	}
	must(tour.Start(host, tournament.Drawing{Pick: func(int) int { return 0 }}, time.Time{}))
	system := tournament.System{Pairer: keizer.Neighbors{}, Engine: keizer.Version, Scores: keizer.Scores}
	_, err = tour.PairNext(system, nil, time.Time{})
	must(err)
	for _, b := range tour.Rounds[0].Pairings { // 1–2 and 3–4 are drawn: 8½, 8, 5½, 5 and 2⅔ for who rests
		must(tour.Enter(host, 1, b.Board, tournament.Drawn, true, time.Time{}))
	}
	must(tour.DraftNext(system, "", time.Time{}))
	must(tour.EditDraft(host, tournament.Edit{Kind: tournament.FixPair, A: 5, B: 4, Rest: true}, system))
	if b := tour.Draft.Boards; len(b) != 2 || b[0].First > 3 || b[1] != (tournament.DraftBoard{First: 5, Second: 4, Fixed: true}) {
		t.Errorf("%+v", b)
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
