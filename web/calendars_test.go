package web_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ledger"
)

// timed is a tournament whose rounds have their times, with one player in it.
func (s *site) timed(host, in player.Player) *tournament.Tournament {
	s.t.Helper()
	set := tournament.DefaultSettings(tournament.Swiss)
	set.Name, set.Rounds, set.Pace = "Cup; the first", 2, tournament.Times
	begin := s.clock.Now().Add(24 * time.Hour)
	set.Times = tournament.Moments{begin, begin.Add(time.Hour * 48)}
	t, err := tournament.New("cup", host.ID, set, s.clock.Now())
	if err != nil {
		s.t.Fatal(err)
	}
	by := player.Viewer{Player: host}
	if err := t.OpenRegistration(by, s.clock.Now()); err != nil {
		s.t.Fatal(err)
	}
	if _, err := t.Register(by, tournament.Candidate{Player: in.ID, Name: string(in.Handle)}, s.clock.Now()); err != nil {
		s.t.Fatal(err)
	}
	s.write(func(tx *store.Tx) error {
		return tx.AddTournament(t, ledger.Deed{At: s.clock.Now(), By: host.ID, Act: tournament.ActCreate})
	})
	return t
}

func line(t *testing.T, file, uid, key string) string {
	t.Helper()
	for event := range strings.SplitSeq(strings.ReplaceAll(file, "\r\n ", ""), "BEGIN:VEVENT") {
		if strings.Contains(event, "UID:"+uid+"\r\n") {
			for l := range strings.SplitSeq(event, "\r\n") {
				if value, ok := strings.CutPrefix(l, key+":"); ok {
					return value
				}
			}
		}
	}
	t.Fatalf("no %s of %s in\n%s", key, uid, file)
	return ""
}

func TestARoundKeepsItsNameInCalendarsWhenItsTimeMoves(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	host, olena := s.account("host", player.Organizer), s.account("Olena", player.Plain)
	before := s.timed(host, olena)
	visitor := s.browser(lang.English)
	page := visitor.get("/tournaments/cup/calendar.ics")
	if page.status != http.StatusOK || page.header.Get("Content-Type") != "text/calendar; charset=utf-8" {
		t.Fatalf("%d %s", page.status, page.header.Get("Content-Type"))
	}
	if got := line(t, page.body, "cup-round-1@chpok", "DTSTART"); got != "20261122T120000Z" {
		t.Error(got)
	}
	if got := line(t, page.body, "cup-round-1@chpok", "SUMMARY"); got != `Cup\; the first: round 1` {
		t.Error(got)
	}
	start, err := time.Parse("20060102T150405Z", line(t, page.body, "cup-round-1@chpok", "DTSTART"))
	if err != nil {
		t.Fatal(err)
	}
	if end, err := time.Parse("20060102T150405Z", line(t, page.body, "cup-round-1@chpok", "DTEND")); err != nil || end.Sub(start) != before.WorstRound().Truncate(time.Second) {
		t.Errorf("lasts %v: %v", end.Sub(start), err)
	}
	sequence := line(t, page.body, "cup-round-1@chpok", "SEQUENCE")

	after := before.Clone()
	after.Times[0] = after.Times[0].Add(90 * time.Minute)
	s.write(func(tx *store.Tx) error {
		return tx.SaveTournament(before, after, ledger.Deed{At: s.clock.Now(), By: host.ID, Act: tournament.ActSettings})
	})
	moved := visitor.get("/tournaments/cup/calendar.ics").body
	if got := line(t, moved, "cup-round-1@chpok", "DTSTART"); got != "20261122T133000Z" {
		t.Error(got)
	}
	if got := line(t, moved, "cup-round-1@chpok", "SEQUENCE"); got <= sequence {
		t.Errorf("sequence %s after %s", got, sequence)
	}
	for _, status := range []tournament.Status{tournament.Finished, tournament.Finalized} {
		ended := after.Clone()
		ended.Status, ended.EndedAt = status, s.clock.Now()
		s.write(func(tx *store.Tx) error {
			return tx.SaveTournament(after, ended, ledger.Deed{At: s.clock.Now(), By: host.ID, Act: tournament.ActFinish})
		})
		if got := line(t, visitor.get("/tournaments/cup/calendar.ics").body, "cup-round-2@chpok", "STATUS"); got != "CANCELLED" {
			t.Errorf("%s: %s", status, got)
		}
		after = ended
	}
}

