package web_test

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/notice/courier/couriertest"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
)

// Beside events, too, several people change one thing: a club, its news and series, a ladder. Each act is posted from a
// page on which the author has not seen what another did there; it is refused and says who was first, and is done once
// sent in sight of it. Acts on other parts are not in its way.
func TestNoActOnClubsAndLaddersOverwritesWhatItsAuthorHasNotSeen(t *testing.T) {
	t.Parallel()
	s := newLadder(t)
	office := arbiter.New(s.store, s.live, arbiter.Config{Now: s.clock.Now}, nil)
	olena, vera := s.as(s.host, lang.English), s.account("vera", player.Operator)
	s.write(func(tx *store.Tx) error {
		if err := tx.AddClub(club.New("club1", "Dragons", "", s.host.ID, s.clock.Now())); err != nil {
			return err
		}
		return tx.AddClubPost(club.Post{ID: "post1", Club: "club1", Author: s.host.ID, Title: "News", Text: "Old.", At: s.clock.Now()})
	})
	second := s.as(vera, lang.English)
	for _, who := range []*browser{second, s.browserOf("ana"), s.browserOf("bob")} {
		who.post("/clubs/club1/join").want(http.StatusOK)
	}
	olena.post("/clubs/club1/roles", "player", "vera", "role", "owner").want(http.StatusOK)
	settings := tournament.DefaultSettings(tournament.Swiss)
	settings.Name, settings.ClubID = "The first evening", "club1"
	like, err := office.Events.Create(t.Context(), player.Viewer{Player: s.host}, settings, true)
	if err != nil {
		t.Fatal(err)
	}
	form := formValues(olena.get("/clubs/club1/series/new").want(http.StatusOK))
	form = append(replaced(replaced(form, "name", "Dragon Tuesday"), "lead", "1"), "weekdays", "2", "template", string(like))
	series := olena.post("/clubs/club1/series", form...).want(http.StatusOK)
	_, rest, _ := strings.Cut(series.body, `name="day" value="`)
	day, _, _ := strings.Cut(rest, `"`)
	without := func(form []string) (out []string) { // what the form showed
		for i := 0; i < len(form); i += 2 {
			if form[i] != "shown" {
				out = append(out, form[i], form[i+1])
			}
		}
		return out
	}
	dates := without(formValues(olena.get(series.path + "/edit").want(http.StatusOK)))
	rules := without(formValues(olena.get(s.url + "/edit").want(http.StatusOK)))
	version := func(of string) string {
		var n int64
		s.write(func(tx *store.Tx) error {
			if of == s.url {
				l, err := tx.Ladder(s.ladder)
				n = l.Seq
				return err
			}
			c, err := tx.Club("club1")
			n = c.Version
			return err
		})
		return strconv.FormatInt(n, 10)
	}
	const at = "/clubs/club1"
	for _, page := range []string{at + "/edit", at + "/people", at + "/news/post1", series.path, series.path + "/edit", s.url, s.url + "/edit"} {
		if of := page[:strings.Index(page[1:], "/")+1]; !second.get(page).want(http.StatusOK).holds("shown", version(map[bool]string{true: s.url}[of == "/ladders"])) {
			t.Errorf("the forms of %s do not carry what it shows", page)
		}
	}
	for _, x := range []struct {
		of, first   string
		with        []string
		then        string
		mine        []string
		say         string
		may         bool // mine can be done after theirs
		elsewhere   string
		elsewhereBy []string // in no one's way
	}{
		{at, at, []string{"name", "Dragons", "text", "Theirs.", "joining", "open"}, at, []string{"name", "Dragons", "text", "Mine.", "joining", "open"},
			"Settings changed", true, at + "/roles", []string{"player", "bob", "role", "arbiter"}},
		{at, at + "/roles", []string{"player", "ana", "role", "arbiter"}, at + "/roles", []string{"player", "ana", "role", "organizer"},
			"Role changed", true, at + "/news/post1", []string{"title", "News", "text", "Mine, alone."}},
		{at, at + "/roles", []string{"player", "ana", "role", "member"}, at + "/expel", []string{"player", "ana"}, "Role changed", true, "", nil},
		{at, at + "/news/post1", []string{"title", "News", "text", "Theirs."}, at + "/news/post1", []string{"title", "News", "text", "Mine."},
			"News edited", true, at + "/code", []string{"x", "y"}},
		{at, at + "/news/post1", []string{"title", "News", "text", "Theirs again."}, at + "/news/post1/delete", []string{"x", "y"}, "News edited", true, "", nil},
		{at, series.path, replaced(dates, "name", "Their Tuesday"), series.path, replaced(dates, "name", "My Tuesday"), "Series changed", true,
			series.path + "/skip", []string{"day", day, "skip", "yes"}},
		{at, series.path + "/skip", []string{"day", day, "skip", "no"}, series.path + "/skip", []string{"day", day, "skip", "yes"},
			"Date of the series changed", true, "", nil},
		{at, series.path, replaced(dates, "name", "Their Tuesday"), series.path + "/end", []string{"x", "y"}, "Series changed", true, "", nil},
		{at, at + "/bans", []string{"handle", "bob", "reason", "x"}, at + "/roles", []string{"player", "bob", "role", "organizer"}, "Banned", false, "", nil},
		{s.url, s.url, replaced(rules, "name", "Their ladder"), s.url, replaced(rules, "name", "My ladder"), "Settings changed", true,
			s.url + "/move", []string{"player", "ana", "to", "3", "why", "agreed"}},
		{s.url, s.url + "/move", []string{"player", "cyn", "to", "1", "why", "agreed"}, s.url + "/move", []string{"player", "bob", "to", "1", "why", "so"},
			"Player moved", true, "", nil},
		{s.url, s.url + "/move", []string{"player", "cyn", "to", "1", "why", "agreed"}, s.url + "/remove", []string{"player", "cyn"}, "Player moved", true,
			"", nil},
	} {
		shown := version(x.of)
		olena.post(x.first, x.with...).want(http.StatusOK)
		before := second.get(x.of).unkeyed()
		p := second.post(x.then, append(slices.Clone(x.mine), "shown", shown)...)
		if p.status != http.StatusConflict || !strings.Contains(p.body, "Olena was first") || !strings.Contains(p.body, x.say) ||
			!strings.Contains(p.body, "Keep theirs") || strings.Contains(p.body, "Do mine all the same") != x.may {
			t.Errorf("%s %v after %s %v: %d", x.then, x.mine, x.first, x.with, p.status)
			continue
		}
		if after := second.get(x.of).unkeyed(); after != before {
			t.Errorf("%s %v: refused, but something has changed:\n%s", x.then, x.mine, difference(before, after))
		}
		if x.elsewhere != "" {
			second.post(x.elsewhere, append(slices.Clone(x.elsewhereBy), "shown", shown)...).want(http.StatusOK)
		}
		if x.may {
			if !p.holds("shown", version(x.of)) && x.elsewhere == "" {
				t.Errorf("%s %v: what is sent again does not say what it is in sight of", x.then, x.mine)
			}
			second.post(x.then, append(slices.Clone(x.mine), "shown", version(x.of))...).want(http.StatusOK)
		}
	}
}

