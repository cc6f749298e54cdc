package web_test

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
)

func TestAPasskeySignsInAndIsTakenOff(t *testing.T) {
	t.Parallel()
	n := newClubNightNamed(t)
	anna, d := n.as(n.players["anna"], lang.English), newDevice(t, n.http.URL)
	anna.options("/settings/passkeys/options", http.StatusUnprocessableEntity, "password", "guessed")
	weak := newDevice(t, n.http.URL)
	weak.verifies = false
	options := anna.options("/settings/passkeys/options", http.StatusOK, "password", passwordOf("anna"))
	anna.post("/settings/passkeys", "answer", weak.create(options)).want(http.StatusUnprocessableEntity).wants("alert", "did not make sure that it is you")
	anna.enrol(d, passwordOf("anna"))

	visitor := n.browser(lang.English)
	visitor.get("/sign-in").wants("button", "Sign in with a passkey")
	ask := func() string { return d.get(visitor.options("/sign-in/passkey/options", http.StatusOK)) }
	answer := ask()
	visitor.post("/sign-in/passkey", "answer", answer, "return", "/settings/passkeys").want(http.StatusOK).says("phone")
	n.browser(lang.English).post("/sign-in/passkey", "answer", answer).want(http.StatusUnprocessableEntity).wants("alert", "Too much time has passed")

	late := ask()
	n.clock.advance(2 * time.Minute)
	visitor = n.browser(lang.English)
	visitor.post("/sign-in/passkey", "answer", late).want(http.StatusUnprocessableEntity)
	other := newDevice(t, n.http.URL)
	visitor.post("/sign-in/passkey", "answer", other.get(visitor.options("/sign-in/passkey/options", http.StatusOK))).want(http.StatusUnprocessableEntity).wants("alert", "knows no such passkey")
	elsewhere := *d
	elsewhere.origin = "http://chpok.example"
	visitor.post("/sign-in/passkey", "answer", elsewhere.get(visitor.options("/sign-in/passkey/options", http.StatusOK))).want(http.StatusUnprocessableEntity).wants("alert", "does not hold")
	d.count = 0 // a copy counts behind the original
	visitor.post("/sign-in/passkey", "answer", ask()).want(http.StatusUnprocessableEntity).wants("alert", "may have been copied")
	d.count = 100

	var id string
	n.write(func(tx *store.Tx) error {
		list, err := tx.Passkeys(n.players["anna"].ID)
		id = list[0].ID
		return err
	})
	anna.post("/settings/passkeys/drop", "id", id, "password", "guessed").want(http.StatusUnprocessableEntity).wants("alert", "")
	borys := n.as(n.players["borys"], lang.English)
	borys.post("/settings/passkeys/drop", "id", id, "password", passwordOf("borys")).want(http.StatusNotFound)
	anna.post("/settings/passkeys/drop", "id", id, "answer", d.get(anna.options("/settings/passkeys/drop/options", http.StatusOK))).want(http.StatusOK).says("None yet")
	visitor.post("/sign-in/passkey", "answer", ask()).want(http.StatusUnprocessableEntity)
}

func TestASiteAtABareAddressSaysThatItHasNoPasskeys(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	anna := n.as(n.players["anna"], lang.English)
	anna.get("/settings/passkeys").want(http.StatusOK).says("At this address the site cannot have passkeys")
	anna.options("/settings/passkeys/options", http.StatusConflict, "password", passwordOf("anna"))
	n.browser(lang.English).get("/sign-in").wantsNo("button", "passkey")
}

