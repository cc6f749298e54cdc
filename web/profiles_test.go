package web_test

import (
	"net/http"
	"strings"
	"testing"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
)

var openProfile = []string{"name", "Олена Ґ.", "about", "I play on Fridays.", "country", "ua", "links", "https://olena.example/x", "see-profile", "everyone", "see-history", "everyone", "see-online", "members", "may-challenge", "everyone"}

// with is a form with some of its values replaced.
func with(form []string, pairs ...string) []string {
	out := append([]string(nil), form...)
	for i := 0; i+1 < len(pairs); i += 2 {
		for j := 0; j+1 < len(out); j += 2 {
			if out[j] == pairs[i] {
				out[j+1] = pairs[i+1]
			}
		}
	}
	return out
}

func TestAProfileIsShownToWhomItIsFor(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	olena, taras := s.account("Olena", player.Plain), s.account("Taras", player.Plain)
	b, other, visitor := s.as(olena, lang.English), s.as(taras, lang.English), s.browser(lang.English)
	if page := b.post("/settings/profile", openProfile...); page.status != http.StatusOK {
		t.Fatalf("%d", page.status)
	}
	shown := visitor.get("/players/Olena")
	for _, want := range []string{"Олена Ґ.", "I play on Fridays.", "Ukraine", `href="https://olena.example/x"`} {
		if !strings.Contains(shown.body, want) {
			t.Errorf("visitors do not see %q", want)
		}
	}
	if strings.Contains(shown.body, "last seen") || !strings.Contains(other.get("/players/Olena").body, "last seen") {
		t.Error("members see when she was here, visitors do not")
	}
	b.post("/settings/profile", with(openProfile, "see-profile", "nobody", "see-history", "nobody")...)
	page := other.get("/players/Olena")
	if strings.Contains(page.body, "Олена") || strings.Contains(page.body, "Fridays") || !strings.Contains(page.body, "hides their rating history") {
		t.Error("seen by others")
	}
	if !strings.Contains(b.get("/players/Olena").body, "Fridays") {
		t.Error("not seen by herself")
	}
	b.post("/settings/profile", append(openProfile, "hidden", "on")...)
	if page := visitor.get("/players/Olena"); !strings.Contains(page.body, `name="robots" content="noindex"`) || page.header.Get("X-Robots-Tag") != "noindex" {
		t.Error("search engines are not asked")
	}
}

func TestWhatAProfileRefusesComesBackFilledIn(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.as(s.account("Olena", player.Plain), lang.English)
	for _, bad := range [][]string{{"links", "javascript:alert(1)"}, {"country", "QQQ"}, {"country", "QQ"}, {"name", strings.Repeat("x", 61)}} {
		page := b.post("/settings/profile", with(openProfile, bad...)...)
		if page.status != http.StatusUnprocessableEntity || !strings.Contains(page.body, "I play on Fridays.") || len(page.find("alert")) != 1 {
			t.Errorf("%v: %d, %v", bad, page.status, page.find("alert"))
		}
	}
	if page := b.post("/settings/profile", with(openProfile, "see-profile", "some")...); page.status != http.StatusBadRequest {
		t.Errorf("%d", page.status)
	}
}

// AN is a country no more (it has been divided); whoever told it keeps it until they choose another.
func TestACountryThatIsNoLongerListedIsKept(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	olena := s.account("Olena", player.Plain)
	told := player.Profile{Country: "AN", Privacy: player.DefaultPrivacy()}
	s.write(func(tx *store.Tx) error { return tx.SetProfile(olena.ID, told) })
	b := s.as(olena, lang.English)
	if form := b.get("/settings/profile"); !strings.Contains(form.body, `<option value="AN" selected>AN</option>`) {
		t.Error("the form does not show it")
	}
	for _, country := range []string{"AN", "UA"} {
		b.post("/settings/profile", with(openProfile, "country", country)...).want(http.StatusOK)
		s.write(func(tx *store.Tx) (err error) {
			told, err = tx.Profile(olena.ID)
			return err
		})
		if told.Country != country {
			t.Errorf("%q, want %q", told.Country, country)
		}
	}
	b.post("/settings/profile", with(openProfile, "country", "AN")...).want(http.StatusUnprocessableEntity)
}

