package main

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestEveryPageStandsUp walks the demo's site in the browser, link by link, one
// page of each family: at phone and desktop width, in both languages and colour
// schemes. No page may fail, say anything on the console, be wider than the
// window, lack a heading or show a text key instead of a text. With CHPOK_SHOTS
// naming a folder it takes a picture of each.
func TestEveryPageStandsUp(t *testing.T) {
	t.Parallel()
	window := browser(t)
	server, out := startProgram(t, "demo", "--addr", "127.0.0.1:0")
	link := regexp.MustCompile(`/link\?key=\S+`).FindString(out)
	if link == "" {
		t.Fatalf("the demo printed no link:\n%s", out)
	}
	looks := []struct {
		width, height int64
		lang, theme   string
	}{{390, 844, "uk", "dark"}, {1280, 900, "en", "light"}}
	if os.Getenv("CHPOK_SHOTS") != "" {
		looks = append(looks, []struct {
			width, height int64
			lang, theme   string
		}{{390, 844, "en", "light"}, {1280, 900, "uk", "dark"}, {390, 844, "uk", "light"}, {1280, 900, "en", "dark"}}...)
	}
	for _, look := range looks {
		v := visit(t, window, server.base, look.width, look.height)
		v.open(link)
		v.setLook(look.lang, look.theme)
		seen := map[string]bool{}
		queue := []string{"/", "/matches/" + finishedMatch(t, server.base) + "/replay"}
		for len(queue) > 0 {
			path := queue[0]
			queue = queue[1:]
			family := familyOf(path)
			if seen[family] {
				continue
			}
			seen[family] = true
			v.open(path)
			name := fmt.Sprintf("%s at %d in %s, %s", path, look.width, look.lang, look.theme)
			v.checkPage(name)
			v.screenshot(fmt.Sprintf("%s-%d-%s-%s", strings.ReplaceAll(strings.Trim(family, "/"), "*", "x"), look.width, look.lang, look.theme))
			for _, href := range eval[[]string](v, `[...document.querySelectorAll("a[href^='/']:not([download])")].map(a => a.getAttribute("href"))`) {
				href, _, _ = strings.Cut(href, "#")
				if !notAPage.MatchString(href) && !seen[familyOf(href)] {
					queue = append(queue, href)
				}
			}
		}
		if len(seen) < 15 {
			t.Errorf("the walk found %d families of pages only: %v", len(seen), slices.Sorted(mapKeys(seen)))
		}
		t.Logf("%d px, %s, %s: %d families: %s", look.width, look.lang, look.theme, len(seen), strings.Join(slices.Sorted(mapKeys(seen)), " "))
	}
}

// finishedMatch is a match of the demo that is over.
func finishedMatch(t *testing.T, base string) string {
	t.Helper()
	visitor := &client{t: t, base: base, name: "a visitor"}
	var list struct{ Tournaments []struct{ ID, Status string } }
	visitor.must("GET", "/tournaments", nil, &list)
	for _, line := range list.Tournaments {
		if line.Status == "finished" {
			var view tournamentView
			visitor.must("GET", "/tournaments/"+line.ID, nil, &view)
			return *view.Rounds[0].Pairings[0].Match
		}
	}
	t.Fatal("the demo has no finished tournament")
	return ""
}

// notAPage are addresses that hand out files, change something or leave.
var notAPage = regexp.MustCompile(`^/(api|static|sign-out|link)\b|\.(jsonl?|txt|csv|trf|ics|svg|zip)\b`)

var (
	anID     = regexp.MustCompile(`/[a-z2-7]{16}\b`)
	aName    = regexp.MustCompile(`^/(players|clubs)/[^/?]+`)
	aNumber  = regexp.MustCompile(`/\d+\b`)
	theQuery = regexp.MustCompile(`\?.*$`)
)

// familyOf is an address without what tells one page of a kind from another.
func familyOf(path string) string {
	path = theQuery.ReplaceAllString(path, "")
	path = anID.ReplaceAllString(path, "/*")
	path = aName.ReplaceAllString(path, "/$1/*")
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

// setLook chooses language and colours as the form below every page does.
func (v *visitor) setLook(lang, theme string) {
	v.t.Helper()
	ok := eval[bool](v, fmt.Sprintf(`fetch("/preferences", {method: "POST", body: new URLSearchParams({lang: %q, theme: %q, return: "/"})}).then(r => r.ok)`, lang, theme))
	if !ok {
		v.t.Errorf("the look %s, %s was refused", lang, theme)
	}
}

// aKey is a text key that no catalogue knew.
var aKey = regexp.MustCompile(`⟦[^⟧]*⟧`)

func (v *visitor) checkPage(name string) {
	v.t.Helper()
	page := eval[struct {
		Status   int    `json:"status"`
		Headings int    `json:"headings"`
		Wide     int    `json:"wide"`
		Window   int    `json:"window"`
		Culprit  string `json:"culprit"`
		Lang     string `json:"lang"`
		Text     string `json:"text"`
		Unnamed  int    `json:"unnamed"`
	}](v, `(() => {
		const w = document.documentElement.clientWidth;
		const out = [...document.body.querySelectorAll("*")].find(e => { const r = e.getBoundingClientRect(); return r.right > w + 1 && r.width > 0 && !e.closest(".scroll, .table-scroll, .visually-hidden, [hidden]") });
		return { status: performance.getEntriesByType("navigation")[0].responseStatus, headings: document.querySelectorAll("h1").length,
			wide: document.documentElement.scrollWidth, window: w, culprit: out ? out.tagName + "." + out.className : "",
			lang: document.documentElement.lang, text: document.body.innerText,
			unnamed: [...document.querySelectorAll("input:not([type=hidden]), select, textarea")].filter(e => !e.labels?.length && !e.getAttribute("aria-label") && !e.getAttribute("aria-labelledby")).length };
	})()`)
	switch {
	case page.Status != 200:
		v.t.Errorf("%s: status %d", name, page.Status)
	case page.Headings != 1:
		v.t.Errorf("%s: %d first headings", name, page.Headings)
	case page.Wide > page.Window+1:
		v.t.Errorf("%s: %d px wide in a window of %d (%s)", name, page.Wide, page.Window, page.Culprit)
	case page.Unnamed > 0:
		v.t.Errorf("%s: %d fields without a label", name, page.Unnamed)
	}
	if key := aKey.FindString(page.Text); key != "" {
		v.t.Errorf("%s: shows the key %q", name, key)
	}
}
