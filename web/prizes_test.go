package web_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/templates/lang"
)

// won is the list of prizes as its file tells it: list, player and amount.
func (n *clubNight) won(path string) (lines []string) {
	n.t.Helper()
	body := n.browser(lang.English).get(path + "/prizes.csv").want(http.StatusOK).body
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(body, "\ufeff"))).ReadAll()
	if err != nil {
		n.t.Fatal(err)
	}
	for _, r := range rows[1:] {
		lines = append(lines, strings.Join([]string{r[0], r[4], r[5]}, "|"))
	}
	return lines
}

// Two rounds of four: 1-4, 2-3; 4-3, 1-2, First wins all. anna 2, borys and danylo 1
// with the same tie-breaks, clara 0. By Hort of 100, 60, 40: nothing separates borys
// and danylo, so 60 and 40 are 50 each. After round 3 (2-4, 3-1): anna 2, borys 2,
// clara 1, danylo 1; anna has beaten borys, danylo clara. 160 for two: 50+40, 30+40;
// 40 for two: 20+10, 0+10.
func TestPrizesFollowTheStandingsAndTheirCorrections(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.played()
	anna := n.as(n.players["anna"], lang.English)
	anna.get(path + "/prizes").want(http.StatusNotFound)
	anna.post(path+"/prizes", "currency", "EUR", "places", "100").want(http.StatusForbidden)

	n.host.post(path+"/prizes", "currency", "EUR", "places", "60 100", "sharing", "hort").
		want(http.StatusUnprocessableEntity).wants("alert", "from the largest to the smallest")
	group := []string{"kind-0", "youth", "bound-0", "2010", "amounts-0", "20"}
	n.host.post(path+"/prizes", append([]string{"currency", "EUR", "places", "100 60 40", "sharing", "hort"}, group...)...).
		want(http.StatusOK).wants("heading", "Born in 2010 or later").wantsNo("link", "Receipts")
	n.browser(lang.English).get(path).want(http.StatusOK).says("€220").says("€100 · €60 · €40 · €20 in other prizes")
	if got, want := n.won(path), []string{"places|anna|100", "places|borys|50", "places|danylo|50", "youth 2010||0"}; !slices.Equal(got, want) {
		t.Errorf("after two rounds %q, want %q", got, want)
	}

	// clara is young enough, and has nothing else.
	clara := n.as(n.players["clara"], lang.English)
	clara.post(path+"/entries/1/born", "born", "2011").want(http.StatusForbidden)
	clara.post(path+"/entries/3/born", "born", "11").want(http.StatusUnprocessableEntity).wants("alert", "four digits")
	clara.post(path+"/entries/3/born", "born", "2011").want(http.StatusOK)
	if got := n.won(path); !slices.Contains(got, "youth 2010|clara|20") {
		t.Errorf("clara was born in 2011: %q", got)
	}
	for _, at := range []string{"/prizes", "/log", "/log.jsonl", "/tournament.json", "/entries/3"} {
		if strings.Contains(anna.get(path+at).want(http.StatusOK).body, "2011") {
			t.Errorf("%s tells others when clara was born", at)
		}
	}

	n.firstWins(path) // and with round 3 it is over
	want := []string{"places|anna|90", "places|borys|70", "places|danylo|30", "places|clara|10"}
	got := n.won(path)
	if !slices.Equal(got[:2], want[:2]) || !slices.Contains(got, "youth 2010|clara|20") || !slices.Contains(got, "places|danylo|40") {
		t.Errorf("at the end %q: clara keeps her 20 and danylo has 40 alone", got)
	}
	if body := anna.get(path).body; !strings.Contains(body, "€90") || !strings.Contains(body, "€220") {
		t.Error("the podium does not tell of 90, or the page of the fund of 220")
	}
	// danylo beat anna after all: borys 2 and danylo 2, borys has beaten danylo; clara 1 and
	// anna 1, clara has beaten anna: she takes the third place's 40 before the group's 20,
	// and they share it: 20+10, 0+10.
	correct := func(result string) {
		address := fmt.Sprint(path, "/rounds/1/boards/1?reach=from-now&shown=", n.tournament(path).Version, "&result=", result)
		n.host.post(address, "reason", "misread").want(http.StatusOK)
	}
	correct("0-1")
	other := []string{"places|borys|90", "places|danylo|70", "places|clara|30", "places|anna|10", "youth 2010||0"}
	if got := n.won(path); !slices.Equal(got, other) {
		t.Errorf("after the correction %q, want %q", got, other)
	}
	correct("1-0")
	if got := n.won(path); !slices.Equal(got[:2], want[:2]) {
		t.Errorf("and back %q", got)
	}
	n.host.post(path+"/prizes", "currency", "EUR", "places", "1").want(http.StatusConflict)
}