// A form that is refused for a fault and then mended has not shown its author more than before.
func TestAMendedFormOverwritesNothingUnseen(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.create()
	vera := n.as(n.account("vera", player.Operator), lang.English)
	form := formValues(vera.get(path + "/edit").want(http.StatusOK))
	n.host.post(path, replaced(formValues(n.host.get(path+"/edit")), "about", "Theirs.")...).want(http.StatusOK)
	faulty := vera.post(path, replaced(form, "name", "")...).want(http.StatusUnprocessableEntity)
	p := vera.post(path, replaced(formValues(faulty), "name", "Mine")...)
	if p.status != http.StatusConflict || n.tournament(path).About != "Theirs." {
		t.Errorf("%d, about %q", p.status, n.tournament(path).About)
	}
	vera.post(path, formValues(p)...).want(http.StatusOK)
}

// What the staff of a site keep together is theirs in turn, too: each form is posted from a page on which its author has not seen
// what another saved there.
func TestNoFormOfTheSiteOverwritesWhatItsAuthorHasNotSeen(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	inbox := couriertest.Start(t)
	s.mailedBy(nil, "")
	s.account("anna", player.Plain)
	olena, vera := s.as(s.account("Olena", player.Operator), lang.English), s.as(s.account("vera", player.Operator), lang.English)
	for _, x := range []struct {
		page, at     string
		theirs, mine []string
		say          string
		may          bool // mine is offered once more: not with a password, which no page repeats
	}{
		{"/site", "/site/face", []string{"name", "Dragons", "mark", "D"}, []string{"name", "Lions", "mark", "K"}, "Name or mark of the site changed", true},
		{"/site", "/site/mail", []string{"server", inbox.URL, "from", "site@club.example"}, []string{"server", inbox.URL, "from", "me@club.example"},
			"Mail server changed", true},
		{"/admin", "/admin/sign-up", []string{"sign-up", "closed"}, []string{"sign-up", "open"}, "Sign-up opened or closed", true},
		{"/admin", "/admin/role", []string{"player", "anna", "role", "organizer"}, []string{"player", "anna", "role", "operator"},
			"Role of the account changed", true},
		{"/ratings/pools/main", "/ratings/pools/main", rules("k", "20"), rules("k", "10"), "Rating list changed", true},
		{"/ratings/pools/main/import", "/ratings/pools/main/import", []string{"text", "handle,rating\nanna,1700\n", "confirm", "1"},
			[]string{"text", "handle,rating\nanna,1800\n", "confirm", "1"}, "Ratings imported", true},
		{"/players/anna", "/players/anna/birth-year", []string{"year", "2010"}, []string{"year", "2011"}, "Year of birth changed", true},
	} {
		form := formValues(vera.get(x.page).want(http.StatusOK))
		i := slices.Index(form, "shown")
		if i < 0 {
			t.Errorf("the forms of %s do not carry what it shows", x.page)
			continue
		}
		mine := append(slices.Clone(x.mine), "shown", form[i+1], "return", x.page)
		olena.post(x.at, append(slices.Clone(x.theirs), "shown", form[i+1], "return", x.page)...).want(http.StatusOK)
		before := olena.get(x.page).unkeyed()
		p := vera.post(x.at, mine...)
		if p.status != http.StatusConflict || !strings.Contains(p.body, "Olena was first") || !strings.Contains(p.body, x.say) ||
			strings.Contains(p.body, "Do mine all the same") != x.may {
			t.Errorf("%s: %d\n%s", x.at, p.status, p.body)
			continue
		}
		if after := olena.get(x.page).unkeyed(); after != before {
			t.Errorf("%s: refused, but something has changed:\n%s", x.at, difference(before, after))
		}
		vera.post(x.at, formValues(p)...).want(http.StatusOK) // in sight of it
	}
	p := olena.post("/site/mail", "server", inbox.URL, "secret", "hunter2", "from", "x@club.example", "shown", "1").want(http.StatusConflict)
	if strings.Contains(p.body, "hunter2") || strings.Contains(p.body, "Do mine all the same") {
		t.Error("a password is repeated")
	}
}

