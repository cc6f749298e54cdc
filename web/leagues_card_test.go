package web_test

import (
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/arbiter/rounds"
	"chpok.org/chpok/civil"
	"chpok.org/chpok/player"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament/league"
)

// A league of three divisions: one card names for each what it waits for, and where to do it.
func TestTheCardOfALeagueNamesWhatEachDivisionWaitsFor(t *testing.T) {
	t.Parallel()
	s, people := peopled(t)
	olena := s.as(people["organizer"], lang.English)
	form := formValues(olena.get("/leagues/new?club=club1").want(http.StatusOK))
	form = replaced(form, "name", "Winter league")
	olena.post("/leagues", changed(form, "days", "1")...).want(http.StatusUnprocessableEntity).says("a day to arrange its matches")
	olena.post("/leagues", changed(form, "play", "letters", "moveDays", "3", "letterDays", "7")...).want(http.StatusUnprocessableEntity).says("ten times as long as one move")
	olena.post("/leagues", changed(form, "play", "letters", "meet", "swiss")...).want(http.StatusUnprocessableEntity).says("By correspondence players meet everybody")
	olena.post("/leagues", changed(form, "meet", "swiss", "rounds", "4")...).want(http.StatusUnprocessableEntity).says("fewer rounds than its smallest division")
	path := olena.post("/leagues", changed(form, "name", "Winter league", "least", "4", "usual", "4", "most", "4")...).want(http.StatusOK).path
	host := arbiter.New(s.store, s.live, arbiter.Config{Now: s.clock.Now}, nil)
	players := map[player.ID]player.Player{}
	for i := range 12 {
		who := s.account(player.Handle("player"+strconv.Itoa(10+i)), player.Plain)
		players[who.ID] = who
		if err := host.Leagues.Enter(t.Context(), player.Viewer{Player: who}, league.ID(strings.TrimPrefix(path, "/leagues/")), ""); err != nil {
			t.Fatal(err)
		}
	}
	olena.post(path + "/propose").want(http.StatusOK)
	at := civil.Pick(s.clock.Now().Add(26*time.Hour), time.UTC)
	olena.post(path+"/publish-later", "at", at).want(http.StatusOK).says("The divisions are published by themselves").wants("button", "Don’t publish by itself")
	olena.post(path+"/publish-later", "at", civil.Pick(s.clock.Now().Add(60*24*time.Hour), time.UTC)).want(http.StatusUnprocessableEntity).
		says("before the season starts").says("by themselves")
	olena.post(path + "/publish-later").want(http.StatusOK).saysNot("published by themselves")
	p := olena.post(path + "/publish").want(http.StatusOK)
	s.clock.advance(8 * 24 * time.Hour)
	for range 2 {
		if err := host.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	night := &clubNight{site: s}
	events := regexp.MustCompile(`<h3><a href="(/tournaments/[^"]+)"`).FindAllStringSubmatch(p.body, -1)
	if len(events) != 3 {
		t.Fatalf("%d divisions", len(events))
	}
	// In the second somebody has proposed; in the third a forfeit is disputed.
	propose := func(event string, board int) (first, second player.Player, at rounds.At) {
		tour := night.tournament(event)
		x, err := tour.BoardAt(1, board)
		if err != nil {
			t.Fatal(err)
		}
		a, _ := tour.Entry(x.First)
		b, _ := tour.Entry(x.Second)
		at = rounds.At{Tournament: tour.ID, Round: 1, Board: board}
		if err := host.Rounds.ProposeTime(t.Context(), player.Viewer{Player: players[a.Player]}, at, s.clock.Now().Add(3*time.Hour)); err != nil {
			t.Fatal(err)
		}
		return players[a.Player], players[b.Player], at
	}
	propose(events[1][1], 1)
	page := olena.get(path).says("Division 1: nobody has proposed a time for 2 matches").says("Division 2: nobody has proposed a time for 1 match").
		says("Division 3: nobody has proposed a time for 2 matches").says("Division 3: 2 open results, round 1 of 3")
	for _, event := range events {
		if !strings.Contains(page.body, `href="`+event[1]+`/days"`) {
			t.Errorf("nothing leads to who can play when in %s", event[1])
		}
	}
	_, second, board := propose(events[2][1], 1)
	s.clock.advance(7 * 24 * time.Hour) // past the last start: the one who proposed wins unless the other objects
	if err := host.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := host.Rounds.Object(t.Context(), player.Viewer{Player: second}, board, "I was ill"); err != nil {
		t.Fatal(err)
	}
	olena.get(path).says("Division 3: ").says("is disputed")
	s.as(people["organizer"], lang.Ukrainian).get(path).says("Дивізіон 3: ")
}

// changed are form values with other ones: names and values.
func changed(pairs []string, to ...string) []string {
	for i := 0; i < len(to); i += 2 {
		pairs = replaced(pairs, to[i], to[i+1])
	}
	return pairs
}
