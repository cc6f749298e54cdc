package web_test

import (
	"bufio"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament/ladder"
	"chpok.org/chpok/web/words"
)

// club3 is a site with a ladder on which ana, bob and cyn stand in this order.
type club3 struct {
	*site
	arbiter *arbiter.Arbiter
	host    player.Player
	people  map[string]player.Player
	ladder  ladder.ID
	url     string
}

func newLadder(t *testing.T, change ...func(*ladder.Settings)) *club3 {
	t.Helper()
	s := &club3{site: newSite(t), people: map[string]player.Player{}}
	s.arbiter = arbiter.New(s.store, s.live, arbiter.Config{Now: s.clock.Now}, nil)
	s.host = s.account("Olena", player.Organizer)
	settings := ladder.DefaultSettings()
	settings.Name, settings.Places, settings.Percent, settings.FirstFree = "Драбина клубу", 1, 0, false
	for _, c := range change {
		c(&settings)
	}
	var err error
	if s.ladder, err = s.arbiter.Ladders.Create(t.Context(), player.Viewer{Player: s.host}, settings); err != nil {
		t.Fatal(err)
	}
	s.url = "/ladders/" + string(s.ladder)
	for _, h := range []player.Handle{"ana", "bob", "cyn"} {
		s.people[string(h)] = s.account(h, player.Plain)
		s.browserOf(string(h)).post("/fair-play", "fair-play", words.FairPlayHash(lang.English), "return", "/").want(http.StatusOK)
		if err := s.arbiter.Ladders.Join(t.Context(), player.Viewer{Player: s.people[string(h)]}, s.ladder, ""); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func (s *club3) browserOf(handle string) *browser { return s.as(s.people[handle], lang.English) }

func TestLadderPagesSpeakBothLanguages(t *testing.T) {
	t.Parallel()
	s := newLadder(t)
	s.browserOf("bob").post(s.url+"/challenges", "player", "ana").want(http.StatusOK)
	for _, l := range lang.All {
		host := s.as(s.host, l)
		for _, path := range []string{"/ladders", "/ladders?q=zzz", "/ladders/new", s.url, s.url + "/edit", s.url + "/fair-play", s.url + "/history", s.url + "/history?player=bob", s.url + "/challenges/1"} {
			checkPage(t, host.get(path).want(http.StatusOK), l)
			if !strings.Contains(path, "new") && !strings.Contains(path, "edit") && !strings.Contains(path, "fair-play") {
				checkPage(t, s.browser(l).get(path).want(http.StatusOK), l)
			}
		}
	}
}

func TestEveryRowOfALadderSaysWhetherItCanBeChallenged(t *testing.T) {
	t.Parallel()
	s := newLadder(t)
	p := s.browserOf("cyn").get(s.url).want(http.StatusOK)
	p.wants("button", "Challenge bob").wantsNo("button", "Challenge ana").wantsNo("button", "Challenge cyn")
	for _, why := range []string{"You can challenge up to place 2.", `<span class="badge mine">you</span>`} {
		if !strings.Contains(p.body, why) {
			t.Errorf("the page does not say %q", why)
		}
	}
	s.browser(lang.English).get(s.url).wants("link", "Sign in to challenge").wantsNo("header", "Challenge")
	if p := s.browserOf("cyn").get("/"); strings.Contains(p.body, "Your challenges on ladders") {
		t.Error("a challenge waits for cyn")
	}
	// The button was there when the page was shown; meanwhile another was quicker.
	if _, err := s.arbiter.Ladders.Challenge(t.Context(), player.Viewer{Player: s.people["cyn"]}, s.ladder, "id-bob"); err != nil {
		t.Fatal(err)
	}
	p = s.browserOf("cyn").post(s.url+"/challenges", "player", "bob").want(http.StatusOK)
	if !strings.Contains(p.body, "you have a challenge between you") {
		t.Error("the row does not say why")
	}
	s.browserOf("bob").get("/ladders").wants("heading", "Your challenges on ladders").wants("link", "cyn → bob")
	s.browserOf("bob").get("/").wants("heading", "cyn challenges you on the ladder").wants("link", "Answer")
}

func TestChallengeIsMadeAcceptedAppointedAndPlayed(t *testing.T) {
	t.Parallel()
	s := newLadder(t)
	bob, ana := s.browserOf("bob"), s.browserOf("ana")
	s.write(func(tx *store.Tx) error {
		return tx.SetPlayerSettings("id-ana", player.Settings{Zone: "Europe/London"})
	})
	p := bob.post(s.url+"/challenges", "player", "ana").want(http.StatusOK)
	challenge := s.url + "/challenges/1"
	if p.path != challenge {
		t.Fatalf("after sending one stands at %s", p.path)
	}
	p.wants("button", "Withdraw the challenge").wantsNo("button", "Accept")
	if !strings.Contains(p.body, "free, nobody moves.") || !strings.Contains(p.body, "Answer by Mon Nov\u00a023, 02:00") {
		t.Error("the cost or the deadline is missing")
	}
	p = ana.get(challenge).wants("button", "Accept the challenge").wants("button", "Decline the challenge")
	if !strings.Contains(p.body, "bob takes your place.") {
		t.Error("the cost of declining is missing")
	}
	ana.post(challenge + "/accept").want(http.StatusOK)
	p = bob.post(challenge+"/times", "time", "2026-11-22T19:30").want(http.StatusOK)
	if !strings.Contains(p.body, "tomorrow 19:30") || !strings.Contains(p.body, "ana (Europe/London): tomorrow 17:30") {
		t.Error("the proposal is not shown in both zones")
	}
	bob.post(challenge+"/times", "time", "2026-11-01T19:30").want(http.StatusUnprocessableEntity)
	bob.post(challenge+"/times", "time", "tomorrow").want(http.StatusBadRequest)
	ana.get(challenge).wants("button", "Agree")
	ana.post(challenge+"/agree", "time", "2026-11-22T17:30:00Z").want(http.StatusOK)
	s.clock.advance(29*time.Hour + 20*time.Minute)
	if err := s.arbiter.Ladders.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	ana.get(challenge).wants("link", "To the match").wantsNo("button", "Concede")

	s.write(func(tx *store.Tx) error {
		l, err := tx.Ladder(s.ladder)
		if err != nil {
			return err
		}
		c, err := l.Challenge(1)
		return errors.Join(err, tx.AddSignal(review.Signal{ID: "s", Player: "id-bob", Match: c.Match, Kind: review.SignalAnalysis, At: s.clock.Now()}))
	})
	if err := s.arbiter.Sweep(t.Context()); err != nil { // the signal opens a review
		t.Fatal(err)
	}
	of := s.url + "/2026-Q4/fair-play/of/"
	for _, l := range lang.All {
		host := s.as(s.host, l)
		checkPage(t, host.get(s.url+"/fair-play").want(http.StatusOK), l)
		checkPage(t, host.get(of+"bob").want(http.StatusOK), l)
		checkPage(t, s.as(s.people["bob"], l).get(of+"me").want(http.StatusOK), l)
	}
	host := s.as(s.host, lang.English)
	host.get(s.url+"/fair-play").want(http.StatusOK).says("Asked our analysis").says("review open").wants("link", "bob")
	// Of somebody about whom nothing is recorded, the name leads there.
	host.get(s.url+"/fair-play?player=ana").want(http.StatusOK).says("against bob").wants("button", "Open a review")
	host.get(s.url + "/fair-play?player=nobody").want(http.StatusOK).says("nobody has played no match on this ladder")
	var opened string
	host.get(of+"bob").want(http.StatusOK).says("October to December 2026").says("against ana").wants("button", "Tell the player").saysNot("in this tournament annulled")
	s.write(func(tx *store.Tx) error {
		list, err := tx.ReviewsIn(fairplay.Place(strings.Trim(s.url, "/") + "/2026-Q4"))
		if len(list) != 1 {
			t.Errorf("%+v, %v", list, err)
			return err
		}
		opened = list[0].ID
		return err
	})
	host.post(of+"bob", "review", opened, "steps", "1", "do", "tell", "text", "Why did you ask?").want(http.StatusOK).says("Why did you ask?")
	bob.get(of+"me").want(http.StatusOK).says("Why did you ask?").wants("button", "Answer")
	bob.get("/fair-play/me").want(http.StatusOK).wants("link", "Драбина клубу, October to December 2026")
	ana.get(of + "bob").want(http.StatusForbidden)
	host.get(s.url + "/2026/fair-play/of/bob").want(http.StatusNotFound)
	for _, b := range []*browser{bob, ana} {
		b.get(s.url + "/fair-play").want(http.StatusForbidden)
	}
}

func TestWhatTheMatchOfALadderAchievedIsSaidWhereItsResultIs(t *testing.T) {
	t.Parallel()
	s := newLadder(t, func(l *ladder.Settings) { l.Policy, l.Rated = fairplay.Preset(fairplay.Declared), true })
	bob, ana := s.browserOf("bob"), s.browserOf("ana")
	bob.post(s.url+"/challenges", "player", "ana").want(http.StatusOK)
	one, badge := s.url+"/challenges/1", `<span class="badge">Declared</span>`
	sweep := func() {
		if err := errors.Join(s.arbiter.Ladders.Sweep(t.Context()), s.arbiter.Sweep(t.Context())); err != nil {
			t.Fatal(err)
		}
	}
	ana.post(one + "/accept").want(http.StatusOK)
	bob.post(one+"/times", "time", "2026-11-22T19:30").want(http.StatusOK)
	ana.post(one+"/agree", "time", "2026-11-22T17:30:00Z").want(http.StatusOK)
	s.clock.advance(29*time.Hour + 20*time.Minute)
	sweep()
	type duel struct {
		Match     match.ID
		Assurance *struct{ Demanded, Achieved *string }
	}
	var c duel
	s.program(s.people["bob"]).ask("GET", one, "", http.StatusOK, &c)
	if c.Assurance == nil || c.Assurance.Achieved != nil || *c.Assurance.Demanded != "declared" {
		t.Fatalf("while it is played: %+v", c)
	}
	for _, do := range []struct {
		by      player.ID
		command match.Command
	}{{"id-bob", match.Ready{Seat: match.First}}, {"id-ana", match.Ready{Seat: match.Second}}, {"id-ana", match.Resign{Seat: match.Second}}} {
		if _, err := s.live.Do(t.Context(), c.Match, do.by, live.Request{Command: do.command, Admit: admitted}); err != nil {
			t.Fatal(err)
		}
	}
	sweep()
	bob.get(one).says("bob won").says(badge)
	bob.get(s.url).says(badge)
	bob.get("/players/bob").says(badge)
	s.program(s.people["bob"]).ask("GET", one, "", http.StatusOK, &c)
	if c.Assurance.Achieved == nil || *c.Assurance.Achieved != "declared" {
		t.Errorf("when it is over: %+v", c.Assurance)
	}
	var bobs struct {
		History []struct {
			Match    match.ID
			Achieved string
		}
	}
	s.program(s.people["bob"]).ask("GET", "/players/bob", "", http.StatusOK, &bobs)
	if len(bobs.History) == 0 || bobs.History[len(bobs.History)-1].Match != c.Match || bobs.History[len(bobs.History)-1].Achieved != "declared" {
		t.Errorf("the history: %+v", bobs.History)
	}
}

func TestOpenPagesOfALadderFollowIt(t *testing.T) {
	storetest.ManyAtOnce(t)
	t.Parallel()
	s := newLadder(t)
	cyn, bob := s.browserOf("cyn"), s.browserOf("bob")
	events := bob.follow(s.url + "/feed?last=4") // created, and three have joined
	cyn.post(s.url+"/challenges", "player", "bob").want(http.StatusOK)
	if html := events(); !strings.Contains(html, `id="ladder-body"`) || !strings.Contains(html, "cyn → bob") {
		t.Errorf("the ladder's page got %q", html)
	}
	events = cyn.follow(s.url + "/challenges/1/feed?last=5")
	bob.post(s.url + "/challenges/1/accept").want(http.StatusOK)
	if html := events(); !strings.Contains(html, `id="challenge-body"`) || !strings.Contains(html, "agreeing on a time") {
		t.Errorf("the challenge's page got %q", html)
	}
	bob.get("/ladders/nowhere/feed").want(http.StatusNotFound)
}

// follow opens a feed; each call of the result waits for its next swap.
func (b *browser) follow(path string) func() string {
	b.site.t.Helper()
	return b.hear(path, "swap")
}

// hear opens a feed; each call of the result waits for its next event of a kind.
func (b *browser) hear(path, kind string) func() string {
	b.site.t.Helper()
	req, err := http.NewRequestWithContext(b.site.t.Context(), http.MethodGet, b.site.http.URL+path, nil)
	if err != nil {
		b.site.t.Fatal(err)
	}
	req.Header.Set("Accept-Language", b.lang)
	res, err := b.client.Do(req)
	if err != nil {
		b.site.t.Fatal(err)
	}
	b.site.t.Cleanup(func() { res.Body.Close() })
	lines := bufio.NewScanner(res.Body)
	lines.Buffer(nil, 1<<20)
	return func() string {
		b.site.t.Helper()
		var event strings.Builder
		for lines.Scan() {
			if event.WriteString(lines.Text()); lines.Text() == "" {
				if strings.Contains(event.String(), "event: "+kind) {
					return event.String()
				}
				event.Reset()
			}
		}
		b.site.t.Fatalf("%s has ended: %v", path, lines.Err())
		return ""
	}
}

func TestDroppingAChallengeCostsWhatWasShownOrIsRefused(t *testing.T) {
	t.Parallel()
	s := newLadder(t)
	bob, ana := s.browserOf("bob"), s.browserOf("ana")
	bob.post(s.url+"/challenges", "player", "ana").want(http.StatusOK)
	ana.post(s.url + "/challenges/1/accept").want(http.StatusOK)
	// The page from before the acceptance promised a withdrawal without a cost.
	bob.post(s.url+"/challenges/1/drop", "cost", "none").want(http.StatusConflict)
	bob.post(s.url+"/challenges/1/drop", "cost", "win").want(http.StatusOK)
	if p := bob.get(s.url); !strings.Contains(p.body, "ana won") {
		t.Error("the ladder does not tell who has won")
	}
	p := ana.get(s.url + "/history").want(http.StatusOK)
	if !strings.Contains(p.body, "1: Withdrawn. Winner: ana.") {
		t.Error("the history does not tell it")
	}
}

func TestWhoMayDoWhatOnALadder(t *testing.T) {
	t.Parallel()
	s := newLadder(t)
	dan := s.account("dan", player.Plain)
	tests := []struct {
		name   string
		by     player.Player
		path   string
		form   []string
		status int
	}{
		{"a player does not make a ladder of the site", dan, "/ladders", []string{"name", "Mine"}, 403},
		{"a player does not see its settings", dan, s.url + "/edit", nil, 403},
		{"a player does not add others", dan, s.url + "/players", []string{"handle", "Olena"}, 403},
		{"a player does not move anybody", dan, s.url + "/move", []string{"player", "ana", "to", "3", "why", "so"}, 403},
		{"a player removes nobody else", dan, s.url + "/remove", []string{"player", "ana"}, 403},
		{"an organizer adds players by handle", s.host, s.url + "/players", []string{"handle", "dan"}, 200},
		{"not those who do not exist", s.host, s.url + "/players", []string{"handle", "nobody"}, 422},
		{"an organizer gives a reason for moving", s.host, s.url + "/move", []string{"player", "ana", "to", "3"}, 422},
		{"and then moves", s.host, s.url + "/move", []string{"player", "ana", "to", "3", "why", "agreed in the club"}, 200},
		{"one leaves", dan, s.url + "/leave", []string{"x", "y"}, 200},
		{"once", dan, s.url + "/leave", []string{"x", "y"}, 409},
		{"there is no such ladder", dan, "/ladders/nowhere/join", []string{"x", "y"}, 404},
		{"there is no such challenge", dan, s.url + "/challenges/7/accept", []string{"x", "y"}, 409},
	}
	browsers := map[player.ID]*browser{dan.ID: s.as(dan, lang.English), s.host.ID: s.as(s.host, lang.English)}
	for _, test := range tests {
		b := browsers[test.by.ID]
		var p page
		if test.form == nil {
			p = b.get(test.path)
		} else {
			p = b.post(test.path, test.form...)
		}
		if p.status != test.status {
			t.Errorf("%s: status %d, want %d", test.name, p.status, test.status)
		}
	}
	s.browser(lang.English).post(s.url + "/join").want(http.StatusUnauthorized)
}

func TestOwnerOfAClubMakesItsLadder(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	owner, stranger := s.account("Owner", player.Plain), s.account("Stranger", player.Plain)
	s.write(func(tx *store.Tx) error {
		return tx.AddClub(club.New("club1", "Dragons", "", owner.ID, s.clock.Now()))
	})
	s.as(stranger, lang.English).get("/ladders/new").want(http.StatusForbidden)
	b := s.as(owner, lang.English)
	b.get("/ladders").wants("link", "New ladder").wantsNo("link", "Dragon ladder")
	p := b.get("/ladders/new").want(http.StatusOK)
	values := formValues(p)
	p = b.post("/ladders", replaced(values, "places", "0")...).want(http.StatusUnprocessableEntity)
	p.wants("alert", "Name: required")
	p = b.post("/ladders", replaced(values, "name", "Dragon ladder")...).want(http.StatusOK)
	p.wants("heading", "Dragon ladder").wants("link", "Dragons").wants("button", "Join")
	p = b.post(p.path + "/join").want(http.StatusOK)
	p.wants("button", "Go on vacation")
	p = b.post(p.path+"/vacation", "begin", "yes").want(http.StatusOK)
	p.wants("button", "Come back from vacation")
}

// formValues are the names and values that the page's biggest form would send.
func formValues(p page) []string {
	var out []string
	for n := range p.root.Descendants() {
		name, ok := attr(n, "name")
		if !ok || name == "lang" || name == "theme" || name == "return" || name == "try" || name == "viewport" || name == "color-scheme" {
			continue
		}
		switch n.Data {
		case "input":
			kind, _ := attr(n, "type")
			_, checked := attr(n, "checked")
			if value, _ := attr(n, "value"); kind != "checkbox" && kind != "radio" || checked {
				out = append(out, name, value)
			}
		case "textarea":
			out = append(out, name, text(n))
		case "select":
			chosen, first := "", true
			for o := range n.Descendants() {
				if o.Data != "option" {
					continue
				}
				value, _ := attr(o, "value")
				if _, selected := attr(o, "selected"); selected || first {
					chosen, first = value, false
				}
			}
			out = append(out, name, chosen)
		}
	}
	return out
}

// replaced is a form with another value for a name.
func replaced(pairs []string, name, value string) []string {
	out := append([]string{}, pairs...)
	for i := 0; i < len(out); i += 2 {
		if out[i] == name {
			out[i+1] = value
		}
	}
	return out
}
