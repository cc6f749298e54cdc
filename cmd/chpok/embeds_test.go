package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// showOnAClubsSite opens the page of docs/embeds.md, as it stands but for the addresses, on a site of another origin: its
// script reads the table, and every frame and overlay of the guide shows its part.
func (v *visitor) showOnAClubsSite(t *testing.T, base, event string) {
	t.Helper()
	text, err := os.ReadFile("../../docs/embeds.md")
	if err != nil {
		t.Fatal(err)
	}
	guide := strings.NewReplacer("https://chpok.example", base, "/ID", "/"+event).Replace(string(text))
	page := regexp.MustCompile("(?s)```html\n(.*?)```").FindStringSubmatch(guide)
	frames := regexp.MustCompile(`(?:src="|`+"`"+`)(http[^"`+"`"+`]*/embed/[^"`+"`"+`]*)`).FindAllStringSubmatch(guide, -1)
	if page == nil || len(frames) != 6 {
		t.Fatalf("the guide has %d addresses to show", len(frames))
	}
	club := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, page[1])
	}))
	defer club.Close()
	v.do("open the club's site", chromedp.Navigate(club.URL))
	v.do("see the first three", chromedp.WaitReady(`#top tr:nth-child(3)`))
	if first := eval[string](v, `document.querySelector("#top td").textContent`); first != "1" {
		t.Errorf("the table begins with place %q", first)
	}
	if n := eval[int](v, `window.frames.length`); n != 3 {
		t.Errorf("%d frames", n)
	}
	for _, at := range frames {
		address := strings.ReplaceAll(at[1], "&amp;", "&")
		v.do("open "+address, chromedp.Navigate(address))
		shows := eval[string](v, `document.querySelector("#embed-match .mini, .embed-standings tbody tr, #embed-match .live-bids")?.localName ?? "nothing"`)
		if shows == "nothing" {
			t.Errorf("%s shows nothing", address)
		}
		if strings.Contains(address, "overlay=1") {
			v.isReadableOverAnyFilm(address)
			v.isReadableOverAnyFilm(address + "&theme=light")
		}
		if wide := eval[int](v, `document.documentElement.scrollWidth - innerWidth`); wide > 1 {
			t.Errorf("%s is %d px wider than its window", address, wide)
		}
	}
}

// isReadableOverAnyFilm checks that a film shows through an overlay beside its plates, and that every text on them contrasts with them
// over black and over white film, as WCAG 1.4.3 counts.
func (v *visitor) isReadableOverAnyFilm(address string) {
	v.t.Helper()
	v.do("open "+address, chromedp.Navigate(address))
	for _, pale := range eval[[]string](v, paleOnFilm) {
		v.t.Errorf("%s: too pale: %s", address, pale)
	}
	back := eval[string](v, `[document.documentElement, document.body].map(e => getComputedStyle(e).backgroundColor).join() +
		getComputedStyle(document.documentElement).colorScheme`)
	if back != "rgba(0, 0, 0, 0),rgba(0, 0, 0, 0)light" { // of a dark scheme the browser's own ground would be dark
		v.t.Errorf("%s: its ground hides the film: %s", address, back)
	}
}

// paleOnFilm are the texts of an overlay that contrast too little with the plates below them.
const paleOnFilm = `(() => {
	const rgba = text => { const [r, g, b, a = 1] = text.match(/[\d.]+/g).map(Number); return [r, g, b, a] };
	const over = (f, g) => [0, 1, 2].map(i => f[i] * f[3] + g[i] * (1 - f[3]));
	const light = c => c.slice(0, 3).map(x => (x /= 255) <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4)
		.reduce((sum, x, i) => sum + x * [0.2126, 0.7152, 0.0722][i], 0);
	const pale = [];
	for (const e of document.querySelectorAll(".overlay *")) {
		const own = [...e.childNodes].filter(n => n.nodeType == 3).map(n => n.data.trim()).join("");
		if (!own || !e.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || e.closest(".visually-hidden")) continue;
		const grounds = [];
		for (let up = e; up; up = up.parentElement) grounds.unshift(rgba(getComputedStyle(up).backgroundColor));
		const style = getComputedStyle(e), size = parseFloat(style.fontSize), least = size >= 24 || size >= 18.7 && style.fontWeight >= 700 ? 3 : 4.5;
		for (const film of [[0, 0, 0], [255, 255, 255]]) {
			const ground = grounds.reduce((under, g) => over(g, under), film), text = over(rgba(style.color), ground);
			const [low, high] = [light(ground), light(text)].sort((a, b) => a - b), contrast = (high + 0.05) / (low + 0.05);
			if (contrast < least) pale.push(own.slice(0, 30) + " " + contrast.toFixed(1) + " over " + film);
		}
	}
	return pale;
})()`
