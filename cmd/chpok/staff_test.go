package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"chpok.org/chpok/store/storetest"
)

// TestStaffOfTwoDutiesInTheBrowser: an organizer makes an event of three answers
// and invites two players, one to judge and one to enter results; each sees
// and does what the duty allows and nothing else.
func TestStaffOfTwoDutiesInTheBrowser(t *testing.T) {
	t.Parallel()
	window := browser(t)
	dsn := storetest.SQLiteDSN(t)
	server := startNode(t, dsn)
	for handle, role := range map[string]string{"anna": "organizer", "bohdan": "player", "chayka": "player", "danylo": "player"} {
		newPlayer(t, dsn, handle, role)
	}
	owner := visit(t, window, server.base, 1280, 900)
	owner.signIn(dsn, "anna")
	owner.open("/tournaments/new")
	owner.fill("#name", "Staff cup")
	owner.click("label:has(input[value=open])")
	owner.click("label:has(input[name=people][value='24'])")
	owner.waitFor("#proposal h2")
	await(t, "a proposal for 24", func() bool { return strings.Contains(owner.text("#proposal h2"), "5 rounds") })
	owner.click("#advanced > summary")
	owner.click("#part-entry > summary")
	owner.click("#approval")
	owner.fill("#min_games", "3")
	owner.wholePage("new-event")
	owner.click("#proposal .big")
	owner.waitFor("#tournament-head")
	path := strings.Join(strings.Split(strings.TrimPrefix(owner.location(), server.base), "/")[:3], "/")
	owner.open(path + "/staff")
	for handle, duty := range map[string]string{"bohdan": "arbiter", "chayka": "results"} {
		owner.fill("#handle", handle)
		owner.fill("#duty", duty)
		owner.click("#invite button")
		owner.waitFor("a.handle[href='/players/" + handle + "']")
	}
	owner.screenshot("staff")

	judge, writer := visit(t, window, server.base, 390, 844), visit(t, window, server.base, 1280, 900)
	judge.signIn(dsn, "bohdan")
	writer.signIn(dsn, "chayka")
	for _, v := range []*visitor{judge, writer} {
		v.open(path)
		v.click("form[action$='/staff/accept'] button")
		v.waitFor("a[href='" + path + "/desk']")
	}
	judge.open(path + "/players/add")
	judge.fill("#list", "danylo\nGuest One; 1500\nGuest Two; much")
	judge.click("button[value=preview]")
	judge.waitFor("#preview")
	judge.screenshot("list-phone")
	if text := judge.text("#preview"); !strings.Contains(text, "3") || eval[int](judge,
		"document.querySelectorAll('#preview tr.wrong').length") != 2 {
		t.Errorf("danylo does not meet the condition, and a rating is no number: %s", text)
	}
	judge.fill("#reason", "our guest")
	judge.click("button[value=add]")
	judge.waitFor(".note[role=alert]") // a line is left to be mended
	judge.open(path + "/players")
	judge.waitFor(".desk-entries")
	judge.screenshot("players-phone")
	if text := judge.text("main"); !strings.Contains(text, "danylo") || !strings.Contains(text, "our guest") {
		t.Errorf("the desk of the arbiter: %s", text)
	}
	writer.open(path + "/players")
	writer.waitFor(".desk-entries")
	writer.screenshot("players-results")
	if n := eval[int](writer, "document.querySelectorAll('main form[method=post]').length"); n != 0 {
		t.Errorf("who enters results has %d forms at the players' desk", n)
	}
	writer.open(path + "/staff")
	writer.waitFor("table.matrix")
	writer.screenshot("staff-results")
	if n := eval[int](writer, "document.querySelectorAll('#invite, select[name=duty]').length"); n != 0 {
		t.Error("who enters results appoints staff")
	}
	for _, address := range []string{"/players/add", "/edit"} {
		if n := eval[int](writer, "document.querySelectorAll('a[href$=\""+address+"\"]').length"); n != 0 {
			t.Errorf("who enters results is led to %s", address)
		}
	}
}