// anna has 1000 and borys 500 (see above). When both sign-off and the result of
// anna's last match are taken back for her opponent's win, anna and borys change
// places: who looks at the prizes reads it, beforehand and afterwards.
func TestACorrectionTellsWhosePrizesChange(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.played()
	n.host.post(path+"/prizes", "currency", "UAH", "places", "1000 500", "sharing", "").want(http.StatusOK)
	n.firstWins(path)
	n.host.post(path + "/life/finalize").want(http.StatusOK)
	if body := n.host.get(path + "/prizes").want(http.StatusOK).body; strings.Contains(body, "Changed since") {
		t.Error("signed off for the first time: nothing has changed")
	}
	before := n.won(path)
	n.host.post(path+"/life/unfinalize", "reason", "misread").want(http.StatusOK)
	address := fmt.Sprint(path, "/rounds/1/boards/1?reach=from-now&shown=", n.tournament(path).Version, "&result=0-1")
	if body := n.host.get(address).want(http.StatusOK).body; !strings.Contains(body, "<del>₴1,000</del>") {
		t.Errorf("the preview does not say who loses 1000:\n%s", body)
	}
	n.host.post(address, "reason", "misread").want(http.StatusOK)
	if after := n.won(path); slices.Equal(after, before) {
		t.Fatalf("the same prizes: %q", after)
	}
	for range 2 { // before it is signed off again, and after
		body := n.host.get(path+"/prizes").want(http.StatusOK).wants("heading", "Changed since the results were signed off").body
		if !strings.Contains(body, "<del>₴1,000</del>") {
			t.Errorf("nobody is told who loses 1000:\n%s", body)
		}
		n.host.post(path + "/life/finalize")
	}
}

func TestPrizesArePrintedAndToldToPrograms(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.played()
	n.host.post(path+"/prizes", "currency", "UAH", "places", "1000 500", "sharing", "").want(http.StatusOK)
	n.firstWins(path)
	if held := n.host.get(path+"/prizes/receipts").want(http.StatusOK).wantsNo("heading", "Receipt 1"); !strings.Contains(held.body, "nothing is paid until") {
		t.Error("before the results are signed off nobody signs for a prize, and the page says so")
	}
	n.host.get(path+"/desk").want(http.StatusOK).wants("button", "Sign off")
	n.host.post(path + "/life/finalize").want(http.StatusOK)
	receipts := n.host.get(path+"/prizes/receipts").want(http.StatusOK).wants("heading", "Receipt 1").wants("heading", "Receipt 2")
	if !strings.Contains(receipts.body, "anna received ₴1,000 (place 1) at Friday.") {
		t.Error("no receipt for anna")
	}
	n.as(n.players["anna"], lang.English).get(path + "/prizes/receipts").want(http.StatusForbidden)
	n.host.get(path+"/files").want(http.StatusOK).wants("link", "Receipts").wants("link", "Prizes (CSV)")

	var told struct {
		Prizes struct {
			Currency string
			Awards   []struct {
				Player string
				Amount int64
			}
		}
	}
	body := n.browser(lang.English).get(path + "/tournament.json").want(http.StatusOK).body
	err := json.Unmarshal([]byte(body), &told)
	if err != nil || told.Prizes.Currency != "UAH" || len(told.Prizes.Awards) != 2 || told.Prizes.Awards[0].Amount != 1000_00 {
		t.Errorf("%+v, %v", told, err)
	}
	list := string(unzip(t, n.host.get(path+"/bundle.zip").want(http.StatusOK).body)["prizes.csv"])
	if !strings.HasPrefix(list, "\ufeff") || !strings.Contains(list, "places,1,1,1,anna,1000,UAH") {
		t.Errorf("the bundle has %q", list)
	}
}

// Bears win both boards of the first round against Lions, Owls have the bye and have played nothing. Of those on board 1
// danylo has a point and anna none, on board 2 eva has one; of the reserves nobody has played, so that prize goes back.
func TestBoardsOfTeamsHavePrizesOfTheirOwn(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.threeTeams()
	fund := []string{"currency", "EUR", "places", "300 200", "sharing", "hort", "board-1", "100 60", "board-2", "40", "board-3", "30"}
	n.host.get(path + "/prizes/edit").want(http.StatusOK).says("Best on board 1").says("Best on board 2").says("Best of the reserves").
		saysNot("Best on board 3").saysNot("Born in or after")
	n.host.post(path+"/prizes", append([]string{"kind-0", "youth", "bound-0", "2010", "amounts-0", "20"}, fund...)...).
		want(http.StatusUnprocessableEntity).wants("alert", "Teams have no year of birth")
	n.host.post(path+"/prizes", fund...).want(http.StatusOK).says("€730")
	n.host.get(path + "/prizes/edit").want(http.StatusOK).says(`value="100 60"`)
	n.as(n.players["clara"], lang.English).get(path + "/prizes").want(http.StatusOK).says("You can win here.")
	n.as(n.players["tetyana"], lang.English).get(path + "/prizes").want(http.StatusOK).saysNot("You can win here.")

	n.host.post(path + "/start").want(http.StatusOK)
	n.host.post(path + "/rounds").want(http.StatusOK)
	n.clock.advance(10 * time.Minute)
	if err := n.judge.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	n.resigns(path, "anna")
	n.resigns(path, "borys")
	want := []string{"places|Bears|300", "places|Lions|200", "board 1|danylo|100", "board 1|anna|60", "board 2|eva|40", "reserve||0"}
	if got := n.won(path); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	n.browser(lang.English).get(path+"/prizes").want(http.StatusOK).wants("heading", "Best on board 1").wants("heading", "Best of the reserves")

	var api struct {
		Awards []struct {
			List, Player string
			Rank         int
		}
	}
	if err := json.Unmarshal([]byte(n.browser(lang.English).get("/api/v1"+path+"/prizes").want(http.StatusOK).body), &api); err != nil {
		t.Fatal(err)
	}
	if len(api.Awards) != 5 || api.Awards[3].List != "board 1" || api.Awards[3].Player != "anna" || api.Awards[3].Rank != 2 {
		t.Errorf("programs read %+v", api.Awards)
	}
}
