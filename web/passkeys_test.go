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
	"chpok.org/chpok/web/words"
)

func TestAPasskeySignsInAndIsTakenOff(t *testing.T) {
	t.Parallel()
	n := newClubNightNamed(t)
	anna, d := n.as(n.players["anna"], lang.English), newDevice(t, n.http.URL)
	anna.options("/settings/passkeys/options", http.StatusUnprocessableEntity, "password", "guessed")
	weak := newDevice(t, n.http.URL)
	weak.verifies = false
	options := anna.options("/settings/passkeys/options", http.StatusOK, "password", password)
	anna.post("/settings/passkeys", "answer", weak.create(options)).want(http.StatusUnprocessableEntity).wants("alert", "didn’t check that it’s you")
	anna.enrol(d, password)

	visitor := n.browser(lang.English)
	visitor.get("/sign-in").wants("button", "Sign in with a passkey")
	ask := func() string { return d.get(visitor.options("/sign-in/passkey/options", http.StatusOK)) }
	answer := ask()
	visitor.post("/sign-in/passkey", "answer", answer, "return", "/settings/passkeys").want(http.StatusOK).says("phone")
	n.browser(lang.English).post("/sign-in/passkey", "answer", answer).want(http.StatusUnprocessableEntity).wants("alert", "took too long")

	late := ask()
	n.clock.advance(2 * time.Minute)
	visitor = n.browser(lang.English)
	visitor.post("/sign-in/passkey", "answer", late).want(http.StatusUnprocessableEntity)
	other := newDevice(t, n.http.URL)
	visitor.post("/sign-in/passkey", "answer", other.get(visitor.options("/sign-in/passkey/options", http.StatusOK))).want(http.StatusUnprocessableEntity).wants("alert", "doesn’t know that passkey")
	elsewhere := *d
	elsewhere.origin = "http://chpok.example"
	visitor.post("/sign-in/passkey", "answer", elsewhere.get(visitor.options("/sign-in/passkey/options", http.StatusOK))).want(http.StatusUnprocessableEntity).wants("alert", "answer wasn’t right")
	d.count = 0 // a copy counts behind the original
	visitor.post("/sign-in/passkey", "answer", ask()).want(http.StatusUnprocessableEntity).wants("alert", "may have copied the passkey")
	d.count = 100

	var id string
	n.write(func(tx *store.Tx) error {
		list, err := tx.Passkeys(n.players["anna"].ID)
		id = list[0].ID
		return err
	})
	anna.post("/settings/passkeys/drop", "id", id, "password", "guessed").want(http.StatusUnprocessableEntity).wants("alert", "")
	borys := n.as(n.players["borys"], lang.English)
	borys.post("/settings/passkeys/drop", "id", id, "password", password).want(http.StatusNotFound)
	anna.post("/settings/passkeys/drop", "id", id, "answer", d.get(anna.options("/settings/passkeys/drop/options", http.StatusOK))).want(http.StatusOK).says("None yet")
	visitor.post("/sign-in/passkey", "answer", ask()).want(http.StatusUnprocessableEntity)
}

func TestASiteAtABareAddressSaysThatItHasNoPasskeys(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	anna := n.as(n.players["anna"], lang.English)
	anna.get("/settings/passkeys").want(http.StatusOK).says("Passkeys do not work at this address")
	anna.options("/settings/passkeys/options", http.StatusConflict, "password", password)
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
	anna.post(url, "answer", ask()).want(http.StatusUnprocessableEntity).wants("alert", "didn’t check that it’s you")
	d.verifies = true
	late := ask()
	g.clock.advance(121 * time.Second)
	anna.post(url, "answer", late).want(http.StatusUnprocessableEntity).wants("alert", "took too long")
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
	d.count = 0 // a copy counts behind the original
	anna.post(url, "answer", ask()).want(http.StatusUnprocessableEntity).wants("alert", "may have copied the passkey")
	g.host.get(g.path + "/fair-play").says("Passkey in two places")
	anna.get("/fair-play/me").says("Passkey in two places")
	d.count = 100
	answer := ask()
	anna.post(url, "answer", answer).want(http.StatusOK).says("You are checked in")
	anna.post(url, "answer", answer).want(http.StatusUnprocessableEntity).wants("alert", "took too long")

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
	g.clock.advance(time.Minute)
	boss := g.as(g.player("Boss"), lang.English)
	boss.post("/attestations/"+g.words(g.players["anna"].ID)[0].ID+"/revoke", "code", "error").want(http.StatusOK)
	g.round(devices)
	i := slices.IndexFunc(g.seats[:], func(p player.Player) bool { return p.Handle == "anna" })
	ended := "Chpok’s attestation of the player was taken back on Nov\u00a021 (a mistake): ask Chpok, or another club, to vouch"
	g.browsers[i].get(g.url()+"/check-in").want(http.StatusOK).wants("alert", "the word of a club").wants("alert", ended).wants("alert", "Ask your club")
	told := g.browsers[i].post(g.url()+"/check-in/options", "key", g.pages[i].public()).want(http.StatusUnprocessableEntity)
	told.says(ended)
	g.as(g.seats[i], lang.Ukrainian).get(g.url()+"/check-in").wants("alert", "Поручительство «Chpok» за гравця відкликано 21\u00a0лист. (причина: помилка)")
	g.id = first
	g.assured(fairplay.Verified)
	g.clock.advance(3 * time.Minute)
	visitor := g.browser(lang.English)
	visitor.get(g.url()).want(http.StatusOK).wants("heading", "Fair play: Verified").says("Chpok no longer vouched for anna (a mistake)").says("What the match achieved stays.")
	visitor.get("/matches/" + string(g.id) + "/record.json").want(http.StatusOK).says(`"level":"verified"`)
}

