package web_test

import (
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/civil"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/rating"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/fixture"
	"chpok.org/chpok/tournament/ladder"
	"chpok.org/chpok/tournament/ledger"
)

// reader is a visitor whose browser has told its time zone; none: it is the first page.
func (s *site) reader(zone string) *browser {
	b := s.browser(lang.English)
	home, _ := url.Parse(s.http.URL)
	b.client.Jar.SetCookies(home, []*http.Cookie{{Name: "zone", Value: zone, MaxAge: map[bool]int{true: -1}[zone == ""]}})
	return b
}

// An event in Kyiv begins at 00:30 on 22 November, 22:30 in UTC, 17:30 the day before in New York.
func TestEveryReaderSeesTheEventsTimeAndTheirOwn(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	at := time.Date(2026, 11, 21, 22, 30, 0, 0, time.UTC)
	path, door := n.opened(func(s *tournament.Settings) {
		s.Zone, s.Rounds, s.Pace, s.Until = "Europe/Kyiv", 2, tournament.Times, at.Add(6*time.Hour)
		s.Times = tournament.Moments{at, at.Add(2 * time.Hour)}
	})
	var kiosk string
	n.write(func(tx *store.Tx) error {
		d, err := tx.Door(tournament.ID("cup"))
		kiosk = "/kiosk/" + d.Kiosk
		return err
	})
	const first, both, kyiv = "tomorrow 00:30 (Europe/Kyiv)", "tomorrow 00:30 (Europe/Kyiv; today 17:30 for you)", "tomorrow 00:30"
	for _, page := range []string{path, path + "/info", door, kiosk} {
		for zone, want := range map[string]string{"": first, "America/New_York": both, "Europe/Kyiv": kyiv, "Europe/Helsinki": kyiv} {
			got := n.reader(zone).get(page).want(http.StatusOK).body
			if !strings.Contains(got, want) {
				t.Errorf("%s for a reader in %q does not say %q", page, zone, want)
			}
			if strings.Contains(got, want+" (") {
				t.Errorf("%s for a reader in %q names the zone without need", page, zone)
			}
		}
	}

	// Whoever runs it from New York writes the event's times, too.
	abroad := n.host
	home, _ := url.Parse(n.http.URL)
	abroad.client.Jar.SetCookies(home, []*http.Cookie{{Name: "zone", Value: "America/New_York"}})
	form := abroad.get(path + "/edit").want(http.StatusOK)
	if !form.holds("zone", "Europe/Kyiv") || !form.holds("times", "2026-11-22T00:30") {
		t.Error("the form does not hold the event's zone and times")
	}
	poster := abroad.get(path + "/poster").want(http.StatusOK).body
	if !strings.Contains(poster, "November\u00a022, 2026, 00:30 (Europe/Kyiv") {
		t.Error("the poster names no zone")
	}
	calendar := n.reader("America/New_York").get(path + "/calendar.ics").body
	if !strings.Contains(calendar, "DTSTART:20261121T223000Z") {
		t.Error(calendar)
	}
}

// Two rounds on one evening in New York, at 18:30 and 20:30 on 20 November, lie on two days of UTC.
func TestAnEveningIsOneDayInReports(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	n.clock.advance(-13 * time.Hour) // 20 November, 23:00 in UTC
	path := n.event(func(s *tournament.Settings) { s.Zone, s.Rounds = "America/New_York", 2 })
	for _, name := range []string{"anna", "borys", "clara", "danylo"} {
		n.host.post(path+"/entries", "handle", name).want(http.StatusOK)
	}
	n.host.post(path + "/start").want(http.StatusOK)
	n.clock.advance(30 * time.Minute)
	n.host.post(path + "/rounds").want(http.StatusOK)
	n.firstWins(path)
	n.clock.advance(2 * time.Hour)
	n.host.post(path + "/rounds").want(http.StatusOK)
	n.firstWins(path)
	report := n.browser(lang.English).get(path + "/report.trf").want(http.StatusOK).body
	for _, line := range []string{"042 2026/11/20", "052 2026/11/20"} {
		if !strings.Contains(report, line) {
			t.Errorf("no %q in\n%s", line, report)
		}
	}
	if n := strings.Count(report, "26/11/20"); n != 4 { // both lines, and both rounds of line 132
		t.Errorf("the evening is split:\n%s", report)
	}
}