// Acceptance 3.
func TestOnlyTheCheckedInPageMoves(t *testing.T) {
	t.Parallel()
	g := newVerified(t, "1")
	thief := *g.browsers[0] // the same cookies
	g.browsers[0].get(g.url()).wantsNo("button", "I am ready").wants("link", "Check in")
	g.browsers[0].post(g.url()+"/commands", "ready", "true").want(http.StatusForbidden).says("from a checked-in page only")
	g.begin()
	if g.state().Status() != match.Bidding {
		t.Fatalf("%v after both were ready", g.state().Status())
	}
	bid := []string{"target", "white", "chips", "1"}
	thief.post(g.url()+"/commands", bid...).want(http.StatusForbidden).says("played at level Verified")
	thief.post(g.url()+"/commands", append(bid, "seq", strconv.FormatInt(g.state().Seq(), 10))...).want(http.StatusForbidden)
	req := strings.NewReader(`{"bid":{"target":"white","chips":1}}`)
	api, _ := http.NewRequest("POST", g.http.URL+"/api/v1/matches/"+string(g.id)+"/commands", req)
	api.Header.Set("Content-Type", "application/json")
	thief.do(api).want(http.StatusForbidden)
	thief.post(g.url()+"/commands", "act", "resign").want(http.StatusForbidden)
	forged := g.page(0, &thief)
	forged.act(bid...).want(http.StatusForbidden)
	if g.state().Seq() != 4 { // opened, two ready, started
		t.Fatalf("the log stands at %d", g.state().Seq())
	}
	signed := g.pages[0].sign(bid...)
	changed := slices.Clone(signed)
	changed[slices.Index(changed, "white")] = "time"
	thief.post(g.url()+"/commands", changed...).want(http.StatusForbidden)
	g.browsers[0].post(g.url()+"/commands", signed...).want(http.StatusOK)
	stands := g.state().Seq()
	thief.post(g.url()+"/commands", signed...).want(http.StatusConflict)
	again := slices.Clone(signed)
	again[slices.Index(again, "seq")+1] = strconv.FormatInt(stands, 10)
	thief.post(g.url()+"/commands", again...).want(http.StatusForbidden)
	if g.state().Seq() != stands {
		t.Error("a replay moved")
	}
	g.host.get(g.path + "/fair-play").want(http.StatusOK).says("Move without a signature")
	for _, b := range g.browsers { // as the pages' scripts do
		b.json(g.url()+"/telemetry", `{"rows":[{"kind":"hello"}]}`)
	}
	g.pages[1].act("target", "time", "chips", "1", "minutes", "5", "increment", "3").want(http.StatusOK)
	g.pages[0].act("act", "b1c3").want(http.StatusOK)
	g.pages[1].act("act", "resign").want(http.StatusOK)
	g.assured(fairplay.Verified)
}

// assured wants what the match achieved. That pages told nothing of themselves is
// passed over: a match without moves asks for nothing.
func (g *verified) assured(want fairplay.Assurance, reasons ...string) {
	g.t.Helper()
	var found fairplay.Achievement
	g.write(func(tx *store.Tx) error {
		p, err := tx.MatchPolicy(g.id)
		if p.Statement != nil {
			found = p.Statement.Statement.Achieved
		}
		return err
	})
	var keys []string
	for _, r := range found.Reasons {
		if r.Key != string(fairplay.NoTelemetry) {
			keys = append(keys, r.Key)
		}
	}
	if found.Level != want || !slices.Equal(keys, reasons) {
		g.t.Errorf("achieved %v because of %v, want %v because of %v", found.Level, keys, want, reasons)
	}
}

// Acceptance 4.
func TestACheckInHoldsForOneMatchOnceAndShortly(t *testing.T) {
	t.Parallel()
	g := newVerified(t, "1")
	anna, d, url := g.browsers[0], g.devices[0], g.url()+"/check-in"
	key := g.pages[0].public()
	ask := func() string { return d.get(anna.options(url+"/options", http.StatusOK, "key", key)) }
	anna.options(url+"/options", http.StatusUnprocessableEntity, "key", "nonsense")
	d.verifies = false
	anna.post(url, "answer", ask()).want(http.StatusUnprocessableEntity).wants("alert", "did not make sure that it is you")
	d.verifies = true
	late := ask()
	g.clock.advance(121 * time.Second)
	anna.post(url, "answer", late).want(http.StatusUnprocessableEntity).wants("alert", "Too much time has passed")
	g.as(g.players["clara"], lang.English).get(url).want(http.StatusForbidden)
	g.browsers[1].post(url, "answer", ask()).want(http.StatusUnprocessableEntity) // another player's
	second := g.as(g.seats[0], lang.English)
	second.post(url, "answer", ask()).want(http.StatusUnprocessableEntity) // another session's

	// What was asked for another match, or on another policy, is no answer here.
	for _, change := range []func(*store.Ceremony){
		func(c *store.Ceremony) { c.Match = "another" },
		func(c *store.Ceremony) { c.Policy = fairplay.Preset(fairplay.Supervised).Hash() },
	} {
		options := anna.options(url+"/options", http.StatusOK, "key", key)
		var text struct{ Challenge string }
		if err := json.Unmarshal(options, &text); err != nil {
			t.Fatal(err)
		}
		challenge, err := base64.RawURLEncoding.DecodeString(text.Challenge)
		if err != nil {
			t.Fatal(err)
		}
		g.write(func(tx *store.Tx) error {
			c, err := tx.TakeCeremony(challenge, "check-in", g.clock.Now())
			if change(&c); err == nil {
				err = tx.AddCeremony(c, g.clock.Now())
			}
			return err
		})
		anna.post(url, "answer", d.get(options)).want(http.StatusUnprocessableEntity).wants("alert", "for something else")
	}
	answer := ask()
	anna.post(url, "answer", answer).want(http.StatusOK).says("You are checked in")
	anna.post(url, "answer", answer).want(http.StatusUnprocessableEntity).wants("alert", "Too much time has passed")

	// Too early is no check-in either: the wait is longer than it holds.
	g.pages[0].act("ready", "true").want(http.StatusOK)
}

