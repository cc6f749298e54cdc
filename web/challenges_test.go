package web_test

import (
	"bufio"
	"net/http"
	"path"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament/challenge"
)

// duel is a site with two players, a third and a house bot.
type duel struct {
	*site
	olena, taras, sofia player.Player
	a, b, c             *browser
}

func newDuel(t *testing.T) *duel {
	t.Helper()
	s := newSite(t)
	s.account("Boss", player.Operator) // a site without one asks for it first
	d := &duel{site: s, olena: s.account("Olena", player.Plain), taras: s.account("Taras", player.Plain)}
	d.sofia = s.account("Sofia", player.Plain)
	s.write(func(tx *store.Tx) error {
		return tx.AddPlayer(player.Player{ID: "id-bot", Handle: "Slon-bot", Role: player.Plain, Bot: true, Created: s.clock.Now()}, "")
	})
	d.a, d.b, d.c = s.as(d.olena, lang.English), s.as(d.taras, lang.English), s.as(d.sofia, lang.English)
	return d
}

// offer sends the form of a new challenge as Olena.
func (d *duel) offer(pairs ...string) page {
	d.t.Helper()
	return d.a.post("/challenges", append([]string{"preset", "quick", "claims", "automatic", "lateness", "5", "life", "1440"}, pairs...)...)
}

func TestAChallengeByLinkBecomesAMatch(t *testing.T) {
	t.Parallel()
	d := newDuel(t)
	offered := d.offer("who", "link").want(http.StatusOK)
	if !strings.HasPrefix(offered.path, "/c/") {
		t.Fatalf("led to %s", offered.path)
	}
	offered.wants("heading", "Invite someone to play").wants("button", "Withdraw").wants("img", "")
	link := d.http.URL + offered.path
	for _, want := range []string{link, `class="qr-ink" d="M4 4h7v1h-7z`, "never more than 45\u00a0min", "bids first"} {
		if !strings.Contains(strings.ToLower(offered.body), strings.ToLower(want)) {
			t.Errorf("no %q on the challenger's page", want)
		}
	}
	if offered.has("button", "Accept") {
		t.Error("the challenger cannot accept himself")
	}
	visitor := d.browser(lang.English).get(offered.path).want(http.StatusOK).wants("link", "Sign in and accept")
	visitor.wants("button", "Accept\u00a0– no account")
	if strings.Contains(visitor.body, "qr-ink") {
		t.Error("a visitor sees more than the terms")
	}
	if !strings.Contains(visitor.body, "never more than") {
		t.Error("the terms stand there before anybody accepts")
	}
	accepted := d.b.get(offered.path).wants("button", "Accept")
	if accepted.has("button", "Decline") {
		t.Error("a challenge by link is nobody's to decline")
	}
	played := d.b.post(offered.path + "/accept").want(http.StatusOK)
	if !strings.HasPrefix(played.path, "/matches/") {
		t.Fatalf("led to %s", played.path)
	}
	_, head, err := d.live.State(t.Context(), match.ID(strings.TrimPrefix(played.path, "/matches/")))
	if err != nil || head.Players != [2]player.ID{d.olena.ID, d.taras.ID} {
		t.Fatalf("%v, %v", head.Players, err)
	}
	d.a.get(offered.path).wants("link", "To the match")
	d.c.get(offered.path).wants("link", "Watch the match")
	late := d.c.post(offered.path + "/accept").want(http.StatusForbidden)
	late.wants("status", "for somebody else")
}

