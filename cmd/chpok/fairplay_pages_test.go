package main

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"strings"
	"testing"

	"chpok.org/chpok/store/storetest"
)

// gallery is a site on which every page of fair play is brought about by people
// at browsers, and looked at.
type gallery struct {
	t      *testing.T
	window context.Context
	dsn    string
	base   string
	looks  []look
	people map[string]*visitor
	asked  map[string]*person // the same accounts without a browser, for forms
}

// galleryLooks are those of looks, but without being asked for more only the one in which a page breaks first: narrow,
// in the longer language, in the colors that nobody draws in.
func galleryLooks() []look {
	if os.Getenv("CHPOK_LOOKS") == "" {
		return looks()[:1]
	}
	return looks()
}

// TestEveryFairPlayPageStandsUp brings about what there is of fair play: the four
// levels' cards, check-ins by passkey and by code, a lost session, signals,
// stewards, a review from its opening to the end of the appeal, vouching, and the
// own data. No page of it may fail what TestEveryPageStandsUp asks.
func TestEveryFairPlayPageStandsUp(t *testing.T) {
	t.Parallel()
	g := newGallery(t)
	g.cards()
	g.vouching()
	g.passkeys()
	event := g.verified()
	g.review(event)
	g.supervised()
	g.ownPages()
}

func newGallery(t *testing.T) *gallery {
	t.Helper()
	g := &gallery{t: t, window: lookingBrowser(t), dsn: storetest.SQLiteDSN(t), looks: galleryLooks(), people: map[string]*visitor{},
		asked: map[string]*person{}}
	g.base = strings.Replace(startNode(t, g.dsn).base, "127.0.0.1", "localhost", 1)
	for handle, role := range map[string]string{"host": "operator", "judge": "operator", "vira": "player", "ivan": "player", "olha": "player",
		"petro": "player", "oksana": "operator", "nova": "player", "stefa": "player", "marko": "player"} {
		chpok(t, "player", "add", handle, "--role", role, "--database-url", g.dsn)
	}
	return g
}

// usual is how people look at the site at first.
var usual = look{1366, 768, "en", "light"}

// at is somebody at a browser of their own, looking at it as last.
func (g *gallery) at(handle string) *visitor {
	g.t.Helper()
	if g.people[handle] == nil {
		v := visit(g.t, g.window, g.base, usual.width, usual.height)
		v.signIn(g.dsn, handle)
		g.people[handle] = v
	}
	return g.people[handle]
}

// send fills in a form that stands on a page, as the visitor does it by hand.
func (g *gallery) send(handle, page, action string, pairs ...string) string {
	g.t.Helper()
	if g.asked[handle] == nil {
		g.asked[handle] = newPerson(g.t, g.dsn, handle, g.base)
	}
	return g.asked[handle].send(page, action, pairs...).path
}

// show looks at a page in every way people look at it.
func (g *gallery) show(handle, name, path string) {
	g.t.Helper()
	g.showBy(handle, name, func(v *visitor) { v.open(path) })
}

// showBy does so where a page is not just opened.
func (g *gallery) showBy(handle, name string, reach func(*visitor)) {
	g.t.Helper()
	v := g.at(handle)
	for _, l := range g.looks {
		v.dress(l)
		reach(v)
		v.checkPage(fmt.Sprintf("%s (%s)", name, l))
		v.wholePage(fmt.Sprintf("%s-%s", name, l))
	}
}

// event makes a tournament at a level, whose host is host.
func (g *gallery) event(name, level string) string {
	g.t.Helper()
	return g.at("host").post("/tournaments", "name", name, "format", "swiss", "rounds", "1", "pace", "auto", "break", "0",
		"lateness", "0", "claims", "automatic",
		"numbering", "rating", "tiebreaks", "DE", "chips", "1", "presets", "5+3", "default_limit", "40", "any_row", "on",
		"minutes_low", "3", "minutes_high", "10",
		"increment_low", "2", "increment_high", "5", "moveLimit_low", "10", "moveLimit_high", "60", "undos_low", "0", "undos_high", "0",
		"castlings_low", "0", "castlings_high", "5", "movePoints_low", "0", "movePoints_high", "9", "widths", "8", "policy", level)
}

// cards are what a newcomer reads before entering, joining and accepting.
func (g *gallery) cards() {
	for _, level := range []string{"open", "declared", "verified", "supervised"} {
		path := g.event("Cup "+level, level)
		g.show("nova", "card-"+level, path)
	}
	g.show("host", "new-tournament", "/tournaments/new")
	ladder := g.send("host", "/ladders/new", "/ladders", "name", "Ladder of our word", "policy", "declared")
	g.show("nova", "card-ladder", ladder)
	g.show("nova", "fair-play", "/fair-play")
	g.show("nova", "privacy", "/fair-play/privacy")
	g.show("nova", "me-empty", "/fair-play/me")
	g.show("nova", "mine-empty", "/attestations/mine")
}