// TestTheDeskIsRunByKeys: a row, who has won, and back; and the answer to a question of
// the site's own is given where it stands when the page was renewed beneath it; time zones
// are offered as a list.
func TestTheDeskIsRunByKeys(t *testing.T) {
	t.Parallel()
	window := browser(t)
	dsn := storetest.SQLiteDSN(t)
	server := startNode(t, dsn)
	boss := newPlayer(t, dsn, "olena", "organizer")
	boss.base = server.base
	newPlayer(t, dsn, "bohdan", "player")
	var made struct{ ID string }
	boss.must("POST", "/tournaments", map[string]any{"name": "Keys", "format": "swiss", "rounds": 2, "pace": "auto"}, &made)
	path := "/tournaments/" + made.ID
	o := visit(t, window, server.base, 1366, 768)
	o.signIn(dsn, "olena")
	o.open(path + "/players/add")
	o.fill("#list", "Anna Bilyk\nBorys Hai\nClara Kit\nDanylo Lis")
	o.click("button[value=preview]")
	o.waitFor("#preview")
	o.click("button[value=add]")
	o.waitFor(".desk-entries")
	boss.must("POST", path+"/start", nil, nil)
	o.open(path + "/desk")
	o.waitFor("#desk-round li.is-open")
	open := func(want int) {
		t.Helper()
		await(t, fmt.Sprintf("%d open boards", want), func() bool {
			return eval[int](o, `document.querySelectorAll("#desk-round li.is-open").length`) == want
		})
	}
	open(2)
	o.keys("j")
	o.keys("1")
	open(1)
	o.waitFor("#undo")
	o.screenshot("undo")
	if row := o.text("#board-1"); !strings.Contains(row, "1") || eval[string](o, `document.activeElement.closest("li")?.id ?? ""`) != "board-2" {
		t.Errorf("after the first board the keys are about %q", eval[string](o, `document.activeElement.outerHTML`))
	}
	o.keys("u")
	await(t, "the desk with its keys", func() bool {
		return eval[bool](o, `document.readyState === "complete" &&
			document.querySelectorAll("#desk-round li.is-open").length === 2`)
	})
	o.keys("?")
	if said := o.text("#desk-keys"); !strings.Contains(said, "left wins") {
		t.Errorf("where results are entered the desk names the keys %q", said)
	}
	o.keys("jf")
	if at := o.focused("value"); at != "+/-" {
		t.Errorf("the key of no-shows leads to %q", at)
	}
	o.keys(kb.Enter)
	open(1)

	o.open(path + "/staff")
	o.fill("#handle", "bohdan")
	o.fill("#duty", "results")
	o.click("#invite button")
	o.click("button[data-confirm]")
	o.waitFor("dialog.ask[open]")
	if !eval[bool](o, `document.querySelector("dialog.ask .danger").innerHTML === document.querySelector("button[data-confirm]").innerHTML`) {
		t.Error("the answer is written otherwise than the button that asked")
	}
	o.do("renew the page beneath", chromedp.Evaluate[chromedp.Void](`for (const f of document.querySelectorAll("form:has([data-confirm])")) f.replaceWith(f.cloneNode(true))`))
	o.click("dialog.ask .danger")
	await(t, "the answer to be taken", func() bool { return !strings.Contains(o.text("main"), "bohdan") })

	// A time zone is chosen from all there are, the browser's own first.
	o.open(path + "/screens")
	o.click("#zone")
	zones := eval[[]string](o, `[...document.querySelectorAll("#zone-zones option")].map(o => o.value)`)
	own := eval[string](o, `Intl.DateTimeFormat().resolvedOptions().timeZone`)
	if len(zones) < 100 || zones[0] != own || !slices.Contains(zones, "Europe/Berlin") {
		t.Errorf("%d zones are offered, %q first; the browser is in %s", len(zones), zones[:min(len(zones), 1)], own)
	}
}

