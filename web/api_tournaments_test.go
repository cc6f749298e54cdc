package web_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"strings"
	"testing"

	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/words"
)

func TestProgramsSetWhatFormsSet(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	host, anna := n.program(n.player("Olena")), n.program(n.players["anna"])
	var made struct{ ID string }
	host.ask("POST", "/tournaments", `{"name":"Cup","format":"swiss","rounds":3,"onClaim":true,"honourNoShows":false,
		"checkIn":{"scope":"round","opens":1800000,"closes":300000},"points":{"win":3,"draw":1,"pairingBye":3},
		"entry":{"code":"chess","minRating":1200,"halfByes":1,"byeLimit":2},
		"policy":{"level":"verified","prizes":true,"feed":{"seconds":300}}}`, http.StatusCreated, &made)
	path := "/tournaments/" + made.ID
	want := tournament.DefaultSettings(tournament.Swiss)
	want.Name, want.Rounds, want.OnClaim, want.HonourNoShows = "Cup", 3, true, false
	set := n.tournament(path).Settings
	if set.Points.Win != 30 || set.Points.Draw != 10 || set.Points.ForfeitWin != want.Points.ForfeitWin || set.Entry.Code != "chess" ||
		set.Entry.Conditions.MinRating != 1200 || set.CheckIn.Scope != tournament.ForRound || !set.OnClaim || set.HonourNoShows {
		t.Errorf("%+v", set)
	}
	policy := fairplay.Preset(fairplay.Verified).ForPrizes()
	policy.Feed.Seconds = 300
	if set.Policy != policy {
		t.Errorf("%+v, want %+v", set.Policy, policy)
	}

	// What is read is written back as it is, with one thing changed.
	var all map[string]json.RawMessage
	host.ask("GET", path+"/settings", "", http.StatusOK, &all)
	changed := maps.Clone(all)
	changed["rounds"] = json.RawMessage("5")
	body, err := json.Marshal(changed)
	if err != nil {
		t.Fatal(err)
	}
	host.ask("PUT", path, string(body), http.StatusOK, nil)
	set.Rounds = 5
	if got := n.tournament(path).Settings; got.Rounds != 5 || got.Policy != policy || got.Points != set.Points || got.Entry.Code != "chess" {
		t.Errorf("%+v", got)
	}
	if deeds := n.deeds("/tournaments/" + made.ID); len(deeds) == 0 || deeds[len(deeds)-1].Act != tournament.ActSettings {
		t.Error("the change is no line of the log")
	}
	anna.ask("PUT", path, string(body), http.StatusForbidden, nil)
	anna.ask("GET", path+"/settings", "", http.StatusOK, &all)
	if !strings.Contains(string(all["entry"]), `"code":""`) {
		t.Errorf("everybody reads the code of entry: %s", all["entry"])
	}

	// The same faults as in the form, all at once; unknown words are named.
	for _, bad := range []struct{ body, part string }{
		{`{"name":"","format":"swiss","rounds":0}`, "name"},
		{`{"name":"Cup","format":"arena","window":60000}`, "arena"},
		{`{"name":"Cup","format":"swiss","policy":{"level":"verified","feed":{"seconds":1}}}`, "seconds"},
		{`{"name":"Cup","format":"swiss","policy":{"level":"declared","prizes":true}}`, "one_device"},
		{`{"name":"Cup","format":"swiss","points":{"win":0.33}}`, "tenths"},
	} {
		var told struct {
			Code, Detail string
		}
		host.ask("POST", "/tournaments", bad.body, http.StatusUnprocessableEntity, &told)
		if told.Code != "settings" || !strings.Contains(told.Detail, bad.part) {
			t.Errorf("%s: %+v", bad.body, told)
		}
	}
	for _, bad := range []string{
		`{"name":"Cup","format":"swiss","policy":{"feed":{"seconds":1}}}`, `{"name":"Cup","format":"swiss","policy":{"level":"verified","camera":true}}`,
		`{"name":"Cup","format":"swiss","wifi":true}`, `{"name":"Cup","format":"swiss","lateness":"soon"}`, `[]`, ``,
	} {
		host.ask("POST", "/tournaments", bad, http.StatusBadRequest, nil)
	}
}