// vouching is whose word counts, and for whom it is given.
func (g *gallery) vouching() {
	judge := g.at("judge")
	for i, handle := range []string{"vira", "ivan", "olha", "petro"} {
		judge.post("/attestations/issuers/site", "handle", handle, "kind", "identity", "how", "in-person", "days", "300", "name",
			"Person "+handle, "born", fmt.Sprintf("199%d-05-06", i))
	}
	judge.post("/attestations/issuers/site", "handle", "stefa", "kind", "identity", "how", "video", "days", "300", "note",
		"known for years", "name", "Person stefa", "born", "1980-01-02")
	g.show("judge", "attestations", "/attestations")
	g.show("judge", "issuer", "/attestations/issuers/site")
	g.show("vira", "mine", "/attestations/mine")
	g.show("nova", "attestations-of-a-player", "/attestations")
}

// passkeys are the settings, the sign-in and an address that cannot have them.
func (g *gallery) passkeys() {
	g.show("vira", "passkeys-none", "/settings/passkeys")
	for _, handle := range []string{"vira", "olha", "petro"} {
		v := g.at(handle)
		v.giveDevice()
		v.open("/settings/passkeys")
		v.fill("#name", "phone of "+handle)
		v.click("form[data-device=create] button")
		v.waitFor("li strong")
	}
	g.show("vira", "passkeys", "/settings/passkeys")
	nameless := visit(g.t, g.window, strings.Replace(g.base, "localhost", "127.0.0.1", 1), usual.width, usual.height)
	nameless.signIn(g.dsn, "vira")
	g.people["nameless"] = nameless
	g.show("nameless", "passkeys-unsupported", "/settings/passkeys")
	text := eval[string](nameless, `fetch("/fair-play").then(r => r.text()).then(t => new DOMParser().parseFromString(t, "text/html").querySelector("[name=fair-play]").value)`)
	for _, handle := range []string{"vira", "ivan", "olha", "petro"} {
		g.at(handle).post("/fair-play", "fair-play", text)
	}
	challenge := g.send("vira", "/challenges/new", "/challenges", "who", "player", "handle", "nova", "policy", "verified")
	g.show("nova", "card-challenge", challenge)
	g.show("vira", "new-challenge", "/challenges/new")
	g.people["visitor"] = visit(g.t, g.window, g.base, usual.width, usual.height)
	g.people["visitor"].open("/")
	g.show("visitor", "sign-in", "/sign-in")
}

// verified is an event of two: vira has a passkey, ivan has none.
func (g *gallery) verified() (event string) {
	event = g.event("Verified evening", "verified")
	host, vira, ivan := g.at("host"), g.at("vira"), g.at("ivan")
	vira.post(event + "/register")
	g.show("ivan", "card-no-passkey", event)
	g.show("host", "event-fair-play-before", event+"/fair-play")
	host.post(event+"/fair-play/admit", "handle", "ivan", "without", "passkey", "reason", "Their phone knows no passkeys")
	host.post(event + "/start")
	page := g.board(event)
	g.show("vira", "gate", page)
	g.show("vira", "check-in", page+"/check-in")
	g.show("ivan", "gate-no-passkey", page)
	g.show("ivan", "check-in-no-passkey", page+"/check-in")
	g.show("nameless", "check-in-unsupported", page+"/check-in")
	g.show("host", "check-ins", event+"/fair-play/check-ins")
	g.showBy("host", "check-in-code-given", func(v *visitor) {
		v.open(page + "/check-in")
		v.click("button[name=seat][value='" + g.seat(page, "ivan") + "']")
		v.waitFor("#code")
	})
	code := host.issue(page, g.seat(page, "ivan"))
	ivan.isRefused(422, func() {
		ivan.open(page)
		ivan.click("#m-check-in a.button")
		ivan.waitFor("section[aria-labelledby=c-key] a[href='/settings/passkeys']") // no device: said, with both ways on
		ivan.fill("#code", "AAAABBBB")
		ivan.click("form[action$='/code'] button")
		ivan.waitFor("#code[aria-invalid]")
		ivan.wholePage("check-in-wrong-code")
	})
	ivan.fill("#code", code)
	ivan.click("form[action$='/code'] button")
	ivan.waitFor("#match")
	vira.open(page)
	vira.checkIn()
	g.show("vira", "check-in-done", page+"/check-in")
	g.toBoard(page)
	g.runningMatch(event, page)
	return event
}

// board is the only match of an event of two.
func (g *gallery) board(event string) string {
	g.t.Helper()
	var view tournamentView
	await(g.t, "the round", func() bool {
		g.at("host").api(event, &view)
		return len(view.Rounds) == 1 && len(view.Rounds[0].Pairings) == 1
	})
	return "/matches/" + *view.Rounds[0].Pairings[0].Match
}

