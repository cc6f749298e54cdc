package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"chpok.org/chpok/engine/puzzle"
	"chpok.org/chpok/store/storetest"
)

// TestAVisitorLearnsAndMakesAFirstBidAsAGuest is the way of somebody who has never
// heard of the game, on a phone: a lesson, Play now, a bid against the first bot
// without any clock, and an account that keeps the match.
func TestAVisitorLearnsAndMakesAFirstBidAsAGuest(t *testing.T) {
	t.Parallel()
	window := browser(t)
	dsn := storetest.SQLiteDSN(t)
	server := startNode(t, dsn)
	chpok(t, "player", "add", "boss", "--role", "operator", "--database-url", dsn)
	v := visit(t, window, server.base, 390, 844)

	v.open("/learn/5") // the dragon
	v.clickMove("e4", "d3")
	v.waitFor(".lesson-foot.again")
	v.click(".lesson-foot .button")
	v.waitFor(".lesson-foot:not(.again)")
	v.settles("/learn/5") // or the board does not listen yet
	v.clickMove("e4", "c4")
	v.waitFor(".lesson-foot.right")
	v.screenshot("first-1-lesson")
	v.solvesAPuzzle()

	v.open("/")
	if over := eval[int](v, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
		t.Errorf("home is %d px too wide", over)
	}
	for _, l := range []look{{390, 844, "uk", "light"}, {390, 844, "en", "light"}} {
		v.wear(l)
		v.open("/")
		if bottom := eval[float64](v, `document.querySelector(".play-now").getBoundingClientRect().bottom`); bottom > 844-62 {
			t.Errorf("Play now (%s) ends at %.0f px, below the first screen", l, bottom)
		}
	}
	v.screenshot("first-2-home")
	v.click(".play-now")
	v.waitFor("#m-main.is-waiting")
	v.click("button[name=ready]")
	v.waitFor("#m-main.is-bidding")
	at := v.location()
	id := at[strings.LastIndex(at, "/")+1:]
	seq := func() int {
		return eval[int](v, `fetch("/api/v1/matches/`+id+`").then(r => r.json()).then(m => m.seq)`)
	}
	if text := v.text("#match"); strings.Contains(text, "24:00:00") || eval[int](v, `document.querySelectorAll("[role=timer]").length`) > 0 {
		t.Error("a practice match shows a clock")
	}
	v.watchShifts()
	before := seq() // the visitor bids first, so nothing happens before that
	v.click("#raise-white > summary")
	v.click("#raise-white .raise-foot .primary")
	await(t, "the bid and Pishak's answer in the log", func() bool { return seq() > before+1 })
	await(t, "the answer on the page", func() bool {
		return eval[int](v, `Number(document.querySelector("#m-state").dataset.seq)`) > before+1
	})
	if shifted := v.shifted(); shifted > 0.01 {
		t.Errorf("the page jumps by %.3f when the opponent acts and the hint changes", shifted)
	}
	v.screenshot("first-3-bid")

	v.open("/sign-up")
	v.fill("#handle", "Nova")
	v.fill("#password", "correct horse staple")
	v.click("main form button")
	v.settles("/")
	v.open("/matches/" + id)
	v.waitFor("#m-main")
	if who := v.text("#match"); !strings.Contains(who, "Nova") {
		t.Error("the match is not Nova's")
	}
}

// solvesAPuzzle finds the answer of the first puzzle of the site, by two clicks for each move.
func (v *visitor) solvesAPuzzle() {
	v.t.Helper()
	v.open("/practice")
	path := strings.TrimPrefix(v.location(), v.base)
	at := slices.IndexFunc(puzzle.House(), func(p puzzle.Puzzle) bool { return "/practice/"+p.ID() == path })
	if at < 0 {
		v.t.Fatalf("%s is none of the puzzles that every site has", path)
	}
	answer := puzzle.House()[at].Answer
	for i := 0; i < len(answer); i += 2 {
		v.settles(path)
		v.clickMove(answer[i].From().String(), answer[i].To().String())
		if i+1 < len(answer) {
			v.waitFor(fmt.Sprintf("#lesson > input[value=%s]", answer[i]))
		}
	}
	v.waitFor(".lesson-foot.right")
	v.screenshot("first-1-puzzle")
	if next := eval[string](v, `document.querySelector(".lesson-foot .button").getAttribute("href")`); !strings.HasPrefix(next, "/practice") {
		v.t.Errorf("a solved puzzle leads to %s", next)
	}
}

