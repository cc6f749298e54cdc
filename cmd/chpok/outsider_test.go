package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"chpok.org/chpok/cmd/internal/cli"
	"chpok.org/chpok/store/storetest"
)

// The acceptance tests of somebody from outside, as far as they need a real server
// or a real browser; docs/inside.md, "How fair play is tested", says where the others are.

// refused wants a request of the API refused, and answers its code and message.
func (c *client) refused(status int, method, path string, in any) (code, message string) {
	c.t.Helper()
	a := rawCall(c.t, c, method, path, in)
	var e struct {
		Code, Detail string
	}
	if err := json.Unmarshal(a.body, &e); err != nil || a.status != status {
		c.t.Fatalf("%s %s %s: %d %s, want %d", c.name, method, path, a.status, a.body, status)
	}
	return e.Code, e.Detail
}

// duel pairs two accounts in a tournament that they enter by themselves.
func fightTo(t *testing.T, organizer *client, settings map[string]any, players ...*client) (id string) {
	t.Helper()
	in := map[string]any{"name": "Duel", "format": "swiss", "rounds": 1, "pace": "auto", "lateness": 300_000}
	for k, v := range settings {
		in[k] = v
	}
	var made struct{ ID string }
	organizer.must("POST", "/tournaments", in, &made)
	for _, p := range players {
		organizer.must("POST", "/tournaments/"+made.ID+"/entries", map[string]any{"player": p.name}, nil)
	}
	organizer.must("POST", "/tournaments/"+made.ID+"/start", nil, nil)
	var view tournamentView
	organizer.must("GET", "/tournaments/"+made.ID, nil, &view)
	id = *view.Rounds[0].Pairings[0].Match
	for _, p := range players {
		if _, err := p.send(id, p.match(id).Seq, map[string]any{"ready": true}); err != nil {
			t.Fatalf("%s ready: %v", p.name, err)
		}
	}
	return id
}

