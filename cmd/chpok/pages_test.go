package main

import (
	"fmt"
	"html"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"chpok.org/chpok/templates/lang/plain"
)

// askedToAllow is the page on which an application asks for an account.
const askedToAllow = "/oauth/authorize?response_type=code&client_id=Table&redirect_uri=https://club.example/&scope=read%20organize&state=1" +
	"&code_challenge_method=S256&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

// TestEveryPageStandsUp walks the demo's site in the browser, link by link, one
// page of each family: at phone and desktop width, in both colour schemes, and in
// both languages. No page may fail, say anything on the console, be wider than the
// window, lack a heading or show a text key instead of a text. With CHPOK_SHOTS
// naming a folder it takes a picture of each.
func TestEveryPageStandsUp(t *testing.T) {
	t.Parallel()
	window := lookingBrowser(t)
	file, _ := demoFile(t)
	at := filepath.Join(t.TempDir(), "chpok.db")
	if err := os.WriteFile(at, file, 0o600); err != nil {
		t.Fatal(err)
	}
	dsn := "sqlite:" + at
	server := startNode(t, dsn, "--engine-share", "5")
	v, reader := visit(t, window, server.base, usual.width, usual.height), newPerson(t, dsn, "Olena", server.base)
	v.signIn(dsn, "Olena")
	sheets, seen := map[string][]string{}, map[string]bool{}
	var paths []string
	cup := "/tournaments/" + finishedTournament(t, server.base)
	queue := []string{"/", clubOfMost(t, server.base), "/matches/" + finishedMatch(t, server.base) + "/replay", cup + "/prizes", cup + "/prizes/receipts",
		askedToAllow}
	for len(queue) > 0 {
		path := queue[0]
		queue = queue[1:]
		family := familyOf(path)
		if seen[family] {
			continue
		}
		seen[family] = true
		paths = append(paths, path)
		v.showsInEvery(walkLooks(), path, func(l look) {
			v.checkPage(fmt.Sprintf("%s (%s)", path, l))
			name := fmt.Sprintf("%s-%s", strings.ReplaceAll(strings.Trim(family, "/"), "*", "x"), l)
			v.wholePage(name)
			sheets[family] = append(sheets[family], shotName(t, name))
		})
		v.fitsSmallWindows(path)
		for _, href := range eval[[]string](v, `[...document.querySelectorAll("a[href^='/']:not([download])")].map(a => a.getAttribute("href"))`) {
			href, _, _ = strings.Cut(href, "#")
			if !notAPage.MatchString(href) && !seen[familyOf(href)] {
				queue = append(queue, href)
			}
		}
	}
	// What pages show only at times stands here always.
	v.showsInEvery(walkLooks(), "/styleguide", func(l look) { v.checkPage(fmt.Sprintf("/styleguide (%s)", l)) })
	v.dress(usual)
	for _, path := range paths {
		english := reader.open(path)
		if text := textOf(english.root); !strings.Contains(english.body, `<html lang="en"`) || aKey.MatchString(text) || plain.Find("en", text) != "" {
			t.Errorf("%s in English says %q%q", path, aKey.FindString(text), plain.Find("en", text))
		}
	}
	for _, family := range []string{"/fair-play/numbers", "/fair-play/calibration", "/admin/fair-play"} {
		if !seen[family] {
			t.Errorf("no link leads to %s", family)
		}
	}
	if len(seen) < 60 {
		t.Errorf("the walk found %d families of pages only: %v", len(seen), slices.Sorted(mapKeys(seen)))
	}
	v.showOnAClubsSite(t, server.base, finishedTournament(t, server.base))
	writeSheet(t, sheets)
	t.Logf("%d families: %s", len(seen), strings.Join(slices.Sorted(mapKeys(seen)), " "))
}