func TestWhoMayChallengeIsThePlayersToSay(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	olena, taras := s.account("Olena", player.Plain), s.account("Taras", player.Plain)
	b, other := s.as(olena, lang.English), s.as(taras, lang.English)
	offer := func() int {
		return other.post("/challenges", "who", "player", "handle", "Olena", "preset", "quick", "claims", "automatic", "lateness", "5", "life", "1440").status
	}
	b.post("/settings/profile", with(openProfile, "may-challenge", "clubs")...)
	if status := offer(); status != http.StatusUnprocessableEntity {
		t.Errorf("no club mate: %d", status)
	}
	if page := other.get("/players/Olena"); strings.Contains(page.body, "/challenges/new?to=Olena") {
		t.Error("the page offers it")
	}
	program := s.program(taras)
	program.ask(http.MethodPost, "/challenges", `{"to":"Olena"}`, http.StatusUnprocessableEntity, nil)
	b.post("/settings/profile", openProfile...)
	b.post("/settings/blocks", "player", string(taras.Handle))
	if status := offer(); status != http.StatusUnprocessableEntity {
		t.Errorf("blocked: %d", status)
	}
	if page := other.get("/players/Olena"); strings.Contains(page.body, "Fridays") {
		t.Error("a blocked one sees the profile")
	}
	if page := b.get("/settings/profile"); !strings.Contains(page.body, ">Taras<") {
		t.Error("the list of the blocked lacks him")
	}
	b.post("/settings/blocks/drop", "player", string(taras.Handle))
	if status := offer(); status != http.StatusOK {
		t.Errorf("unblocked: %d", status)
	}
}

// TestAYearIsShownToWhomTheHistoryIsFor has somebody with a match look back, and others look on.
func TestAYearIsShownToWhomTheHistoryIsFor(t *testing.T) {
	t.Parallel()
	s := newContest(t, short(1))
	b, visitor := s.first, s.browser(lang.English)
	year := "/players/Olena/years/" + s.clock.Now().Format("2006")
	for _, path := range []string{year, year + "/picture.png"} {
		if page := b.get(path); page.status != http.StatusNotFound {
			t.Errorf("%s before the first match: %d", path, page.status)
		}
	}
	s.toBoard()
	s.moves(gifts...)
	profile := visitor.get("/players/Olena")
	if !strings.Contains(profile.body, `href="`+year+`"`) {
		t.Error("the profile has no link to the year")
	}
	page := visitor.get(year)
	for _, want := range []string{"1 match: ", "None yet.", `<meta property="og:image"`, `href="/players/Olena/vs/Taras"`} {
		if !strings.Contains(page.body, want) {
			t.Errorf("visitors do not see %q", want)
		}
	}
	if page.named("id", "best-a") == nil {
		t.Error("the clearest win has no board")
	}
	drawn := map[string]bool{}
	for e := range page.root.Descendants() { // in both schemes, as the page names them
		for _, name := range []string{"src", "srcset"} {
			at, _ := attr(e, name)
			_, path, is := strings.Cut(at, year)
			if !is || drawn[path] {
				continue
			}
			picture := visitor.get(year + path)
			if picture.status != http.StatusOK || picture.header.Get("Content-Type") != "image/png" || drawn[picture.body] {
				t.Errorf("the picture %s: %d", path, picture.status)
			}
			drawn[path], drawn[picture.body] = true, true
		}
	}
	if len(drawn) != 4 {
		t.Errorf("%d pictures, not 2", len(drawn)/2)
	}
	for _, wrong := range []string{"/players/Olena/years/1999", "/players/Olena/years/next", "/players/nobody/years/2026"} {
		if page := visitor.get(wrong); page.status != http.StatusNotFound {
			t.Errorf("%s: %d", wrong, page.status)
		}
	}
	b.post("/settings/profile", with(openProfile, "see-history", "nobody")...)
	for _, path := range []string{year, year + "/picture.png"} {
		if page := visitor.get(path); page.status != http.StatusNotFound {
			t.Errorf("%s of a hidden history: %d", path, page.status)
		}
	}
	if own := b.get(year); own.status != http.StatusOK || strings.Contains(own.body, "picture.png") {
		t.Error("who hides it sees it alone, without a picture to share")
	}
	if strings.Contains(visitor.get("/players/Olena").body, year) {
		t.Error("the profile links a year that is hidden")
	}
}