// Acceptance 5, at the entry.
func TestAnEntryIsRefusedByTheNameOfTheWordThatEnded(t *testing.T) {
	t.Parallel()
	n := newClubNightNamed(t)
	boss := n.as(n.account("Boss", player.Operator), lang.English)
	for i, h := range []string{"anna", "borys"} {
		boss.post("/attestations/issuers/site", "handle", h, "kind", "identity", "how", "video", "days", "400", "name", "Person "+h, "born", "1990-01-0"+strconv.Itoa(i+1)).want(http.StatusOK)
	}
	boss.post("/attestations/"+n.words(n.players["borys"].ID)[0].ID+"/revoke", "code", "error").want(http.StatusOK)
	path := n.create("format", "swiss", "policy", "verified")
	told := map[string][3]string{
		"borys": {"was taken back on Nov\u00a021 (a mistake): ask Chpok, or another club, to vouch", "відкликано 21\u00a0лист. (причина: помилка)",
			"the word of Chpok (identity) was taken back on 2026-11-21 (error); ask Chpok to vouch anew"},
		"anna": {"ended on Dec\u00a026: ask Chpok to vouch again", "закінчилося 26\u00a0груд.: попросіть поручитися знову",
			"the word of Chpok (identity) ended on 2027-12-26; ask Chpok to vouch anew"},
	}
	for _, h := range []string{"borys", "anna"} { // for the second of whom time passes
		ended := told[h]
		if h == "anna" { // 400 days from November 21, 2026
			b := n.as(n.players[h], lang.English)
			b.get(path).saysNot("Chpok’s attestation")
			n.clock.advance(400 * 24 * time.Hour)
		}
		b := n.as(n.players[h], lang.English)
		b.get(path).want(http.StatusOK).says("Chpok’s attestation of the player " + ended[0])
		b.post(path + "/register").want(http.StatusUnprocessableEntity).says(ended[0])
		n.as(n.players[h], lang.Ukrainian).post(path + "/register").want(http.StatusUnprocessableEntity).says("Поручительство «Chpok» за гравця " + ended[1])
		n.as(n.player("Olena"), lang.English).post(path+"/entries", "handle", h).want(http.StatusUnprocessableEntity).wants("alert", ended[0])
		var answer struct {
			Code, Detail string
		}
		n.program(n.players[h]).ask("POST", path+"/entries", `{}`, http.StatusForbidden, &answer)
		if answer.Code != "assurance" || !strings.Contains(answer.Detail, ended[2]) {
			t.Errorf("%s by the API: %+v", h, answer)
		}
	}
	if list := n.tournament(path).Entries; len(list) != 0 {
		t.Errorf("entered: %+v", list)
	}
}