// TestPagesPaintAtOnce, when CHPOK_MEASURE is set (make paint): a browser with nothing kept shows each page within 250 ms
// of asking for it, and then nothing of it moves by itself. Nothing else may run on the machine, so no other test does.
func TestPagesPaintAtOnce(t *testing.T) {
	if os.Getenv("CHPOK_MEASURE") == "" {
		t.Skip("a quiet machine is needed: make paint")
	}
	window := browser(t)
	server, _ := startProgram(t, "demo", "--addr", "127.0.0.1:0", "--engine-share", "5")
	cup, match := "/tournaments/"+finishedTournament(t, server.base), "/matches/"+finishedMatch(t, server.base)
	visit(t, window, server.base, 390, 844).open("/") // the browser's own start is not the site's
	for _, path := range []string{"/", "/play", "/learn", "/learn/1", "/practice", "/analyse", "/tv", "/tournaments", cup, cup + "/standings",
		match, match + "/replay", "/ladders", "/clubs", "/players", "/ratings", "/rules", "/sign-in"} {
		for _, size := range [][2]int64{{390, 844}, {1366, 768}} {
			t.Run(fmt.Sprintf("%s at %d px", path, size[0]), func(t *testing.T) { // whose window closes: one that stays open goes on with its boards
				v := visit(t, window, server.base, size[0], size[1])
				v.open(path)
				got := eval[[]float64](v, `new Promise((done) => {
					let moved = 0;
					new PerformanceObserver((list) => list.getEntries().forEach((e) => { moved += e.value })).observe({type: "layout-shift", buffered: true});
					new PerformanceObserver((list) => setTimeout(() => done([list.getEntries()[0].startTime, moved]), 700)).observe({type: "paint", buffered: true});
				})`)
				t.Logf("%3.0f ms, moves by %.3f", got[0], got[1])
				if got[0] > 250 || got[1] > 0 {
					t.Errorf("painted after %.0f ms, moves by %.3f", got[0], got[1])
				}
			})
		}
	}
}

// fitsSmallWindows looks at the open page in a small phone, which a zoom of 400 % makes of a desktop too, and in a phone
// on its side: nothing is wider than the window.
func (v *visitor) fitsSmallWindows(name string) {
	v.t.Helper()
	for _, size := range [][2]int64{{320, 640}, {844, 390}} {
		v.do("shrink the window", chromedp.EmulateViewport(size[0], size[1]))
		if over := eval[int64](v, `document.documentElement.scrollWidth`) - size[0]; over > 1 {
			v.t.Errorf("%s is %d px wider than a window of %d", name, over, size[0])
		}
	}
	v.worn = look{}
}

// walkLooks are those of looks, by language. Without being asked for others, one
// language does: a page is loaded anew for each, and the other one is read without
// a browser.
func walkLooks() []look {
	if os.Getenv("CHPOK_LOOKS") == "" {
		return []look{{390, 844, "uk", "dark"}, {1366, 768, "uk", "light"}}
	}
	list := looks()
	slices.SortStableFunc(list, func(a, b look) int { return strings.Compare(b.lang, a.lang) })
	return list
}

// writeSheet writes the page from which all pictures are looked at (make look).
func writeSheet(t *testing.T, sheet map[string][]string) {
	t.Helper()
	dir := os.Getenv("CHPOK_SHOTS")
	if dir == "" {
		return
	}
	var b strings.Builder
	b.WriteString("<!doctype html><meta charset=utf-8><title>Every page family</title><style>body{font:14px sans-serif}div{display:flex;gap:8px;overflow:auto}img{height:420px;border:1px solid #999}</style>")
	families := map[string]bool{}
	for family := range sheet {
		families[family] = true
	}
	for _, family := range slices.Sorted(mapKeys(families)) {
		fmt.Fprintf(&b, "<h2>%s</h2><div>", html.EscapeString(family))
		for _, name := range sheet[family] {
			name = url.PathEscape(name)
			fmt.Fprintf(&b, `<a href="%s"><img loading=lazy src="%s" alt=""></a>`, name, name)
		}
		b.WriteString("</div>\n")
	}
	if err := os.WriteFile(filepath.Join(dir, "index.html"), []byte(b.String()), 0o644); err != nil {
		t.Error(err)
	}
}

// finishedMatch is a match of the demo that is over.
func finishedMatch(t *testing.T, base string) string {
	t.Helper()
	var view tournamentView
	(&client{t: t, base: base, name: "a visitor"}).must("GET", "/tournaments/"+finishedTournament(t, base), nil, &view)
	return *view.Rounds[0].Pairings[0].Match
}

func finishedTournament(t *testing.T, base string) string {
	t.Helper()
	var list struct{ Tournaments []struct{ ID, Status string } }
	(&client{t: t, base: base, name: "a visitor"}).must("GET", "/tournaments", nil, &list)
	for _, line := range list.Tournaments {
		if line.Status == "finished" {
			return line.ID
		}
	}
	t.Fatal("the demo has no finished tournament")
	return ""
}

