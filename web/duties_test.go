package web_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ledger"
)

func TestTheHomePageSaysWhatWaits(t *testing.T) {
	storetest.ManyAtOnce(t)
	t.Parallel()
	s := newSite(t)
	host, olena := s.account("host", player.Organizer), s.account("Olena", player.Plain)
	b := s.as(olena, lang.English)
	if page := b.get("/"); page.status != http.StatusOK || !strings.Contains(page.body, "Ready for your first match?") {
		t.Errorf("a newcomer: %d", page.status)
	}
	cup := s.timed(host, olena)
	page := b.get("/")
	if !strings.Contains(page.body, "Cup; the first: round 1") || !strings.Contains(page.body, "tomorrow 14:00") {
		t.Error("her next round is not there")
	}
	next := b.follow("/feed")
	next()
	after := cup.Clone()
	if err := after.Appoint(player.Viewer{Player: host}, olena.ID, tournament.Arbiter, s.clock.Now()); err != nil {
		t.Fatal(err)
	}
	s.write(func(tx *store.Tx) error {
		return tx.SaveTournament(cup, after, ledger.Deed{At: s.clock.Now(), By: host.ID, Act: tournament.ActStaff})
	})
	s.live.Nudge(live.PlayerTopic(olena.ID), 0)
	if swapped := next(); !strings.Contains(swapped, "You are asked to help run “Cup; the first”") {
		t.Errorf("the page does not follow: %s", swapped)
	}
	s.paired(olena, "7")
	if page := b.get("/"); !strings.Contains(page.body, "Round 7 of") {
		t.Error("her new notices are not there")
	}
	s.clock.advance(25 * time.Hour)
	if page := b.get("/"); strings.Contains(page.body, "Cup; the first: round 1") {
		t.Error("a round that has begun is ahead")
	}
}

func TestTheHomePageOfStaffSaysWhatTheyDecide(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.event(func(s *tournament.Settings) {
		s.Format, s.Rounds, s.Tiebreaks, s.Review, s.Lateness, s.Entry.Approval = tournament.Swiss, 2, nil, true, 0, true
	})
	for _, name := range []string{"anna", "borys", "clara"} {
		n.as(n.players[name], lang.English).post(path + "/register").want(http.StatusOK)
	}
	if body := n.host.get("/").body; !strings.Contains(body, "3 requests to play in") || strings.Contains(body, "waits to be published") {
		t.Error("the host is not told of the requests")
	}
	if body := n.as(n.players["danylo"], lang.English).get("/").body; strings.Contains(body, "requests to play in") {
		t.Error("a stranger is")
	}
	for _, e := range []string{"1", "2", "3"} {
		n.host.post(path + "/entries/" + e + "/accept").want(http.StatusOK)
	}
	n.host.post(path + "/start").want(http.StatusOK)
	n.host.post(path + "/pairings").want(http.StatusOK)
	if body := n.host.get("/").body; strings.Contains(body, "requests to play in") || !strings.Contains(body, "The pairing of round 1 of") {
		t.Error("the host is not told of the draft")
	}
	n.host.post(path + "/pairings/edit/publish").want(http.StatusOK)
	if body := n.host.get("/").body; strings.Contains(body, "The pairing of round 1 of") {
		t.Error("the draft is published and waits no more")
	}
}