// Every list, notice and wall tells the event's time, and the reader's beside it where their clocks differ.
func TestAnEventsTimeIsToldInItsZoneOutsideOfItsPages(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	at := time.Date(2026, 11, 21, 22, 30, 0, 0, time.UTC)
	path, _ := n.opened(func(s *tournament.Settings) {
		s.Zone, s.Rounds, s.Pace, s.Times = "Europe/Kyiv", 1, tournament.Times, tournament.Moments{at}
	})
	n.host.post(path+"/entries", "handle", "anna").want(http.StatusOK)
	n.host.post(path+"/entries", "handle", "borys").want(http.StatusOK)
	anna := n.players["anna"]
	n.write(func(tx *store.Tx) error {
		return tx.AddNotices([]notice.Notice{{To: anna.ID, Kind: notice.RoundPaired, Key: "cup/1", URL: path, When: at, Zone: "Europe/Kyiv",
			Args: map[string]string{"Tournament": "Cup", "Round": "1", "Opponent": "borys"}}}, n.clock.Now())
	})
	told := map[string]string{"America/New_York": "tomorrow 00:30 (Europe/Kyiv; today 17:30 for you)", "Europe/Kyiv": "tomorrow 00:30"}
	for zone, want := range told {
		reader := n.as(anna, lang.English)
		home, _ := url.Parse(n.http.URL)
		reader.client.Jar.SetCookies(home, []*http.Cookie{{Name: "zone", Value: zone}})
		for _, page := range []string{"/", "/tournaments", "/notices", "/players/anna"} {
			if got := reader.get(page).want(http.StatusOK).body; !strings.Contains(got, want) || strings.Contains(got, want+" (") {
				t.Errorf("%s in %s does not say %q", page, zone, want)
			}
		}
	}
	n.host.post(path + "/start").want(http.StatusOK)
	for zone, want := range told {
		n.host.post(path+"/screens", "name", zone, "seconds", "20", "shows", "countdown", "lang", "en", "zone", zone).want(http.StatusOK)
		n.write(func(tx *store.Tx) error {
			list, err := tx.Screens(tournament.ID("cup"))
			for _, x := range list {
				if x.Zone == zone && !strings.Contains(n.browser(lang.English).get("/screens/"+x.Token).want(http.StatusOK).body, want+"<") {
					t.Errorf("the wall in %s does not say %q", zone, want)
				}
			}
			return err
		})
	}
}

func TestAnEventsZoneIsChosenWithIt(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.create("zone", "America/New_York", "pace", "times", "format", "swiss", "rounds", "1", "times", "2026-12-01T19:00")
	made := n.tournament(path)
	if want := time.Date(2026, 12, 2, 0, 0, 0, 0, time.UTC); made.Zone != "America/New_York" || !made.Times[0].Equal(want) {
		t.Errorf("%s, %v", made.Zone, made.Times)
	}
	n.host.post("/tournaments", form("zone", "Atlantis")...).want(http.StatusUnprocessableEntity)
	if made := n.tournament(n.create()); made.Zone != "Europe/Kyiv" {
		t.Errorf("an event whose form says nothing is in %q", made.Zone)
	}
}

