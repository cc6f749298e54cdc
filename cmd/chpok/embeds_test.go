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
		back := eval[string](v, `getComputedStyle(document.documentElement).backgroundColor + getComputedStyle(document.body).backgroundColor`)
		if isFilm := strings.Contains(address, "overlay=1"); shows == "nothing" || isFilm != (back == "rgba(0, 0, 0, 0)rgba(0, 0, 0, 0)") {
			t.Errorf("%s shows %s on %s", address, shows, back)
		}
		if wide := eval[int](v, `document.documentElement.scrollWidth - innerWidth`); wide > 1 {
			t.Errorf("%s is %d px wider than its window", address, wide)
		}
	}
}