// firstScreens are the pages on which a newcomer decides whether to stay, and what they are to press there. Bidding is
// a practice match at its first bid, in which the guest is.
var firstScreens = []struct{ name, path, next string }{
	{"home-guest", "/", ".hero .button.big"},
	{"home", "/", ".play-now"},
	{"play", "/play", ".way-end .big"},
	{"learn", "/learn", ".actions .big"},
	{"lesson", "/learn/1", ".lesson-foot .big"},
	{"bidding", "", ".targets .target:last-child"},
}

// TestTheNextStepStandsOnTheFirstScreen looks at what newcomers see without scrolling, and at every editor of the
// bidding. make first takes the pictures, beside those of the site at CHPOK_BESIDE.
func TestTheNextStepStandsOnTheFirstScreen(t *testing.T) {
	t.Parallel()
	window := lookingBrowser(t)
	dsn := storetest.SQLiteDSN(t)
	server := startNode(t, dsn)
	chpok(t, "player", "add", "boss", "--role", "operator", "--database-url", dsn)
	v := visit(t, window, server.base, 1366, 768)
	v.open("/")
	v.click(".play-now")
	v.waitFor("#m-main.is-waiting")
	v.click("button[name=ready]")
	v.waitFor("#m-main.is-bidding")
	match := strings.TrimPrefix(v.location(), v.base)
	stranger := visit(t, window, server.base, 1366, 768)
	stranger.open("/")
	for _, f := range firstScreens {
		by := stranger
		switch f.name {
		case "home-guest":
			by = v
		case "bidding":
			by, f.path = v, match
		}
		by.showsInEvery(walkLooks(), f.path, func(l look) {
			foot := l.height
			if l.width < 400 && f.name != "lesson" && f.name != "bidding" {
				foot -= 62 // where the navigation is
			}
			by.seesAtOnce(f.name, f.next, foot, l)
			if f.name == "bidding" {
				by.editorsFit(l)
			}
		})
	}
	theirHomes(t, window, server.base, dsn)
	if other := os.Getenv("CHPOK_BESIDE"); other != "" {
		old := visit(t, window, other, 1366, 768)
		old.open("/")
		for _, l := range looks() {
			old.wear(l)
			for _, f := range firstScreens[1:4] {
				old.isRefused(http.StatusNotFound, func() { old.open(f.path) }) // an older one may lack it
				old.screenshot(f.name + "-" + l.String() + "-beside")
			}
		}
	}
}

// theirHomes looks in two looks at the first page of a player, of an operator whose site is new, and of who runs an event.
func theirHomes(t *testing.T, window context.Context, base, dsn string) {
	t.Helper()
	chpok(t, "player", "add", "Ivan", "--database-url", dsn)
	chpok(t, "player", "add", "Anna", "--role", "organizer", "--database-url", dsn)
	for _, who := range []struct{ handle, home, next string }{
		{"Ivan", "player", "#home-next .big"}, {"boss", "operator", ".setup-steps .open .button, .setup-steps .open button"},
		{"Anna", "staff", "#home-staff .button[href$='/players']"},
	} {
		if who.home == "staff" {
			host := &client{t: t, base: base, token: chpok(t, "token", "add", who.handle, "--database-url", dsn), name: who.handle}
			host.must("POST", "/tournaments", map[string]any{"name": "Club cup", "format": "swiss", "rounds": 5}, nil)
		}
		v := visit(t, window, base, 1366, 768)
		v.signIn(dsn, who.handle)
		v.showsInEvery(walkLooks()[:min(2, len(walkLooks()))], "/", func(l look) {
			foot := l.height
			if l.width < 400 {
				foot -= 62 // where the navigation is
			}
			v.seesAtOnce("home-"+who.home, who.next, foot, l)
		})
	}
}

// seesAtOnce is about the page that is open: what is next on it ends above the foot, and nothing is wider than the window.
func (v *visitor) seesAtOnce(name, next string, foot int64, l look) {
	v.t.Helper()
	v.waitFor(next)
	got := eval[[]float64](v, `[document.querySelector("`+next+`").getBoundingClientRect().bottom, document.documentElement.scrollWidth]`)
	if got[0] > float64(foot) || got[1] > float64(l.width) {
		v.t.Errorf("%s (%s): the next step ends at %.0f px, the page is %.0f px wide", name, l, got[0], got[1])
	}
	v.screenshot(name + "-" + l.String())
}