// Clocks on Lord Howe Island go half an hour back on 4 April 2027 at 02:00: 01:45 comes at 14:45 and at 15:15 UTC on
// 3 April. What a form shows is what it sends, so an unchanged time stays the second of the two.
func TestATimeOfTheRepeatedHourThatIsSavedUntouchedStays(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.event(func(s *tournament.Settings) { s.Zone, s.Rounds = "Australia/Lord_Howe", 3 })
	for _, name := range []string{"anna", "borys", "clara", "danylo"} {
		n.host.post(path+"/entries", "handle", name).want(http.StatusOK)
	}
	n.host.post(path + "/start").want(http.StatusOK)
	n.host.post(path + "/pairings").want(http.StatusOK)
	second := time.Date(2027, 4, 3, 15, 15, 0, 0, time.UTC)
	host := n.hostID()
	before := n.tournament(path)
	n.write(func(tx *store.Tx) error {
		after := before.Clone()
		after.Draft.PublishAt = second
		return tx.SaveTournament(before, after, ledger.Deed{At: n.clock.Now(), By: host, Act: tournament.ActDraft})
	})
	if !n.host.get(path+"/pairings").holds("at", "2027-04-04T01:45") {
		t.Fatal("the time of publishing is not in its form")
	}
	n.host.post(path+"/pairings/edit/schedule", "at", "2027-04-04T01:45").want(http.StatusOK)
	if at := n.tournament(path).Draft.PublishAt; !at.Equal(second) {
		t.Errorf("untouched, the publishing moved to %v", at)
	}
	n.host.post(path+"/pairings/edit/schedule", "at", "2027-04-04T01:40").want(http.StatusOK)
	if at := n.tournament(path).Draft.PublishAt; !at.Equal(time.Date(2027, 4, 3, 14, 40, 0, 0, time.UTC)) {
		t.Errorf("another time is the first of its name, not %v", at)
	}
}

// Clocks in New York go an hour back on 7 November 2027 at 02:00. Clocks in Kyiv go an hour back on 31 October 2027 at 04:00: 03:30 comes at 00:30 and at 01:30 UTC. Who writes the time
// that somebody has named already means that one, the second of the two.
var repeated = []struct {
	zone, clock   string
	first, second time.Time
}{
	{"America/New_York", "2027-11-07T01:30", time.Date(2027, 11, 7, 5, 30, 0, 0, time.UTC), time.Date(2027, 11, 7, 6, 30, 0, 0, time.UTC)},
	{"Australia/Lord_Howe", "2027-04-04T01:45", time.Date(2027, 4, 3, 14, 45, 0, 0, time.UTC), time.Date(2027, 4, 3, 15, 15, 0, 0, time.UTC)},
	{"Europe/Kyiv", "2027-10-31T03:30", time.Date(2027, 10, 31, 0, 30, 0, 0, time.UTC), time.Date(2027, 10, 31, 1, 30, 0, 0, time.UTC)},
}

// skipped are times that clocks never show, with what counts from before the gap: New York skips 02:00 to 03:00 on 14 March
// 2027, Kyiv 03:00 to 04:00 on 28 March, Lord Howe 02:00 to 02:30 on 3 October.
var skipped = []struct {
	zone, clock string
	at          time.Time
}{
	{"America/New_York", "2027-03-14T02:30", time.Date(2027, 3, 14, 7, 30, 0, 0, time.UTC)},
	{"Europe/Kyiv", "2027-03-28T03:30", time.Date(2027, 3, 28, 1, 30, 0, 0, time.UTC)},
	{"Australia/Lord_Howe", "2027-10-03T02:15", time.Date(2027, 10, 2, 15, 45, 0, 0, time.UTC)},
	{"UTC", "2027-03-28T03:30", time.Date(2027, 3, 28, 3, 30, 0, 0, time.UTC)}, // which skips nothing
}

func TestNewEventsTakeTheFirstOfARepeatedTimeAndMoveASkippedOneOn(t *testing.T) {
	t.Parallel()
	cases := slices.Clone(skipped)
	for _, x := range repeated {
		cases = append(cases, struct {
			zone, clock string
			at          time.Time
		}{x.zone, x.clock, x.first})
	}
	n := newClubNight(t)
	for _, x := range cases {
		made := n.tournament(n.create("zone", x.zone, "pace", "times", "format", "swiss", "rounds", "1", "times", x.clock,
			"entry_closes", x.clock, "until", x.clock[:11]+"23:00"))
		if !made.Times[0].Equal(x.at) || !made.Settings.Entry.Closes.Equal(x.at) {
			t.Errorf("%s in %s: begins %v, closes %v, want %v", x.clock, x.zone, made.Times, made.Settings.Entry.Closes, x.at)
		}
	}
}

