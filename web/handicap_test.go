package web_test

import (
	"net/http"
	"strings"
	"testing"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/player"
	"chpok.org/chpok/rating"
)

func TestAHandicapIsTellableBeforeTheDrawAndOnThePairing(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	judge := arbiter.New(n.store, n.live, arbiter.Config{Now: n.clock.Now}, nil)
	operator := player.Viewer{Player: n.account("Root", player.Operator)}
	if err := judge.Ratings.Give(t.Context(), operator, rating.Main, []rating.Start{{Player: string(n.players["anna"].ID), Rating: 1850, Games: 50}}); err != nil {
		t.Fatal(err)
	}
	path := n.create("handicap", "on")
	if !n.tournament(path).Handicap {
		t.Fatal("the form has not set the handicap")
	}
	if body := n.host.get(path + "/info").want(http.StatusOK).body; !strings.Contains(body, "with a handicap by the table") {
		t.Error("the rules do not tell of the handicap")
	}
	for _, name := range []string{"anna", "borys", "clara"} {
		n.host.post(path+"/entries", "handle", name).want(http.StatusOK)
	}
	n.host.post(path + "/start").want(http.StatusOK)
	// anna has a bye in the first of three rounds or gives 3 chips for 350 points; the others stand alike.
	for _, r := range []string{"1", "2", "3"} {
		tour := n.tournament(path)
		p := tour.Rounds[len(tour.Rounds)-1].Pairings[0]
		first, _ := tour.Entry(p.First)
		second, _ := tour.Entry(p.Second)
		want := 0
		if first.Name == "anna" || second.Name == "anna" {
			want = 1
		}
		if got := strings.Count(n.host.get(path+"/rounds/"+r).want(http.StatusOK).body, "+3 chips"); got != want {
			t.Errorf("round %s, %s and %s: the handicap stands %d times, want %d", r, first.Name, second.Name, got, want)
		}
		n.firstWins(path)
	}
}
