package main

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ledger"
)

// line is the connection to a site. It can be away, and it can be cut at the next form: before the site has it, or when
// the site has carried it out and answers.
type line struct {
	to http.Handler

	mu   sync.Mutex
	away bool
	cuts []string // of the forms that come next
	wait chan struct{}

	lacks string // what ends an address that nobody answers
}

func (l *line) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.mu.Lock()
	away, cut, wait := l.away || l.lacks != "" && strings.HasSuffix(r.URL.Path, l.lacks), "", l.wait
	if r.Method == http.MethodPost && !away && len(l.cuts) > 0 {
		cut, l.cuts = l.cuts[0], l.cuts[1:]
	}
	l.mu.Unlock()
	if r.Method == http.MethodPost && wait != nil {
		<-wait
	}
	if cut == "after" {
		l.to.ServeHTTP(httptest.NewRecorder(), r)
	}
	if !away && cut == "" {
		l.to.ServeHTTP(w, r)
		return
	}
	if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
		_ = conn.Close()
	}
}

func (l *line) set(change func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	change()
}

// goAway cuts the connection until the returned function is called.
func (l *line) goAway() (back func()) {
	l.set(func() { l.away = true })
	return func() { l.set(func() { l.away = false }) }
}

func (l *line) cut(how ...string) { l.set(func() { l.cuts = how }) }

// as signs somebody of the demo in.
func (v *visitor) as(link string) *visitor {
	v.t.Helper()
	v.open(link)
	return v
}

// nothingWaits is true on a page to which all that was sent has led.
const nothingWaits = `document.readyState === "complete" && ["[]", null].includes(sessionStorage.getItem("chpok.outbox"))`

func (l *line) cutsLeft() (n int) {
	l.set(func() { n = len(l.cuts) })
	return n
}

// held waits until a number of acts are shown as not sent.
func (v *visitor) held(n int) {
	v.t.Helper()
	v.until(fmt.Sprintf("wait for %d acts that are held", n), fmt.Sprintf(`document.querySelectorAll("#outbox li").length === %d && !document.getElementById("outbox").hidden`, n))
}

