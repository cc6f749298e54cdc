package web_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/proposal"
	"chpok.org/chpok/web/event"
)

// The forecast of an event with groups is of all of it: the knock-out begins when the last group ends, after the break.
func TestAnEventWithGroupsIsForecastWithItsKnockOut(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	cup := n.event(func(s *tournament.Settings) {
		*s = tournament.DefaultSettings(tournament.KnockOut)
		s.Name, s.Pace, s.Groups = "Cup", tournament.Auto, 4
	})
	for _, name := range strings.Split("Adam Bela Cezar Daria Egon Fedir Galya Hanna Ihor Julia Kyrylo Lida", " ") {
		n.host.post(cup+"/entries", "guest", name).want(http.StatusOK)
	}
	office, now := n.arbiter(t), n.clock.Now()
	d, _, err := office.Events.Durations(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	of := n.tournament(cup)
	first, err := office.Events.Forecast(t.Context(), of)
	if err != nil {
		t.Fatal(err)
	}
	last := of.Settings
	last.Groups = 0
	knockOut := proposal.Plan(last, 8, now, d).End // the two best of four groups
	if whole := proposal.Plan(of.Settings, 12, now, d); first.End != whole.End || !whole.End.Latest.After(knockOut.Latest) {
		t.Errorf("before the draw: %+v, proposed %+v, the knock-out alone %+v", first.End, whole.End, knockOut)
	}
	n.host.post(cup+"/groups", "groups", "4", "each", "2", "way", "snake").want(http.StatusOK)
	whole, err := office.Events.Forecast(t.Context(), n.tournament(cup))
	if err != nil {
		t.Fatal(err)
	}
	facts := event.ForecastFacts(lang.Printer{Lang: lang.English}, n.tournament(cup), whole)
	if len(facts) != 1 || facts[0].Name != "The tournament ends" {
		t.Errorf("beside the boards of the groups stands when another round ends: %+v", facts)
	}
	latest := now
	for i, o := range n.tournament(cup).Origin.Of {
		f, err := office.Events.Forecast(t.Context(), n.tournament("/tournaments/"+string(o.ID)))
		if err != nil || f.End.Latest.IsZero() {
			t.Fatal("group "+strconv.Itoa(i), f, err)
		}
		if f.End.Latest.After(latest) {
			latest = f.End.Latest
		}
	}
	if want := latest.Add(of.Break).Add(knockOut.Latest.Sub(now)); !whole.End.Latest.Equal(want) {
		t.Errorf("with its groups drawn it ends at the latest at %v, want %v", whole.End.Latest, want)
	}
}