// Acceptance 1, where a token may move, and 2.
func TestABotPlaysInTheOpenMarkedAndNowhereElse(t *testing.T) {
	t.Parallel()
	dsn := storetest.SQLiteDSN(t)
	server := startNode(t, dsn)
	anna := newPlayer(t, dsn, "anna", "organizer")
	chpok(t, "player", "add", "robot", "--database-url", dsn)
	chpok(t, "player", "bot", "robot", "--maintainer", "anna", "--database-url", dsn) // a bot of the house would move by itself
	robot := &client{t: t, token: chpok(t, "token", "add", "robot", "--scope", "read,bot:play", "--database-url", dsn), name: "robot"}
	visitor := &client{t: t, name: "nobody"}
	for _, c := range []*client{anna, robot, visitor} {
		c.base = server.base
	}
	id := fightTo(t, anna, nil, anna, robot)
	for m := anna.match(id); m.Status != "over"; m = anna.match(id) {
		var err error
		switch mine := robot.match(id); {
		case mine.mine():
			_, err = robot.act(mine, 7)
		case m.State.Phase == "board":
			_, err = anna.send(id, m.Seq, map[string]any{"act": "resign"})
		default:
			_, err = anna.act(m, 3)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	shown, err := visitor.request("GET", "/matches/"+id, nil)
	if err != nil || !strings.Contains(string(shown.body), "<span>бот</span>") && !strings.Contains(string(shown.body), "<span>bot</span>") {
		t.Errorf("the page of the match does not mark the bot: %v", err)
	}
	var record struct {
		Players   map[string]string
		Assurance struct {
			Statement struct {
				Players [2]string
				Bots    [2]bool
			}
		}
	}
	await(t, "the statement", func() bool {
		visitor.must("GET", "/matches/"+id+"/record", nil, &record)
		return record.Assurance.Statement.Players[0] != ""
	})
	for i, name := range record.Assurance.Statement.Players {
		if record.Assurance.Statement.Bots[i] != (name == "robot") {
			t.Errorf("the export says %+v", record.Assurance.Statement)
		}
	}

	var errs bytes.Buffer
	if code := app.Run(t.Context(), []string{"token", "add", "anna", "--scope", "bot:play", "--database-url", dsn}, cli.IO{In: strings.NewReader(""), Out: io.Discard, Err: &errs}); code == 0 {
		t.Error("a person has a bot's token")
	}
	var made struct{ ID string }
	anna.must("POST", "/tournaments", map[string]any{"name": "People", "format": "swiss", "rounds": 1, "policy": map[string]any{"level": "declared"}}, &made)
	full := &client{t: t, base: server.base, token: chpok(t, "token", "add", "robot", "--database-url", dsn), name: "robot"}
	for _, by := range []*client{full, anna} {
		code, message := by.refused(http.StatusForbidden, "POST", "/tournaments/"+made.ID+"/entries", map[string]any{"player": "robot"})
		if code != "assurance" || !strings.Contains(message, "level declared") || !strings.Contains(message, "a human account, and a bot is none") {
			t.Errorf("%s enters the bot: %s %s", by.name, code, message)
		}
	}
}

// Acceptance 9.
func TestBidsStayWithinAnEventAndACallRestoresItsDefault(t *testing.T) {
	t.Parallel()
	dsn := storetest.SQLiteDSN(t)
	server := startNode(t, dsn)
	anna, bohdan := newPlayer(t, dsn, "anna", "organizer"), newPlayer(t, dsn, "bohdan", "player")
	anna.base, bohdan.base = server.base, server.base
	points := []int{1, 6, 5, 2, 3, 4, 0}
	kinds := map[string]int{"P": points[0], "N": points[1], "B": points[2], "R": points[3], "Q": points[4], "K": points[5]}
	features := func(limit int) map[string]any {
		return map[string]any{"moveLimit": limit, "movePoints": kinds}
	}
	id := fightTo(t, anna, map[string]any{"envelope": map[string]any{
		"chips": 3, "minutes": []int{3, 25}, "increment": []int{2, 10}, "moveLimit": []int{12, 20}, "defaults": features(20),
		"presets": []any{map[string]int{"minutes": 3, "increment": 2}, map[string]int{"minutes": 25, "increment": 10}},
	}}, anna, bohdan)
	first, second := anna, bohdan
	if anna.match(id).First != "anna" {
		first, second = bohdan, anna
	}
	raise := func(target string, outcome map[string]any) map[string]any {
		bid := map[string]any{"target": target, "chips": 1}
		for k, v := range outcome {
			bid[k] = v
		}
		return map[string]any{"bid": bid}
	}
	for _, test := range []struct {
		bid  map[string]any
		want string
	}{
		{raise("time", map[string]any{"minutes": 60, "increment": 10}), "minutes must be within 3…25: try 25"},
		{raise("time", map[string]any{"minutes": 2, "increment": 2}), "minutes must be within 3…25: try 3"},
		{raise("features", map[string]any{"features": features(888)}), "moveLimit must be within 12…20: try 20"},
		{raise("features", map[string]any{"features": features(11)}), "moveLimit must be within 12…20: try 12"},
	} {
		if code, message := first.refused(http.StatusUnprocessableEntity, "POST", "/matches/"+id+"/commands", test.bid); code != "envelope" || message != test.want {
			t.Errorf("%v: %s %q, want %q", test.bid, code, message, test.want)
		}
	}
	limit := func() int {
		var m struct {
			State struct {
				Features struct {
					MoveLimit  int
					MovePoints map[string]int
				}
			}
		}
		anna.must("GET", "/matches/"+id, nil, &m)
		if m.State.Features.MovePoints["N"] != 6 {
			t.Errorf("knights count %v", m.State.Features.MovePoints)
		}
		return m.State.Features.MoveLimit
	}
	if _, err := first.send(id, first.match(id).Seq, raise("features", map[string]any{"features": features(12)})); err != nil || limit() != 12 {
		t.Fatalf("a raise to 12: %v, the limit is %d", err, limit())
	}
	if _, err := second.send(id, second.match(id).Seq, raise("features", nil)); err != nil || limit() != 20 {
		t.Errorf("after a call the limit is %d, want the event's 20 (%v)", limit(), err)
	}
}

// blockTelemetry does to a visitor's pages what an extension does that blocks what
// they tell. (Network.setBlockedURLs passes requests with keepalive.)
func (v *visitor) blockTelemetry() {
	v.t.Helper()
	p := page.AddScriptToEvaluateOnNewDocumentParams{
		Source: `{ const real = window.fetch; window.fetch = (at, o) => String(at).endsWith("/telemetry") ? Promise.reject(new TypeError("blocked")) : real(at, o); }`,
	}
	if _, err := chromedp.Call(v.ctx, page.AddScriptToEvaluateOnNewDocument, p); err != nil {
		v.t.Fatal(err)
	}
}

// thief sends a form with what was copied out of a visitor's browser: the cookies,
// and nothing else.
func (v *visitor) thief(path string, form url.Values) (status int, body string) {
	v.t.Helper()
	jar, err := chromedp.Call(v.ctx, network.GetCookies, network.GetCookiesParams{})
	if err != nil {
		v.t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(v.t.Context(), "POST", v.base+path, strings.NewReader(form.Encode()))
	if err != nil {
		v.t.Fatal(err)
	}
	for _, c := range jar.Cookies {
		req.AddCookie(&http.Cookie{Name: c.Name, Value: c.Value})
	}
	req.Header.Set("Origin", v.base)
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Accept", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		v.t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		v.t.Fatal(err)
	}
	return resp.StatusCode, string(raw)
}

// acts is how many bids and moves somebody sees of a match.
func (c *client) acts(id string) (n int) {
	c.t.Helper()
	var log struct {
		Events []struct{ Body struct{ Bid, Act any } }
	}
	c.must("GET", "/matches/"+id+"/events", nil, &log)
	for _, e := range log.Events {
		if e.Body.Bid != nil || e.Body.Act != nil {
			n++
		}
	}
	return n
}

// Acceptance 3, 4, 6, 11 and 13 in browsers: a device that does not make sure who
// holds it, a stolen cookie, an old act, a second browser, a visitor who polls, and
// a player whose browser blocks what the page tells.
func TestAnOutsiderTriesAVerifiedMatch(t *testing.T) {
	t.Parallel()
	window, dsn, base, host, boss := matchOfTwo(t)
	boss.vouch("vira", "ivan")
	event := host.verifiedEvent("1", "40")
	players, verifies := map[string]*visitor{}, map[string]func(bool){}
	for _, handle := range []string{"vira", "ivan"} {
		v := visit(t, window, base, 1280, 900)
		v.refuse = []int{http.StatusForbidden, http.StatusConflict}
		players[handle] = v
		v.signIn(dsn, handle)
		verifies[handle] = v.giveDevice()
		v.addPasskey("phone")
		v.promise()
		v.post(event + "/register")
	}
	host.post(event + "/start")
	var view tournamentView
	host.api("/tournaments/"+strings.TrimPrefix(event, "/tournaments/"), &view)
	board := view.Rounds[0].Pairings[0]
	first, second, at := players[board.First], players[board.Second], "/matches/"+*board.Match

	// Acceptance 4: the device must make sure who holds it.
	first.blockTelemetry()
	first.open(at + "/check-in")
	verifies[board.First](false)
	first.click("form[data-device][data-page-key] button")
	first.waitFor("form[data-device] .device-trouble")
	if n := eval[int](first, fmt.Sprintf(`fetch(%q).then(r => r.text()).then(t => new DOMParser().parseFromString(t, "text/html").querySelectorAll("#m-check-in:not([hidden]), button[name=ready]").length)`, at)); n != 1 {
		t.Errorf("%d ways on the match page, want the check-in alone", n)
	}
	verifies[board.First](true)
	first.click("form[data-device][data-page-key] button")
	first.waitFor("#match")

	second.open(at)
	second.checkIn()
	second.waitFor("#m-told")
	for _, v := range []*visitor{first, second} {
		v.click("button[name=ready]")
	}
	for _, v := range []*visitor{first, second} {
		v.waitFor("#m-main.is-bidding")
	}
	if said := first.text("#m-told"); !strings.Contains(said, "Declared") && !strings.Contains(said, "Задекларовано") {
		t.Errorf("whose browser blocks the page reads: %s", said)
	}

	// Acceptance 3: a copied cookie signs nothing, and an act counts once.
	eval[bool](first, `(() => { window.sent = []; const real = window.fetch; window.fetch = (at, o) => { if (String(at).endsWith("/commands")) window.sent.push(String(o.body)); return real(at, o); }; return true; })()`)
	bid := url.Values{"target": {"white"}, "chips": {"1"}}
	if status, body := first.thief(at+"/commands", bid); status != http.StatusForbidden {
		t.Errorf("a stolen cookie bids: %d %s", status, body)
	}
	first.click("#raise-white > summary")
	first.fill("#chips-white", "1")
	first.click("#raise-white .raise-foot .primary")
	second.waitFor("#raise-time")
	old, err := url.ParseQuery(eval[string](first, "window.sent[0]"))
	if err != nil || old.Get("sig") == "" {
		t.Fatalf("what was sent: %v, %v", old, err)
	}
	old.Set("id", "again")
	if status, body := first.thief(at+"/commands", old); status != http.StatusConflict {
		t.Errorf("an old act once more: %d %s", status, body)
	}
	seq := eval[string](second, `document.getElementById("m-state").dataset.seq`)
	if old.Set("seq", seq); seq == "" {
		t.Fatal("the page does not say where the log stands")
	}
	if status, body := first.thief(at+"/commands", old); status != http.StatusForbidden {
		t.Errorf("an old signature at a new place: %d %s", status, body)
	}
	second.click("#raise-time > summary")
	second.fill("#time-minutes", "5")
	second.fill("#chips-time", "1")
	second.click("#raise-time .raise-foot .primary")
	first.waitPiece("e2", "wP")
	first.clickMove("e2", "e4")
	second.waitPiece("e4", "wP")

	// Acceptance 11: a visitor who polls sees nothing of it, its players all.
	visitor := &client{t: t, base: base, name: "nobody"}
	if n := visitor.acts(*board.Match); n != 0 {
		t.Errorf("a visitor sees %d acts within two minutes", n)
	}
	var own struct{ Events []any }
	second.api("/matches/"+*board.Match+"/events", &own)
	if len(own.Events) < 6 {
		t.Errorf("a player sees %d events of his match", len(own.Events))
	}

	// Acceptance 6: another browser takes over by its own check-in.
	other := visit(t, window, base, 390, 844)
	other.refuse = []int{http.StatusForbidden}
	other.signIn(dsn, board.Second)
	other.giveDevice()
	other.open(at)
	other.waitPiece("e4", "wP")
	other.clickMove("a7", "a6")
	other.waitFor("#m-check-in a.button")
	other.addPasskey("laptop")
	other.open(at)
	other.checkIn()
	other.waitPiece("e4", "wP")
	second.clickMove("b7", "b6") // the first browser signs with a key that counts no more
	second.waitFor("#m-check-in a.button")
	other.clickMove("a7", "a6")
	first.waitPiece("a6", "bP")
	for where, texts := range map[string][]string{
		"/fair-play":           {"Second session", "Друг"},
		"/fair-play/check-ins": {"Took over from another signed-in browser", "іншого"},
	} {
		host.open(event + where)
		if said := host.text("main"); !strings.Contains(said, texts[0]) && !strings.Contains(said, texts[1]) {
			t.Errorf("%s does not tell of the second browser:\n%s", where, said)
		}
	}
	first.click("#confirm-resign > summary")
	first.click("#confirm-resign button")
	other.waitFor("#m-state[data-status='over'] .result")

	// Acceptance 13, and 6: the play went on, and the match is worth less.
	var done struct {
		Assurance struct {
			Achieved string
			Reasons  []struct{ Key string }
		}
	}
	await(t, "what was achieved and why", func() bool {
		other.api("/matches/"+*board.Match, &done)
		reasons := fmt.Sprint(done.Assurance.Reasons)
		return done.Assurance.Achieved == "declared" && strings.Contains(reasons, "second-session") && strings.Contains(reasons, "no-telemetry")
	})
}