// clubOfMost is the page of the club with the most members, whose owner Olena is.
func clubOfMost(t *testing.T, base string) string {
	t.Helper()
	type club struct {
		ID      string
		Members int
	}
	var list struct{ Clubs []club }
	(&client{t: t, base: base, name: "a visitor"}).must("GET", "/clubs", nil, &list)
	return "/clubs/" + slices.MaxFunc(list.Clubs, func(a, b club) int { return a.Members - b.Members }).ID
}

// notAPage are addresses that hand out files, change something or leave.
var notAPage = regexp.MustCompile(`^/(api|static|sign-out|link)\b|\.(jsonl?|txt|csv|trf|ics|svg|zip)\b`)

var (
	anID     = regexp.MustCompile(`/[a-z2-7]{16}\b`)
	aName    = regexp.MustCompile(`^(/players/\*/vs|/players|/clubs|/help|/ratings/pools)/[^/?]+`)
	aNumber  = regexp.MustCompile(`/\d+\b`)
	theQuery = regexp.MustCompile(`\?.*$`)
)

// familyOf is an address without what tells one page of a kind from another.
func familyOf(path string) string {
	path = theQuery.ReplaceAllString(path, "")
	path = anID.ReplaceAllString(path, "/*")
	for range 2 { // a player, then their opponent
		path = aName.ReplaceAllString(path, "$1/*")
	}
	return aNumber.ReplaceAllString(path, "/*")
}

func mapKeys(m map[string]bool) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// look is how somebody sees the site.
type look struct {
	width, height int64
	lang, theme   string
}

func (l look) String() string { return fmt.Sprintf("%d-%s-%s", l.width, l.lang, l.theme) }

// looks are those in which pages are walked: two, in which every width, language
// and scheme occurs; all eight with CHPOK_LOOKS=all, or those that it names ("390-uk-light 1366-en-dark").
func looks() []look {
	list := []look{{390, 844, "uk", "dark"}, {1366, 768, "en", "light"}}
	if asked := os.Getenv("CHPOK_LOOKS"); asked != "" {
		list = append(list, look{390, 844, "en", "light"}, look{1366, 768, "uk", "dark"}, look{390, 844, "uk", "light"},
			look{1366, 768, "en", "dark"}, look{390, 844, "en", "dark"}, look{1366, 768, "uk", "light"})
		if asked != "all" {
			list = slices.DeleteFunc(list, func(l look) bool { return !slices.Contains(strings.Fields(asked), l.String()) })
		}
	}
	return list
}

// wear takes on a look: the window, and by the form below every page the
// language and the colours.
func (v *visitor) wear(l look) {
	v.t.Helper()
	v.do("change the window", chromedp.EmulateViewport(l.width, l.height))
	ok := eval[bool](v, fmt.Sprintf(`fetch("/preferences", {method: "POST", body: new URLSearchParams({lang: %q, theme: %q, return: "/robots.txt"})}).then(r => r.ok)`, l.lang, l.theme))
	if !ok {
		v.t.Errorf("the look %s was refused", l)
	}
}

// dress takes on a look, unless it is worn already.
func (v *visitor) dress(l look) {
	v.t.Helper()
	if v.worn != l {
		v.wear(l)
		v.worn = l
	}
}

// turn takes on a look on the page that is open, in its language.
func (v *visitor) turn(l look) {
	v.t.Helper()
	v.do("turn the window", chromedp.EmulateViewport(l.width, l.height), chromedp.Evaluate[chromedp.Void](fmt.Sprintf("scrollTo(0, 0); document.documentElement.dataset.theme = %q", l.theme)))
	v.worn = look{lang: l.lang}
}

// showsInEvery looks at a page in some looks, and loads it once for each language.
func (v *visitor) showsInEvery(looks []look, path string, see func(look)) {
	v.t.Helper()
	for i, l := range looks {
		if i == 0 || l.lang != v.worn.lang {
			v.dress(l)
			v.open(path)
		} else {
			v.turn(l)
		}
		see(l)
	}
}

// aKey is a text key that no catalogue knew.
var aKey = regexp.MustCompile(`⟦[^⟧]*⟧`)