// TestAnEveningOverABadConnectionLosesNothing: at the door, the kiosk, the desk, in the ready room and on the ladder the
// connection goes before a form has arrived, or when it has been carried out. Whoever presses does nothing more; all is
// done, and all of it once.
func TestAnEveningOverABadConnectionLosesNothing(t *testing.T) {
	t.Parallel()
	window := browser(t)
	file, links := demoFile(t)
	l := &line{}
	site := newTwinBehind(t, file, func(to http.Handler) http.Handler { l.to = to; return l })
	id, path := site.evening("Petro Hrytsak", "Zoia Kravets", "Taras", "Sofia", "Maksym")
	entered := func() (names []string) {
		for _, e := range site.tournament(id).Entries {
			names = append(names, e.Name)
		}
		return names
	}
	olena := visit(t, window, site.base, 1280, 900).as(links["Olena"])
	olena.open(path + "/door")
	l.cut("before", "after")
	olena.click("form[action$='/door'] button")
	olena.waitFor("#door-link")
	door := eval[string](olena, `document.querySelector("a[href^='/t/'], #door-link")?.getAttribute("href") ?? ""`)
	at := eval[string](olena, `document.querySelector("a[href^='/kiosk/']").getAttribute("href")`)

	// On the ladder.
	taras := visit(t, window, site.base, 390, 844).as(links["Taras"])
	var ladder string
	if err := site.db.QueryRowContext(t.Context(), "SELECT id FROM ladders").Scan(&ladder); err != nil {
		t.Fatal(err)
	}
	taras.open("/ladders/" + ladder + "/challenges/3")
	l.cut("before", "after")
	taras.click("form[action$='/drop'] button")
	taras.until("wait for the ladder", nothingWaits+` && !document.querySelector("form[action$='/drop']")`)
	twice := -1
	if err := site.db.QueryRowContext(t.Context(), "SELECT count(*) - count(DISTINCT kind || player_id || body) FROM ladder_events WHERE challenge = 3").Scan(&twice); err != nil || twice != 0 {
		t.Errorf("%d lines of the challenge stand twice in the ladder's log, %v", twice, err)
	}

	// At the door: the entry is made, the answer is lost.
	nadia := visit(t, window, site.base, 390, 844)
	nadia.open(door[strings.Index(door, "/t/"):])
	nadia.fill("#door-name", "Nadia Vovk")
	l.cut("after")
	nadia.click("#door-form button.big")
	nadia.until("wait for the event, signed in", fmt.Sprintf(`location.pathname === %q && (document.querySelector(".account")?.innerText ?? "").includes("NadiaVovk")`, path))

	// At the kiosk: two write their names while there is no connection.
	kiosk := visit(t, window, site.base, 820, 1180)
	kiosk.open(at)
	back := l.goAway()
	for i, name := range []string{"Ostap Hai", "Zlata Kos"} {
		kiosk.fill("#door-name", name)
		kiosk.click("#door-form button.big")
		kiosk.held(i + 1)
	}
	kiosk.screenshot("1-kiosk-held")
	l.cut("after")
	back()
	kiosk.waitFor(".slip .qr")
	if !strings.Contains(kiosk.text("#t-door"), "Ostap") {
		t.Errorf("the first at the kiosk is greeted by %q", kiosk.text("#t-door"))
	}
	kiosk.click("#door-next")
	kiosk.until("wait for the second", `(document.getElementById("t-door")?.innerText ?? "").includes("Zlata") && !!document.querySelector(".slip .qr")`)
	if got := entered(); len(got) != 8 {
		t.Errorf("entered: %q", got)
	}

	// On the desk: the round is drafted and published, each press cut.
	for range 6 {
		olena.open(path + "/desk")
		olena.waitFor("#next-button, #desk-round li.is-open")
		if eval[bool](olena, `!!document.querySelector("#desk-round li.is-open")`) {
			break
		}
		l.cut("before", "after")
		olena.click("#next-button")
		await(t, "the form to be cut", func() bool { return l.cutsLeft() == 0 })
		olena.until("wait for its answer", nothingWaits)
	}
	if rounds := site.tournament(id).Rounds; len(rounds) != 1 || len(rounds[0].Pairings) != 4 {
		t.Fatalf("not one round of four boards: %d", len(rounds))
	}

	// In the ready room.
	taras.open(path)
	l.cut("before", "after")
	taras.click("form[action$='/ready'] button")
	taras.until("wait for the board", `location.pathname.startsWith("/matches/")`)

	// Results, while the connection is away and the page is loaded anew.
	boards := eval[[]string](olena, `[...document.querySelectorAll("#desk-round li.is-open")].map((li) => li.id.slice("board-".length))`)
	if len(boards) != 2 {
		t.Fatalf("boards on paper: %q", boards)
	}
	back = l.goAway()
	olena.click("#tap-1-" + boards[0])
	olena.held(1)
	olena.click("#tap-5-" + boards[1])
	olena.held(2)
	olena.screenshot("2-desk-held")
	olena.do("narrow", chromedp.EmulateViewport(390, 844))
	olena.screenshot("3-desk-held-phone")
	olena.do("load the page anew", chromedp.Evaluate[chromedp.Void](`navigator.serviceWorker.ready.then(() => setTimeout(() => location.reload()))`))
	olena.waitFor("[data-outbox-waits=offline]")
	olena.held(2)
	olena.screenshot("4-offline-held")
	l.cut("after", "before")
	back()
	olena.do("be online", chromedp.Evaluate[chromedp.Void](`dispatchEvent(new Event("online"))`))
	olena.until("wait for the results", nothingWaits+` && !document.querySelector("#desk-round li.is-open")`)
	var results []string
	for _, p := range site.tournament(id).Rounds[0].Pairings {
		results = append(results, fmt.Sprint(p.Result.Kind))
	}
	if slices.Sort(results); !slices.Equal(results, []string{"", "", "1-0", "1/2-1/2"}) {
		t.Errorf("results %q", results)
	}
	if n := site.deeds(id, tournament.ActResult); n != 2 {
		t.Errorf("%d results are in the log", n)
	}

	// What is refused without a page of its own is said where it was pressed, and all that was typed stands.
	olena.open("/ladders/" + ladder)
	add := `globalThis.added`
	olena.isRefused(http.StatusConflict, func() {
		olena.do("join once more", chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`%s = document.querySelector("form[action='/ladders/%s/players']");
			added.elements.handle.value = "Taras"; added.action = "/ladders/%[2]s/join"; added.requestSubmit()`, add, ladder)))
		olena.until("wait for the refusal", `document.querySelectorAll("#outbox li").length === 1`)
	})
	olena.screenshot("5-refused")
	if at := eval[string](olena, `location.pathname + " " + `+add+`.elements.handle.value`); at != "/ladders/"+ladder+" Taras" {
		t.Errorf("after the refusal: %s", at)
	}

	// A form on its way says so, keeps the focus, and cannot be sent again.
	olena.open("/tournaments/new")
	events := site.counts()["tournaments"]
	arrives := make(chan struct{})
	l.set(func() { l.wait = arrives })
	olena.click(".event-foot button")
	olena.until("wait for a busy form", `document.querySelector(".new-event").getAttribute("aria-busy") === "true" && document.activeElement.matches(".event-foot button[aria-disabled]")`)
	olena.screenshot("6-busy")
	olena.do("press again", chromedp.Evaluate[chromedp.Void](`document.activeElement.click(); document.activeElement.click()`))
	l.set(func() { l.wait = nil })
	close(arrives)
	olena.until("wait for the event", `!location.pathname.endsWith("/new")`)
	if now := site.counts()["tournaments"]; now != events+1 {
		t.Errorf("%d events of one form", now-events)
	}
}

