package web_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ledger"
	"chpok.org/chpok/tournament/venue"
)

func TestEntrantsTalkAndStaffModerate(t *testing.T) {
	storetest.ManyAtOnce(t)
	t.Parallel()
	n := newClubNight(t)
	path := n.create()
	for _, handle := range []string{"anna", "borys"} {
		n.host.post(path+"/entries", "handle", handle).want(http.StatusOK)
	}
	anna, borys, clara := n.as(n.players["anna"], lang.English), n.as(n.players["borys"], lang.English), n.as(n.players["clara"], lang.English)
	next := n.browser(lang.English).follow(path + "/chat/feed")
	next()
	anna.post(path+"/chat", "text", "Hello <b>all</b>").want(http.StatusOK)
	if got := next(); !strings.Contains(got, "Hello &lt;b&gt;all") {
		t.Errorf("watchers see %s", got)
	}
	clara.post(path+"/chat", "text", "me too").want(http.StatusForbidden)
	n.browser(lang.English).get(path+"/chat").want(http.StatusOK).wantsNo("button", "Send")

	// Too long: nothing is lost.
	long := strings.Repeat("я", venue.MaxPost+1)
	if p := anna.post(path+"/chat", "text", long).want(http.StatusUnprocessableEntity).wants("alert", "fits the field"); !strings.Contains(p.body, long) {
		t.Error("what was typed is lost")
	}

	// A report is one for each reader, and reaches staff only.
	borys.post(path+"/posts/1/report", "reason", "rude").want(http.StatusOK)
	borys.post(path+"/posts/1/report", "reason", "rude").want(http.StatusConflict)
	anna.post(path+"/posts/1/report", "reason", "mine").want(http.StatusForbidden)
	if strings.Contains(anna.get(path+"/chat").body, "rude") {
		t.Error("the author sees who reported him")
	}
	n.host.get(path+"/chat").wants("heading", "Reported messages").want(http.StatusOK)
	borys.post(path + "/posts/1/settle").want(http.StatusForbidden)
	n.host.post(path+"/posts/1/settle").want(http.StatusOK).wantsNo("heading", "Reported messages")

	borys.post(path + "/posts/1/delete").want(http.StatusForbidden)
	n.host.post(path + "/posts/1/delete").want(http.StatusOK)
	if strings.Contains(borys.get(path+"/chat").body, "Hello") {
		t.Error("a deleted post is read")
	}

	borys.post(path+"/mutes", "handle", "anna", "for", "hour").want(http.StatusForbidden)
	n.host.post(path+"/mutes", "handle", "Olena", "for", "hour").want(http.StatusForbidden) // staff cannot be muted
	n.host.post(path+"/mutes", "handle", "anna", "for", "hour", "reason", "calm down").want(http.StatusOK).wants("heading", "Muted")
	anna.post(path+"/chat", "text", "why?").want(http.StatusConflict).wants("alert", "muted")
	n.clock.advance(time.Hour)
	anna.post(path+"/chat", "text", "back again").want(http.StatusOK)
	n.host.post(path+"/mutes", "handle", "anna", "for", "good").want(http.StatusOK)
	n.host.post(path + "/mutes/anna/drop").want(http.StatusOK)
	for _, gone := range []string{"/mutes/anna/drop", "/screens/hall/drop", "/door/close"} {
		n.host.post(path + gone).want(http.StatusNotFound) // nobody came first who would have to be waited for
	}
	anna.post(path+"/chat", "text", "thank you").want(http.StatusOK)

	n.host.post(path+"/chat/open", "open", "no").want(http.StatusOK)
	anna.post(path+"/chat", "text", "still there?").want(http.StatusConflict)
}

func TestAnAnnouncementReachesEverybody(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.create()
	n.host.post(path+"/entries", "handle", "anna").want(http.StatusOK)
	anna := n.as(n.players["anna"], lang.English)
	anna.post(path+"/announcements", "announcement", "I run this").want(http.StatusForbidden)
	n.host.post(path+"/announcements", "announcement", "Round 1 begins at seven").want(http.StatusOK).wants("heading", "Announcements")
	if !strings.Contains(anna.get("/notices").want(http.StatusOK).body, "Round 1 begins at seven") {
		t.Error("anna was not told")
	}
	var last ledger.Deed
	n.write(func(tx *store.Tx) error {
		deeds, err := tx.Deeds(tournament.ID(strings.TrimPrefix(path, "/tournaments/")))
		last = deeds[len(deeds)-1]
		return err
	})
	if last.Act != tournament.ActAnnounce || last.Reason != "Round 1 begins at seven" || last.Duty != tournament.Owner {
		t.Errorf("the log ends with %+v", last)
	}
}

// TestTheChatRestsWherePeoplePlayByThemselves: verified play and above.
func TestTheChatRestsWherePeoplePlayByThemselves(t *testing.T) {
	t.Parallel()
	host := player.Viewer{Player: player.Player{ID: "host", Role: player.Organizer}}
	ana := player.Viewer{Player: player.Player{ID: "ana", Role: player.Plain}}
	now := time.Date(2026, 9, 4, 18, 0, 0, 0, time.UTC)
	for _, level := range []fairplay.Assurance{fairplay.Open, fairplay.Declared, fairplay.Verified, fairplay.Supervised} {
		tour := &tournament.Tournament{Chat: true}
		tour.Status, tour.Entries = tournament.Running, []tournament.Entry{{ID: 1, Player: ana.ID}, {ID: 2, Player: "bob"}}
		tour.Staff = []tournament.Member{{Player: host.ID, Duty: tournament.Owner}}
		tour.Rounds = []tournament.Round{{Number: 1, Pairings: []tournament.Pairing{{Board: 1, First: 1, Second: 2}}}}
		tour.Policy = fairplay.Preset(level)
		err := venue.MayPost(tour, ana, nil, now)
		if got := err == venue.ErrChatClosed; got != (level >= fairplay.Verified) {
			t.Errorf("%v: %v", level, err)
		}
		if err := venue.MayPost(tour, host, nil, now); err != nil {
			t.Errorf("%v: staff: %v", level, err)
		}
		tour.Rounds[0].Pairings[0].Result.Kind = tournament.Drawn
		if err := venue.MayPost(tour, ana, nil, now); err != nil {
			t.Errorf("%v, between rounds: %v", level, err)
		}
	}
}

// TestTheChatRestsAsLongAsAVerifiedMatchRuns, even when the next round is to
// demand less; the talk with the arbiter goes on.
func TestTheChatRestsAsLongAsAVerifiedMatchRuns(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, fairplay.Verified)
	g.host.post(g.path+"/chat/open", "open", "yes").want(http.StatusOK)
	rests := func() {
		t.Helper()
		g.browsers[0].post(g.path+"/chat", "text", "which knight?").want(http.StatusConflict).wants("alert", "Chat is off during rounds")
		g.browsers[1].get(g.path + "/chat").want(http.StatusOK).says("Chat is off during rounds")
	}
	rests()
	g.host.post(g.path+"/fair-play", "policy", "declared").want(http.StatusOK)
	rests()
	g.browsers[0].post(g.url()+"/calls", "call-text", "the clock is odd").want(http.StatusOK)
	g.act(0, "act", "resign")
	g.browsers[0].post(g.path+"/chat", "text", "good game").want(http.StatusOK)
}