// pageFacts finds out in the page what checkPage judges. Told are the first of a
// kind: an element wider than the window, a heading that skips a level, a target
// smaller than 40 px on a phone, a text too pale for its ground (WCAG 1.4.3).
const pageFacts = `(() => {
	const w = document.documentElement.clientWidth, all = [...document.body.querySelectorAll("*")];
	const named = e => e ? e.tagName.toLowerCase() + (e.id ? "#" + e.id : "") + "." + e.className + " “" + (e.innerText || "").trim().slice(0, 30) + "”" : "";
	const shown = e => e.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !e.closest(".visually-hidden, .skip");
	const wide = e => { const r = e.getBoundingClientRect(); return r.right > w + 1 && r.width > 0 && !e.closest(".scroll, .table-scroll, .visually-hidden, [hidden]") };
	const heads = [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")].map(h => +h.tagName[1]);
	const small = e => shown(e) && e.getBoundingClientRect().height < 39.5;
	const targets = "button:not(.link, [data-sq]), a.button, select, textarea, summary, input:not([type=hidden], [type=checkbox], [type=radio], [type=range])";
	const rgba = text => { const [r, g, b, a = 1] = text.match(/[\d.]+/g).map(Number); return [r, g, b, a] };
	const over = (f, g) => [0, 1, 2].map(i => f[i] * f[3] + g[i] * (1 - f[3])).concat(1);
	const known = new Map();
	const ground = e => {
		if (!e) return [255, 255, 255, 1];
		if (!known.has(e)) {
			const s = getComputedStyle(e), own = rgba(s.backgroundColor);
			const under = s.backgroundImage != "none" || s.opacity != 1 ? null : own[3] == 1 ? own : ground(e.parentElement);
			known.set(e, under && over(own, under));
		}
		return known.get(e);
	};
	const light = c => { const [r, g, b] = c.map(x => x / 255).map(x => x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b };
	const pale = e => {
		if (![...e.childNodes].some(n => n.nodeType == 3 && n.data.trim()) || !shown(e) || e.closest("svg, :disabled, [aria-disabled=true], [data-sq], option")) return false;
		const s = getComputedStyle(e), g = ground(e);
		if (!g || !s.color.startsWith("rgb") || s.opacity != 1) return false;
		const a = light(over(rgba(s.color), g)), b = light(g), size = parseFloat(s.fontSize);
		return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) < (size >= 24 || size >= 18.6 && s.fontWeight >= 700 ? 3 : 4.5) - 0.01;
	};
	return { status: performance.getEntriesByType("navigation")[0].responseStatus, headings: document.querySelectorAll("h1").length,
		wide: document.documentElement.scrollWidth, window: w, culprit: named(all.find(wide)), lang: document.documentElement.lang, text: document.body.innerText,
		skips: heads.find((h, i) => i > 0 && h > heads[i - 1] + 1) ?? 0, small: w > 400 ? "" : [...document.querySelectorAll(targets)].filter(small).slice(0, 4).map(named).join(", "), pale: named(all.find(pale)),
		unnamed: [...document.querySelectorAll("input:not([type=hidden]), select, textarea")].filter(e => !e.labels?.length && !e.getAttribute("aria-label") && !e.getAttribute("aria-labelledby")).length,
		undrawn: [...document.querySelectorAll("use[href^='#']")].map(e => e.getAttribute("href")).find(h => !document.getElementById(h.slice(1))) ?? "" };
})()`

func (v *visitor) checkPage(name string) {
	v.t.Helper()
	page := eval[struct {
		Status   int    `json:"status"`
		Headings int    `json:"headings"`
		Skips    int    `json:"skips"`
		Wide     int    `json:"wide"`
		Window   int    `json:"window"`
		Culprit  string `json:"culprit"`
		Lang     string `json:"lang"`
		Text     string `json:"text"`
		Small    string `json:"small"`
		Pale     string `json:"pale"`
		Unnamed  int    `json:"unnamed"`
		Undrawn  string `json:"undrawn"`
	}](v, pageFacts)
	fails := func(when bool, format string, args ...any) {
		if when {
			v.t.Errorf(name+": "+format, args...)
		}
	}
	fails(page.Status != 200 && !slices.Contains(v.refuse, int(page.Status)), "status %d", page.Status)
	fails(page.Headings != 1, "%d first headings", page.Headings)
	fails(page.Skips > 0, "a heading of level %d skips one", page.Skips)
	fails(page.Wide > page.Window+1, "%d px wide in a window of %d (%s)", page.Wide, page.Window, page.Culprit)
	fails(page.Unnamed > 0, "%d fields without a label", page.Unnamed)
	fails(page.Undrawn != "", "draws %s, which the page does not have", page.Undrawn)
	fails(page.Small != "", "targets smaller than 40 px: %s", page.Small)
	fails(page.Pale != "", "too little contrast: %s", page.Pale)
	key := aKey.FindString(page.Text)
	fails(key != "", "shows the key %q", key)
	word := plain.Find(page.Lang, page.Text)
	fails(word != "", "says %q", word)
}
