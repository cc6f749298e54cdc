package main

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store/storetest"
)

// guests are 24 people who come in, and one who comes late: no two names are alike.
var guests = []string{
	"Anna Koval", "Bohdan Lysenko", "Vira Hnatiuk", "Ihor Pavlenko", "Kateryna Shevchuk", "Uliana Melnyk", "Mila Savchenko", "Hryhorii Bondar",
	"Tymur Vovk", "Lesia Panas", "Roman Kuzma", "Nazar Bilous", "Maksym Sydor", "Oksana Rudenko", "Halyna Oliinyk", "Daria Tkach",
	"Yurii Klymenko", "Petro Hrytsak", "Solomiia Chorna", "Zoia Kravets", "Taras Moroz", "Yaryna Stus", "Fedir Zhuk", "Emma Dubova", "Sviatoslav Ihnatenko",
}

// phone is the organizer's: it counts what is tapped.
type phone struct {
	*visitor
	taps int
}

func (p *phone) tap(selector string) {
	p.t.Helper()
	p.taps++
	p.click(selector)
}

// menu goes to another page of the staff.
func (p *phone) menu(path string) {
	p.t.Helper()
	p.tap("#staff-menu > summary")
	p.tap("#staff-menu a[href$='" + path + "']")
}

// TestAnOrganizerRunsAnEveningFromAPhone: three questions, prizes, a poster, people
// at the kiosk, rounds with a no-show, a late entry, a corrected result and an arbiter
// who plays, to the podium, the sign-off and the printouts. Everything the organizer
// does is tapped; what is tapped in a round is printed.
func TestAnOrganizerRunsAnEveningFromAPhone(t *testing.T) {
	t.Parallel()
	window := browser(t)
	dsn := storetest.SQLiteDSN(t)
	server := startNode(t, dsn)
	boss := newPlayer(t, dsn, "olena", "organizer")
	boss.base = server.base
	o := &phone{visitor: visit(t, window, server.base, 390, 844)}
	o.followLink(dsn, "olena")
	e := &evening{t: t, dsn: dsn, one: server, two: server, boss: boss, desk: newPerson(t, dsn, "olena", server.base),
		players: map[string]*client{}, half: map[string]int{}, played: map[string]int{}}

	o.askThree(e)
	o.screenshot("1-door")
	kiosk := visit(t, window, server.base, 820, 1180)
	comeIn(t, kiosk, e, eval[string](o.visitor, `document.querySelector("a[href^='/kiosk/']").getAttribute("href")`))
	o.announcePrizes()
	o.open(e.path + "/poster")
	o.waitFor(".poster .qr")
	o.open(e.path + "/desk")
	o.tap("#next-button")
	rounds, _ := storySize()
	for round := 1; round <= rounds; round++ {
		o.runRound(e, round)
		if round == 2 {
			o.open(e.path + "/desk")
			o.correct(e, window)
		}
	}
	e.closeEvening(o)
}

// storySize is how many rounds are played by how many who come in at the kiosk: all of
// them by make evening, which takes longer than a test should.
func storySize() (rounds, people int) {
	if os.Getenv("CHPOK_STORY") != "" {
		return 5, 24
	}
	return 3, 8
}

// askThree makes the event of three answers; two things are made shorter by hand, as
// the test has no evening.
func (p *phone) askThree(e *evening) {
	p.open("/tournaments/new")
	p.tap("label:has(input[name=people][value='24'])")
	await(p.t, "five rounds for 24", func() bool { return strings.Contains(p.text("#proposal h2"), "5 rounds") })
	// The answer to this comes when the long form is filled in, and must not take that back.
	p.do("hold a request", chromedp.Evaluate[chromedp.Void](`const asks = window.fetch;
		window.fetch = (...asked) => { window.fetch = asks; return new Promise((done) => { window.letGo = () => done(asks(...asked)); }); };`))
	p.tap("label:has(input[value=open])")
	p.wholePage("0-questions")
	p.do("open the long form", chromedp.Evaluate[chromedp.Void](`for (const d of document.querySelectorAll("#advanced, #advanced details")) d.open = true`))
	if over := eval[int](p.visitor, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
		p.t.Errorf("the questions or the long form are %d px too wide", over)
	}
	rounds, _ := storySize()
	for field, value := range map[string]string{"#chips": "2", "#lateness": "0:20", "#break": "0", "#rounds": strconv.Itoa(rounds)} {
		p.fill(field, value)
	}
	p.do("let it go", chromedp.Evaluate[chromedp.Void](`window.letGo()`))
	p.tap(".event-foot button")
	p.waitFor("#door-link")
	e.path = strings.TrimSuffix(strings.TrimPrefix(p.location(), p.base), "/door")
	e.id = strings.TrimPrefix(e.path, "/tournaments/")
	var made struct{ Lateness int }
	if p.api("/tournaments/"+e.id+"/settings", &made); made.Lateness != 20_000 {
		p.t.Fatalf("0:20 of lateness became %d ms", made.Lateness)
	}
	p.t.Logf("%d taps from the empty form to the open door", p.taps)
}