// TestTheDeskSiftsItsBoardsWhereTheyAreMany: six are seen at once; of seven those are shown that are asked for, until the
// last of them is done, and a board is found by its number or by a name.
func TestTheDeskSiftsItsBoardsWhereTheyAreMany(t *testing.T) {
	t.Parallel()
	window := browser(t)
	dsn := storetest.SQLiteDSN(t)
	server := startNode(t, dsn)
	boss := newPlayer(t, dsn, "olena", "organizer")
	boss.base = server.base
	o := visit(t, window, server.base, 1366, 768)
	o.signIn(dsn, "olena")
	atDesk := func(name string, guests ...string) string {
		var made struct{ ID string }
		boss.must("POST", "/tournaments", map[string]any{"name": name, "format": "swiss", "rounds": 2, "pace": "auto"}, &made)
		path := "/tournaments/" + made.ID
		o.open(path + "/players/add")
		o.fill("#list", strings.Join(guests, "\n"))
		o.click("button[value=preview]")
		o.waitFor("#preview")
		o.click("button[value=add]")
		o.waitFor(".desk-entries")
		boss.must("POST", path+"/start", nil, nil)
		o.open(path + "/desk")
		o.waitFor("#desk-round li.is-open")
		return path
	}
	names := strings.Split("Anna Bilyk,Borys Hai,Clara Kit,Danylo Lis,Eva Mak,Fedir Nos,Galia Ost,Hnat Pes,Ira Ros,Kuzma Sad,Lesia Tur,Mykola Uss,"+
		"Nina Vik,Oleh Zub", ",")
	atDesk("Six boards", names[:12]...)
	isSifted := `document.querySelector(".desk-sift") !== null`
	if eval[bool](o, isSifted) {
		t.Error("six boards are sifted, though all are seen at once")
	}
	path := atDesk("Seven boards", names...)
	if !eval[bool](o, isSifted) {
		t.Fatal("seven boards are not sifted")
	}
	seen := func(want int) {
		t.Helper()
		await(t, fmt.Sprintf("%d boards", want), func() bool {
			return eval[int](o, `[...document.querySelectorAll("#desk-round li")].filter((row) => row.offsetParent).length`) == want
		})
	}
	o.keys("j")
	o.keys("1")
	await(t, "the result", func() bool { return eval[int](o, `document.querySelectorAll("#desk-round li.is-done").length`) == 1 })
	seen(7)
	o.click(`[data-which="todo"]`)
	seen(6)
	o.open(path + "/desk")
	seen(6) // also when the page is opened anew
	o.click(`[data-which="done"]`)
	seen(1)
	o.click(`[data-which="all"]`)
	o.keys("/")
	if at := o.focused("id"); at != "desk-find" {
		t.Errorf("the key that finds a board leads to %q", at)
	}
	o.fill("#desk-find", "7")
	seen(1)
	if row := eval[string](o, `[...document.querySelectorAll("#desk-round li")].find((row) => row.offsetParent).id`); row != "board-7" {
		t.Errorf("seven finds %s", row)
	}
	o.fill("#desk-find", strings.ToUpper(o.text("#board-7 .side span")))
	seen(1)
	o.keys(kb.Enter)
	o.keys("5")
	await(t, "two results", func() bool { return eval[int](o, `document.querySelectorAll("#desk-round li.is-done").length`) == 2 })
	seen(7)

	// Slips are typed as they are read: each key is for the next board, also while the results before are on their way.
	scores := func(boards []string) []string {
		list, _ := json.Marshal(boards)
		return eval[[]string](o, string(list)+`.map((id) => document.querySelector("#" + id + " .score")?.textContent.trim() ?? "")`)
	}
	open := eval[[]string](o, `globalThis.stays = true, [...document.querySelectorAll("#desk-round li.is-open")].map((row) => row.id)`)
	o.do("leave the row", chromedp.Evaluate[chromedp.Void](`document.activeElement.blur()`))
	o.keys("j1501")
	await(t, "all results but the last", func() bool { return eval[int](o, `document.querySelectorAll("#desk-round li.is-done").length`) == 6 })
	if got := scores(open); !slices.Equal(got, []string{"1 : 0", "½ : ½", "0 : 1", "1 : 0", ""}) || !eval[bool](o, `globalThis.stays === true`) {
		t.Errorf("typed 1, 5, 0, 1: %q", got)
	}
}