// Whoever makes an event when the first of the two hours is over means the second.
func TestNewEventsOfTheSecondOfTwoHoursTakeIt(t *testing.T) {
	t.Parallel()
	for _, x := range repeated {
		n := newClubNight(t)
		n.clock.advance(x.second.Add(-10 * time.Minute).Sub(n.clock.Now()))
		var host player.Player
		n.write(func(tx *store.Tx) (err error) {
			host, err = tx.PlayerByHandle("Olena")
			return err
		})
		n.host = n.as(host, lang.English)
		made := n.tournament(n.create("zone", x.zone, "pace", "times", "format", "swiss", "rounds", "1", "times", x.clock))
		if !made.Times[0].Equal(x.second) {
			t.Errorf("%s in %s: begins %v, want %v", x.clock, x.zone, made.Times, x.second)
		}
		form := formValues(n.host.get("/tournaments/new").want(http.StatusOK))
		asked := formValues(n.host.post("/tournaments/propose", filled(form, "zone", x.zone, "day", x.clock[:10], "time", x.clock[11:], "over_by", "open")...).want(http.StatusOK))
		made = n.tournament(eventPath(n.host.post("/tournaments", asked...).want(http.StatusOK).path))
		if at, _ := made.RoundAt(1); !at.Equal(x.second) {
			t.Errorf("%s in %s by the three answers: begins %v, want %v", x.clock, x.zone, at, x.second)
		}
	}
}

// Round 1 is two days before, round 2 the second time that clocks show the hour, round 3 a day later.
func TestRoundsWindowsAndDeadlinesOfTheRepeatedHourStayWhenTheyAreSavedUntouched(t *testing.T) {
	t.Parallel()
	for i := range 2 * len(repeated) {
		x, isPaused := repeated[i/2], i%2 == 1
		n := newClubNight(t)
		path := n.event(func(s *tournament.Settings) {
			s.Zone, s.Rounds, s.Pace = x.zone, 3, tournament.Times
			s.Times = tournament.Moments{x.second.Add(-48 * time.Hour), x.second, x.second.Add(24 * time.Hour)}
			s.Entry.Closes, s.Until = x.second, x.second.Add(96*time.Hour)
		})
		before := n.tournament(path)
		n.host.post(path, formValues(n.host.get(path+"/edit").want(http.StatusOK))...).want(http.StatusOK)
		if got := n.tournament(path); !reflect.DeepEqual(got.Settings.Moments(), before.Settings.Moments()) {
			t.Errorf("%s: a form saved untouched makes %v of %v", x.zone, got.Settings.Moments(), before.Settings.Moments())
		}
		if isPaused {
			for _, name := range []string{"anna", "borys"} {
				n.host.post(path+"/entries", "handle", name).want(http.StatusOK)
			}
			n.host.post(path + "/start").want(http.StatusOK)
			n.host.post(path+"/pause", "pause_reason", "power cut").want(http.StatusOK)
		}
		postpone := func(to string) []time.Time {
			n.host.post(path+"/postpone", "round", "2", "to", to, "shift", "on", "postpone_reason", "x").want(http.StatusOK)
			return n.tournament(path).Times
		}
		if got := postpone(x.clock); !got[1].Equal(x.second) || !got[2].Equal(x.second.Add(24*time.Hour)) {
			t.Errorf("%s, paused %v: untouched, the rounds move to %v", x.zone, isPaused, got)
		}
		// A little later is a time that nobody has named: the first of its name. The next round moves by the clocks.
		later, more := x.clock[:len(x.clock)-1]+"9", time.Duration('9'-x.clock[len(x.clock)-1])*time.Minute
		if got := postpone(later); !got[1].Equal(x.first.Add(more)) || !got[2].Equal(x.second.Add(24*time.Hour+more)) {
			t.Errorf("%s, paused %v: at %s the rounds are at %v", x.zone, isPaused, later, got)
		}
	}
}