// Whoever was overtaken reads what they typed once more, and chooses their file once more.
func TestWhoWasOvertakenLosesNothingTyped(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.create()
	vera := n.as(n.account("vera", player.Operator), lang.English)
	form := formValues(vera.get(path + "/edit").want(http.StatusOK))
	n.host.post(path, replaced(formValues(n.host.get(path+"/edit")), "about", "Theirs.")...).want(http.StatusOK)
	const typed = "We meet on Fridays at seven,\r\nbring a friend."
	p := vera.post(path, replaced(form, "about", typed)...).want(http.StatusConflict).says("What you typed")
	if !strings.Contains(p.body, "<blockquote>We meet on Fridays") {
		t.Errorf("what was typed is lost: %s", p.body)
	}
	if !strings.Contains(p.body, " data-typed hidden>To the form, with what I typed") {
		t.Error("the page's script has no way back to the form")
	}

	const at = "/ratings/pools/main/import"
	n.host = n.as(n.account("boss", player.Operator), lang.English)
	shown := formValues(vera.get(at).want(http.StatusOK))
	seen := shown[slices.Index(shown, "shown")+1]
	vera.post(at, "text", "handle,rating\nanna,1700\n", "confirm", "1").want(http.StatusOK)
	again := n.upload(at, "list.csv", "handle,rating\nanna,1800\n", "confirm", "1", "shown", seen).want(http.StatusConflict).says("list.csv")
	if !strings.Contains(again.body, `enctype="multipart/form-data"`) || !again.holds("confirm", "1") {
		t.Errorf("the form cannot be sent with its file: %s", again.body)
	}
	now := formValues(again)
	n.upload(at, "list.csv", "handle,rating\nanna,1800\n", "confirm", "1", "shown", now[slices.Index(now, "shown")+1]).want(http.StatusOK)
}
