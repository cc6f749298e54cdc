package web_test

import (
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"chpok.org/chpok/docs"
	"chpok.org/chpok/templates/lang"
)

// TestEveryGuideIsShownAndItsLinksLeadSomewhere: each document of the folder stands on the page of guides, once, and whatever one says
// of another place of the site is there, down to the heading.
func TestEveryGuideIsShownAndItsLinksLeadSomewhere(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(lang.English)
	listed := b.get("/help").want(http.StatusOK).wants("heading", "Help").wants("link", "Swiss pairing") // not its second chapter
	files, err := fs.Glob(docs.Guides, "*.md")                                                           // in English
	if err != nil || len(files) < 20 {
		t.Fatal(files, err)
	}
	pages := map[string]page{}
	for _, file := range files {
		at := "/help/" + strings.TrimSuffix(file, ".md")
		if n := strings.Count(listed.body, `href="`+at+`"`); n != 1 {
			t.Errorf("%s is listed %d times", at, n)
		}
		pages[at] = b.get(at).want(http.StatusOK)
	}
	links := 0
	for at, p := range pages {
		for e := range p.root.Descendants() {
			if e.Type != html.ElementNode || e.Data != "a" {
				continue
			}
			href, _ := attr(e, "href")
			address, heading, _ := strings.Cut(href, "#")
			if address == "" {
				address = at
			}
			if !strings.HasPrefix(address, "/help/") || address == "/help/bot.py" {
				if strings.HasSuffix(address, ".md") {
					t.Errorf("%s leads to %s", at, href)
				}
				continue
			}
			links++
			if to, is := pages[address]; !is || heading != "" && heading != "content" && to.named("id", heading) == nil {
				t.Errorf("%s leads to %s, which is not there", at, href)
			}
		}
		if strings.Contains(p.body, " style=") || strings.Contains(p.body, "<img") {
			t.Errorf("%s has styles or pictures of its own", at)
		}
	}
	if links < 50 {
		t.Errorf("only %d links", links)
	}
	b.get("/help/nothing").want(http.StatusNotFound)
}

// TestGuidesAreSearched by words in any order; headings that have one come first. Their language is said to readers of another.
func TestGuidesAreSearched(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(lang.English)
	found := b.get("/help?q=telegram+PAIRINGS").want(http.StatusOK).wants("link", "Send pairings to Telegram")
	if strings.Index(found.body, "/help/chats#") > strings.Index(found.body, "/help/tournaments#") && strings.Contains(found.body, "/help/tournaments#") {
		t.Error("the guide of that name does not come first")
	}
	b.get("/help?q=%3Cscript%3E+zzz").want(http.StatusOK).says("0 places").saysNot("<script>")
	s.browser(lang.Ukrainian).get("/help").want(http.StatusOK).says("Чого ще не перекладено, те англійською.").wants("link", "Гравцям")
	bot := b.get("/help/bot.py").want(http.StatusOK)
	if !strings.HasPrefix(bot.body, "#!/usr/bin/env python3\n") || !strings.Contains(bot.header.Get("Content-Type"), "python") {
		t.Errorf("%s: %.40q", bot.header.Get("Content-Type"), bot.body)
	}
	b.get("/api").want(http.StatusOK).wants("link", "Write a bot in 30 minutes").wants("link", "Example in one file")
}

// TestTranslationsHaveThePlacesOfTheGuide that they translate: as many headings of each level, tables and code, in that order, under
// the same addresses.
func TestTranslationsHaveThePlacesOfTheGuide(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	shape := func(p page) (marks []string) {
		for e := range p.root.Descendants() {
			if e.Type != html.ElementNode || !slices.Contains([]string{"h1", "h2", "h3", "tr", "pre", "li"}, e.Data) || !standsIn(e, "article") {
				continue
			}
			id, _ := attr(e, "id")
			marks = append(marks, e.Data+" "+id)
		}
		return marks
	}
	files, err := fs.Glob(docs.Guides, "uk/*.md")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		at := "/help/" + strings.TrimSuffix(path.Base(file), ".md")
		original, translated := s.browser(lang.English).get(at).want(http.StatusOK), s.browser(lang.Ukrainian).get(at).want(http.StatusOK)
		if want, got := shape(original), shape(translated); len(want) < 5 || !slices.Equal(got, want) {
			t.Errorf("%s has\n%q, not\n%q", file, got, want)
		}
		if !strings.Contains(translated.body, `<article class="prose guide" lang="uk">`) {
			t.Errorf("%s does not say its language", file)
		}
	}
}

// standsIn reports whether an element stands in another of a kind.
func standsIn(e *html.Node, kind string) bool {
	for ; e != nil; e = e.Parent {
		if e.Data == kind {
			return true
		}
	}
	return false
}