// editorsFit opens each target of a bidding: what it and its buttons say has to fit into the window and into them;
// so has the question to whoever resigns.
func (v *visitor) editorsFit(l look) {
	v.t.Helper()
	for _, target := range []string{"white", "time", "homeRow", "features"} {
		eval[bool](v, `(document.querySelectorAll("details.raise").forEach((d) => { d.open = d.id === "raise-`+target+`" }), true)`)
		v.waitFor("#raise-" + target + " .raise-foot")
		for _, cut := range eval[[]string](v, `(() => {
				const parts = document.querySelectorAll("details.raise[open] :is(.place .button, h3, .switch, .row-tools .button, .raise-foot)");
				const isCut = (e) => e.scrollWidth > e.clientWidth + 1 || e.getBoundingClientRect().bottom > innerHeight;
				return [...parts].filter(isCut).map((e) => e.className + " " + e.innerText) })()`) {
			v.t.Errorf("%s (%s): cut off or out of view: %s", target, l, cut)
		}
		v.screenshot("bidding-" + target + "-" + l.String())
	}
	asked := eval[[]float64](v, `(() => {
			document.querySelectorAll("details.raise").forEach((d) => { d.open = false });
			document.getElementById("confirm-resign").open = true;
			const r = document.querySelector("#confirm-resign .confirm-box").getBoundingClientRect();
			return [r.left, r.right, r.top, r.bottom] })()`)
	if asked[0] < 0 || asked[1] > float64(l.width) || asked[2] < 0 || asked[3] > float64(l.height) {
		v.t.Errorf("%s: whoever resigns is asked out of view: %v", l, asked)
	}
	v.screenshot("bidding-resign-" + l.String())
	eval[bool](v, `(document.getElementById("confirm-resign").open = false, true)`)
}

// TestThePicturesOfTheStyleGuide photographs every component in both schemes.
func TestThePicturesOfTheStyleGuide(t *testing.T) {
	t.Parallel()
	window := lookingBrowser(t)
	dsn := storetest.SQLiteDSN(t)
	server := startNode(t, dsn)
	chpok(t, "player", "add", "boss", "--role", "operator", "--database-url", dsn)
	v := visit(t, window, server.base, 1366, 768)
	v.signIn(dsn, "boss")
	v.open("/styleguide")
	v.waitFor("#home-board")
	for _, scheme := range []string{"light", "dark"} {
		eval[bool](v, `(document.documentElement.dataset.theme = "`+scheme+`", true)`)
		v.wholePage("styleguide-" + scheme)
		if over := eval[int](v, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
			t.Errorf("%s: %d px too wide", scheme, over)
		}
	}
	states := eval[[]string](v, `[...document.querySelectorAll(".style-matches a")].map(a => a.getAttribute("href"))`)
	if len(states) < 17 {
		t.Errorf("matches in %d states", len(states))
	}
	for _, path := range states {
		v.showsInEvery(walkLooks(), path, func(l look) {
			v.waitFor("#m-main")
			v.wholePage("style" + strings.ReplaceAll(path[len("/styleguide"):], "/", "-") + "-" + l.String())
			if over := eval[int](v, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
				t.Errorf("%s (%s): %d px too wide", path, l, over)
			}
		})
	}
	for _, l := range looks() {
		v.dress(l)
		v.open("/styleguide/promoting")
		v.clickMove("b7", "a8")
		v.waitFor(".chooser")
		if kinds := eval[int](v, `document.querySelectorAll(".chooser [data-kind], .chooser button:not(.chooser-no)").length`); kinds != 6 {
			t.Errorf("a pawn may become one of %d (%s)", kinds, l)
		}
		v.screenshot("style-chooser-" + l.String())
		v.keys(kb.Escape)
		v.click(`[popovertarget="m-settings"]`)
		v.waitFor("#m-settings:popover-open")
		v.screenshot("style-settings-" + l.String())
	}
}