// evening adds an event that Olena holds, with open registration, and enters people, each rated a little below the one
// before. Who has no account plays on paper.
func (w *twin) evening(names ...string) (tournament.ID, string) {
	w.t.Helper()
	ctx, now := w.t.Context(), time.Now()
	var id tournament.ID
	err := w.site.Store.Write(ctx, func(tx *store.Tx) error {
		host, err := tx.PlayerByHandle("Olena")
		if err != nil {
			return err
		}
		set := tournament.DefaultSettings(tournament.Swiss)
		set.Name, set.Rounds, set.OnClaim, set.Pace = "Friday", 2, true, tournament.Manual
		t, err := tournament.New(tournament.ID(store.NewID()), host.ID, set, now)
		if err != nil {
			return err
		}
		id = t.ID
		by := player.Viewer{Player: host}
		if err := t.OpenRegistration(by, now); err != nil {
			return err
		}
		for i, name := range names {
			p, err := tx.PlayerByHandle(player.Handle(name))
			if err != nil && !errors.Is(err, store.ErrNotFound) {
				return err
			}
			if _, err := t.Register(by, tournament.Candidate{Player: p.ID, Name: name, Rating: 2000 - 10*i}, now); err != nil {
				return err
			}
		}
		return tx.AddTournament(t, ledger.Deed{At: now, By: host.ID, Act: tournament.ActCreate})
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return id, "/tournaments/" + string(id)
}

func (w *twin) tournament(id tournament.ID) *tournament.Tournament {
	w.t.Helper()
	t, err := store.Get(w.t.Context(), w.site.Store, func(tx *store.Tx) (*tournament.Tournament, error) { return tx.Tournament(id) })
	if err != nil {
		w.t.Fatal(err)
	}
	return t
}

// deeds counts the lines of an act in the log of a tournament.
func (w *twin) deeds(id tournament.ID, act tournament.Act) (n int) {
	w.t.Helper()
	list, err := store.Get(w.t.Context(), w.site.Store, func(tx *store.Tx) ([]ledger.Deed, error) { return tx.Deeds(id) })
	if err != nil {
		w.t.Fatal(err)
	}
	for _, d := range list {
		if d.Act == act {
			n++
		}
	}
	return n
}

// TestDaysOffTickedWithoutAConnectionAreAllKept: a page of boxes that send themselves is pressed again while its form waits.
func TestDaysOffTickedWithoutAConnectionAreAllKept(t *testing.T) {
	t.Parallel()
	window := browser(t)
	file, links := demoFile(t)
	l := &line{}
	site := newTwinBehind(t, file, func(to http.Handler) http.Handler { l.to = to; return l })
	olena := visit(t, window, site.base, 390, 844).as(links["Olena"])
	olena.open("/days")
	back := l.goAway()
	for i, n := range []int{20, 22, 24} {
		eval[bool](olena, fmt.Sprintf(`(document.querySelectorAll("input[name=off]")[%d].click(), true)`, n))
		olena.held(i + 1)
	}
	if said := olena.text("#outbox li"); !strings.Contains(said, olena.text("h1")) {
		t.Errorf("what waits is called %q", said)
	}
	back()
	olena.until("wait for the days", nothingWaits)
	olena.open("/days")
	got := eval[string](olena, `[...document.querySelectorAll("input[name=off]")].map((e, i) => e.checked ? i : "").filter(String).join(" ")`)
	if got != "20 22 24" {
		t.Errorf("the days kept are numbers %q", got)
	}
}

// TestWhatScriptsSendOutlivesABadConnection: comforts that are chosen, ready-made limits, notifications that are switched
// off, and a call to the board, each while the connection is away or breaks.
func TestWhatScriptsSendOutlivesABadConnection(t *testing.T) {
	t.Parallel()
	window := browser(t)
	file, links := demoFile(t)
	l := &line{}
	site := newTwinBehind(t, file, func(to http.Handler) http.Handler { l.to = to; return l })
	olena := visit(t, window, site.base, 1280, 900).as(links["Olena"])

	// Ready-made limits of a new event are said to wait, and come.
	olena.open("/tournaments/new")
	eval[bool](olena, `(document.querySelectorAll("main details").forEach(d => { d.open = true }), true)`)
	limits := `new URLSearchParams(new FormData(document.querySelector(".new-event"))).getAll("preset").join() + document.getElementById("envelope-fields").innerHTML.length`
	before := eval[string](olena, limits)
	back := l.goAway()
	name := eval[string](olena, `(() => { const a = [...document.querySelectorAll("a[data-envelope]")].at(-1); a.click(); return a.textContent.trim() })()`)
	olena.held(1)
	if said := olena.text("#outbox li"); !strings.Contains(said, name) || name == "" {
		t.Errorf("ready-made limits %q that wait are called %q", name, said)
	}
	back()
	olena.until("wait for the limits", limits+fmt.Sprintf(` !== %q && document.getElementById("outbox").hidden`, before))

	// A comfort that is chosen while the connection is away outlives the page.
	olena.open("/settings")
	eval[bool](olena, `navigator.serviceWorker.ready.then(() => true)`)
	was := eval[bool](olena, `document.querySelector("input[data-prefer][name=confirm]").checked`)
	back = l.goAway()
	eval[bool](olena, `(document.querySelector("input[data-prefer][name=confirm]").click(), true)`)
	olena.do("load the page anew", chromedp.Evaluate[chromedp.Void](`setTimeout(() => location.reload())`))
	olena.waitFor("[data-outbox-waits=offline]")
	back()
	olena.do("be online", chromedp.Evaluate[chromedp.Void](`dispatchEvent(new Event("online"))`))
	olena.waitFor("input[data-prefer][name=confirm]")
	olena.keeps("confirm", map[bool]string{false: "on", true: "off"}[was])
	if is := eval[bool](olena, `document.querySelector("input[data-prefer][name=confirm]").checked`); is == was {
		t.Error("the page says what was before")
	}

	// Notifications are switched off: at once, though the site hears of it later, or never if the page is left.
	olena.open("/settings/notices")
	eval[bool](olena, `(async () => {
		const s = { endpoint: "https://push.invalid/1", options: { applicationServerKey: Uint8Array.from(atob(document.getElementById("push").dataset.key
			.replaceAll("-", "+").replaceAll("_", "/")), c => c.charCodeAt(0)).buffer }, getKey: () => new ArrayBuffer(1), unsubscribe: async () => globalThis.unsubscribed = true };
		Object.defineProperty(navigator, "serviceWorker", { configurable: true, value: { ready: Promise.resolve({ pushManager: { getSubscription: async () => s } }) } });
		const real = window.fetch;
		window.fetch = async (path, of) => {
			const answer = path === "/settings/push" ? new Response(null, { status: 204 }) : await real(path, of);
			if (path === "/settings/push/drop") globalThis.told = answer.status;
			return answer;
		};
		await import(document.querySelector("script[src*='push.js']").src + "?again");
		return true;
	})()`)
	off := `[...document.querySelectorAll("#push button")][1]`
	olena.until("wait for the button", `!`+off+`.hidden`)
	back = l.goAway()
	eval[bool](olena, `(`+off+`.click(), true)`)
	olena.until("wait until they are off", off+`.hidden && globalThis.unsubscribed`)
	back()
	olena.until("wait until the site has heard of it", `globalThis.told === 204`)

	// A call to the board, of which a part cannot be loaded.
	id, path := site.evening("Sofia", "Taras")
	taras := visit(t, window, site.base, 390, 844).as(links["Taras"])
	taras.open(path)
	l.set(func() { l.lacks = "/js/sound.js" })
	olena.open(path + "/desk")
	for range 6 {
		if len(site.tournament(id).Rounds) > 0 {
			break
		}
		olena.click("#next-button")
		olena.until("wait for its answer", nothingWaits)
		olena.open(path + "/desk")
	}
	taras.until("wait for a call whose clock runs", `(() => { const clock = document.querySelector("#called:not([hidden]) .clock");
		return clock && (globalThis.stood ??= clock.textContent) !== clock.textContent })()`)
}
