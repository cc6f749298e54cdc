// Package lang holds every text of the site, and writes numbers, dates and
// durations the way each language does. It decides nothing about who reads what.
//
// A language is a folder with its code as its name, and nothing else. A page
// family adds its texts to each as FAMILY.json, with the same keys; every key
// begins with a word of its own ("tournament.status.running"). A value is a
// text, with arguments as {{.Name}}, or plural forms with the number as {{.N}}:
// one, few, many, other in Ukrainian, one, other in English. Long texts are
// files of their own (rules.txt). What a language does not have is read in
// English; a test compares each with English, and looks for every key that
// templates/*.templ and web/*.go name. A key put together at run time is written
// as "prefix."+rest, so that the test finds the prefix.
package lang

import (
	"bytes"
	"cmp"
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"
)

// Lang is a language of the site; its text is the code used in HTML and URLs.
type Lang string

const (
	Ukrainian Lang = "uk"
	English   Lang = "en"
)

//go:embed */*.json */*.txt
var embedded embed.FS

var files fs.ReadDirFS = embedded

// All is every language that has a folder, the site's own first.
var All = spoken(files)

func spoken(files fs.FS) []Lang {
	list := []Lang{Ukrainian, English}
	folders, err := fs.ReadDir(files, ".")
	if err != nil {
		panic(err) // embedded: it is there
	}
	for _, f := range folders {
		if l := Lang(f.Name()); !slices.Contains(list, l) {
			list = append(list, l)
		}
	}
	return list
}

// Parse reads a language code; false for one the site does not speak.
func Parse(s string) (Lang, bool) {
	for _, l := range All {
		if s == string(l) {
			return l, true
		}
	}
	return "", false
}

// Name is what its speakers call the language.
func (l Lang) Name() string { return Printer{Lang: l}.T("core.language") }

// Long returns a long text by its name, such as "rules", and its language: it is English where there is none.
func (l Lang) Long(name string) (text string, in Lang) {
	body, err := fs.ReadFile(files, string(l)+"/"+name+".txt")
	if err != nil && l != English {
		return English.Long(name)
	}
	return string(bound(body)), l
}

// bound keeps every dash between spaces on the line of the word before it.
func bound(body []byte) []byte {
	for _, dash := range []string{"—", "–"} {
		body = bytes.ReplaceAll(body, []byte(" "+dash+" "), []byte("\u00a0"+dash+" "))
	}
	return body
}

// Accepted is the best language for an Accept-Language header. A reader of
// none of them gets English; a missing header means Ukrainian.
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

// To returns the printer for what is sent to a reader: in the last of words that is a language, else in Ukrainian, and in their
// zone; nil: unknown, so UTC.
func To(reader *time.Location, words ...string) Printer {
	p := Printer{Lang: Ukrainian, Zone: cmp.Or(reader, time.UTC), Reader: reader}
	for _, word := range words {
		if l, ok := Parse(word); ok {
			p.Lang = l
		}
	}
	return p
}

// At returns the printer for what happens at a place: moments are written in its zone. Unless the
// reader's clocks are known to show the same, the zone is named and the reader's own time follows.
func (p Printer) At(zone *time.Location) Printer {
	p.Zone, p.placed = zone, true
	return p
}

// Of returns the printer for what happens at a place, or at none: zone is nil.
func (p Printer) Of(zone *time.Location) Printer {
	if zone == nil {
		return p
	}
	return p.At(zone)
}

// voice is what one language needs, made when first asked for and never changed.
type voice struct {
	localizer    *i18n.Localizer
	group, point string // of numbers: 12,345.6
}

var voices = voicesOf(files, All)

func voicesOf(files fs.FS, all []Lang) map[Lang]func() voice {
	out := map[Lang]func() voice{}
	for _, l := range all {
		out[l] = sync.OnceValue(func() voice { return read(files, l) })
	}
	return out
}