func TestAChallengeToAPlayer(t *testing.T) {
	t.Parallel()
	d := newDuel(t)
	d.a.get("/challenges/new?to=Taras").want(http.StatusOK).named("handle", "Taras")
	offered := d.offer("who", "player", "handle", "taras", "rated", "on")
	offered.wants("heading", "Olena challenges Taras")
	if d.c.get(offered.path).has("button", "Accept") {
		t.Error("it is for Taras only")
	}
	d.offer("who", "player", "handle", "taras").want(http.StatusConflict).wants("alert", "already")
	d.b.get(offered.path).wants("button", "Accept").wants("button", "Decline")
	d.b.post(offered.path+"/decline").want(http.StatusOK).wants("heading", "Olena challenges Taras")
	if again := d.a.get(offered.path).wants("link", "A new challenge"); !strings.Contains(again.body, "/challenges/new?to=Taras") {
		t.Error("a new challenge goes to the same player")
	}
	d.b.post(offered.path+"/accept").want(http.StatusConflict).wants("status", "already answered")
}

func TestWhatTheFormRefuses(t *testing.T) {
	t.Parallel()
	d := newDuel(t)
	tests := []struct {
		name  string
		form  []string
		words string
	}{
		{"nobody of that name", []string{"who", "player", "handle", "nobody"}, "No player has that handle"},
		{"no name at all", []string{"who", "player", "handle", ""}, "No player has that handle"},
		{"oneself", []string{"who", "player", "handle", "olena"}, "can’t play against yourself"},
		{"a bot for the rating", []string{"who", "bot", "bot", "Slon-bot", "rated", "on"}, "never rated"},
		{"a wait of a minute", []string{"who", "link", "life", "1"}, "aren’t possible"},
	}
	for _, test := range tests {
		form := test.form
		if test.name == "a wait of a minute" {
			form = append([]string{"preset", "quick", "claims", "automatic"}, form...)
			d.a.post("/challenges", form...).want(http.StatusUnprocessableEntity).wants("alert", test.words)
			continue
		}
		d.offer(form...).want(http.StatusUnprocessableEntity).wants("alert", test.words)
	}
	d.a.post("/challenges", "who", "link", "preset", "none", "claims", "automatic").want(http.StatusBadRequest)
}

func TestABotPlaysAtOnceAndAgain(t *testing.T) {
	t.Parallel()
	d := newDuel(t)
	d.a.get("/challenges/new?to=slon-bot").want(http.StatusOK)
	played := d.offer("who", "bot", "bot", "Slon-bot").want(http.StatusOK)
	if !strings.HasPrefix(played.path, "/matches/") {
		t.Fatalf("led to %s", played.path)
	}
	id := match.ID(strings.TrimPrefix(played.path, "/matches/"))
	d.a.post(played.path + "/rematch").want(http.StatusConflict) // it is not over
	if state, _, err := d.live.State(t.Context(), id); err != nil || state.Status() != match.Waiting {
		t.Fatalf("a match with a bot waits for its player to be ready: %v, %v", state.Status(), err)
	}
	for _, c := range []match.Command{match.Ready{Seat: match.First}, match.Ready{Seat: match.Second}, match.Resign{Seat: match.First}} {
		by := d.olena.ID
		if c == (match.Ready{Seat: match.Second}) {
			by = "id-bot"
		}
		if _, err := d.live.Do(t.Context(), id, by, live.Request{Command: c}); err != nil {
			t.Fatal(err)
		}
	}
	d.a.get(played.path).wants("button", "Rematch")
	if watched := d.b.get(played.path); watched.has("button", "Rematch") {
		t.Error("a rematch is for the players")
	}
	d.b.get(played.path + "/rematch").want(http.StatusForbidden)
	if none := d.a.get(played.path + "/rematch").want(http.StatusOK); none.path != played.path {
		t.Errorf("no rematch is offered, and it leads to %s", none.path)
	}
	again := d.a.post(played.path + "/rematch").want(http.StatusOK)
	if !strings.HasPrefix(again.path, "/matches/") || again.path == played.path {
		t.Fatalf("led to %s", again.path)
	}
	if back := d.a.get(played.path + "/rematch"); back.path != again.path {
		t.Errorf("a match has one rematch, not %s", back.path)
	}
}

