package web_test

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store/storetest"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/web"
)

// attributes are those of HTML that pages use, besides data-* and aria-*; drawings (svg) have others of their own.
var attributes = strings.Fields(`accept action alt as async autocapitalize autocomplete autofocus charset checked class cols colspan content
	controls crossorigin datetime dir disabled download draggable enctype for form formaction formmethod formnovalidate
	headers height hidden href hreflang id inert inputmode integrity lang list loading max maxlength media method min
	minlength multiple name novalidate open pattern placeholder popover popovertarget preload property readonly rel reversed
	required role rows rowspan scope selected size sizes spellcheck src srcset start step tabindex target title translate type
	value width`)

// unknownAttributes are those of a page that HTML does not know, such as a word of a template that went astray.
func (p page) unknownAttributes() (list []string) {
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		if n.Data == "svg" {
			return
		}
		for _, a := range n.Attr {
			isOwn := strings.HasPrefix(a.Key, "data-") || strings.HasPrefix(a.Key, "aria-")
			if name := n.Data + " " + a.Key; !isOwn && n.Type == html.ElementNode && !slices.Contains(attributes, a.Key) &&
				!slices.Contains(list, name) {
				list = append(list, name)
			}
		}
		for c := range n.ChildNodes() {
			walk(c)
		}
	}
	walk(p.root)
	return list
}

// askedOfForms are the members of forms that scripts read or set. A field of such a name or id would stand in its place.
func askedOfForms(t *testing.T) map[string]bool {
	t.Helper()
	scripts, err := filepath.Glob("static/js/*.js")
	if err != nil || len(scripts) < 30 {
		t.Fatalf("%d scripts, %v", len(scripts), err)
	}
	asked := map[string]bool{}
	for _, path := range scripts {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`\bform\??\.(\w+)`).FindAllSubmatch(text, -1) {
			asked[string(m[1])] = true
		}
	}
	if !asked["matches"] || !asked["elements"] {
		t.Fatalf("not read as they are written: %v", asked)
	}
	return asked
}

// TestPagesHaveAttributesOfHTMLOnly: every page that an operator opens, of the site and of an event that is played.
func TestPagesHaveAttributesOfHTMLOnly(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path, door := n.opened(nil)
	for _, name := range []string{"Дарина Ткач", "Anna Koval"} {
		n.browser(lang.English).post(door, "name", name).want(http.StatusOK)
	}
	n.host.post(path + "/start").want(http.StatusOK)
	n.host.post(path + "/rounds").want(http.StatusOK)
	operator := n.as(n.account("Boss", player.Operator), lang.English)
	read, asked := 0, askedOfForms(t)
	for _, route := range web.Pages() {
		if strings.HasSuffix(route, "/feed") || strings.HasPrefix(route, "/api/") {
			continue
		}
		at := strings.NewReplacer("/tournaments/:id", path, ":round", "1", ":entry", "1", ":board", "1", ":seq", "1",
			":handle", "anna", ":player", "anna", ":other", "borys", ":number", "1").Replace(route)
		p := operator.get(at)
		if !strings.HasPrefix(p.header.Get("Content-Type"), "text/html") {
			continue
		}
		if p.status == http.StatusOK {
			read++
		}
		if list := p.unknownAttributes(); len(list) > 0 {
			t.Errorf("%s: %q", at, list)
		}
		for e := range p.root.Descendants() {
			for _, a := range e.Attr {
				if isField := slices.Contains([]string{"input", "select", "textarea", "button"}, e.Data); isField && (a.Key == "name" || a.Key == "id") && asked[a.Val] {
					t.Errorf("%s: the field %s hides what scripts ask its form for", at, a.Val)
				}
			}
		}
	}
	if read < 60 {
		t.Errorf("%d pages were read", read)
	}
}

// TestHostingBeginsWhereOneMay: on a site without events, the link to host one leads a visitor to sign up, an organizer
// to the form, and others nowhere.
func TestHostingBeginsWhereOneMay(t *testing.T) {
	t.Parallel()
	s, people := peopled(t)
	hosts := func(b *browser) (list []string) {
		for n := range b.get("/").want(http.StatusOK).root.Descendants() {
			if at, _ := attr(n, "href"); n.Data == "a" && strings.HasSuffix(at, "/tournaments/new") {
				list = append(list, at)
			}
		}
		return list
	}
	for who, want := range map[string]string{"": "/sign-up?return=/tournaments/new", "organizer": "/tournaments/new",
		"operator": "/tournaments/new", "player": ""} {
		b := s.browser(lang.English)
		if who != "" {
			b = s.as(people[who], lang.English)
		}
		got := hosts(b)
		if want == "" && len(got) > 0 || want != "" && (len(got) == 0 || slices.ContainsFunc(got, func(at string) bool { return at != want })) {
			t.Errorf("%q is led to %q", who, got)
		}
	}
}

// TestTheSourceIsLinked on every page and in the description for programs, where the operator says it is.
func TestTheSourceIsLinked(t *testing.T) {
	t.Parallel()
	for set, want := range map[string]string{"": "https://chpok.org/chpok", "https://git.example/ours": "https://git.example/ours"} {
		s := newSiteOn(t, storetest.SQLite(t), web.Config{SourceURL: set})
		s.account("Boss", player.Operator)
		b := s.browser(lang.English)
		if body := b.get("/rules").want(http.StatusOK).wants("link", "AGPL").body; !strings.Contains(body, `href="`+want+`"`) {
			t.Errorf("the footer does not lead to %s", want)
		}
		if body := b.get("/api/v1/openapi.json").want(http.StatusOK).body; !strings.Contains(body, "Source code of this site: "+want+`"`) {
			t.Errorf("the API's description does not name %s", want)
		}
	}
}
