package web_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ledger"
)

func TestAKeyInAnAddressIsNotLogged(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.played()
	n.host.post(path+"/screens", "name", "Hall", "seconds", "20", "shows", "standings", "lang", "uk", "zone", "Europe/Kyiv").want(http.StatusOK)
	made := n.host.post("/settings/calendar")
	if got := made.header.Get("Cache-Control"); got != "no-store" {
		t.Errorf("the page with the key to the calendar: %q", got)
	}
	calendar := regexp.MustCompile(`/calendar/([A-Z0-9a-z]+)\.ics`).FindStringSubmatch(made.body)
	screen := n.screens(path)[0].Token
	visitor := n.browser(lang.English)
	if file := visitor.get(calendar[0]).want(http.StatusOK); file.header.Get("X-Robots-Tag") != "noindex" {
		t.Error("search engines may keep a personal calendar")
	}
	visitor.get("/screens/" + screen).want(http.StatusOK)
	log := n.log.String()
	if strings.Contains(log, calendar[1]) || strings.Contains(log, screen) {
		t.Error("who reads the log has the keys")
	}
	if !strings.Contains(log, "path=/calendar/:secret") || !strings.Contains(log, "path=/screens/:token") || !strings.Contains(log, "path="+path) {
		t.Error("the log does not tell what was asked for")
	}
}

func TestWhoGuessesCodesIsKeptWaiting(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.event(func(s *tournament.Settings) { s.Entry.Code = "lion" })
	anna := n.as(n.players["anna"], lang.English)
	byProgram := n.program(n.players["anna"])
	for range 10 {
		anna.post(path+"/register", "code", "tiger").want(http.StatusUnprocessableEntity)
	}
	anna.post(path+"/register", "code", "lion").want(http.StatusTooManyRequests).wants("alert", "Too many")
	byProgram.refused(path+"/entries", `{"code":"lion"}`, http.StatusTooManyRequests)
	anna.post("/clubs/no-such-club/join", "code", "abcde-fghjk").want(http.StatusTooManyRequests)
	byProgram.refused("/clubs/no-such-club/join", `{"code":"abcde-fghjk"}`, http.StatusTooManyRequests)

	// Others are not kept waiting, nor is anybody for long.
	n.as(n.players["borys"], lang.English).post(path+"/register", "code", "lion").want(http.StatusOK)
	n.clock.advance(time.Minute)
	anna.post(path+"/register", "code", "lion").want(http.StatusOK)
}

func TestNobodyFindsOutByTheAPIWhoHasAskedToEnter(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.event(func(s *tournament.Settings) { s.Entry.Approval = true })
	n.program(n.players["anna"]).ask(http.MethodPost, path+"/entries", "", http.StatusCreated, nil)
	borys := n.program(n.players["borys"])
	for _, handle := range []string{"anna", "clara"} {
		borys.refused(path+"/requests/"+handle, `{"accept":true}`, http.StatusForbidden)
		borys.refused(path+"/check-in", `{"handle":"`+handle+`"}`, http.StatusForbidden)
	}
}

func TestArchivesAreBounded(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.played()
	visitor := n.browser(lang.English)
	for range 5 {
		visitor.get(path + "/records.zip").want(http.StatusOK)
	}
	visitor.get(path + "/records.zip").want(http.StatusTooManyRequests)
	anna := n.as(n.players["anna"], lang.English)
	for range 5 {
		anna.get("/settings/data/export.zip").want(http.StatusOK)
	}
	anna.get("/settings/data/export.zip").want(http.StatusTooManyRequests)
	n.clock.advance(20 * time.Second)
	visitor.get(path + "/records.zip").want(http.StatusOK)
}

func TestSearchEnginesDoNotWalkThroughEveryMoment(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.played()
	visitor := n.browser(lang.English)
	if page := visitor.get(path + "/at/5").want(http.StatusOK); page.header.Get("X-Robots-Tag") != "noindex, nofollow" {
		t.Error("a moment may be kept")
	}
	if robots := visitor.get("/robots.txt").body; !strings.Contains(robots, "Disallow: /tournaments/*/at/\n") {
		t.Error(robots)
	}
}

func TestTheBoardsDeskShowsNoMoveToStaffWhoDoNotWatch(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, fairplay.Verified)
	g.host.post(g.path+"/staff", "handle", "danylo", "duty", "read-only").want(http.StatusOK)
	reader := g.as(g.players["danylo"], lang.English)
	reader.post(g.path + "/staff/accept").want(http.StatusOK)
	before, arbiters := reader.get(g.path+"/boards").want(http.StatusOK), g.host.get(g.path+"/boards").want(http.StatusOK)
	g.toBoard()
	g.play(opening...)
	if after := reader.get(g.path + "/boards"); after.unkeyed() != before.unkeyed() {
		t.Errorf("the reader sees something of it: %s", difference(before.unkeyed(), after.unkeyed()))
	}
	if after := g.host.get(g.path + "/boards"); after.unkeyed() == arbiters.unkeyed() {
		t.Error("the arbiter sees nothing of it")
	}
}

func TestTheChatIsForThoseWhoWereLetIn(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.event(func(s *tournament.Settings) { s.Entry.Approval = true })
	anna := n.as(n.players["anna"], lang.English)
	anna.post(path + "/register").want(http.StatusOK)
	anna.post(path+"/chat", "text", "let me in").want(http.StatusForbidden)
	n.host.post(path + "/entries/1/accept").want(http.StatusOK)
	anna.post(path+"/chat", "text", "thank you").want(http.StatusOK)
}

func TestWhyARoundIsStuckIsForStaff(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.event(func(*tournament.Settings) {})
	host := n.viewer("Olena")
	n.write(func(tx *store.Tx) error {
		now, err := tx.Tournament("cup")
		if err != nil {
			return err
		}
		stuck := now.Clone()
		stuck.Stuck = "anna and borys may not meet"
		return tx.SaveTournament(now, stuck, ledger.Deed{At: n.clock.Now(), By: host.ID, Duty: tournament.Owner, Act: tournament.ActStuck})
	})
	var got struct{ Stuck string }
	for who, want := range map[player.ID]string{n.players["anna"].ID: "", host.ID: "anna and borys may not meet"} {
		of := n.players["anna"]
		if who == host.ID {
			of = host.Player
		}
		got.Stuck = ""
		if n.program(of).ask(http.MethodGet, path, "", http.StatusOK, &got); got.Stuck != want {
			t.Errorf("%s is told %q", who, got.Stuck)
		}
	}
	if file := n.browser(lang.English).get(path + "/tournament.json").want(http.StatusOK); strings.Contains(file.body, "may not meet") {
		t.Error(file.body)
	}
	n.host.get(path).want(http.StatusOK).says("Change who plays")
	if page := n.browser(lang.English).get(path).want(http.StatusOK).says("The arbiters decide how it goes on"); strings.Contains(page.body, "Change who plays") {
		t.Error("visitors are advised as staff")
	}
}

func TestTheMeetingsOfTwoDoNotTellWhenTheyMove(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, fairplay.Verified)
	page := "/players/" + string(g.seats[0].Handle) + "/vs/" + string(g.seats[1].Handle)
	visitor := g.browser(lang.English)
	g.toBoard()
	g.clock.advance(time.Minute)
	before := visitor.get(page).want(http.StatusOK)
	g.play(opening[:2]...)
	if after := visitor.get(page); after.body != before.body {
		t.Errorf("a visitor sees that somebody has moved: %s", difference(before.body, after.body))
	}
}
