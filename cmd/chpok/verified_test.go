package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/webauthn"
	"github.com/chromedp/chromedp"

	"chpok.org/chpok/store/storetest"
)

// giveDevice puts an authenticator with user verification into a visitor's
// browser. What it answers says whether the device makes sure who holds it.
func (v *visitor) giveDevice() (verifies func(bool)) {
	v.t.Helper()
	_, err := chromedp.Call(v.ctx, webauthn.Enable, webauthn.EnableParams{})
	if err != nil {
		v.t.Fatalf("an authenticator for the browser: %v", err)
	}
	made, err := chromedp.Call(v.ctx, webauthn.AddVirtualAuthenticator, webauthn.AddVirtualAuthenticatorParams{Options: &webauthn.VirtualAuthenticatorOptions{
		Protocol: webauthn.AuthenticatorProtocolCtap2, Transport: "internal", HasResidentKey: true, HasUserVerification: true,
		IsUserVerified: true, AutomaticPresenceSimulation: true,
	}})
	if err != nil {
		v.t.Fatalf("an authenticator for the browser: %v", err)
	}
	return func(is bool) {
		v.t.Helper()
		p := webauthn.SetUserVerifiedParams{AuthenticatorID: made.AuthenticatorID, IsUserVerified: is}
		if _, err := chromedp.Call(v.ctx, webauthn.SetUserVerified, p); err != nil {
			v.t.Fatal(err)
		}
	}
}

// addPasskey makes a passkey with the device of the visitor's browser.
func (v *visitor) addPasskey(name string) {
	v.t.Helper()
	v.open("/settings/passkeys")
	had := eval[int](v, `document.querySelectorAll("#p-keys ~ ul > li").length`)
	v.fill("#name", name)
	v.click("form[data-device=create] button")
	v.waitFor(fmt.Sprintf("#p-keys ~ ul > li:nth-child(%d) strong", had+1))
}

// promise accepts the fair-play text.
func (v *visitor) promise() {
	v.t.Helper()
	v.post("/fair-play", "fair-play", eval[string](v, `fetch("/fair-play").then(r => r.text()).then(t => new DOMParser().parseFromString(t, "text/html").querySelector("[name=fair-play]").value)`))
}

// vouch gives the site's word about players.
func (v *visitor) vouch(handles ...string) {
	v.t.Helper()
	for i, handle := range handles {
		v.post("/attestations/issuers/site", "handle", handle, "kind", "identity", "how", "in-person", "days", "300", "name", "Person "+handle, "born", fmt.Sprintf("199%d-05-06", i))
	}
}

// verifiedEvent makes a tournament at Verified and answers its address.
func (v *visitor) verifiedEvent(rounds, moveLimit string) string {
	v.t.Helper()
	return v.post("/tournaments", "name", "Verified", "format", "swiss", "rounds", rounds, "pace", "auto", "break", "0", "lateness", "0", "claims", "automatic",
		"numbering", "rating", "tiebreaks", "DE", "chips", "1", "presets", "5+3", "default_limit", moveLimit, "any_row", "on", "minutes_low", "3", "minutes_high", "10",
		"increment_low", "2", "increment_high", "5", "moveLimit_low", "10", "moveLimit_high", "60", "undos_low", "0", "undos_high", "0",
		"castlings_low", "0", "castlings_high", "5", "movePoints_low", "0", "movePoints_high", "9", "widths", "8", "policy", "verified")
}

// post sends a form from the visitor's page and answers where it led.
func (v *visitor) post(path string, pairs ...string) string {
	v.t.Helper()
	list := make([][2]string, 0, len(pairs)/2)
	for i := 0; i+1 < len(pairs); i += 2 {
		list = append(list, [2]string{pairs[i], pairs[i+1]})
	}
	body, err := json.Marshal(list)
	if err != nil {
		v.t.Fatal(err)
	}
	got := eval[[]any](v, fmt.Sprintf(`fetch(%q, {method: "POST", body: new URLSearchParams(%s)}).then(async r => [r.status, new URL(r.url).pathname, r.ok ? "" : await r.text()])`, path, body))
	if len(got) != 3 || fmt.Sprint(got[0]) != "200" {
		v.t.Fatalf("POST %s: %v", path, got)
	}
	return fmt.Sprint(got[1])
}

// checkIn goes from the page of a match through the check-in back to it.
func (v *visitor) checkIn() {
	v.t.Helper()
	v.click("#m-check-in a.button")
	v.click("form[data-device][data-page-key] button")
	v.waitFor("#match")
}

// holds puts the page where it is before its scripts are there to sign what is sent.
func (v *visitor) holds() {
	v.t.Helper()
	eval[bool](v, `new Promise(done => {
		const early = document.createElement("script");
		early.src = document.querySelector("head script[src$='/hold.js']").src;
		early.onload = () => done(true);
		document.head.append(early);
	})`)
}

// letsGo checks that nothing was sent since holds, and lets the scripts be there.
func (v *visitor) letsGo() {
	v.t.Helper()
	if eval[int](v, `performance.getEntriesByType("resource").filter(e => e.name.endsWith("/commands")).length`) != 0 {
		v.t.Error("a command was sent that nobody could sign")
	}
	eval[bool](v, `document.dispatchEvent(new Event("match:signs"))`)
}

