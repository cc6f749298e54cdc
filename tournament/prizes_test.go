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
