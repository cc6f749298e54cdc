package tournament_test

import (
	"strings"
	"testing"

	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ledger"
	"chpok.org/chpok/tournament/prize"
)

func TestOwnersSetPrizesUntilTheEventIsOver(t *testing.T) {
	t.Parallel()
	tour := newTournament(t, tournament.Swiss, nil)
	enter(t, tour, 4)
	fund := prize.Fund{Currency: "EUR", Places: []int64{100}, Categories: []prize.Category{{Kind: prize.Youth, Bound: 2010, Amounts: []int64{50}}}}
	stranger := player.Viewer{Player: player.Player{ID: "p2", Role: player.Plain}}
	if err := tour.SetPrizes(stranger, fund); err != tournament.ErrNotAllowed {
		t.Errorf("by a player: %v", err)
	}
	if err := tour.SetPrizes(host, prize.Fund{Currency: "EUR", Places: []int64{1, 2}}); err != prize.ErrAmounts {
		t.Errorf("rising: %v", err)
	}
	if err := tour.DeclareBorn(host, 1, 2011); err != tournament.ErrBorn {
		t.Errorf("nothing asks for a year: %v", err)
	}
	if err := tour.SetPrizes(host, fund); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		by   player.Viewer
		year int
		want error
	}{{stranger, 2011, tournament.ErrNotAllowed}, {host, 11, tournament.ErrBorn}, {host, 2011, nil}} {
		if err := tour.DeclareBorn(c.by, 1, c.year); err != c.want {
			t.Errorf("%s, %d: %v, want %v", c.by.ID, c.year, err, c.want)
		}
	}
	before := tour.Clone()
	fund.Places[0] = 7
	if tour.Prizes.Places[0] != 100 || before.Prizes.Places[0] != 100 {
		t.Error("the tournament's fund is the caller's")
	}
	tour.Status = tournament.Finished
	if err := tour.SetPrizes(host, prize.Fund{}); err != tournament.ErrFinished {
		t.Errorf("over: %v", err)
	}
}

// Of two boards and no reserve nobody plays on board 3, and teams are not born.
func TestAPrizeThatNobodyCouldWinIsRefused(t *testing.T) {
	t.Parallel()
	of := func(list ...prize.Category) prize.Fund { return prize.Fund{Currency: "EUR", Categories: list} }
	board := func(n int) prize.Category {
		return prize.Category{Kind: prize.Board, Bound: n, Amounts: []int64{100}}
	}
	reserves := prize.Category{Kind: prize.Reserve, Amounts: []int64{100}}
	young := prize.Category{Kind: prize.Youth, Bound: 2010, Amounts: []int64{100}}
	players := newTournament(t, tournament.Swiss, nil)
	teams := newTournament(t, tournament.Swiss, func(s *tournament.Settings) { s.PlayIn(tournament.Teams{Boards: 2}) })
	withReserves := newTournament(t, tournament.Swiss, func(s *tournament.Settings) { s.PlayIn(tournament.Teams{Boards: 2, Reserves: 1}) })
	for _, c := range []struct {
		name string
		in   *tournament.Tournament
		fund prize.Fund
		want error
	}{
		{"a board where players meet", players, of(board(1)), tournament.ErrOffBoard},
		{"reserves where players meet", players, of(reserves), tournament.ErrOffBoard},
		{"an age where players meet", players, of(young), nil},
		{"the last board", teams, of(board(1), board(2)), nil},
		{"a board too many", teams, of(board(3)), tournament.ErrOffBoard},
		{"reserves where there are none", teams, of(reserves), tournament.ErrOffBoard},
		{"reserves", withReserves, of(reserves), nil},
		{"an age of teams", teams, of(young), tournament.ErrAges},
		{"a board twice", teams, of(board(1), board(1)), prize.ErrTwice},
	} {
		if err := c.in.SetPrizes(host, c.fund); err != c.want {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
		s := c.in.Settings
		s.Prizes = c.fund
		if err := s.Validate(); (err != nil) != (c.want != nil) {
			t.Errorf("%s in settings: %v", c.name, err)
		}
	}
}

// The log shows prizes, but years of birth to staff only.
func TestThePublicLogTellsOfPrizesAndNotOfYears(t *testing.T) {
	t.Parallel()
	tour := newTournament(t, tournament.Swiss, nil)
	enter(t, tour, 4)
	var deeds []ledger.Deed
	note := func(act tournament.Act, before *tournament.Tournament) {
		deeds = append(deeds, ledger.Deed{Seq: int64(len(deeds) + 1), Act: act, By: host.ID, Changes: ledger.Diff(before, tour)})
	}
	note(tournament.ActCreate, &tournament.Tournament{})
	before := tour.Clone()
	if err := tour.SetPrizes(host, prize.Fund{Currency: "EUR", Categories: []prize.Category{{Kind: prize.Senior, Bound: 1966, Amounts: []int64{50}}}}); err != nil {
		t.Fatal(err)
	}
	note(tournament.ActPrizes, before)
	before = tour.Clone()
	if err := tour.DeclareBorn(host, 2, 1950); err != nil {
		t.Fatal(err)
	}
	note(tournament.ActDeclare, before)
	public := ledger.Public(deeds)
	if len(public) != 2 || public[1].Act != tournament.ActPrizes {
		t.Fatalf("%d deeds, the last of them %s", len(public), public[len(public)-1].Act)
	}
	for _, d := range public {
		for _, c := range d.Changes {
			if strings.Contains(string(c.After), "1950") {
				t.Errorf("%s says %s", c.Path, c.After)
			}
		}
	}
	if again, err := ledger.Fold(deeds); err != nil || again.Entries[1].Born != 1950 || again.Prizes.Categories[0].Bound != 1966 {
		t.Errorf("folded: %v", err)
	}
}