// TestAVerifiedTournamentOfThree is entered, checked in to by passkeys, played and
// finished in browsers; one player loses their browser's data in the middle.
func TestAVerifiedTournamentOfThree(t *testing.T) {
	t.Parallel()
	window := browser(t)
	dsn := storetest.SQLiteDSN(t)
	base := strings.Replace(startNode(t, dsn).base, "127.0.0.1", "localhost", 1)
	for handle, role := range map[string]string{"host": "operator", "boss": "operator", "vira": "player", "ivan": "player", "olha": "player"} {
		chpok(t, "player", "add", handle, "--role", role, "--database-url", dsn)
	}
	host := visit(t, window, base, 1280, 900)
	host.signIn(dsn, "host")
	event := host.verifiedEvent("2", "40")

	boss := visit(t, window, base, 1280, 900) // who alone judges an event does not vouch for its players
	boss.signIn(dsn, "boss")
	boss.vouch("vira", "ivan", "olha")
	players := map[string]*visitor{}
	for i, handle := range []string{"vira", "ivan", "olha"} {
		v := visit(t, window, base, 1280-445*int64(2*(i%2)), 850)
		players[handle] = v
		v.signIn(dsn, handle)
		v.open(event) // says what is missing, and what helps
		if said := v.text("main"); !strings.Contains(strings.ToLower(said), "passkey") && !strings.Contains(said, "ключ") {
			t.Errorf("%s is not told of passkeys:\n%s", handle, said)
		}
		v.giveDevice()
		v.addPasskey("phone of " + handle)
		v.promise()
		v.post(event + "/register")
	}
	players["vira"].screenshot("passkeys")
	host.post(event + "/start")

	var view tournamentView
	for round := 1; round <= 2; round++ {
		await(t, "the round", func() bool {
			host.api("/tournaments/"+strings.TrimPrefix(event, "/tournaments/"), &view)
			return len(view.Rounds) == round && len(view.Rounds[round-1].Pairings) == 1
		})
		b := view.Rounds[round-1].Pairings[0]
		first, second, page := players[b.First], players[b.Second], "/matches/"+*b.Match
		for _, v := range []*visitor{first, second} {
			v.open(page)
			v.waitFor("#m-check-in a.button")
			if n := eval[int](v, `document.querySelectorAll("button[name=ready]").length`); n != 0 {
				t.Error("ready before the check-in")
			}
			v.screenshot("gate-verified")
			if round == 1 {
				v.comesByTheReadyRoom(event)
			}
			v.checkIn()
			if round == 1 {
				v.holds()
			}
			v.click("button[name=ready]")
			if round == 1 {
				// What the feed brings meanwhile takes the form's place.
				eval[bool](v, `(() => { const f = document.querySelector("button[name=ready]").form; f.replaceWith(f.cloneNode(true)); return true })()`)
				v.letsGo()
			}
		}
		second.waitFor("#m-main.is-bidding")
		first.waitFor("#m-main.is-bidding")
		if round == 1 {
			playOn(t, first, second, page)
		}
		second.click("#confirm-resign > summary")
		second.click("#confirm-resign button")
		first.waitFor("#m-state[data-status='over'] .result")
		second.waitFor("#m-state[data-status='over'] .result")
	}
	await(t, "the end", func() bool {
		host.api("/tournaments/"+strings.TrimPrefix(event, "/tournaments/"), &view)
		return view.Status == "finished"
	})
	host.open(event + "/fair-play/check-ins")
	host.screenshot("check-ins")
}

// comesByTheReadyRoom goes there before the check-in: it says what comes first, and
// leads on.
func (v *visitor) comesByTheReadyRoom(event string) {
	v.t.Helper()
	v.open(event)
	v.waitFor("#ready #m-check-in a.button")
	if n := eval[int](v, `document.querySelectorAll("#ready form").length`); n != 0 {
		v.t.Error("the ready room lets be ready, or claim, before the check-in")
	}
	v.screenshot("ready-room-verified")
}

// bidBoth bids both chips away: the first player has White, five minutes each.
func bidBoth(first, second *visitor) {
	first.t.Helper()
	first.click("#raise-white > summary")
	first.fill("#chips-white", "1")
	first.click("#raise-white .raise-foot .primary")
	second.waitFor("#raise-time")
	second.click("#raise-time > summary")
	second.fill("#time-minutes", "5")
	second.fill("#chips-time", "1")
	second.click("#raise-time .raise-foot .primary")
	first.waitPiece("e2", "wP")
}

// playOn plays two bids and two plies; the second player's browser loses its data
// before theirs.
func playOn(t *testing.T, first, second *visitor, page string) {
	t.Helper()
	bidBoth(first, second)
	first.clickMove("e2", "e4")
	second.waitPiece("e4", "wP")
	eval[bool](second, `new Promise(done => { const r = indexedDB.deleteDatabase("chpok"); r.onsuccess = () => done(true); })`)
	second.clickMove("a7", "a6")
	second.waitFor("#m-check-in a.button") // their page says what happened, and leads on
	second.screenshot("lost-session")
	second.checkIn()
	second.waitPiece("e4", "wP")
	second.clickMove("a7", "a6")
	first.waitPiece("a6", "bP")
}

// await waits until something is so.
func await(t *testing.T, what string, is func() bool) {
	t.Helper()
	until := time.Now().Add(within)
	for !is() {
		if time.Now().After(until) {
			t.Fatalf("%s does not come", what)
		}
		time.Sleep(200 * time.Millisecond)
	}
}

// api reads from the API as this visitor.
func (v *visitor) api(path string, into any) {
	v.t.Helper()
	text := eval[string](v, fmt.Sprintf(`fetch("/api/v1" + %q).then(r => r.text())`, path))
	if err := readBriefly([]byte(text), into); err != nil {
		v.t.Fatalf("%s: %v: %s", path, err, text)
	}
}