// Over a round played at 01:45 of both hours that are called so: moved by minutes, each stays in its own.
func TestANightOfRoundsOverTheRepeatedHourKeepsItsOrderWhenItMoves(t *testing.T) {
	t.Parallel()
	for _, x := range repeated {
		n := newClubNight(t)
		path := n.event(func(s *tournament.Settings) {
			s.Zone, s.Rounds, s.Pace = x.zone, 3, tournament.Times
			s.Times = tournament.Moments{x.first.Add(-3 * time.Hour), x.first, x.second}
		})
		to := x.first.Add(-3*time.Hour + 5*time.Minute).In(civil.Zone(x.zone)).Format(civil.PickLayout)
		n.host.post(path+"/postpone", "round", "1", "to", to, "shift", "on", "postpone_reason", "x").want(http.StatusOK)
		for i, at := range []time.Time{x.first.Add(-3 * time.Hour), x.first, x.second} {
			if got := n.tournament(path).Times[i]; !got.Equal(at.Add(5 * time.Minute)) {
				t.Errorf("%s: round %d is at %v, want %v", x.zone, i+1, got, at.Add(5*time.Minute))
			}
		}
	}
}

func TestATimeOfTheRepeatedHourNamedOnALadderStays(t *testing.T) {
	t.Parallel()
	for _, x := range repeated {
		s := newLadder(t)
		s.clock.advance(x.first.Add(-24 * time.Hour).Sub(s.clock.Now()))
		s.write(func(tx *store.Tx) error { return tx.SetPlayerSettings("id-bob", player.Settings{Zone: x.zone}) })
		ana, bob := s.browserOf("ana"), s.browserOf("bob")
		bob.post(s.url+"/challenges", "player", "ana").want(http.StatusOK)
		ana.post(s.url + "/challenges/1/accept").want(http.StatusOK)
		ref := store.LadderRef{Ladder: s.ladder, Number: 1}
		times := func() []fixture.Proposal[player.ID] {
			c, err := store.Get(t.Context(), s.store, func(tx *store.Tx) (ladder.Challenge, error) { return tx.LadderChallenge(ref) })
			if err != nil {
				t.Fatal(err)
			}
			return c.Times
		}
		bob.post(s.url+"/challenges/1/times", "time", x.clock).want(http.StatusOK)
		if list := times(); len(list) != 1 || !list[0].At.Equal(x.first) {
			t.Errorf("%s: a time that nobody has named is the first of its name: %v", x.zone, list)
		}

		s = newLadder(t)
		s.clock.advance(x.first.Add(-24 * time.Hour).Sub(s.clock.Now()))
		s.write(func(tx *store.Tx) error { return tx.SetPlayerSettings("id-bob", player.Settings{Zone: x.zone}) })
		ana, bob = s.browserOf("ana"), s.browserOf("bob")
		bob.post(s.url+"/challenges", "player", "ana").want(http.StatusOK)
		ana.post(s.url + "/challenges/1/accept").want(http.StatusOK)
		ref.Ladder = s.ladder
		if err := s.arbiter.Ladders.ProposeTime(t.Context(), player.Viewer{Player: s.people["ana"]}, ref, x.second); err != nil {
			t.Fatal(err)
		}
		bob.post(s.url+"/challenges/1/times", "time", x.clock).want(http.StatusOK)
		if list := times(); len(list) != 2 || !list[1].At.Equal(x.second) {
			t.Errorf("%s: the time that ana named is another one: %v", x.zone, list)
		}
	}
}