// settles waits until a page is there with its scripts, after a form or a link.
func (v *visitor) settles(path string) {
	v.t.Helper()
	await(v.t, path+" with its scripts", func() bool {
		return eval[bool](v, `document.readyState === "complete" && location.pathname === "`+path+`"`)
	})
}

// watchShifts notes from now on how much of the page moves by itself.
func (v *visitor) watchShifts() {
	v.t.Helper()
	eval[bool](v, `(window.moved = 0, new PerformanceObserver((list) => {
		for (const e of list.getEntries()) if (!e.hadRecentInput) window.moved += e.value;
	}).observe({type: "layout-shift"}), true)`)
}

// shifted is how much that is, as browsers count it: 0.1 is a tenth of the window.
func (v *visitor) shifted() float64 {
	v.t.Helper()
	return eval[float64](v, `window.moved`)
}

// axeSource is the checker of accessibility, which the tests do not bring along:
// CHPOK_AXE names its file, or .ci/tools has put it into the cache.
func axeSource(t *testing.T) string {
	t.Helper()
	name := os.Getenv("CHPOK_AXE")
	if cache, err := os.UserCacheDir(); err == nil && name == "" {
		name = filepath.Join(cache, "chpok", "node_modules", "axe-core", "axe.min.js")
	}
	body, err := os.ReadFile(name)
	if err != nil {
		storetest.Missing(t, "axe-core")
	}
	return string(body)
}

// TestTheFirstPagesAreAccessibleInBothSchemes runs axe over what a newcomer sees:
// home, play, learn, rules, a match that waits, at its bidding and on the board; and over the page on which an application asks
// for an account.
func TestTheFirstPagesAreAccessibleInBothSchemes(t *testing.T) {
	t.Parallel()
	axe := axeSource(t)
	window := lookingBrowser(t)
	dsn := storetest.SQLiteDSN(t)
	server := startNode(t, dsn)
	chpok(t, "player", "add", "boss", "--role", "operator", "--database-url", dsn)
	v := visit(t, window, server.base, 390, 844)
	v.mu.Lock()
	v.styled = true // as axe does
	v.mu.Unlock()
	check := func(what string) {
		t.Helper()
		eval[bool](v, axe+"; true")
		for scheme, rules := range map[string]string{"light": "", "dark": `runOnly: ["color-contrast", "link-in-text-block"],`} { // only these see colors
			eval[bool](v, `(document.documentElement.dataset.theme = "`+scheme+`", true)`)
			for _, found := range eval[[]string](v, `axe.run({rules: {"target-size": {enabled: true}}, `+rules+` resultTypes: ["violations"]}).then((r) => r.violations.map((x) => x.id + ": " + x.nodes.map((n) => n.target.join(" ")).slice(0, 3).join(" | ")))`) {
				t.Errorf("%s, %s: %s", what, scheme, found)
			}
		}
	}
	for _, path := range []string{"/", "/play", "/learn", "/learn/1", "/learn/5", "/rules", "/rules/bidding", "/analyse?line=e2e4+e7e5",
		"/analyse?edit=on", "/analyse?bids=[]", "/players/boss", "/ratings"} {
		v.open(path)
		check(path)
	}
	v.open("/")
	v.click(".play-now")
	v.waitFor("#m-main.is-waiting")
	check("a match that waits")
	v.click("button[name=ready]")
	v.waitFor("#m-main.is-bidding")
	check("bidding")
	v.click("#raise-time > summary")
	v.waitFor("#raise-time .raise-foot .primary")
	check("a raise")
	at := strings.TrimPrefix(v.location(), v.base)
	v.open(at)
	v.click("#raise-features > summary")
	v.waitFor("#raise-features .raise-foot .primary")
	check("a raise on features")
	v.open(at)
	all := eval[int](v, `fetch("/api/v1" + location.pathname).then(r => r.json()).then(m => m.state.chips[m.you])`)
	v.click("#raise-white > summary")
	v.fill("#chips-white", strconv.Itoa(all))
	v.click("#raise-white .raise-foot .primary")
	v.waitFor("chpok-board") // when Pishak has no chips left either
	check("a match on the board")
	v.do("turn the telephone", chromedp.EmulateViewport(1366, 768))
	check("a match on the board of a desktop")
	v.signIn(dsn, "boss")
	for _, path := range []string{askedToAllow, "/settings/notices"} {
		v.open(path)
		check(path)
	}
}
