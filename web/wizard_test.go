package web_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
)

func TestATournamentIsMadeStepByStep(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	first := n.host.get("/tournaments/new").want(http.StatusOK).wants("button", "Save and go on").wantsNo("label", "Chips for each player")
	bad := n.host.post("/tournaments", filled(formValues(first), "name", "", "format", "swiss", "rounds", "7")...).want(http.StatusUnprocessableEntity).wants("alert", "name")
	if !bad.holds("rounds", "7") {
		t.Error("what was written is lost")
	}
	p := n.host.post("/tournaments", filled(formValues(bad), "name", "Open cup")...).want(http.StatusOK)
	path, step, _ := strings.Cut(p.path, "/setup/")
	if step != "envelope" || n.tournament(path).Status != tournament.Draft {
		t.Fatalf("%s: %v", p.path, n.tournament(path).Status)
	}
	p = n.host.post(path+"/setup/envelope", filled(formValues(p), "chips", "6", "default_points", "N6")...).want(http.StatusOK)
	p = n.host.post(path+"/setup/entry", filled(formValues(p), "capacity", "12", "entry_code", "lion", "approval", "on", "min_games", "2",
		"entry_opens", "2026-12-01 18:00", "entry_closes", "2026-12-02 18:00", "entry_list", "anna, Borys", "late_until", "2", "late_bye", "half", "half_byes", "1")...).want(http.StatusOK)
	if !strings.HasSuffix(p.path, "/setup/schedule") {
		t.Errorf("after entry comes %s", p.path)
	}
	p = n.host.post(path+"/setup/schedule", filled(formValues(p), "lateness", "7")...).want(http.StatusOK)
	n.host.post(path+"/setup/integrity", formValues(p)...).want(http.StatusOK).wants("heading", "Invite")
	n.host.post(path+"/staff", "handle", "anna", "duty", "arbiter", "back", "setup").want(http.StatusOK).wants("heading", "Invite")
	review := n.host.get(path+"/setup/review").want(http.StatusOK).wants("heading", "How long it takes").wants("button", "Announce the tournament")
	for _, text := range []string{"A round at most", "The whole tournament, as a rule", "lion", "At least 2 rated matches"} {
		if !strings.Contains(review.body, text) {
			t.Errorf("the review lacks %q", text)
		}
	}
	got := n.tournament(path).Settings
	if want := tournament.DefaultTiebreaks(tournament.Swiss); !slices.Equal(got.Tiebreaks, want) {
		t.Errorf("nobody has edited the tie-breaks %v; those of a Swiss are %v", got.Tiebreaks, want)
	}
	if points := n.host.get(path + "/setup/envelope").want(http.StatusOK); !points.holds("default_points", "N6") {
		t.Error("the points of step 2 are lost by the steps after it")
	}
	e := got.Entry
	if got.Name != "Open cup" || got.Rounds != 7 || got.Envelope.Chips != 6 || got.Lateness != 7*time.Minute || got.Capacity != 12 || e.Code != "lion" || !e.Approval ||
		e.Conditions.MinGames != 2 || len(e.Conditions.List) != 2 || e.LateUntil != 2 || e.LateBye != tournament.HalfBye || e.HalfByes != 1 ||
		!e.Closes.Equal(e.Opens.Add(24*time.Hour)) {
		t.Errorf("%+v", got)
	}
	// Back to a step: what stands elsewhere stays, what is unticked is off.
	p = n.host.get(path + "/setup/entry").want(http.StatusOK)
	n.host.post(path+"/setup/entry", "capacity", "12", "entry_code", "", "late_bye", "none").want(http.StatusOK)
	if again := n.tournament(path).Settings; again.Entry.Approval || again.Entry.Code != "" || again.Envelope.Chips != 6 || again.Name != "Open cup" {
		t.Errorf("%+v", again)
	}
	n.host.post(path+"/setup/entry", "max_rating", "1000", "min_rating", "1200", "late_until", "5", "late_bye", "half", "entry_list", "a b!").
		want(http.StatusUnprocessableEntity).wants("alert", "no handles")
	n.as(n.players["anna"], lang.English).get(path + "/setup/entry").want(http.StatusForbidden)
	n.as(n.players["borys"], lang.English).get(path + "/setup/entry").want(http.StatusNotFound)
	n.host.post(path + "/registration").want(http.StatusOK)
	if n.tournament(path).Status != tournament.Registration {
		t.Error("it is not announced")
	}
	n.host.get(path+"/setup/review").want(http.StatusOK).wants("link", "To the tournament").wantsNo("link", "Leave it a draft")
}

func TestATournamentIsClonedWithItsStaff(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	at := n.clock.Now().Add(-48 * time.Hour)
	path := n.event(func(s *tournament.Settings) {
		s.Pace, s.Rounds, s.Times, s.Entry.Code = tournament.Times, 2, tournament.Moments{at, at.Add(time.Hour)}, "lion"
	})
	n.host.post(path+"/staff", "handle", "anna", "duty", "results").want(http.StatusOK)
	n.as(n.players["anna"], lang.English).post(path + "/staff/accept").want(http.StatusOK)
	p := n.host.post(path+"/clone", "staff", "on").want(http.StatusOK)
	fresh, _, _ := strings.Cut(p.path, "/setup/")
	got := n.tournament(fresh)
	if got.Status != tournament.Draft || got.Settings.Entry.Code != "lion" || !got.Times[0].Equal(at.Add(7*24*time.Hour)) || len(got.Staff) != 2 || !got.Staff[1].Invited || got.Staff[1].Duty != tournament.Results {
		t.Errorf("%+v", got)
	}
	n.as(n.players["anna"], lang.English).post(path + "/clone").want(http.StatusForbidden) // of the staff, but no organizer
	var lines int
	n.write(func(tx *store.Tx) (err error) {
		_, lines, err = tx.Tournaments(store.TournamentQuery{AllDrafts: true, Limit: 9})
		return err
	})
	if lines != 2 {
		t.Errorf("%d tournaments", lines)
	}
}

// filled is a form with some of it changed or added.
func filled(values []string, pairs ...string) []string {
	changed := map[string]bool{}
	for i := 0; i < len(pairs); i += 2 {
		changed[pairs[i]] = true
	}
	var out []string
	for i := 0; i < len(values); i += 2 {
		if !changed[values[i]] {
			out = append(out, values[i], values[i+1])
		}
	}
	return append(out, pairs...)
}
