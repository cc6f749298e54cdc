package web_test

import (
	"net/http"
	"strings"
	"testing"

	"chpok.org/chpok/templates/lang"
)

// An organizer who plays withdraws a guest without an account: the desk says beforehand what that does and offers to undo
// it, and wherever the standings are, everybody is told. They do not withdraw somebody who can do so and stands level,
// and are told whom to ask.
func TestWhatStaffWhoPlayDoIsToldUnderTheStandings(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.create("format", "swiss", "rounds", "3", "pace", "manual")
	n.host.post(path + "/register").want(http.StatusOK)
	for _, handle := range []string{"anna", "borys"} {
		n.host.post(path+"/entries", "handle", handle).want(http.StatusOK)
	}
	n.host.post(path+"/entries", "guest", "Petro Guest").want(http.StatusOK)
	n.host.post(path + "/start").want(http.StatusOK)
	guest, anna := n.entry(path, "Petro Guest"), n.entry(path, "anna")

	if body := n.host.get(path + "/players").want(http.StatusOK).body; !strings.Contains(body, `data-confirm="Withdraw Petro Guest? Results stand`) {
		t.Error("the desk does not say what withdrawing does")
	}
	p := n.host.post(path+"/entries/"+itoa(int(anna.ID))+"/withdraw", "back", "players").want(http.StatusForbidden)
	for _, want := range []string{"It would set back anna", "You can appoint somebody"} {
		if !strings.Contains(p.body, want) {
			t.Errorf("refused without %q", want)
		}
	}
	undo := n.host.post(path+"/entries/"+itoa(int(guest.ID))+"/withdraw", "back", "players").want(http.StatusOK)
	undo.wants("button", "Undo")
	visitor := n.browser(lang.English)
	api := "/api/v1/tournaments/" + strings.TrimPrefix(path, "/tournaments/")
	for page, want := range map[string]string{
		path + "/standings":     `href="#act-`,
		path + "/standings.csv": "own-acts",
		path + "/report.trf":    ": withdraw by number",
		api:                     `"act":"withdraw"`,
	} {
		if body := visitor.get(page).want(http.StatusOK).body; !strings.Contains(body, want) {
			t.Errorf("%s has no %s", page, want)
		}
	}
	if body := visitor.get(path + "/standings").body; !strings.Contains(body, `id="act-`) || !strings.Contains(body, "withdraw") {
		t.Error("the mark leads nowhere")
	}
	n.host.post(path+"/entries/"+itoa(int(guest.ID))+"/readmit", "back", "players").want(http.StatusOK)
	if e := n.entry(path, "Petro Guest"); e.Status != guest.Status {
		t.Errorf("not undone: %+v", e)
	}
	if body := n.as(n.players["anna"], lang.English).get(path).want(http.StatusOK).body; !strings.Contains(body, `data-confirm="Leave the tournament? Results stand`) {
		t.Error("a player is not told what leaving does")
	}
}