// seat is where somebody sits in a match, as forms name it.
func (g *gallery) seat(page, handle string) string {
	if first, _ := g.players(page); first.handle == handle {
		return "first"
	}
	return "second"
}

type seated struct {
	handle string
	*visitor
}

func (g *gallery) players(page string) (first, second seated) {
	g.t.Helper()
	var m matchView
	g.at("host").api(page, &m)
	return seated{m.First, g.at(m.First)}, seated{m.Second, g.at(m.Second)}
}

// issue gives a code and reads it.
func (v *visitor) issue(page, seat string) string {
	v.t.Helper()
	v.open(page + "/check-in")
	v.click("button[name=seat][value='" + seat + "']")
	v.waitFor("#code")
	return v.text("#code")
}

// toBoard has both say that they are ready, and bids both chips away: the first
// one plays White, five minutes each.
func (g *gallery) toBoard(page string) {
	g.t.Helper()
	first, second := g.players(page)
	first.open(page)
	first.click("button[name=ready]")
	first.waitFor(".gate-done")
	second.open(page)
	second.click("button[name=ready]")
	first.waitFor("#m-main.is-bidding")
	bidBoth(first.visitor, second.visitor)
}

// move plays one ply on a page and waits until the other page has it.
func (v *visitor) move(other *visitor, from, to, piece string) {
	v.t.Helper()
	v.waitPiece(from, piece)
	v.clickMove(from, to)
	other.waitPiece(to, piece)
}

// runningMatch is what players, watchers and the host see while vira and ivan
// play, and what was achieved.
func (g *gallery) runningMatch(event, page string) {
	first, second := g.players(page)
	first.move(second.visitor, "e2", "e4", "wP")
	second.move(first.visitor, "e7", "e5", "bP")
	first.move(second.visitor, "g1", "f3", "wN")
	second.move(first.visitor, "b8", "c6", "bN")
	first.move(second.visitor, "b1", "c3", "wN")
	second.move(first.visitor, "g8", "f6", "bN")
	first.move(second.visitor, "a2", "a3", "wP")
	g.show("nova", "watching-later", page)
	vira := &client{t: g.t, base: g.base, token: chpok(g.t, "token", "add", "vira", "--database-url", g.dsn), name: "vira"}
	if _, err := vira.send(strings.TrimPrefix(page, "/matches/"), 1, map[string]any{"act": "a7a6"}); err == nil {
		g.t.Error("a token has moved")
	}
	eval[bool](g.at("vira"), `(window.dispatchEvent(new Event("blur")), true)`)
	g.show("vira", "page-tells", page)
	var m matchView
	g.at("vira").api(page, &m)
	g.showBy("nova", "analyse-refused", func(v *visitor) {
		v.open("/analyse?moveLimit=40&ask=on&position=" + url.QueryEscape(m.State.CFEN))
		v.waitFor(".x-trouble")
	})
	g.show("nova", "analyse", "/analyse")
	eval[bool](g.at("vira"), `new Promise(done => { const r = indexedDB.deleteDatabase("chpok"); r.onsuccess = r.onblocked = () => done(true); })`)
	g.showBy("vira", "lost-session", func(v *visitor) {
		v.open(page)
		v.waitFor("#m-check-in a.button")
	})
	g.show("vira", "check-in-lost", page+"/check-in")
	g.at("host").post(event+"/fair-play", "policy", "verified", "policy_plies", "10", "policy_seconds", "300")
	g.show("host", "event-fair-play-changed", event+"/fair-play")
	g.show("host", "check-ins-later", event+"/fair-play/check-ins")
	g.at("ivan").open(page)
	g.at("ivan").click("#confirm-resign > summary")
	g.at("ivan").click("#confirm-resign button")
	g.at("ivan").waitFor("#m-state[data-status='over'] .result")
	g.show("vira", "achieved-less", page)
	g.show("ivan", "report", page+"/report")
	g.at("ivan").post(page+"/report", "seat", map[string]string{"first": "1", "second": "2"}[g.seat(page, "vira")], "text",
		"So quick in the middle game")
}