func TestProgramsChangeWhatIsDemandedOfTheNextRound(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, fairplay.Declared)
	host := g.program(g.player("Olena"))
	host.ask("PUT", g.path+"/policy", `{"level":"verified"}`, http.StatusOK, nil)
	if got := g.tournament(g.path).Policy; got != fairplay.Preset(fairplay.Verified) {
		t.Errorf("%+v", got)
	}
	host.ask("PUT", g.path+"/policy", `{"level":"verified","attestations":0}`, http.StatusUnprocessableEntity, nil)
	g.program(g.players["anna"]).ask("PUT", g.path+"/policy", `{"level":"open"}`, http.StatusForbidden, nil)
	host.ask("PUT", g.path, `{"name":"Cup","format":"swiss"}`, http.StatusConflict, nil)
	var seen struct {
		Level  string
		Rounds []struct {
			Pairings []struct {
				Assurance *struct{ Demanded, Achieved *string }
			}
		}
	}
	host.ask("GET", g.path, "", http.StatusOK, &seen)
	if p := seen.Rounds[0].Pairings[0]; seen.Level != "verified" || p.Assurance == nil || *p.Assurance.Demanded != "declared" ||
		p.Assurance.Achieved != nil {
		t.Errorf("%+v", seen)
	}
	g.act(0, "act", "resign")
	host.ask("GET", g.path, "", http.StatusOK, &seen)
	if p := seen.Rounds[0].Pairings[0]; p.Assurance.Achieved == nil || *p.Assurance.Achieved != "declared" {
		t.Errorf("%+v", p.Assurance)
	}
	report := g.host.get(g.path + "/report.trf").want(http.StatusOK).body
	if !strings.Contains(report, "### assurance round 1 board 1 declared\n") {
		t.Errorf("the report does not tell what was achieved:\n%s", report)
	}
}

func TestProgramsSayAtWhatLevelTheyChallengeAndClimb(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	anna := n.program(n.players["anna"])
	n.as(n.players["anna"], "en").post("/fair-play", "fair-play", words.FairPlayHash(lang.English), "return", "/").want(http.StatusOK)
	var made struct {
		Terms struct{ Policy fairplay.Policy }
	}
	anna.ask("POST", "/challenges", `{"to":"borys","policy":{"level":"declared"}}`, http.StatusCreated, &made)
	if made.Terms.Policy != fairplay.Preset(fairplay.Declared) {
		t.Errorf("%+v", made.Terms.Policy)
	}
	anna.ask("POST", "/challenges", `{"to":"clara"}`, http.StatusCreated, &made)
	if made.Terms.Policy != fairplay.Preset(fairplay.Open) {
		t.Errorf("%+v", made.Terms.Policy)
	}
	if code := anna.refused("/challenges", `{"to":"borys","policy":{"level":"verified"}}`, http.StatusForbidden); code != "assurance" {
		t.Errorf("anna has no passkey: %s", code)
	}
	anna.refused("/challenges", `{"to":"borys","claims":"never"}`, http.StatusUnprocessableEntity)
	n.write(func(tx *store.Tx) error {
		return tx.AddPlayer(player.Player{ID: "slon", Handle: "Slon-bot", Role: player.Plain, Bot: true, Created: n.clock.Now()}, "")
	})
	var told struct {
		Code, Detail string
	}
	anna.ask("POST", "/challenges", `{"to":"Slon-bot","policy":{"level":"declared"}}`, http.StatusForbidden, &told)
	if told.Code != "assurance" || !strings.Contains(told.Detail, "a bot is none") {
		t.Errorf("a bot at Declared: %+v", told)
	}
	var l struct {
		ID       string
		Settings struct{ Policy fairplay.Policy }
	}
	host := n.program(n.player("Olena"))
	host.ask("POST", "/ladders", `{"name":"Steps","policy":{"level":"declared","feed":{"plies":2}}}`, http.StatusCreated, &l)
	want := fairplay.Preset(fairplay.Declared)
	want.Feed.Plies = 2
	if l.Settings.Policy != want {
		t.Errorf("%+v", l.Settings.Policy)
	}
	host.ask("PATCH", "/ladders/"+l.ID, `{"about":"of the club"}`, http.StatusOK, &l)
	if l.Settings.Policy != want {
		t.Errorf("another setting was changed, and the policy is %+v", l.Settings.Policy)
	}
}