func TestTheChallengerIsTakenToTheMatch(t *testing.T) {
	storetest.ManyAtOnce(t)
	t.Parallel()
	d := newDuel(t)
	offered := d.offer("who", "link")
	page := d.a.get(offered.path)
	if !strings.Contains(page.body, `data-feed="`+offered.path+`/feed?last=1"`) || !strings.Contains(page.body, "challenge.js") {
		t.Fatal("the page does not listen")
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, d.http.URL+offered.path+"/feed?last=1", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept", "text/event-stream")
	req.Header.Set("Accept-Language", "en")
	res, err := d.a.client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	played := d.b.post(offered.path + "/accept").want(http.StatusOK)
	var events, data []string
	for lines := bufio.NewScanner(res.Body); lines.Scan(); {
		switch key, value, _ := strings.Cut(lines.Text(), ": "); key {
		case "event":
			if value != "bell" { // it rings when it likes
				events = append(events, value)
			}
		case "data":
			data = append(data, value)
		}
	}
	if got := strings.Join(events, " "); got != "swap match end" {
		t.Fatalf("events %s", got)
	}
	all := strings.Join(data, "\n")
	if !strings.Contains(all, `id="challenge-state"`) || !strings.Contains(all, "Taras has accepted") || !strings.Contains(all, `{"url":"`+played.path+`"}`) {
		t.Errorf("%s", all)
	}
}

// The page of a match hears what the match did to the ratings, which is known after its end, and of a rematch that is
// offered later still.
func TestAMatchPageIsToldWhatTheMatchDidToTheRatings(t *testing.T) {
	t.Parallel()
	d := newDuel(t)
	judge := arbiter.New(d.store, d.live, arbiter.Config{Now: d.clock.Now}, nil)
	played := d.b.post(d.offer("who", "link", "rated", "on").path + "/accept").want(http.StatusOK)
	id := match.ID(path.Base(played.path))
	d.a.post(played.path+"/commands", "ready", "true").want(http.StatusOK)
	d.b.post(played.path+"/commands", "act", "resign").want(http.StatusOK)
	next := (&contest{site: d.site}).stream(t.Context(), d.a, played.path+"/feed?last=1")
	swap := func() string {
		for {
			switch _, event, data := next(); event {
			case "swap":
				return data
			case "bell":
			default:
				t.Fatalf("event %q", event)
			}
		}
	}
	if first := swap(); !strings.Contains(first, "Taras resigned.") || strings.Contains(first, "This match") {
		t.Fatalf("first %s", first)
	}
	judge.OnFinish(t.Context(), id)
	if then := swap(); !strings.Contains(then, "This match") {
		t.Errorf("then %s", then)
	}
	offer := d.b.post(played.path+"/rematch").want(http.StatusOK).wants("button", "Withdraw").wantsNo("button", "Rematch")
	if offer.path != played.path {
		t.Errorf("a rematch is asked for at %s", offer.path)
	}
	offer.wants("status", "Rematch offered. The match opens when Olena accepts.")
	for last := ""; !strings.Contains(last, "Accept rematch"); {
		last = swap()
	}
}

func TestChallengesSpeakBothLanguages(t *testing.T) {
	t.Parallel()
	d := newDuel(t)
	offered := d.offer("who", "link").path
	for _, l := range lang.All {
		b := d.as(d.sofia, l)
		checkPage(t, b.get("/challenges/new").want(http.StatusOK), l)
		checkPage(t, b.get(offered).want(http.StatusOK), l)
		checkPage(t, d.as(d.olena, l).get(offered).want(http.StatusOK), l)
	}
}

func TestProgramsChallengeEachOther(t *testing.T) {
	t.Parallel()
	d := newDuel(t)
	olena, taras, sofia, nobody := d.program(d.olena), d.program(d.taras), d.program(d.sofia), program{site: d.site}
	type answer struct {
		ID                                  challenge.ID
		Status, Challenger, Opponent, First string
		Match, Rematch                      match.ID
		WorstCase                           int64
		Expires                             time.Time
		Terms                               struct {
			Rated    bool
			Claims   string
			Lateness int64
			Envelope struct{ Chips int }
		}
		URL string
	}
	var x, y answer
	nobody.ask(http.MethodPost, "/challenges", `{"to":"Taras"}`, http.StatusUnauthorized, nil)
	olena.ask(http.MethodPost, "/challenges", `{"to":"Taras","rated":true,"claims":"manual","lateness":0,"expires":3600000,"envelope":{"chips":3}}`, http.StatusCreated, &x)
	if x.Status != "open" || x.Challenger != "Olena" || x.Opponent != "Taras" || x.First != "Olena" || !x.Terms.Rated || x.Terms.Claims != "manual" ||
		x.Terms.Envelope.Chips != 3 || !x.Expires.Equal(d.clock.Now().Add(time.Hour)) || x.URL != d.http.URL+"/c/"+string(x.ID) {
		t.Errorf("%+v", x)
	}
	path := "/challenges/" + string(x.ID)
	if code := sofia.refused(path+"/accept", "", http.StatusForbidden); code != "not-for-you" {
		t.Error(code)
	}
	taras.ask(http.MethodPost, path+"/accept", "", http.StatusOK, &x)
	if x.Status != "accepted" || x.Match == "" {
		t.Errorf("%+v", x)
	}
	if code := taras.refused(path+"/decline", "", http.StatusConflict); code != "closed" {
		t.Error(code)
	}
	nobody.ask(http.MethodGet, path, "", http.StatusOK, &y)
	if x != y {
		t.Errorf("%+v", y)
	}
	olena.ask(http.MethodPost, "/matches/"+string(x.Match)+"/commands", `{"act":"resign"}`, http.StatusOK, nil)
	taras.ask(http.MethodPost, "/challenges", `{"rematch":"`+string(x.Match)+`"}`, http.StatusCreated, &y)
	if y.Rematch != x.Match || y.First != "Taras" || y.Challenger != "Taras" || y.Terms.Envelope.Chips != 3 {
		t.Errorf("%+v", y)
	}
	taras.ask(http.MethodDelete, "/challenges/"+string(y.ID), "", http.StatusOK, &y)
	if y.Status != "withdrawn" {
		t.Errorf("%+v", y)
	}
	y = answer{}
	olena.ask(http.MethodPost, "/challenges", "", http.StatusCreated, &y) // by link, all as usual
	if y.Opponent != "" || y.Terms.Rated || y.Terms.Lateness != 300_000 {
		t.Errorf("%+v", y)
	}
	for body, code := range map[string]string{
		`{"to":"Olena"}`: "self", `{"to":"Slon-bot","rated":true}`: "bot-rated", `{"expires":1000}`: "settings", `{"claims":"loud"}`: "settings",
		`{"envelope":{"chips":0}}`: "envelope",
	} {
		if got := olena.refused("/challenges", body, http.StatusUnprocessableEntity); got != code {
			t.Errorf("%s: %s, want %s", body, got, code)
		}
	}
	olena.ask(http.MethodPost, "/challenges", `{"to":"nobody"}`, http.StatusNotFound, nil)
}

func TestChallengesWaitOnTheHomePage(t *testing.T) {
	t.Parallel()
	d := newDuel(t)
	if quiet := d.b.get("/"); quiet.has("link", "challenges you") {
		t.Error("nobody has challenged anybody yet")
	}
	d.b.get("/").wants("link", "Play")
	d.a.get("/players/Taras").wants("link", "Challenge")
	if own := d.a.get("/players/Olena"); own.has("link", "Challenge") {
		t.Error("nobody challenges himself")
	}
	offered := d.offer("who", "player", "handle", "Taras")
	d.offer("who", "link")
	d.a.get("/").wants("link", "You have challenged Taras").wants("link", "Your challenge by link")
	d.b.get("/").wants("heading", "Olena challenges you").wants("link", "Answer")
	d.clock.advance(24 * time.Hour)
	if late := d.b.get("/"); late.has("heading", "Olena challenges you") {
		t.Error("its time is over")
	}
	d.b.get(offered.path).want(http.StatusOK)
}
