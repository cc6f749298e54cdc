package tournament_test

import (
	"errors"
	"slices"
	"testing"

	"chpok.org/chpok/tournament"
)

// Eight players meet 1-5, 2-6, 3-7, 4-8 in round 1, whatever their fixed boards.
func TestWhoCannotMoveAboutSitsAtTheirBoard(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fixed map[int]int // number to board
		want  []int       // the better number of each board
	}{
		"nobody":                   {nil, []int{1, 2, 3, 4}},
		"8 at 1":                   {map[int]int{8: 1}, []int{4, 1, 2, 3}},
		"8 at 1, 6 at 3":           {map[int]int{8: 1, 6: 3}, []int{4, 1, 2, 3}},
		"6 at 4":                   {map[int]int{6: 4}, []int{1, 3, 4, 2}},
		"two meet: at the lower":   {map[int]int{4: 9, 8: 2}, []int{1, 4, 2, 3}},
		"there are no such boards": {map[int]int{1: 40, 2: 30}, []int{3, 4, 2, 1}},
	} {
		tour := newTournament(t, tournament.Swiss, nil)
		enter(t, tour, 8)
		for number, board := range c.fixed {
			if err := tour.FixBoard(host, tournament.EntryID(number), board); err != nil {
				t.Fatal(name, err)
			}
		}
		if err := tour.Start(host, lowest, start); err != nil {
			t.Fatal(err)
		}
		r, err := tour.PairNext(system(tour), ids(), start)
		if err != nil {
			t.Fatal(err)
		}
		var got []int
		for i, p := range r.Pairings {
			a, _ := tour.Entry(p.First)
			b, _ := tour.Entry(p.Second)
			if p.Board != i+1 || max(a.Number, b.Number) != min(a.Number, b.Number)+4 {
				t.Errorf("%s: board %d has %d and %d", name, p.Board, a.Number, b.Number)
			}
			got = append(got, min(a.Number, b.Number))
		}
		if !slices.Equal(got, c.want) || r.Edited {
			t.Errorf("%s: %v, edited %v", name, got, r.Edited)
		}
	}
}

func TestABoardIsFixedInTheDraftAndForOneOnly(t *testing.T) {
	t.Parallel()
	tour := newTournament(t, tournament.Swiss, nil)
	enter(t, tour, 8)
	if err := errors.Join(tour.Start(host, lowest, start), tour.DraftNext(system(tour), host.ID, start)); err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]struct{ got, want error }{
		"a stranger": {tour.FixBoard(someone, 8, 1), tournament.ErrNotAllowed},
		"below 1":    {tour.FixBoard(host, 8, -1), tournament.ErrFixedBoard},
		"nobody":     {tour.FixBoard(host, 9, 1), tournament.ErrNoEntry},
	} {
		if !errors.Is(c.got, c.want) {
			t.Errorf("%s: %v", what, c.got)
		}
	}
	if err := tour.FixBoard(host, 8, 1); err != nil {
		t.Fatal(err)
	}
	if err := tour.FixBoard(host, 7, 1); !errors.Is(err, tournament.ErrFixedBoard) {
		t.Errorf("for two: %v", err)
	}
	// They stay there when staff swap two other players.
	if err := tour.EditDraft(host, tournament.Edit{Kind: tournament.SwapEntries, A: 4, B: 1}, system(tour)); err != nil {
		t.Fatal(err)
	}
	r, err := tour.Publish(tournament.System{}, nil, ids(), start)
	if err != nil || !r.Edited || !r.Pairings[0].SeatOf(8).Valid() || !r.Pairings[0].SeatOf(1).Valid() {
		t.Errorf("%+v, %v", r, err)
	}
}