// Acceptance 5.
func TestWhoseWordWasTakenBackChecksInNoMore(t *testing.T) {
	t.Parallel()
	g := newVerified(t, "2", "format", "round-robin")
	devices := map[string]*device{string(g.seats[0].Handle): g.devices[0], string(g.seats[1].Handle): g.devices[1]}
	g.begin()
	g.pages[0].act("act", "resign").want(http.StatusOK)
	first := g.id
	boss := g.as(g.player("Boss"), lang.English)
	boss.post("/attestations/"+g.words(g.players["anna"].ID)[0].ID+"/revoke", "code", "error").want(http.StatusOK)
	g.round(devices)
	i := slices.IndexFunc(g.seats[:], func(p player.Player) bool { return p.Handle == "anna" })
	g.browsers[i].get(g.url()+"/check-in").want(http.StatusOK).wants("alert", "the word of a club or an arbiter").wants("alert", "Ask your club")
	g.browsers[i].options(g.url()+"/check-in/options", http.StatusUnprocessableEntity, "key", g.pages[i].public())
	g.id = first
	g.assured(fairplay.Verified)
}

// Acceptance 6, and who has lost his session.
func TestAnotherBrowserTakesOverByItsOwnCheckIn(t *testing.T) {
	t.Parallel()
	g := newVerified(t, "1")
	g.begin()
	second := g.page(0, g.as(g.seats[0], lang.English))
	bid := []string{"target", "white", "chips", "1"}
	second.act(bid...).want(http.StatusForbidden)
	second.checkIn().want(http.StatusOK)
	g.pages[0].act(bid...).want(http.StatusForbidden).says("on another page since")
	second.act(bid...).want(http.StatusOK)
	g.host.get(g.path + "/fair-play").says("Second session").says("Move without a signature")
	g.host.get(g.path + "/fair-play/check-ins").want(http.StatusOK).says("Took over from another signed-in browser")
	// The other player clears his browser's data: a new key, the same session.
	lost := g.page(1, g.browsers[1])
	lost.checkIn().want(http.StatusOK)
	lost.act("target", "time", "chips", "1", "minutes", "5", "increment", "3").want(http.StatusOK)
	g.host.get(g.path + "/fair-play/check-ins").says("again in the same browser")
	second.act("act", "b1c3").want(http.StatusOK)
	lost.act("act", "resign").want(http.StatusOK)
	g.assured(fairplay.Declared, "second-session")
}

func TestACodeOfTheArbiterChecksInOnce(t *testing.T) {
	t.Parallel()
	g := newVerified(t, "1")
	url := g.url() + "/check-in"
	g.browsers[0].post(url+"/issue", "seat", "first").want(http.StatusForbidden)
	given := g.host.post(url+"/issue", "seat", "first").want(http.StatusOK).wants("status", "For "+string(g.seats[0].Handle))
	i := strings.Index(given.body, `class="code-big">`) + len(`class="code-big">`)
	code := strings.ToLower(given.body[i : i+9])
	enter := func(seat int, code string) page {
		return g.browsers[seat].post(url+"/code", "code", code, "key", g.pages[seat].public())
	}
	enter(1, code).want(http.StatusUnprocessableEntity).says("There is no such code for you")
	g.clock.advance(2 * time.Minute)
	enter(0, code).want(http.StatusOK).says("You are checked in")
	enter(0, code).want(http.StatusUnprocessableEntity)
	g.pages[0].act("ready", "true").want(http.StatusOK)
	g.pages[1].checkIn().want(http.StatusOK)
	g.pages[1].act("ready", "true").want(http.StatusOK)
	g.pages[1].act("target", "white", "chips", "1").want(http.StatusUnprocessableEntity) // not his turn: signed and judged
	g.pages[0].act("act", "resign").want(http.StatusOK)
	g.assured(fairplay.Verified, "checked-by-code")

	old := newVerified(t, "1")
	given = old.host.post(old.url()+"/check-in/issue", "seat", "second").want(http.StatusOK)
	i = strings.Index(given.body, `class="code-big">`) + len(`class="code-big">`)
	old.clock.advance(10 * time.Minute)
	old.browsers[1].post(old.url()+"/check-in/code", "code", given.body[i:i+9], "key", old.pages[1].public()).want(http.StatusUnprocessableEntity)
}

func TestWhoDoesNotCheckInForfeits(t *testing.T) {
	t.Parallel()
	g := newVerified(t, "1")
	g.pages[0].checkIn().want(http.StatusOK)
	g.pages[0].act("ready", "true").want(http.StatusOK)
	g.clock.advance(5 * time.Minute)
	if err := g.live.SweepDue(t.Context()); err != nil {
		t.Fatal(err)
	}
	if r := g.state().Result(); r.Outcome != match.FirstWins || r.Reason != match.Forfeit {
		t.Errorf("%+v", r)
	}
	g.assured(fairplay.Declared, "no-check-in")
}