// Acceptance 6, and who has lost their session.
func TestAnotherBrowserTakesOverByItsOwnCheckIn(t *testing.T) {
	t.Parallel()
	g := newVerified(t, "1")
	g.begin()
	second := g.page(0, g.as(g.seats[0], lang.English))
	bid := []string{"target", "white", "chips", "1"}
	second.act(bid...).want(http.StatusForbidden)
	second.checkIn().want(http.StatusOK)
	g.pages[0].act(bid...).want(http.StatusForbidden).says("on another page")
	second.act(bid...).want(http.StatusOK)
	g.host.get(g.path + "/fair-play").says("Second session").says("Move without a signature")
	g.host.get(g.path + "/fair-play/check-ins").want(http.StatusOK).says("Took over from another signed-in browser")
	// The other player clears their browser's data: a new key, the same session.
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
	given := g.host.post(url+"/issue", "seat", "first").want(http.StatusOK).wants("status", "Code for "+string(g.seats[0].Handle))
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
	g.pages[1].act("target", "white", "chips", "1").want(http.StatusUnprocessableEntity) // not their turn: signed and judged
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

func TestAMatchForPrizesTakesOnlyKeysOfOneDevice(t *testing.T) {
	t.Parallel()
	g := newVerified(t, "1", "policy_one_device", "on")
	synced := newDevice(t, g.http.URL)
	synced.syncs = true
	anna, url := g.browsers[0], g.url()+"/check-in"
	anna.enrol(synced, password)
	anna.get("/settings/passkeys").says("can be synced").says("stays on its device")
	options := func() json.RawMessage { return anna.options(url+"/options", http.StatusOK, "key", g.pages[0].public()) }
	if offered := string(options()); strings.Contains(offered, raw64(synced.id)) || !strings.Contains(offered, raw64(g.devices[0].id)) {
		t.Errorf("the device is asked for %s", offered)
	}
	anna.post(url, "answer", synced.get(options())).want(http.StatusUnprocessableEntity).wants("alert", "can’t leave its device")
	g.pages[0].checkIn().want(http.StatusOK)

	// Who has synced keys only is told at the door of the event, and what helps.
	path := g.create("format", "swiss", "rounds", "1", "chips", "1", "policy", "verified", "policy_one_device", "on")
	boss, clara := g.as(g.player("Boss"), lang.English), g.as(g.players["clara"], lang.English)
	boss.post("/attestations/issuers/site", "handle", "clara", "kind", "identity", "how", "video", "days", "400", "name", "Clara", "born", "1990-05-05").want(http.StatusOK)
	clara.post("/fair-play", "fair-play", words.FairPlayHash(lang.English), "return", path).want(http.StatusOK)
	cloud := newDevice(t, g.http.URL)
	cloud.syncs = true
	clara.enrol(cloud, password)
	clara.get(path).says("a passkey that can’t leave its device").says("such as a security key or Windows Hello")
	clara.post(path + "/register").want(http.StatusUnprocessableEntity)
	g.host.post(path+"/fair-play/admit", "handle", "clara", "reason", "no such key at hand", "without", "one-device").want(http.StatusOK)
}

func TestTheFormOfAnEventWithPrizes(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	form := []string{"format", "swiss", "rounds", "3", "policy", "verified", "policy_prizes", "on"}
	path := n.create(form...)
	if got, want := n.tournament(path).Policy, fairplay.Preset(fairplay.Verified).ForPrizes(); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	n.host.get(path + "/info").says("security key")
	if !strings.Contains(n.host.get(path+"/fair-play").want(http.StatusOK).body, `name="policy_prizes" value="on" checked`) {
		t.Error("the form does not show what was chosen")
	}
	n.host.post(path+"/fair-play", "policy", "declared", "policy_prizes", "on").want(http.StatusUnprocessableEntity).wants("alert", "event with prizes")
	n.host.post(path+"/fair-play", "policy", "verified", "policy_prizes", "on", "policy_attestations", "3").want(http.StatusOK)
	if got := n.tournament(path).Policy; got.Attestations != 3 || !got.CheckIn.OneDevice {
		t.Errorf("%+v", got)
	}
	n.host.post(path+"/fair-play", "policy", "verified").want(http.StatusOK)
	if got := n.tournament(path).Policy; got != fairplay.Preset(fairplay.Verified) {
		t.Errorf("%+v", got)
	}
}

// What a page asks a device that is to keep a new key, what the site keeps of it,
// and that the answer is for this site alone.
func TestADeviceIsAskedForAKeyThatItUnlocks(t *testing.T) {
	t.Parallel()
	n := newClubNightNamed(t)
	anna, d := n.as(n.players["anna"], lang.English), newDevice(t, n.http.URL)
	var asked struct {
		Challenge              string
		RP                     struct{ ID string }
		Attestation            string
		Timeout                int
		AuthenticatorSelection struct{ ResidentKey, UserVerification string }
		ExcludeCredentials     []struct{ ID string }
	}
	ask := func() json.RawMessage {
		options := anna.options("/settings/passkeys/options", http.StatusOK, "password", password)
		asked.ExcludeCredentials = nil
		if err := json.Unmarshal(options, &asked); err != nil {
			t.Fatal(err)
		}
		return options
	}
	ask()
	if asked.RP.ID != "localhost" || asked.AuthenticatorSelection.ResidentKey != "preferred" || asked.AuthenticatorSelection.UserVerification != "required" ||
		asked.Attestation != "none" && asked.Attestation != "" || len(asked.Challenge) < 43 || asked.Timeout != 120_000 {
		t.Errorf("the device is asked for %+v", asked)
	}
	d.syncs = true
	anna.enrol(d, password)
	if ask(); len(asked.ExcludeCredentials) != 1 || asked.ExcludeCredentials[0].ID != raw64(d.id) {
		t.Errorf("a second key of the same device is possible: %+v", asked.ExcludeCredentials)
	}
	n.write(func(tx *store.Tx) error {
		keys, err := tx.Passkeys(n.players["anna"].ID)
		if k := keys[0]; len(keys) != 1 || len(k.AAGUID) != 16 || !k.Syncable || k.Synced || k.SignCount != 1 || len(k.PublicKey) == 0 {
			t.Errorf("the site keeps %+v", keys)
		}
		return err
	})
	// A device that was led to another site answers for that one.
	elsewhere := newDevice(t, "http://chpok.example")
	answer := elsewhere.create(ask())
	anna.post("/settings/passkeys", "answer", answer).want(http.StatusUnprocessableEntity).wants("alert", "answer wasn’t right")
	misled := newDevice(t, "http://chpok.example") // the right origin, the key of another site
	options := ask()
	misled.claims = n.http.URL
	anna.post("/settings/passkeys", "answer", misled.create(options)).want(http.StatusUnprocessableEntity).wants("alert", "answer wasn’t right")
}
