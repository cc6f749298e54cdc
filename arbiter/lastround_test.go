package arbiter_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"chpok.org/chpok/arbiter/tables"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/format"
)

// swissOf is a finished Swiss of as many players as the boards name, by rounds of
// boards: first, second, result.
func swissOf(t *testing.T, rounds ...[][3]int) *tournament.Tournament {
	t.Helper()
	s := tournament.DefaultSettings(tournament.Swiss)
	s.Name, s.Rounds = "Friday", len(rounds)
	tour, err := tournament.New("event", "host", s, time.Date(2026, 9, 4, 18, 0, 0, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	for n := range 2 * len(rounds[0]) {
		tour.Entries = append(tour.Entries, tournament.Entry{ID: tournament.EntryID(n + 1), Name: fmt.Sprint("p", n+1), Status: tournament.Active, Number: n + 1, From: 1})
	}
	for i, boards := range rounds {
		r := tournament.Round{Number: i + 1}
		for j, b := range boards {
			r.Pairings = append(r.Pairings, tournament.Pairing{
				Board: j + 1, First: tournament.EntryID(b[0]), Second: tournament.EntryID(b[1]), Result: tournament.Result{Kind: tournament.ResultKind(b[2])},
			})
		}
		tour.Rounds = append(tour.Rounds, r)
	}
	tour.Status = tournament.Finished
	return tour
}

// places are the entries of lines with their ranks.
func places(lines []format.Standing) (out []string) {
	for _, l := range lines {
		out = append(out, fmt.Sprint(l.Rank, " ", l.Entry.Name))
	}
	return out
}

func TestWhichResultsOfTheLastRoundMadeTheFirstPlaces(t *testing.T) {
	t.Parallel()
	const win, loss, draw = int(tournament.FirstWins), int(tournament.SecondWins), int(tournament.Drawn)
	// p1, p2, p3 win all three; p7 and p8 play among themselves and cannot come near.
	tour := swissOf(t,
		[][3]int{{1, 4, win}, {2, 5, win}, {3, 6, win}, {7, 8, draw}},
		[][3]int{{1, 5, win}, {2, 6, win}, {3, 4, win}, {8, 7, draw}},
		[][3]int{{1, 6, win}, {2, 4, win}, {5, 3, loss}, {7, 8, win}})
	top, list, err := tables.LastRound(tour)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"1 p1", "1 p2", "1 p3"}, places(top)); diff != "" {
		t.Errorf("first places: wanted (-), found (+):\n%s", diff)
	}
	var boards []int
	for _, r := range list {
		boards = append(boards, r.Pairing.Board)
	}
	if diff := cmp.Diff([]int{1, 2, 3}, boards); diff != "" {
		t.Fatalf("boards: wanted (-), found (+):\n%s", diff)
	}
	if len(list[0].Others) != 2 || list[0].Others[0].Kind != tournament.Drawn || list[0].Others[1].Kind != tournament.SecondWins {
		t.Fatalf("%+v", list[0].Others)
	}
	// With a draw p1 has 2½ and p2, p3 stand before them.
	if diff := cmp.Diff([]string{"1 p2", "1 p3", "3 p1"}, places(list[0].Others[0].Top)); diff != "" {
		t.Errorf("with a draw: wanted (-), found (+):\n%s", diff)
	}
	if kind := tour.Rounds[2].Pairings[0].Result.Kind; kind != tournament.FirstWins {
		t.Error("looking has changed the result")
	}
	tour.Status = tournament.Running
	if top, list, err := tables.LastRound(tour); top != nil || list != nil || err != nil {
		t.Errorf("before the end: %v, %v, %v", top, list, err)
	}
}
