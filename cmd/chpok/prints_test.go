package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"chpok.org/chpok/store/storetest"
)

// aPage is the head of one page in a file that Chromium has printed.
var aPage = regexp.MustCompile(`/Type /Page\b`)

// printedOn is the line that a print begins with.
var printedOn = regexp.MustCompile(`^Printed \p{L}+ \d+, 20\d\d at \d\d:\d\d · `)

// TestPrintsFitTheirSheets prints what the staff of an evening of 25 hang up and hand out, on the paper of either
// continent: no sheet is half empty because of a line too many, and each says when it was printed and what it shows.
func TestPrintsFitTheirSheets(t *testing.T) {
	t.Parallel()
	window := lookingBrowser(t)
	dsn := storetest.SQLiteDSN(t)
	server := startNode(t, dsn)
	api := newPlayer(t, dsn, "olena", "organizer")
	api.base = server.base
	desk := newPerson(t, dsn, "olena", server.base)
	long := "Дев’ятий вечір у клубі на Подолі з довгою назвою, яку вигадали на зборах усім товариством"
	made := desk.send("/tournaments/new", "/tournaments", "name", long, "people", "24", "stake", "club", "over_by", "open", "format", "swiss", "rounds", "5", "capacity", "")
	online := strings.Join(strings.Split(made.path, "/")[:3], "/")
	desk.send(online+"/door", online+"/players/add", "list", names(25), "play", "on", "do", "add")
	hall := printedHall(t, api, desk, "Wednesday evening", "swiss", names(25))
	whole := printedHall(t, api, desk, "Wednesday evening", "swiss", wholeNames(25))
	cup := printedHall(t, api, desk, strings.Repeat("Ж", 100), "knock-out", wholeNames(16))
	teams := printedHall(t, api, desk, "Teams of the region", "teams", teamNames(6))
	made = desk.send("/tournaments/new", "/tournaments", "name", strings.Repeat("Ж", 100), "people", "24", "stake", "club", "over_by", "open", "format", "swiss", "rounds", "5", "capacity", "")
	named := strings.Join(strings.Split(made.path, "/")[:3], "/")
	desk.send(named+"/door", named+"/players/add", "list", wholeNames(25), "play", "on", "do", "add")

	v := visit(t, window, server.base, usual.width, usual.height)
	v.signIn(dsn, "olena")
	for _, sheet := range []struct {
		page  string
		pages int
		says  string
	}{
		{online + "/poster", 1, "Walk in, play."},
		{online + "/slips", 2, ""},
		{hall + "/cards", 4, "Player cards after round 1"}, // eight on each
		{hall + "/standings", 1, "Standings after round 1"},
		{hall + "/crosstable", 1, "Crosstable after round 1"},
		{hall + "/wallchart", 1, "Wallchart after round 1"},
		{hall + "/rounds/1", 1, "Round 1"},
		{hall + "/rounds/1/names", 1, "Round 1"},
		{hall + "/desk", 1, "Round 1"},
		{hall + "/pairings", 1, "Round 1"},
		{teams + "/standings", 1, "Teams of the region"},
		{teams + "/crosstable", 1, "Teams of the region"},
		{teams + "/wallchart", 1, "Teams of the region"},
		{teams + "/by-board", 1, "Teams of the region"},
		{teams + "/cards", 1, "Teams of the region"},
		{teams + "/rounds/1", 1, "Teams of the region"},
		{teams + "/rounds/1/names", 1, "Teams of the region"},
		{named + "/poster", 1, "Walk in, play."},
		{named + "/slips", 2, "Ж"},
		{cup + "/bracket", 1, "Ж"},
		{cup + "/rounds/1", 1, "Ж"},
		{whole + "/cards", 4, "Ж"},
		{whole + "/standings", 1, "Ж"},
		{whole + "/crosstable", 1, "Ж"},
		{whole + "/wallchart", 1, "Ж"},
		{whole + "/rounds/1", 1, "Ж"},
		{whole + "/rounds/1/names", 2, "Ж"},
	} {
		v.open(sheet.page)
		if !strings.Contains(v.text("main"), sheet.says) {
			t.Errorf("%s does not say %q", sheet.page, sheet.says)
		}
		for _, paper := range []chromedp.PaperSize{chromedp.PaperLetter, chromedp.PaperA4} {
			pdf, err := chromedp.Run(v.ctx, chromedp.PrintToPDF(chromedp.PDFPaper(paper)))
			if err != nil {
				t.Fatal(err)
			}
			if n := len(aPage.FindAll(pdf, -1)); n != sheet.pages {
				t.Errorf("%s takes %d sheets of %v, want %d", sheet.page, n, paper, sheet.pages)
			}
			v.keep(fmt.Sprintf("%s-%.0f.pdf", sheet.page[strings.LastIndex(sheet.page, "/"):], paper.Height), pdf)
		}
		if cut := v.onPaper(cutOnPaper); cut != "" {
			t.Errorf("%s is wider than its paper at %s", sheet.page, cut)
		}
		if word := v.onPaper(brokenOnPaper); word != "" {
			t.Errorf("%s breaks %s", sheet.page, word)
		}
		if lost := v.onPaper(nobodyOnPaper); lost != "" {
			t.Errorf("%s does not show who plays at %s", sheet.page, lost)
		}
		if says := v.text("#printed"); !printedOn.MatchString(says) || !strings.HasSuffix(says, sheet.page) {
			t.Errorf("%s says of its print: %q", sheet.page, says)
		}
	}
}