func read(files fs.FS, l Lang) voice {
	tag := language.Make(string(l))
	bundle := i18n.NewBundle(tag)
	bundle.RegisterUnmarshalFunc("json", json.Unmarshal)
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
		if _, err := bundle.ParseMessageFileBytes(bound(body), family+"."+string(l)+".json"); err != nil {
			panic(fmt.Sprintf("texts of %s: %v", name, err))
		}
	}
	v := voice{localizer: i18n.NewLocalizer(bundle, string(l))}
	v.group, v.point = v.text("core.number.group", ","), v.text("core.number.point", ".")
	return v
}

// filledIn is what stands in a text for what is filled in.
var filledIn = regexp.MustCompile(`\{\{[^}]*\}\}`)

// Patterns returns all texts of a language by their keys, with … where something is filled in. Of one in several forms it
// is the last, for many.
func Patterns(l Lang) map[string]string {
	out := map[string]string{}
	names, err := fs.Glob(files, string(l)+"/*.json")
	for _, name := range names {
		var texts map[string]any
		body, readErr := fs.ReadFile(files, name)
		if err = cmp.Or(readErr, json.Unmarshal(bound(body), &texts)); err != nil {
			break
		}
		for key, v := range texts {
			if forms, is := v.(map[string]any); is {
				v = forms["other"]
			}
			text, _ := v.(string)
			out[key] = filledIn.ReplaceAllString(text, "…")
		}
	}
	if err != nil {
		panic(fmt.Sprintf("texts of %s: %v", l, err)) // embedded, and read at every start
	}
	return out
}

// text returns a text without arguments, or another for a language that has none.
func (v voice) text(key, other string) string {
	text, err := v.localizer.Localize(&i18n.LocalizeConfig{MessageID: key})
	if err != nil {
		return other
	}
	return text
}

func (p Printer) voice() voice {
	if v, ok := voices[p.Lang]; ok {
		return v()
	}
	return voices[Ukrainian]()
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
	wanted := &i18n.LocalizeConfig{MessageID: key, PluralCount: count, TemplateData: data}
	text, err := p.voice().localizer.Localize(wanted)
	if err != nil {
		text, err = voices[English]().localizer.Localize(wanted)
	}
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
	return p.voice().text(key, "") != "" || voices[English]().text(key, "") != ""
}

// Compare orders two names as the language's alphabet does, letters of other languages after its own. Case,
// apostrophes and the accents of foreign letters make no difference.
func (p Printer) Compare(a, b string) int {
	order := orders[p.Lang]
	if order == nil {
		order = orders[Ukrainian]
	}
	return slices.Compare(ranks(a, order()), ranks(b, order()))
}

// orders holds the place of every letter by language, made when first asked for.
var orders = ordersOf(All)

func ordersOf(all []Lang) map[Lang]func() map[rune]int {
	out := map[Lang]func() map[rune]int{}
	for _, l := range all {
		out[l] = sync.OnceValue(func() map[rune]int {
			order := map[rune]int{}
			for _, alphabet := range slices.Concat([]Lang{l}, all) {
				for _, r := range voices[alphabet]().text("core.alphabet", "") {
					if _, known := order[r]; !known {
						order[r] = unicode.MaxRune + len(order)
					}
				}
			}
			return order
		})
	}
	return out
}

func ranks(name string, order map[rune]int) (list []int) {
	for _, r := range strings.ToLower(norm.NFC.String(name)) {
		at, known := order[r]
		if !known {
			r, _ = utf8.DecodeRune(norm.NFD.AppendString(nil, string(r)))
			at, known = order[r]
			switch {
			case !known && unicode.IsLetter(r):
				at = 2*unicode.MaxRune + int(r) // after every known letter
			case !known:
				at = int(r)
			}
		}
		if !strings.ContainsRune("'’ʼ", r) {
			list = append(list, at)
		}
	}
	return list
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
