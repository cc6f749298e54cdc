package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"chpok.org/chpok/store/storetest"
)

// names are people of a club, all different.
func names(n int) string {
	first := []string{"Дарина", "Bohdan", "Катерина", "Ihor", "Мілана", "Maksymilian", "Олександра", "Zoia"}
	last := []string{"Ткач", "Kowalczyk", "Шевчук", "Pavlenko", "Савченко-Гнатюк", "Lys", "Бондаренко", "Moroz"}
	var list []string
	for i := range n {
		list = append(list, first[i%8]+" "+last[(i/8+i)%8]+" "+string(rune('A'+i%26)))
	}
	return strings.Join(list, "\n")
}

// screenHall is an event that so many people have come in to, its path and its screen.
func screenHall(t *testing.T, desk *person, people int) (path, screen string) {
	t.Helper()
	made := desk.send("/tournaments/new", "/tournaments", "name", fmt.Sprintf("Evening of %d", people), "people", "24", "stake", "club", "over_by", "open",
		"format", "swiss", "rounds", "5", "capacity", "")
	path = strings.Join(strings.Split(made.path, "/")[:3], "/")
	desk.send(path+"/door", path+"/players/add", "list", names(people), "do", "add")
	made = desk.send(path+"/screens", path+"/screens", "name", "Hall", "seconds", "600", "message", "Coffee in the hall",
		"shows", "countdown", "shows", "message", "shows", "boards", "shows", "pairings", "shows", "names", "shows", "standings")
	return path, screenOn(made)
}

// screenOn is the address of the last screen that a page names.
func screenOn(page sheet) (screen string) {
	for n := range page.root.Descendants() {
		if link, _ := attrOf(n, "href"); strings.Contains(link, "/screens/") && strings.HasPrefix(link, "http") {
			screen = link[strings.Index(link, "/screens/"):]
		}
	}
	return screen
}

// TestEveryPageOfAScreenFits a projector and a television, with few people and many:
// nothing stands below the edge, as nobody scrolls there.
func TestEveryPageOfAScreenFits(t *testing.T) {
	t.Parallel()
	window := lookingBrowser(t)
	dsn := storetest.SQLiteDSN(t)
	server := startNode(t, dsn)
	newPlayer(t, dsn, "olena", "organizer")
	desk := newPerson(t, dsn, "olena", server.base)
	for _, people := range []int{8, 24, 60} {
		path, screen := screenHall(t, desk, people)
		wall := visit(t, window, server.base, 1280, 720)
		wall.turnPages(screen, fmt.Sprintf("%d-before", people))
		desk.send(path+"/desk", path+"/start")
		desk.send(path+"/desk", path+"/pairings")
		desk.send(path+"/desk", path+"/pairings/edit/publish")
		wall.turnPages(screen, fmt.Sprint(people))
	}
}

// turnPages looks at every page of a screen in both sizes.
func (v *visitor) turnPages(screen, name string) {
	v.t.Helper()
	for _, size := range [][2]int64{{1920, 1080}, {1280, 720}} {
		v.do("resize", chromedp.EmulateViewport(size[0], size[1]))
		v.open(screen)
		v.waitFor("body.rotating .picture.on")
		pages := eval[int](v, `Number(document.body.dataset.page.split("/")[1])`)
		rows := map[string][]int{}
		for i := range pages {
			what := eval[string](v, `document.querySelector(".picture.on").id + " " + document.body.dataset.page`)
			if over := eval[int](v, `Math.max(document.documentElement.scrollHeight - innerHeight, document.documentElement.scrollWidth - innerWidth)`); over > 0 {
				v.t.Errorf("%s at %d: %s is %d px too large", name, size[0], what, over)
			}
			// Nobody waits for a page of one row, and few rows are no line on an empty wall.
			picture, _, _ := strings.Cut(what, " ")
			if n := eval[int](v, `[...document.querySelectorAll(".picture.on tbody tr")].filter(e => e.checkVisibility()).length`); n > 0 {
				rows[picture] = append(rows[picture], n)
				if low := eval[float64](v, lowest); low < 0.6 {
					v.t.Errorf("%s at %d: %s leaves the wall empty below %.0f %%", name, size[0], what, 100*low)
				}
			}
			if all := rows[picture]; len(all) > 0 && slices.Max(all)-slices.Min(all) > 1 {
				v.t.Errorf("%s at %d: pages of %s have %v rows", name, size[0], picture, all)
			}
			// The smallest words are read from the last row: 24 px of 1080.
			if small := eval[float64](v, smallest); small < 0.02 {
				v.t.Errorf("%s at %d: %s has letters of %.1f %% of the wall", name, size[0], what, 100*small)
			}
			v.screenshot(fmt.Sprintf("%s-%d-%d", name, size[1], i+1))
			v.keys(kb.ArrowRight)
		}
	}
}

