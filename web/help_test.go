package web_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
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
	for _, who := range []string{"You play", "You hold an event", "You run a club", "You run a site", "You write programs"} {
		listed.wants("heading", who)
	}
	files, err := fs.Glob(docs.Guides, "*.md") // in English
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
	pages["/help"] = listed
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
			if standsIn(e, "ol") && at == "/help" && (!strings.HasPrefix(address, "/help/") || address == "/help/bot.py") {
				if first := b.get(address); first.status >= http.StatusBadRequest {
					t.Errorf("the first step %s: %d", address, first.status)
				}
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
	b.get("/help?q=%3Cscript%3E+zzz").want(http.StatusOK).says("Nothing found").says("Try fewer words").saysNot("<script>")
	uk := s.browser(lang.Ukrainian)
	uk.get("/help").want(http.StatusOK).says("англійською").wants("link", "Гравцям")
	// In any case, with stress marks, one apostrophe for another, г for ґ, і of the other alphabet, and any form of a word.
	for _, asked := range []string{"СПОВІЩЕННЯ", "спові\u0301щення", "cпoвiщeння", "сповіщенню"} {
		uk.get("/help?q="+url.QueryEscape(asked)).want(http.StatusOK).wants("link", "Сповіщення, пошта, календар")
	}
	// The reader's language comes first, and a place counts once; words of the other language find it, too.
	both := uk.get("/help?q=telegram").want(http.StatusOK)
	if n := strings.Count(both.body, `href="/help/players#notices-mail-calendar"`); n != 1 {
		t.Errorf("a place is found %d times", n)
	}
	if own, other := strings.Index(both.body, `<li lang="uk">`), strings.Index(both.body, `<li lang="en">`); own < 0 || other < own {
		t.Errorf("what is in the reader's language stands at %d, the rest from %d", own, other)
	}
	uk.get("/help?q=calendar").want(http.StatusOK).wants("link", "Notices, mail, calendar").says("<strong>calendar</strong>")
	b.get("/help?q="+url.QueryEscape("календар")).want(http.StatusOK).wants("link", "Сповіщення, пошта, календар")
	bot := b.get("/help/bot.py").want(http.StatusOK)
	if !strings.HasPrefix(bot.body, "#!/usr/bin/env python3\n") || !strings.Contains(bot.header.Get("Content-Type"), "python") {
		t.Errorf("%s: %.40q", bot.header.Get("Content-Type"), bot.body)
	}
	b.get("/api").want(http.StatusOK).wants("link", "Write a bot in 30 minutes").wants("link", "Example in one file")
}