func TestATimeOfTheRepeatedHourNamedInAMatchStays(t *testing.T) {
	t.Parallel()
	for _, x := range repeated {
		o := short(1)
		o.BidTime, o.Meet = time.Hour, 48*time.Hour
		c := newContest(t, o)
		c.clock.advance(x.first.Add(-24 * time.Hour).Sub(c.clock.Now()))
		c.open(o)
		c.write(func(tx *store.Tx) error { return tx.SetPlayerSettings(c.taras.ID, player.Settings{Zone: x.zone}) })
		first, second := c.as(c.olena, lang.English), c.as(c.taras, lang.English)
		first.post(c.url()+"/commands", "target", "white", "chips", "1").want(http.StatusOK)
		second.post(c.url()+"/commands", "target", "time", "chips", "1", "minutes", "5", "increment", "0").want(http.StatusOK)
		first.post(c.url()+"/commands", "meet", x.second.Format(time.RFC3339)).want(http.StatusOK)
		second.post(c.url()+"/commands", "meet", x.clock).want(http.StatusOK)
		if agreed, named := c.state().Appointment(); !agreed.Equal(x.second) {
			t.Errorf("%s: named %v, agreed %v", x.zone, named, agreed)
		}
	}
}

// What is written on a day belongs to the day of its place; what is a moment is written in UTC, with a Z, and is the
// same moment everywhere. 22:30 in UTC on 21 November is the 22nd in Kyiv and on Lord Howe, the 21st in New York.
func TestFilesWriteDaysOfTheirZoneAndMomentsInUTC(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.clock.advance(10*time.Hour + 30*time.Minute)
	boss := s.as(s.account("boss", player.Operator), lang.English)
	s.account("bohdan", player.Plain)
	boss.post("/ratings/pools/main/import", "text", "handle,rating,games\nbohdan,1650,40\n", "confirm", "1").want(http.StatusOK)
	for zone, day := range map[string]string{"UTC": "2026-11-21", "Europe/Kyiv": "2026-11-22", "America/New_York": "2026-11-21",
		"Australia/Lord_Howe": "2026-11-22"} {
		s.write(func(tx *store.Tx) error {
			pool, err := tx.RatingPool(rating.Main)
			if err != nil {
				return err
			}
			pool.Zone = zone
			return tx.SetRatingPool(pool)
		})
		if list := boss.get("/ratings.csv").want(http.StatusOK).body; !strings.HasSuffix(list, ",false,"+day+"\n") {
			t.Errorf("a list in %s: %s", zone, list)
		}
		if list := boss.get("/ratings.json").want(http.StatusOK).body; !strings.Contains(list, `"at":"2026-11-21T22:30:00Z"`) {
			t.Errorf("a list in %s: %s", zone, list)
		}
	}

	for _, x := range []struct{ zone, day, clock string }{
		{"UTC", "21", "22:30"}, {"Europe/Kyiv", "22", "00:30"}, {"America/New_York", "21", "17:30"}, {"Australia/Lord_Howe", "22", "09:30"},
	} {
		n := newClubNight(t)
		n.clock.advance(10*time.Hour + 30*time.Minute)
		path := n.event(func(s *tournament.Settings) { s.Zone, s.Rounds = x.zone, 1 })
		for _, name := range []string{"anna", "borys"} {
			n.host.post(path+"/entries", "handle", name).want(http.StatusOK)
		}
		n.host.post(path + "/start").want(http.StatusOK)
		for file, want := range map[string]string{
			"/report.trf": "042 2026/11/" + x.day,
			"/log.csv":    "2026-11-21T22:30:00Z",
			"/log.jsonl":  `"at":"2026-11-21T22:30:00Z"`,
		} {
			if got := n.host.get(path + file).want(http.StatusOK).body; !strings.Contains(got, want) {
				t.Errorf("%s of an event in %s does not say %s", file, x.zone, want)
			}
		}
		// The log names its zone once, whoever reads it.
		log := n.reader("Asia/Kathmandu").get(path + "/log").want(http.StatusOK)
		log.says("Times are in " + x.zone)
		if lines := strings.Count(log.body, "November\u00a0"+x.day+", 2026, "+x.clock+"</time>"); lines == 0 || lines != strings.Count(log.body, `id="deed-`) || strings.Contains(log.body, "for you)") {
			t.Errorf("the log of an event in %s: %d lines with the bare time", x.zone, lines)
		}
	}
}