// A round that is over ends in a calendar when the next one opened, not when it could have: an evening would overlap itself.
func TestRoundsThatAreOverDoNotOverlapInCalendars(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.create("pace", "manual")
	for _, handle := range []string{"anna", "borys", "clara", "danylo"} {
		n.host.post(path+"/entries", "handle", handle).want(http.StatusOK)
	}
	n.host.post(path + "/start").want(http.StatusOK)
	for range 3 {
		n.open(path)
		n.clock.advance(time.Minute)
		n.firstWins(path)
	}
	if tour := n.tournament(path); tour.Status != tournament.Finished {
		t.Fatalf("it is %v", tour.Status)
	}
	file, id := n.browser(lang.English).get(path+"/calendar.ics").want(http.StatusOK).body, path[strings.LastIndex(path, "/")+1:]
	moment := func(round int, key string) time.Time {
		at, err := time.Parse("20060102T150405Z", line(t, file, fmt.Sprintf("%s-round-%d@chpok", id, round), key))
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	for round := 1; round <= 3; round++ {
		if length := moment(round, "DTEND").Sub(moment(round, "DTSTART")); length != time.Minute {
			t.Errorf("round %d lasts %v", round, length)
		}
	}
}

// Bears meet Lions in the first round, Owls have the bye.
func TestTheCalendarOfATeamNamesWhomItMeets(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.threeTeams()
	visitor := n.browser(lang.English)
	file := func(name string) string {
		return visitor.get(fmt.Sprint(path, "/entries/", n.entry(path, name).ID, "/calendar.ics")).want(http.StatusOK).body
	}
	lions := fmt.Sprint(path, "/entries/", n.entry(path, "Lions").ID)
	visitor.get(lions).want(http.StatusOK).says(`href="` + lions + `/calendar.ics"`)
	visitor.get(fmt.Sprint(path, "/entries/", n.entry(path, "anna").ID)).saysNot("/calendar.ics")
	n.host.post(path + "/start").want(http.StatusOK)
	n.host.post(path + "/rounds").want(http.StatusOK)
	for name, want := range map[string]string{"Lions": `Cup: round 1\, Bears`, "Bears": `Cup: round 1\, Lions`, "eva": `Cup: round 1\, Lions`} {
		got := file(name)
		if summary := line(t, got, "cup-round-1@chpok", "SUMMARY"); summary != want {
			t.Errorf("%s: %s", name, summary)
		}
		if at := line(t, got, "cup-round-1@chpok", "URL"); !strings.HasSuffix(at, path+"/rounds/1/matches/1") {
			t.Errorf("%s: %s", name, at)
		}
		if state := line(t, got, "cup-round-1@chpok", "STATUS"); state != "CONFIRMED" {
			t.Errorf("%s: %s", name, state)
		}
	}
	if state := line(t, file("Owls"), "cup-round-1@chpok", "STATUS"); state != "CANCELLED" {
		t.Errorf("the bye of Owls: %s", state)
	}
	visitor.get(path + "/entries/99/calendar.ics").want(http.StatusNotFound)
	visitor.get(path + "/entries/x/calendar.ics").want(http.StatusNotFound)
}

func TestAPersonalCalendarIsReadByItsLinkUntilThatEnds(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	host, olena := s.account("host", player.Organizer), s.account("Olena", player.Plain)
	s.timed(host, olena)
	b := s.as(olena, lang.English)
	made := b.post("/settings/calendar")
	link := regexp.MustCompile(`/calendar/[A-Z0-9a-z]+\.ics`).FindString(made.body)
	if link == "" || strings.Contains(b.get("/settings/notices").body, link) {
		t.Fatalf("link %q is not shown once", link)
	}
	program := s.browser(lang.English)
	file := program.get(link)
	if file.status != http.StatusOK || line(t, file.body, "cup-round-2@chpok", "DTSTART") != "20261124T120000Z" {
		t.Errorf("%d", file.status)
	}
	if page := program.get(strings.TrimSuffix(link, ".ics")); page.status != http.StatusNotFound {
		t.Errorf("without its ending: %d", page.status)
	}
	again := regexp.MustCompile(`/calendar/[A-Z0-9a-z]+\.ics`).FindString(b.post("/settings/calendar").body)
	if page := program.get(link); page.status != http.StatusNotFound {
		t.Errorf("the old link: %d", page.status)
	}
	b.post("/settings/calendar/drop")
	if page := program.get(again); page.status != http.StatusNotFound {
		t.Errorf("the ended link: %d", page.status)
	}
}