// cutOnPaper is, in the page, the first part that stands out of the paper or is cut at the edge of its box.
const cutOnPaper = `(() => {
	const cut = e => e.checkVisibility() && !e.closest(".visually-hidden, svg") && (e.getBoundingClientRect().right > innerWidth + 1 || e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX != "visible");
	const e = [...document.querySelectorAll("main *")].find(cut);
	return e ? e.tagName + " “" + e.textContent.trim().slice(0, 30) + "”" : "";
})()`

// brokenOnPaper is, in the page, the first word of a table that its column is too narrow for.
const brokenOnPaper = `(() => {
	for (const cell of document.querySelectorAll("main table :is(th, td)")) {
		if (!cell.checkVisibility()) continue;
		const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT), range = document.createRange();
		while (texts.nextNode()) for (const word of texts.currentNode.data.matchAll(/[\p{L}\d½]{2,30}/gu)) {
			if (/Ж{30}/.test(texts.currentNode.data)) continue; // longer than any column
			range.setStart(texts.currentNode, word.index);
			range.setEnd(texts.currentNode, word.index + word[0].length);
			if (new Set([...range.getClientRects()].map(r => Math.round(r.top))).size > 1) return "“" + word[0] + "” of “" + cell.innerText.trim().slice(0, 40) + "”";
		}
	}
	return "";
})()`

// nobodyOnPaper is, in the page, the first board of the staff's lists on which a name is missing or squeezed.
const nobodyOnPaper = `(() => {
	const seen = e => e.checkVisibility() && e.getBoundingClientRect().width > 80;
	const li = [...document.querySelectorAll(".desk-list > li")].find(li => [...li.querySelectorAll(".side")].filter(seen).length < 2);
	return li ? "board " + li.innerText.trim().slice(0, 60) : "";
})()`

// onPaper runs an expression in the page as it is printed between the margins of A4, the narrower of the two papers.
func (v *visitor) onPaper(expression string) string {
	v.t.Helper()
	media := func(name string, width int64) {
		if _, err := chromedp.Call(v.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: name}); err != nil {
			v.t.Fatal(err)
		}
		v.do("change the window", chromedp.EmulateViewport(width, usual.height))
	}
	media("print", 703)
	defer media("", usual.width)
	return eval[string](v, expression)
}

// keep writes a print to the folder CHPOK_SHOTS, if that is set.
func (v *visitor) keep(name string, print []byte) {
	if dir := os.Getenv("CHPOK_SHOTS"); dir != "" {
		if err := os.WriteFile(filepath.Join(dir, v.t.Name()+strings.ReplaceAll(name, "/", "-")), print, 0o644); err != nil {
			v.t.Log(err)
		}
	}
}

// wholeNames are names of forty letters without a space, the longest that there are.
func wholeNames(n int) string {
	var list []string
	for i := range n {
		list = append(list, strings.Repeat("Ж", 38)+fmt.Sprintf("%02d", i+10))
	}
	return strings.Join(list, "\n")
}

// teamNames is a list of teams of four with their players.
func teamNames(teams int) string {
	list := []string{"name;rating;team"}
	for i, name := range strings.Split(names(4*teams), "\n") {
		list = append(list, fmt.Sprintf("%s;%d;Шаховий клуб міста %c", name, 1900-i, 'А'+i%teams))
	}
	return strings.Join(list, "\n")
}

// printedHall is an event over the board whose first round has been played.
func printedHall(t *testing.T, api *client, desk *person, name, format, list string) (path string) {
	t.Helper()
	var hosted struct{ ID string }
	settings := map[string]any{"name": name, "format": format, "pace": "manual"}
	switch format {
	case "swiss":
		settings["rounds"] = 5
	case "teams":
		settings["format"], settings["teams"] = "round-robin", map[string]any{"boards": 3, "reserves": 1}
	}
	api.must("POST", "/tournaments", settings, &hosted)
	path = "/tournaments/" + hosted.ID
	api.must("POST", path+"/lists", map[string]any{"list": list}, nil)
	desk.send(path+"/desk", path+"/start")
	desk.send(path+"/desk", path+"/pairings")
	desk.send(path+"/desk", path+"/pairings/edit/publish")
	var told struct {
		Rounds []struct{ Pairings []struct{ Board int } }
	}
	api.must("GET", path, nil, &told)
	for board := range told.Rounds[0].Pairings {
		api.must("POST", path+"/results", map[string]any{"round": 1, "board": board + 1, "result": "1-0"}, nil)
	}
	return path
}
