package web_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/templates/lang"
)

// untilAsked plays knights, signed, until the match stands still for a check, and
// answers who is asked, and at which move.
func (g *verified) untilAsked(plies *int) (seat, move int) {
	g.t.Helper()
	for ; *plies < 40; *plies++ {
		if _, still := g.state().Standstill(); still {
			turn, _ := g.state().Game().Turn()
			return turn.Index(), *plies/2 + 1
		}
		seat := *plies % 2
		if seat == 0 != g.firstIsWhite() {
			seat = 1
		}
		g.pages[seat].act("act", []string{"b1c3", "b8c6", "c3b1", "c6b8"}[*plies%4]).want(http.StatusOK)
	}
	g.t.Fatal("nobody is asked")
	return 0, 0
}

func (g *verified) firstIsWhite() bool {
	terms, _ := g.state().Game().Terms()
	return terms.White.Index() == 0
}

func TestAPlayerUnlocksHisDeviceDuringTheMatch(t *testing.T) {
	t.Parallel()
	g := newVerified(t, "1", "policy_mid_match", "100")
	visitor := g.browser(lang.English)
	visitor.get(g.path + "/info").want(http.StatusOK).says("In every match each player is asked once").says("up to 45 seconds")
	g.begin()
	g.pages[0].act("target", "white", "chips", "1").want(http.StatusOK)
	g.pages[1].act("target", "time", "chips", "1", "minutes", "5", "increment", "3").want(http.StatusOK)
	plies := 0
	asked, move := g.untilAsked(&plies)
	url, other := g.url(), 1-asked

	g.browsers[asked].get(url).want(http.StatusOK).wants("button", "Unlock").wants("alert", "up to 45 seconds").says(`data-turn`)
	g.browsers[other].get(url).want(http.StatusOK).wantsNo("button", "Unlock").wants("status", "A short check").saysNot("Stopped by arbiter")
	g.host.get(url).want(http.StatusOK).wants("status", "A short check").wantsNo("button", "Unlock")
	visitor.get(url).want(http.StatusOK).saysNot("A short check")
	g.pages[asked].act("act", "a2a3").want(http.StatusForbidden).says("Unlock your device first")
	g.pages[other].act("act", "resign").want(http.StatusConflict).says("for a short check")

	path, device := url+"/mid-check", g.devices[asked]
	ask := func() string { return device.get(g.browsers[asked].options(path+"/options", http.StatusOK)) }
	g.browsers[other].options(path+"/options", http.StatusConflict)
	g.as(g.seats[asked], lang.English).options(path+"/options", http.StatusForbidden) // signed in elsewhere: not the page
	g.as(g.players["clara"], lang.English).options(path+"/options", http.StatusForbidden)
	device.verifies = false
	g.browsers[asked].post(path, "answer", ask()).want(http.StatusUnprocessableEntity).says("didn’t check that it’s you")
	device.verifies = true
	g.browsers[asked].post(path, "answer", g.devices[other].get(g.browsers[asked].options(path+"/options", http.StatusOK))).want(http.StatusUnprocessableEntity)
	answer := ask()
	g.browsers[asked].post(path, "answer", answer).want(http.StatusOK).says("Your clock runs again").says("At move "+strconv.Itoa(move)+" you unlocked").wantsNo("button", "Unlock")
	g.browsers[asked].post(path, "answer", answer).want(http.StatusUnprocessableEntity)
	g.browsers[other].get(url).want(http.StatusOK).saysNot("you unlocked")

	// The other misses it.
	missing, missed := g.untilAsked(&plies)
	if missing != other {
		t.Fatalf("seat %d is asked twice", missing)
	}
	late := g.devices[missing].get(g.browsers[missing].options(path+"/options", http.StatusOK))
	g.clock.advance(45 * time.Second)
	g.browsers[missing].post(path, "answer", late).want(http.StatusConflict).says("The check is over")
	if err := g.judge().Seats.SweepMidChecks(t.Context()); err != nil {
		t.Fatal(err)
	}
	g.browsers[missing].get(url).want(http.StatusOK).says("At move " + strconv.Itoa(missed) + " your device wasn’t unlocked in time")
	g.browsers[asked].get(url).want(http.StatusOK).saysNot("not unlocked in time")
	g.host.get(g.path + "/fair-play").want(http.StatusOK).says("Check during the match missed (at move " + strconv.Itoa(missed) + ")")
	g.browsers[missing].get("/fair-play/me").want(http.StatusOK).says("Check during the match missed")
	g.browsers[asked].get("/fair-play/me").want(http.StatusOK).saysNot("Check during the match missed")
	g.pages[0].act("act", "resign").want(http.StatusOK)
	reasons := [2]string{}
	reasons[asked], reasons[missing] = "mid-check-passed", "mid-check-missed"
	g.assured(fairplay.Declared, reasons[:]...)
	end := g.browsers[asked].get(url).want(http.StatusOK)
	end.says(string(g.seats[missing].Handle) + " missed the check during the match (at move " + strconv.Itoa(missed) + ")")
	end.says(string(g.seats[asked].Handle) + " unlocked the device again during the match (at move " + strconv.Itoa(move) + ")")
	g.browsers[asked].get(url + "/record.json").want(http.StatusOK).says(`"mid-check-missed"`)
	g.browsers[asked].get(g.path).want(http.StatusOK)
}

func TestAnEventSaysHowOftenItAsksDuringAMatch(t *testing.T) {
	t.Parallel()
	n := newClubNightNamed(t)
	path := n.create("format", "swiss", "rounds", "3", "policy", "verified", "policy_mid_match", "50")
	n.browser(lang.English).get(path + "/info").want(http.StatusOK).says("In about 50 of 100 matches")
	set := func(status int, pairs ...string) page {
		return n.host.post(path+"/fair-play", pairs...).want(status)
	}
	set(http.StatusUnprocessableEntity, "policy", "verified", "policy_mid_match", "101").wants("alert", "check during the match").says(`value="101"`)
	set(http.StatusUnprocessableEntity, "policy", "declared", "policy_mid_match", "50").wants("alert", "check during the match")
	set(http.StatusOK, "policy", "verified", "policy_mid_match", "0")
	if got := n.tournament(path).Policy; got != fairplay.Preset(fairplay.Verified) {
		t.Errorf("0 is not the preset: %+v", got)
	}
	if body := n.browser(lang.English).get(path).want(http.StatusOK).body; strings.Contains(body, "asked once") {
		t.Error("0 is told")
	}
}
