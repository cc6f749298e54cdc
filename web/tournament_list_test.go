package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ledger"
)

// announce puts a tournament into the list without the form.
func (n *clubNight) announce(name string, change func(*tournament.Tournament)) {
	n.t.Helper()
	settings := tournament.DefaultSettings(tournament.Swiss)
	settings.Name = name
	tour := &tournament.Tournament{ID: tournament.ID(store.NewID()), Organizer: n.hostID(), CreatedAt: n.clock.Now()}
	tour.Settings, tour.Status = settings, tournament.Registration
	tour.Staff = []tournament.Member{{Player: n.hostID(), Duty: tournament.Owner, Since: n.clock.Now()}}
	change(tour)
	n.write(func(tx *store.Tx) error { return tx.AddTournament(tour, ledger.Deed{Act: tournament.ActCreate}) })
}

func (n *clubNight) hostID() (id player.ID) {
	n.write(func(tx *store.Tx) error {
		p, err := tx.PlayerByHandle("Olena")
		id = p.ID
		return err
	})
	return id
}

// listed are which of some names a list shows.
func listed(p page, names ...string) string {
	var found []string
	for _, name := range names {
		if strings.Contains(p.body, "<strong>"+name+"</strong>") {
			found = append(found, name)
		}
	}
	return strings.Join(found, " ")
}

func TestAListOfTournamentsIsNarrowedByItsAddress(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	entry := func(rating int) tournament.Entry {
		return tournament.Entry{ID: 1, Name: "Guest", Rating: rating, Status: tournament.Active, From: 1, EnteredAt: n.clock.Now()}
	}
	n.announce("Open", func(*tournament.Tournament) {})
	n.announce("Table", func(x *tournament.Tournament) {
		x.Format, x.Settings.Rounds, x.Entries = tournament.RoundRobin, 0, []tournament.Entry{entry(2600)}
	})
	n.announce("Masters", func(x *tournament.Tournament) { x.Settings.Entry.Conditions.MinRating = 2500 })
	n.announce("Full", func(x *tournament.Tournament) { x.Capacity, x.Entries = 1, []tournament.Entry{entry(1510)} })
	n.announce("Coded", func(x *tournament.Tournament) { x.Settings.Entry.Code = "sesame" })
	n.announce("Secret", func(x *tournament.Tournament) { x.Status = tournament.Draft })
	names := []string{"Open", "Table", "Masters", "Full", "Coded", "Secret"}
	anna, visitor := n.as(n.players["anna"], lang.English), n.browser(lang.English)
	// anna has no rating: she enters with 1500, that of newcomers.
	for address, want := range map[string]string{
		"":                              "Open Table Masters Full Coded",
		"?format=round-robin":           "Table",
		"?format=swiss&status=finished": "",
		"?open=1":                       "Open Table",
		"?near=1":                       "Full",
		"?open=1&format=swiss":          "Open",
		"?q=mast":                       "Masters",
	} {
		if got := listed(anna.get("/tournaments"+address).want(http.StatusOK), names...); got != want {
			t.Errorf("%q shows %q, want %q", address, got, want)
		}
	}
	if got := listed(visitor.get("/tournaments?open=1").want(http.StatusOK), names...); got != "Open Table Masters Full Coded" {
		t.Errorf("a visitor cannot be asked: %q", got)
	}
	list := anna.get("/tournaments?q=a&format=swiss&page=1").want(http.StatusOK)
	if !strings.Contains(list.body, `href="/tournaments?format=swiss&amp;q=a&amp;status=running"`) {
		t.Error("the tabs forget the filters")
	}
	// Each filter that is on is named, and a press takes off that one alone.
	for on, left := range map[string]string{`“a”`: "/tournaments?format=swiss&amp;open=1", "Swiss": "/tournaments?open=1&amp;q=a", "Open to me": "/tournaments?format=swiss&amp;q=a"} {
		body := anna.get("/tournaments?q=a&format=swiss&open=1").want(http.StatusOK).wants("link", "Clear filters").body
		if !strings.Contains(body, `<a href="`+left+`" aria-label="Remove filter: `+on+`">`) {
			t.Errorf("%s cannot be taken off", on)
		}
	}
	anna.get("/tournaments").want(http.StatusOK).wantsNo("link", "Clear filters")
	empty := anna.get("/tournaments?q=nothing").want(http.StatusOK).wants("link", "Clear filters")
	if !strings.Contains(empty.body, "No tournaments match these filters.") {
		t.Error("an empty list says nothing")
	}
	if body := anna.get("/tournaments?q=full").body; !strings.Contains(body, "Swiss, 5 rounds") || !strings.Contains(body, "· full") {
		t.Error("the card does not say what it is, and that it is full")
	}
}

func TestAMonthOfTournamentsIsACalendarInTheViewersZone(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	// 31 October 2026, 22:30 UTC is 1 November, 00:30 in Kyiv.
	at := time.Date(2026, 10, 31, 22, 30, 0, 0, time.UTC)
	n.announce("Midnight", func(x *tournament.Tournament) {
		x.Pace, x.Settings.Times = tournament.Times, tournament.Moments{at, at.Add(2 * time.Hour), at.Add(4 * time.Hour), at.Add(6 * time.Hour), at.Add(8 * time.Hour)}
	})
	visitor := n.browser(lang.English)
	month := visitor.get("/tournaments?view=calendar&month=2026-11&" + url.Values{"format": {"swiss"}}.Encode()).want(http.StatusOK)
	month.wants("heading", "November 2026").wants("link", "Midnight")
	if !strings.Contains(month.body, "00:30</span> Midnight") || !strings.Contains(month.body, "month=2026-12") || !strings.Contains(month.body, "format=swiss&amp;month=2026-10") {
		t.Error("the time, or the way to the months beside it with the filters, is missing")
	}
	// November 2026 begins on a Sunday: six days of October before it, none told.
	if i, j := strings.Index(month.body, `datetime="2026-11-01"`), strings.Index(month.body, `datetime="2026-11-02"`); i < 0 || j < i || strings.Contains(month.body, "2026-10-31\"") {
		t.Error("the days are not in order")
	}
	visitor.get("/tournaments?view=calendar&month=2026-10").want(http.StatusOK).wantsNo("link", "Midnight")
	visitor.get("/tournaments?view=calendar&month=nonsense").want(http.StatusOK)
}

func TestTheListIsNarrowedDownToAnyFormat(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	for _, format := range []tournament.Format{tournament.RoundRobin, tournament.Swiss, tournament.KnockOut, tournament.Arena} {
		n.announce("The "+format.String(), func(x *tournament.Tournament) { x.Format = format })
	}
	visitor := n.browser(lang.English)
	for _, format := range []string{"round-robin", "swiss", "knock-out", "arena"} {
		list := visitor.get("/tournaments?format="+format).want(http.StatusOK).wants("link", "The "+format)
		if !strings.Contains(list.body, `<option value="`+format+`" selected`) {
			t.Errorf("%s cannot be chosen", format)
		}
	}
}
