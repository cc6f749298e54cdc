package event

import (
	"slices"
	"testing"
	"time"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	boardview "chpok.org/chpok/templates/board"
	eventview "chpok.org/chpok/templates/event"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/form"
)

// TestPointsStandWithTheirPlayerWhateverTheyAreCalled: two namesakes, of whom the one
// named second has White and stands below.
func TestPointsStandWithTheirPlayerWhateverTheyAreCalled(t *testing.T) {
	t.Parallel()
	ivan := templates.EntryRef{Name: "Ivan"}
	watch := func(url string, isTurned bool) boardview.LiveView {
		return boardview.LiveView{URL: url, IsTurned: isTurned,
			Us: boardview.LiveSide{Name: "Ivan", Points: "12"}, Them: boardview.LiveSide{Name: "Ivan", Points: "3"}}
	}
	body := eventview.RoundBody{
		Boards: []templates.BoardLine{{URL: "/matches/a", First: ivan, Second: ivan}, {URL: "/matches/b", First: ivan, Second: ivan}},
		Watch:  []boardview.LiveView{watch("/matches/a", true), watch("/matches/b", false)},
	}
	boards := LiveBoards(body)
	for i, want := range []string{"3 : 12", "12 : 3"} {
		if boards[i].Live != want {
			t.Errorf("board %d: %q, want %q", i+1, boards[i].Live, want)
		}
		if got, other := livePoints(body, i, true), []string{"12 : 3", "3 : 12"}[i]; got != other {
			t.Errorf("board %d turned: %q, want %q", i+1, got, other)
		}
	}
}

// Of two boards the team named first opens the bidding on the first only; it won both, by 30 : 12 and 50 : 40.
func TestBoardsOfAMatchHaveTheFirstTeamOnTheLeft(t *testing.T) {
	t.Parallel()
	tour := &tournament.Tournament{}
	tour.Teams.Boards = 2
	tour.Entries = tournament.Entries{{ID: 1, Name: "Ants"}, {ID: 2, Name: "Bears"}, {ID: 3, Team: 1, Name: "anna"}, {ID: 4, Team: 2, Name: "borys"},
		{ID: 5, Team: 1, Name: "clara"}, {ID: 6, Team: 2, Name: "danylo"}}
	result := func(k tournament.ResultKind, first, second int) tournament.Result {
		return tournament.Result{Kind: k, Points: [2]int{first, second}}
	}
	tour.Rounds = tournament.Rounds{{Number: 1, Teams: []tournament.TeamPairing{{First: 1, Second: 2, OpenedAt: time.Unix(1, 0)}},
		Pairings: []tournament.Pairing{{Board: 1, First: 3, Second: 4, TeamMatch: 1, Result: result(tournament.FirstWins, 30, 12)},
			{Board: 2, First: 6, Second: 5, TeamMatch: 1, Result: result(tournament.SecondWins, 40, 50)}}}}
	p := lang.Printer{Lang: lang.English}
	named := func(id tournament.EntryID) templates.EntryRef {
		e, _ := tour.Entry(id)
		return templates.EntryRef{Name: e.Name}
	}
	var body eventview.RoundBody
	for _, b := range tour.Rounds[0].Pairings {
		body.Boards = append(body.Boards, form.BoardLine(p, player.Viewer{}, tour, 1, b, named, store.Head{}))
	}
	for k, b := range teamMatches(p, player.Viewer{}, tour, 1, 0, body, named)[0].Boards {
		got := []string{b.First.Name, b.Result, b.Points, b.Second.Name}
		want := [][]string{{"anna", "1 : 0", "points on the board 30 : 12", "borys"}, {"clara", "1 : 0", "points on the board 50 : 40", "danylo"}}[k]
		if !slices.Equal(got, want) {
			t.Errorf("board %d: %v, want %v", k+1, got, want)
		}
	}
}