// comeIn has people write their names at the kiosk, one after the other.
func comeIn(t *testing.T, kiosk *visitor, e *evening, at string) {
	t.Helper()
	_, people := storySize()
	began := time.Now()
	kiosk.open(at)
	for _, name := range guests[:people] {
		kiosk.writeName(name)
	}
	took := time.Since(began)
	t.Logf("%d people came in within %.1f s of the machine", people, took.Seconds())
	if took > 5*time.Minute {
		t.Error("that is more than five minutes")
	}
	kiosk.screenshot("2-kiosk")
	for _, name := range guests[:people] {
		handle := string(club.GuestHandle(name, 1))
		e.players[name] = &client{t: t, base: e.one.base, token: chpok(t, "token", "add", handle, "--database-url", e.dsn), name: handle}
	}
}

func (v *visitor) writeName(name string) {
	v.t.Helper()
	v.fill("#door-name", name)
	v.click("#door-form button.big:not(.known)")
	v.waitFor(".slip .qr")
	v.click("#door-next")
	v.waitFor("#door-name")
}

// runRound drafts, looks, publishes and lets the boards play.
func (p *phone) runRound(e *evening, round int) {
	p.t.Helper()
	before := p.taps
	if round == 1 { // the first round is drafted at its time, the next half hour: mostly it is early
		next := ""
		await(p.t, "the started event", func() bool {
			next = p.text("#next")
			return strings.Contains(next, "Draft round 1") || strings.Contains(next, "Publish")
		})
		if !strings.Contains(next, "Publish") {
			p.tap("#next-button")
		}
	} else {
		p.open(e.path + "/desk")
	}
	if round == 2 { // somebody has come since it was drafted
		await(p.t, "the draft to be paired again", func() bool { return strings.Contains(p.text("#next"), "again") })
		p.tap("#next-button")
	}
	await(p.t, "the draft", func() bool { return strings.Contains(p.text("#next"), "Publish") })
	p.screenshot(fmt.Sprintf("3-round-%d-draft", round))
	p.tap("#next-button")
	p.waitFor("#desk-round .is-waiting, #desk-round .is-playing, #desk-round .is-late")
	r := e.view().Rounds[round-1]
	missing := 0
	if round == 1 {
		missing = 3
	}
	for _, b := range r.Pairings {
		if b.Board == missing {
			e.act(b.Second, *b.Match, map[string]any{"ready": true})
			continue
		}
		e.ready(b)
	}
	p.screenshot(fmt.Sprintf("4-round-%d", round))
	e.playAll(r, missing)
	r = e.over(round)
	if round == 1 {
		if got := r.Pairings[missing-1]; *got.Result != "-/+" {
			p.t.Errorf("who did not come: %s", *got.Result)
		}
	}
	if taps := p.taps - before; taps > 3 {
		p.t.Errorf("%d taps in round %d, at most 3 are wanted", taps, round)
	} else {
		p.t.Logf("round %d: %d taps", round, taps)
	}
	if round == 1 {
		p.lateEntry(e)
	}
}

// lateEntry lets somebody in after the first round.
func (p *phone) lateEntry(e *evening) {
	p.t.Helper()
	before, name := p.taps, guests[24]
	p.menu("/door")
	p.fill("#door-list", name)
	p.tap("form[action$='/players/add'] button")
	await(p.t, "the late entry", func() bool { return strings.Contains(p.text("main"), name) })
	p.screenshot("4-late-entry")
	p.t.Logf("a late entry: %d taps", p.taps-before)
	handle := string(club.GuestHandle(name, 1))
	e.players[name] = &client{t: p.t, base: p.base, token: chpok(p.t, "token", "add", handle, "--database-url", e.dsn), name: handle}
}

// announcePrizes says what there is to win.
func (p *phone) announcePrizes() {
	p.t.Helper()
	before := p.taps
	p.menu("/prizes/edit")
	p.fill("#places", "600 300 150")
	p.tap("form[action$='/prizes'] .actions button")
	p.waitFor(".prize-list")
	p.t.Logf("prizes: %d taps", p.taps-before)
}

