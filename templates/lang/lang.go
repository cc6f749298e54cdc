// Package lang holds every text of the site in Ukrainian and English, and
// writes numbers, dates and durations the way each language does. It decides
// nothing about who reads what.
//
// A page family adds its texts as two files, uk/FAMILY.json and
// en/FAMILY.json, with the same keys; every key begins with a word of its own
// ("tournament.status.running"). A value is a text, with arguments as
// {{.Name}}, or plural forms: one, few, many, other in Ukrainian, one, other in
// English, with the number as {{.N}}. A test compares the two sets, and looks
// for every key that templates/*.templ and web/*.go name; a key put together at
// run time is written as "prefix."+rest, so that the test finds the prefix.
package lang

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"time"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/collate"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// Lang is a language of the site; its text is the code used in HTML and URLs.
type Lang string

const (
	Ukrainian Lang = "uk"
	English   Lang = "en"
)

// All is every language, the site's own first.
var All = []Lang{Ukrainian, English}

// Parse reads a language code; false for one the site does not speak.
func Parse(s string) (Lang, bool) {
	for _, l := range All {
		if s == string(l) {
			return l, true
		}
	}
	return "", false
}

// Accepted is the best language for an Accept-Language header. A reader of
// neither language gets English; a missing header means Ukrainian.
func Accepted(header string) Lang {
	tags, _, err := language.ParseAcceptLanguage(header)
	if err != nil || len(tags) == 0 {
		return Ukrainian
	}
	for _, t := range tags {
		base, _ := t.Base()
		if l, ok := Parse(base.String()); ok {
			return l
		}
	}
	return English
}

// Printer writes in one language and one time zone. With a Now it writes days
// as people say them (tomorrow 01:32), without one in full. The zero value
// writes Ukrainian in UTC.
type Printer struct {
	Lang   Lang
	Zone   *time.Location
	Now    func() time.Time
	Reader *time.Location // the reader's zone; nil: unknown
	placed bool           // Zone is that of an event, see At
}

// At returns the printer for what happens at a place: moments are written in its zone. Unless the
// reader's clocks are known to show the same, the zone is named and the reader's own time follows.
func (p Printer) At(zone *time.Location) Printer {
	p.Zone, p.placed = zone, true
	return p
}

//go:embed uk/*.json en/*.json
var files embed.FS

// voice is what one language needs, made once and never changed.
type voice struct {
	localizer *i18n.Localizer
	numbers   *message.Printer
	tag       language.Tag
}

var voices = load(files)

func load(files fs.FS) map[Lang]voice {
	bundle := i18n.NewBundle(language.Ukrainian)
	bundle.RegisterUnmarshalFunc("json", json.Unmarshal)
	out := map[Lang]voice{}
	for _, l := range All {
		names, err := fs.Glob(files, string(l)+"/*.json")
		if err != nil {
			panic(err)
		}
		for _, name := range names {
			body, err := fs.ReadFile(files, name)
			if err != nil {
				panic(err)
			}
			family := strings.TrimSuffix(path.Base(name), ".json")
			if _, err := bundle.ParseMessageFileBytes(body, family+"."+string(l)+".json"); err != nil {
				panic(fmt.Sprintf("texts of %s: %v", name, err))
			}
		}
		tag := language.Make(string(l))
		out[l] = voice{i18n.NewLocalizer(bundle, string(l)), message.NewPrinter(tag), tag}
	}
	return out
}

func (p Printer) voice() voice {
	if v, ok := voices[p.Lang]; ok {
		return v
	}
	return voices[Ukrainian]
}

// Missing begins every text that stands for a key without one.
const Missing = "⟦"

// T is the text of a key. The arguments are names and values in turn:
// T("core.page-of", "Page", 1, "Pages", 3).
func (p Printer) T(key string, args ...any) string {
	return p.say(key, nil, args)
}

// N is the text of a key in the plural form of n, which the text may use as
// {{.N}}.
func (p Printer) N(key string, n int, args ...any) string {
	return p.say(key, n, append(args, "N", p.Int(n)))
}

func (p Printer) say(key string, count any, args []any) string {
	var data map[string]any
	if len(args) > 0 {
		data = make(map[string]any, len(args)/2)
		for i := 0; i+1 < len(args); i += 2 {
			name, _ := args[i].(string)
			data[name] = args[i+1]
			if event, ok := args[i+1].(string); ok && name == "Tournament" {
				data[name] = p.Event(event)
			}
		}
	}
	text, err := p.voice().localizer.Localize(&i18n.LocalizeConfig{MessageID: key, PluralCount: count, TemplateData: data})
	if err != nil {
		return Missing + key + "⟧"
	}
	return nested(text)
}

// nested writes quotes within quotes the Ukrainian way, «… „…“ …»: names of clubs and
// events often bring quotes of their own.
func nested(text string) string {
	if strings.Count(text, "«") < 2 {
		return text
	}
	depth := 0
	return strings.Map(func(r rune) rune {
		switch {
		case r == '«':
			depth++
			if depth > 1 {
				return '„'
			}
		case r == '»' && depth > 0:
			depth--
			if depth > 0 {
				return '“'
			}
		}
		return r
	}, text)
}

// Has tells whether a key has a text.
func (p Printer) Has(key string) bool {
	_, tag, err := p.voice().localizer.LocalizeWithTag(&i18n.LocalizeConfig{MessageID: key})
	return err == nil && tag == p.voice().tag
}

// Compare orders two names as the language's alphabet does.
func (p Printer) Compare(a, b string) int {
	return collate.New(p.voice().tag, collate.IgnoreCase).CompareString(a, b)
}

type contextKey struct{}

// With puts the printer where templates find it.
func With(ctx context.Context, p Printer) context.Context {
	return context.WithValue(ctx, contextKey{}, p)
}

// Of is the printer of a context.
func Of(ctx context.Context) Printer {
	p, _ := ctx.Value(contextKey{}).(Printer)
	return p
}

// T is the text of a key in the language of a context, for templates.
func T(ctx context.Context, key string, args ...any) string { return Of(ctx).T(key, args...) }

// N is the text of a key in the plural form of n in the language of a context.
func N(ctx context.Context, key string, n int, args ...any) string {
	return Of(ctx).N(key, n, args...)
}