// lowest is where the last row of the page that is shown ends, as a part of the wall that is above the foot.
const lowest = `Math.max(...[...document.querySelectorAll(".picture.on tbody tr")].filter(e => e.checkVisibility()).map(e => e.getBoundingClientRect().bottom)) / (innerHeight - (document.querySelector(".follow")?.offsetHeight ?? 0))`

// smallest is the height of the smallest letters of the page that is shown, of tables
// and words, as a part of the screen's.
const smallest = `Math.min(...[...document.querySelectorAll(".picture.on :is(td, th, .words, h1)")].filter(e => e.offsetHeight).map(e => parseFloat(getComputedStyle(e).fontSize))) / innerHeight`

// TestTheWallShowsTheBoardsBeingPlayed, as it is set up without choosing anything: who plays, on
// clocks that run, what stands on the board, and each move.
func TestTheWallShowsTheBoardsBeingPlayed(t *testing.T) {
	t.Parallel()
	window := lookingBrowser(t)
	dsn := storetest.SQLiteDSN(t)
	server := startNode(t, dsn)
	clients := trio(t, dsn, server.base)
	id, first, second := openMatch(t, clients, map[string]any{"chips": 1})
	first.sends(id, map[string]any{"bid": map[string]any{"target": "white", "chips": 1}})
	second.sends(id, map[string]any{"bid": map[string]any{"target": "time", "chips": 1, "minutes": 30, "increment": 0}})
	var events struct{ Tournaments []struct{ ID string } }
	clients[0].must("GET", "/tournaments", nil, &events)
	path := "/tournaments/" + events.Tournaments[0].ID
	screen := screenOn(newPerson(t, dsn, "anna", server.base).send(path+"/screens", path+"/screens", "name", "Hall", "seconds", "600"))

	wall := visit(t, window, server.base, 1920, 1080)
	wall.open(screen)
	wall.waitFor("body.rotating .picture.on")
	for eval[string](wall, `document.querySelector(".picture.on").id`) != "picture-boards-1" {
		if page := eval[string](wall, "document.body.dataset.page"); strings.HasPrefix(page, "9/") {
			t.Fatal("no page shows boards")
		}
		wall.keys(kb.ArrowRight)
	}
	card := func(what string) string {
		return eval[string](wall, `[...document.querySelectorAll(".picture.on .live-card `+what+`")].filter(e => e.checkVisibility()).map(e => e.getAttribute("href") ?? e.textContent).join(" ")`)
	}
	if names := card(".live-name"); names != second.name+" "+first.name {
		t.Errorf("on the card play %q, want Black above White: %s %s", names, second.name, first.name)
	}
	clocks, pieces := card(".clock"), card("svg.mini use")
	if !regexp.MustCompile(`^30:00 (30:00|29:\d\d)$`).MatchString(clocks) || strings.Count(pieces, "#") != 32 {
		t.Errorf("the clocks say %q; on the board stand %s", clocks, pieces)
	}
	await(t, "White's clock runs", func() bool { return card(".clock") != clocks && strings.HasPrefix(card(".clock"), "30:00 29:") })
	// News of moves turn no pages.
	if before, after := eval[string](wall, "document.body.dataset.page"), eval[string](wall, `(() => {
		for (let i = 0; i < 700; i++) document.dispatchEvent(new CustomEvent("feed:swapped"));
		return document.body.dataset.page;
	})()`); after != before {
		t.Errorf("page %s of 600 s was turned to %s by news", before, after)
	}
	first.sends(id, map[string]any{"act": "e2e4"})
	await(t, "the move on the wall", func() bool {
		return eval[int](wall, `document.querySelectorAll(".picture.on .live-card .mini-last").length`) > 0
	})
	await(t, "Black's clock runs", func() bool { return strings.HasPrefix(card(".clock"), "29:") })
	for _, size := range [][2]int64{{1920, 1080}, {1366, 768}, {3840, 2160}, {1080, 1920}} {
		wall.do("resize", chromedp.EmulateViewport(size[0], size[1]))
		for _, bids := range []bool{false, true} {
			for _, boards := range []int{1, 2, 3, 5, 8, 13, 60} {
				if got := eval[string](wall, fmt.Sprintf(faultsOfBoards, boards, bids)); got != "" {
					t.Errorf("%d boards in a window of %v, bidding %t: %s", boards, size, bids, got)
				}
				wall.screenshot(fmt.Sprint("boards-", size[1], "-", boards, "-", bids))
			}
		}
	}
}