// review is one from its opening to the end of the appeal.
func (g *gallery) review(event string) {
	host, judge, vira := g.at("host"), g.at("judge"), g.at("vira")
	host.post(event+"/staff", "handle", "judge", "duty", "arbiter")
	judge.post(event + "/staff/accept")
	host.open(event + "/fair-play")
	dossier := eval[string](host, `[...document.querySelectorAll("a[href*='/fair-play/']")].find(a => a.textContent.trim() == "vira").getAttribute("href")`)
	opened := ""
	await(g.t, "the review that a fact opens", func() bool {
		host.open(dossier)
		opened = eval[string](host, `document.querySelector("input[name=review]")?.value || ""`)
		return opened != ""
	})
	deal := func(v *visitor, pairs ...string) {
		g.t.Helper()
		at := dossier
		if v == vira {
			at = event + "/fair-play/of/me"
		}
		v.open(at)
		steps := eval[string](v, `document.querySelector("input[name=steps]")?.value || ""`)
		v.post(at, append([]string{"review", opened, "steps", steps}, pairs...)...)
	}
	g.show("host", "review-open", dossier)
	deal(host, "do", "explain", "explain", "mistake")
	deal(host, "do", "tell", "text", "A program tried to move for you. How did that come about?")
	g.show("host", "review-told", dossier)
	g.show("vira", "review-own-told", event+"/fair-play/of/me")
	deal(vira, "do", "answer", "text", "It was my board at home, which I forgot to switch off.")
	g.show("host", "review-answered", dossier)
	deal(host, "do", "propose", "decision", "exclude", "days", "30", "ground", "server-fact", "text", "A program tried to move.")
	g.show("judge", "review-proposed", dossier)
	deal(judge, "do", "confirm")
	g.show("vira", "review-own-decided", event+"/fair-play/of/me")
	deal(vira, "do", "appeal", "text", "I was not heard.")
	g.show("host", "review-appealed", dossier)
	g.show("oksana", "review-appeal", dossier)
	deal(g.at("oksana"), "do", "overturn", "text", "They answered at once.")
	g.show("host", "review-closed", dossier)
	g.show("vira", "review-own-closed", event+"/fair-play/of/me")
	g.show("vira", "me", "/fair-play/me")
	g.show("vira", "notices", "/notices")
	g.show("host", "event-log", event+"/log")
}

// supervised is an event of two who are watched.
func (g *gallery) supervised() {
	event := g.event("Supervised evening", "supervised")
	host := g.at("host")
	for _, handle := range []string{"olha", "petro"} {
		g.at(handle).post(event + "/register")
	}
	g.show("host", "stewards-to-name", event+"/steward")
	for handle, steward := range map[string]string{"olha": "stefa", "petro": "marko"} {
		host.open(event + "/steward")
		entry := eval[string](host, fmt.Sprintf(`[...document.querySelectorAll("tbody tr")].find(r => r.innerText.includes(%q)).querySelector("[name=entry]").value`, handle))
		host.post(event+"/steward", "do", "name", "entry", entry, "handle", steward)
	}
	g.show("host", "stewards-named", event+"/steward")
	host.post(event + "/start")
	page := g.board(event)
	g.show("olha", "gate-supervised", page)
	do := func(steward, of string, pairs ...string) {
		g.t.Helper()
		seat := map[string]string{"first": "1", "second": "2"}[g.seat(page, of)]
		g.at(steward).post(event+"/steward", append([]string{"match", strings.TrimPrefix(page, "/matches/"), "seat", seat}, pairs...)...)
	}
	g.show("stefa", "steward-to-accept", event+"/steward")
	do("stefa", "olha", "do", "accept")
	do("marko", "petro", "do", "accept")
	g.show("stefa", "steward-to-open", event+"/steward")
	do("stefa", "olha", "do", "open")
	do("marko", "petro", "do", "open")
	do("stefa", "olha", "do", "check", "note", "Hands on the table, one screen")
	for _, handle := range []string{"olha", "petro"} {
		g.at(handle).open(page)
		g.at(handle).checkIn()
	}
	g.toBoard(page)
	g.show("stefa", "steward-watching", event+"/steward")
	g.show("host", "stewards-watching", event+"/steward")
	first, second := g.players(page)
	first.open(page)
	second.open(page)
	first.move(second.visitor, "e2", "e4", "wP")
	second.move(first.visitor, "e7", "e5", "bP")
	first.click("#confirm-resign > summary")
	first.click("#confirm-resign button")
	first.waitFor("#m-state[data-status='over'] .result")
	g.show("stefa", "steward-to-sign", event+"/steward")
	do("stefa", "olha", "do", "sign", "verdict", "steward-signed")
	do("marko", "petro", "do", "sign", "verdict", "steward-signed")
	g.show("stefa", "steward-signed", event+"/steward")
	g.show("nova", "achieved-supervised", page)
	g.show("host", "event-fair-play-supervised", event+"/fair-play")
}

// ownPages are bots, tokens, the export and the erasure.
func (g *gallery) ownPages() {
	nova := g.at("nova")
	nova.post("/settings/bots", "handle", "nova-bot")
	nova.post("/settings/tokens", "name", "board", "scoped", "yes", "scope", "read", "scope", "board:play")
	g.show("nova", "settings", "/settings")
	g.show("nova", "bot", "/players/nova-bot")
	g.show("nova", "data", "/settings/data")
}
