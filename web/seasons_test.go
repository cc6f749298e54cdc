package web_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament/challenge"
)

func TestTheNumbersOfASeasonArePublicAndNeverSmall(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, fairplay.Verified)
	visitor := g.browser(lang.English)
	visitor.get("/fair-play/numbers").want(http.StatusOK).says("Nothing has been counted yet")
	g.toBoard()
	g.act(0, "act", "resign")
	if err := g.judge().Judges.CountSeasons(t.Context()); err != nil {
		t.Fatal(err)
	}
	this := review.SeasonOf(review.MonthOf(g.clock.Now()))
	g.write(func(tx *store.Tx) error {
		all, err := tx.SeasonCounts()
		for name, n := range map[string]int{"demanded.verified": 1, "check-in.waived": 2, "lowered.waived": 1} {
			if all[this][name] != n {
				t.Errorf("%s: %d, want %d in %v", name, all[this][name], n, all[this])
			}
		}
		return err
	})
	long := review.MonthOf(g.clock.Now().AddDate(-1, 0, 0))
	g.write(func(tx *store.Tx) error {
		return tx.SetCounts(long, review.Counts{"demanded.verified": 41, "opened.signal": 7, "opened.reports": 4, "decided.talk": 7, "days.12": 7},
			map[player.ID]review.Counts{g.players["clara"].ID: {"decided": 3}})
	})
	page := visitor.get("/fair-play/numbers").want(http.StatusOK).says("fewer than 5").says("41").says("12").says("a server fact").saysNot("clara")
	if strings.Count(page.body, "Reviews opened for") != 1 {
		t.Error("the season that runs tells of reviews, or the one that is over does not")
	}
	g.browser(lang.Ukrainian).get("/fair-play/numbers").want(http.StatusOK).says("менше 5")
	var api struct {
		Floor   int
		Seasons []struct {
			Season string
			Over   bool
			Counts map[string]map[string]*int
		}
	}
	program := g.program(g.players["clara"])
	program.ask("GET", "/fair-play/numbers", "", http.StatusOK, &api)
	if len(api.Seasons) != 2 || api.Seasons[0].Season != this.String() || api.Seasons[0].Over || !api.Seasons[1].Over || api.Floor != review.CountFloor {
		t.Fatalf("%+v", api)
	}
	was := api.Seasons[1].Counts
	if was["opened"]["reports"] != nil || *was["opened"]["signal"] != 7 || *was["days"]["median"] != 12 || was["appeals"]["overturned"] != nil {
		t.Errorf("%+v", was)
	}
	if _, tells := api.Seasons[0].Counts["opened"]; tells {
		t.Error("the API tells of reviews of a season that runs")
	}
}

func TestWhatIsForOperatorsAlone(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, fairplay.Declared)
	boss := g.as(g.player("Boss"), lang.English)
	boss.get("/admin/fair-play").want(http.StatusOK).says("No review has been decided yet")
	boss.get("/admin/fair-play?player=Boss").want(http.StatusOK).says("Boss has played no rated challenge")
	g.write(func(tx *store.Tx) error {
		return tx.SetCounts(review.MonthOf(g.clock.Now()), nil, map[player.ID]review.Counts{g.players["clara"].ID: {"decided": 3, "looked-only": 2}})
	})
	boss.get("/admin/fair-play").want(http.StatusOK).says("clara").says("of these, undone on appeal")
	for who, b := range map[string]*browser{"a visitor": g.browser(lang.English), "an arbiter": g.host, "a player": g.browsers[0]} {
		if got := b.get("/admin/fair-play"); got.status == http.StatusOK && !strings.HasPrefix(got.path, "/sign-in") {
			t.Errorf("%s sees it", who)
		}
	}
}

// lose plays rated challenges that a player resigns at once.
func (g *guarded) lose(n int, loser, winner player.Player) {
	g.t.Helper()
	ctx, judge := g.t.Context(), g.judge()
	for range n {
		settings := challenge.DefaultSettings()
		settings.Rated, settings.Lateness = true, 0
		c, err := judge.Challenges.Send(ctx, player.Viewer{Player: winner}, string(loser.Handle), settings)
		if err == nil {
			c, err = judge.Challenges.Accept(ctx, player.Viewer{Player: loser}, c.ID)
		}
		if err != nil {
			g.t.Fatal(err)
		}
		seat := match.First
		if c.Seats()[0] != loser.ID {
			seat = match.Second
		}
		if _, err := g.live.Do(ctx, c.Match, loser.ID, live.Request{Command: match.Resign{Seat: seat}, Admit: admitted}); err != nil {
			g.t.Fatal(err)
		}
		g.clock.advance(time.Second)
	}
}

func TestWhatResultsPointAtIsShownToThoseItIsFor(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, fairplay.Declared)
	g.toBoard()
	g.act(0, "act", "resign")
	g.lose(3, g.seats[0], g.seats[1])
	for who, b := range map[string]*browser{"the loser": g.browsers[0], "the winner": g.browsers[1]} {
		page := b.get("/fair-play/me").want(http.StatusOK).says("Many short wins of one over the other")
		if quick := strings.Contains(page.body, "Many quick losses"); quick != (who == "the loser") {
			t.Errorf("%s reads of quick losses: %v", who, quick)
		}
	}
	g.as(g.player("Boss"), lang.English).get("/admin/fair-play").want(http.StatusOK).says("Many quick losses")
	dossier := g.host.get(g.dossier(0)).want(http.StatusOK).says("Against " + string(g.seats[1].Handle) + ": 0.0 of 4").says("surprise −1.7")
	dossier.saysNot("Many quick losses") // the fourth, outside of the event, has led to it
	g.browsers[0].get(g.path + "/fair-play/of/me").want(http.StatusOK).says("surprise −1.7").says("Who looked at this").says("Olena")
	g.host.get(g.path + "/fair-play").want(http.StatusOK).says("The last round and the first places").says("they would be")
	g.browsers[0].get(g.path + "/fair-play").want(http.StatusForbidden)
}