// TestTranslationsHaveThePlacesOfTheGuide that they translate: as many headings of each level, tables and code, in that order, under
// the same addresses; the links lead to the same places, and what the guide puts in italics is as many things, those of them that
// pages say by the words of the pages; what stays English is another program's.
func TestTranslationsHaveThePlacesOfTheGuide(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	shape := func(p page) (marks, links, said []string) {
		for e := range p.root.Descendants() {
			if e.Type != html.ElementNode || !standsIn(e, "article") {
				continue
			}
			switch e.Data {
			case "h1", "h2", "h3", "tr", "pre", "li":
				id, _ := attr(e, "id")
				marks = append(marks, e.Data+" "+id)
			case "a":
				href, _ := attr(e, "href")
				links = append(links, href)
			case "em":
				said = append(said, strings.Split(strings.ToLower(text(e)), " → ")...)
			}
		}
		slices.Sort(links)
		return marks, links, said
	}
	files, err := fs.Glob(docs.Guides, "uk/*.md")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	// Whatever players and organizers read is translated, the rest is not.
	shelves := s.browser(lang.Ukrainian).get("/help").want(http.StatusOK)
	for n := range shelves.root.Descendants() {
		name, is := "", false
		if href, _ := attr(n, "href"); n.Data == "a" && n.Parent.Data == "li" {
			name, is = strings.CutPrefix(href, "/help/")
		}
		if !is {
			continue
		}
		own, _ := attr(n, "lang")
		if is := slices.Contains(files, "uk/"+name+".md"); is != (own == "uk") {
			t.Errorf("%s is listed as in %s", name, own)
		}
		list := n.Parent.Parent.Parent
		if readers := text(list); own != "uk" && (strings.HasPrefix(readers, "Гравцям") || strings.HasPrefix(readers, "Організаторам")) {
			t.Errorf("%s is not translated", name)
		}
	}
	words := wordsOfPages(t)
	for _, file := range files {
		at := "/help/" + strings.TrimSuffix(path.Base(file), ".md")
		original, translated := s.browser(lang.English).get(at).want(http.StatusOK), s.browser(lang.Ukrainian).get(at).want(http.StatusOK)
		want, wantLinks, english := shape(original)
		got, links, ukrainian := shape(translated)
		if len(want) < 5 || !slices.Equal(got, want) {
			t.Errorf("%s has\n%q, not\n%q", file, got, want)
		}
		if !slices.Equal(links, wantLinks) {
			t.Errorf("%s leads to\n%q, not\n%q", file, links, wantLinks)
		}
		if len(ukrainian) != len(english) {
			t.Errorf("%s has %d words in italics, not %d:\n%q\n%q", file, len(ukrainian), len(english), ukrainian, english)
		}
		for _, word := range english {
			if own := words[word]; len(own) > 0 && !slices.Contains(ukrainian, word) && !slices.ContainsFunc(own, func(w string) bool { return slices.Contains(ukrainian, w) }) {
				t.Errorf("%s does not say %q, as pages do, for %q", file, own, word)
			}
		}
		if !strings.Contains(translated.body, `<article class="prose guide" lang="uk">`) {
			t.Errorf("%s does not say its language", file)
		}
	}
}

// wordsOfPages returns what pages say in Ukrainian for what they say in English, in small letters.
func wordsOfPages(t *testing.T) map[string][]string {
	t.Helper()
	folder := func(l string) map[string]string {
		all := map[string]string{}
		files, err := filepath.Glob("../templates/lang/" + l + "/*.json")
		if err != nil || len(files) == 0 {
			t.Fatal(files, err)
		}
		for _, file := range files {
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var texts map[string]any
			if err := json.Unmarshal(raw, &texts); err != nil {
				t.Fatal(err)
			}
			for key, value := range texts {
				if said, is := value.(string); is {
					all[key] = strings.ToLower(said)
				}
			}
		}
		return all
	}
	english, ukrainian := folder("en"), folder("uk")
	words := map[string][]string{}
	for key, said := range english {
		words[said] = append(words[said], ukrainian[key])
	}
	return words
}

// TestPagesLeadToPlacesOfTheGuides that there are, in every language.
func TestPagesLeadToPlacesOfTheGuides(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	link := regexp.MustCompile(`Help(?:Link|URL)\("([a-z-]+)", "([a-z0-9-]+)"\)|href="/help/([a-z-]+)(?:#([a-z0-9-]+))?"`)
	files, err := filepath.Glob("../templates/*/*.templ")
	own, failed := filepath.Glob("../templates/*.templ")
	if err = errors.Join(err, failed); err != nil {
		t.Fatal(err)
	}
	places := map[[2]string]bool{}
	for _, file := range slices.Concat(files, own) {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(string(raw), -1) {
			places[[2]string{m[1] + m[3], m[2] + m[4]}] = true
		}
	}
	if len(places) < 15 {
		t.Errorf("only %d places: %v", len(places), places)
	}
	for place := range places {
		for _, l := range lang.All {
			p := s.browser(l).get("/help/" + place[0]).want(http.StatusOK)
			if place[1] != "" && p.named("id", place[1]) == nil {
				t.Errorf("no %s in the guide %s in %s", place[1], place[0], l)
			}
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