// faultsOfBoards lays out so many copies of the first board, or of one that is bid for, and names what is wrong with the
// pages: letters too small to be read from the last row, words that are cut, an uneven division, a wall half empty.
const faultsOfBoards = `((boards, bids) => {
	const grid = document.querySelector(".picture.on .live-grid"), faults = new Set();
	const card = grid.firstElementChild.cloneNode(true);
	if (bids) card.querySelector(".live-box").innerHTML = '<div class="live-bids">' + ["Білі", "Час", "Домашній ряд", "Особливі правила"].map(what =>
		'<div class="live-bid"><span><b>' + what + '</b><small>Ще не вирішено</small></span><span class="live-stake"><i></i></span><span class="live-stake"><i></i></span></div>').join("") + "</div>";
	grid.replaceChildren(...Array.from({ length: boards }, () => card.cloneNode(true)));
	document.dispatchEvent(new CustomEvent("feed:swapped"));
	const seen = e => e.checkVisibility() && e.getBoundingClientRect().width > 2;
	const title = document.querySelector(".picture.on [data-part]"), sizes = [];
	const pages = Number(title.textContent.split("/")[1] ?? 1);
	do {
		const cards = [...grid.children].filter(seen);
		sizes.push(cards.length);
		for (const e of [...grid.querySelectorAll(".live-name, .live-points, .clock, .live-line, .live-bid b, .live-bid small")].filter(seen)) {
			if (parseFloat(getComputedStyle(e).fontSize) < 25) faults.add(e.className + " is too small");
			if (e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display !== "inline") faults.add(e.className + e.tagName + " is cut");
		}
		for (const e of [...grid.querySelectorAll(".live, .live-box, .live-bids")].filter(seen)) if (e.scrollHeight > e.clientHeight + 2) faults.add(e.className + " is too high");
		if (Math.max(...cards.map(e => e.getBoundingClientRect().bottom)) < 0.85 * innerHeight) faults.add("the wall is not filled");
		if (document.documentElement.scrollHeight > innerHeight || document.documentElement.scrollWidth > innerWidth) faults.add("it is larger than the wall");
		dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight" }));
	} while (sizes.length < pages);
	while (!document.querySelector("#picture-boards-1.on")) dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight" }));
	if (Math.max(...sizes) - Math.min(...sizes) > 1 || sizes.reduce((a, b) => a + b) !== boards) faults.add("pages of " + sizes);
	return [...faults].join(", ");
})(%d, %t)`