// correct changes the result of a board of round 2, which everybody reads with who
// and why; the arbiter who plays on it may not.
func (p *phone) correct(e *evening, window context.Context) {
	p.t.Helper()
	before := p.taps
	board := e.view().Rounds[1].Pairings[0]
	handle := string(club.GuestHandle(board.First, 1))
	p.menu("/staff")
	p.fill("#handle", handle)
	p.fill("#duty", "arbiter")
	p.tap("#invite .actions button")
	await(p.t, "the invitation", func() bool { return strings.Contains(p.text(".staff"), handle) })

	mine := fmt.Sprintf("a[href='%s/rounds/2/boards/%d']", e.path, board.Board)
	arbiter := visit(p.t, window, p.base, 390, 844)
	arbiter.signIn(e.dsn, handle)
	arbiter.open(e.path)
	arbiter.click("form[action$='/staff/accept'] button")
	arbiter.waitFor("#tournament-head a[href$='/desk']")
	arbiter.open(e.path + "/rounds/2")
	arbiter.click(mine)
	arbiter.waitFor("[role=alert]")
	arbiter.screenshot("6-own-board")
	if text := arbiter.text("[role=alert]"); !strings.Contains(text, "Nobody decides alone") || !strings.Contains(text, "olena") {
		p.t.Errorf("an arbiter at their own result reads %q", text)
	}
	if n := eval[int](arbiter, `document.querySelectorAll("main button[name=result], #correct").length`); n != 0 {
		p.t.Errorf("an arbiter is offered %d ways to correct their own result", n)
	}

	p.menu("/results")
	p.tap(mine)
	p.tap(fmt.Sprintf("button[name=result][value='%s']", map[string]string{"1-0": "0-1", "0-1": "1-0", "1/2-1/2": "1-0"}[*board.Result]))
	p.waitFor("#correct")
	p.screenshot("6-correction")
	p.fill("#reason", "Both say so")
	p.tap("#correct button")
	await(p.t, "the corrected result", func() bool { return strings.Contains(p.text("main"), "Both say so") })
	p.t.Logf("an arbiter invited and a result corrected: %d taps", p.taps-before)
	p.open(e.path + "/rounds/2")
	if text := p.text("main"); !strings.Contains(text, "†") || !strings.Contains(text, "Both say so") || !strings.Contains(text, "olena") {
		p.t.Errorf("the corrected result is not marked with who and why:\n%s", text)
	}
	p.screenshot("6-corrected")
}

// closeEvening looks at the podium, signs off, and prints.
func (e *evening) closeEvening(p *phone) {
	e.t.Helper()
	e.until("the end", func() bool { return e.view().Status == "finished" })
	p.open(e.path)
	p.waitFor(".podium")
	p.wholePage("5-podium")
	first := 0 // who share a place share its step
	for _, line := range e.table().Lines {
		if line.Rank <= 3 {
			first++
		}
	}
	if n := eval[int](p.visitor, `document.querySelectorAll(".podium > li").length`); n != first || n < 3 {
		e.t.Errorf("%d on the podium, %d in the places 1 to 3", n, first)
	}
	before := p.taps
	p.tap("#tournament-head a[href$='/desk']")
	p.screenshot("7-sign-off")
	p.tap("#next-button")
	p.tap("#next a[href$='/prizes/receipts']")
	p.waitFor(".receipt")
	p.wholePage("8-receipts")
	if n := eval[int](p.visitor, `document.querySelectorAll(".receipt").length`); n < 3 {
		e.t.Errorf("%d receipts for three prizes", n)
	}
	e.t.Logf("from the podium to the receipts: %d taps", p.taps-before)
	p.open(e.path + "/standings")
	p.click("table.standings tbody tr:nth-child(2) a.why")
	p.waitFor("tr.explained .worked-out")
	if why := p.text("tr.explained"); !strings.Contains(why, "Buchholz") || !strings.Contains(why, "round 1") {
		e.t.Errorf("a tie-break explains itself by %q", why)
	}
	p.screenshot("9-why")
	for _, page := range []string{"/prizes/receipts", "/standings", "/wallchart", "/cards", "/slips"} {
		p.open(e.path + page)
		if text := p.text("main"); page != "/prizes/receipts" && !strings.Contains(text, guests[0]) {
			e.t.Errorf("%s lacks %s", page, guests[0])
		}
		pdf, err := chromedp.Run(p.ctx, chromedp.PrintToPDF())
		if err != nil || !strings.HasPrefix(string(pdf), "%PDF-") {
			e.t.Errorf("%s cannot be printed: %v", page, err)
		}
	}
	e.t.Logf("%d taps for the whole evening", p.taps)
}
