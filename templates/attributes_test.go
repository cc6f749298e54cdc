package templates_test

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// oneMeaning are the data-attributes that scripts look for and that stand in templates of several
// families: what they are in each of them.
var oneMeaning = map[string]string{
	"confirm":      "core.js asks the attribute's question before its button acts",
	"copy":         "core.js copies what the attribute names, a button",
	"device":       "passkeys.js begins the ceremony that the attribute names, a form",
	"do":           "what a click does; the script of a page knows the names of its own buttons",
	"estimate":     "tournament.js asks there how long the event of a form lasts",
	"needs-script": "passkeys.js shows a form that is nothing without it",
	"now":          "a sample of the server's time, of which clocks.js keeps the best; what has it is never written into",
	"outbox-waits": "outbox.js lets a page be that says itself what waits",
	"page-key":     "page_key.js adds the key of the page to a form",
	"ply":          "steps.js goes to a ply",
	"share":        "the button that hands a link to the apps of a phone; share.js or challenge.js shows it",
	"since":        "clocks.js writes how long it has been",
	"submit":       "core.js sends a form as soon as something is chosen",
	"units":        "days and hours as clocks.js writes them",
	"until":        "countdown.js writes how long it still is",
	"you":          "the seat of the viewer at the only match of a page",
}

// oneAPage are those of which a page has one, or a script asks only whether there is any.
var oneAPage = []string{"estimate", "outbox-waits"}

// element is what carries a data-attribute in a template: its place, and what stands in it.
type element struct{ file, inside string }

// carriers are the elements of all templates by the name of a data-attribute of theirs.
func carriers(t *testing.T) map[string][]element {
	t.Helper()
	attribute := regexp.MustCompile(`\sdata-([a-z-]+)`)
	found := map[string][]element{}
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".templ") {
			return err
		}
		raw, err := os.ReadFile(path)
		text := strings.ReplaceAll(string(raw), "=> ", "")
		for _, at := range attribute.FindAllStringSubmatchIndex(text, -1) {
			begin := strings.LastIndex(text[:at[0]], "<")
			tag := regexp.MustCompile(`^<([a-z0-9-]+)`).FindStringSubmatch(text[begin:])
			if tag == nil {
				continue
			}
			_, inside, _ := strings.Cut(text[at[1]:], ">")
			inside, _, _ = strings.Cut(inside, "</"+tag[1]+">")
			found[text[at[2]:at[3]]] = append(found[text[at[2]:at[3]]], element{path, inside})
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// scripts are the texts of our scripts by name, without comments.
func scripts(t *testing.T) map[string]string {
	t.Helper()
	comment := regexp.MustCompile(`(?s:/\*.*?\*/)|(?m:^\s*//[^\n]*$)`)
	texts := map[string]string{}
	paths, err := filepath.Glob("../web/static/js/*.js")
	for _, path := range paths {
		raw, failed := os.ReadFile(path)
		if failed != nil {
			t.Fatal(failed)
		}
		texts[filepath.Base(path)] = comment.ReplaceAllString(string(raw), "")
	}
	if err != nil || len(texts) < 30 {
		t.Fatal(len(texts), err)
	}
	return texts
}

var (
	selected = regexp.MustCompile(`\[data-([a-z-]+)`)
	// first is the first element of the whole page that has an attribute.
	first = regexp.MustCompile(`document\.querySelector\(["'` + "`" + `][a-z]*\[data-([a-z-]+)`)
	named = regexp.MustCompile(`(?:const|let) (\w+) (?:=|of) [^;\n]*\[data-([a-z-]+)[^;\n]*`)
	each  = regexp.MustCompile(`\[data-([a-z-]+)[^;\n]*\.(?:forEach\(\(?\w+\)? => \w+)?\.?textContent = `)
)

// writtenInto are the data-attributes whose elements a script gives another text.
func writtenInto(script string) (names []string) {
	for _, m := range each.FindAllStringSubmatch(script, -1) {
		names = append(names, m[1])
	}
	for _, m := range named.FindAllStringSubmatchIndex(script, -1) {
		name, rest := script[m[2]:m[3]], script[m[0]:]
		if regexp.MustCompile(`\b` + name + `\.(textContent|innerHTML) = |\b` + name + `\.replaceChildren\(`).MatchString(rest) {
			names = append(names, script[m[4]:m[5]])
		}
	}
	return names
}

// TestScriptsWriteOnlyIntoTheirOwnPlaces: what a script finds by a data-attribute is what it means, on
// every page. An attribute that two families of templates have must be the same thing in both, nobody
// takes just the first of several, and what is written into holds nothing but text.
func TestScriptsWriteOnlyIntoTheirOwnPlaces(t *testing.T) {
	t.Parallel()
	places, written := carriers(t), map[string]bool{}
	for script, text := range scripts(t) {
		for _, m := range selected.FindAllStringSubmatch(text, -1) {
			families := map[string]bool{}
			for _, e := range places[m[1]] {
				families[e.file] = true
			}
			if len(families) > 1 && oneMeaning[m[1]] == "" {
				t.Errorf("%s looks for data-%s, which stands in %v: give one of them another name, or say what it is in each", script, m[1], families)
			}
		}
		for _, m := range first.FindAllStringSubmatch(text, -1) {
			if len(places[m[1]]) > 1 && !slices.Contains(oneAPage, m[1]) {
				t.Errorf("%s takes the first of %d elements with data-%s", script, len(places[m[1]]), m[1])
			}
		}
		for _, name := range writtenInto(text) {
			written[name] = true
			for _, e := range places[name] {
				if strings.ContainsAny(e.inside, "<@") {
					t.Errorf("%s writes over what stands in an element with data-%s of %s: %s", script, name, e.file, e.inside)
				}
			}
		}
	}
	for name := range oneMeaning {
		if len(places[name]) < 2 {
			t.Errorf("data-%s needs no explanation any more", name)
		}
	}
	for _, name := range []string{"clock-of", "part", "until", "since", "play-bot", "of"} {
		if !written[name] {
			t.Errorf("nobody writes into data-%s, as far as this test sees: %v", name, slices.Sorted(maps.Keys(written)))
		}
	}
}
