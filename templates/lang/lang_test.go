package lang_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"

	"chpok.org/chpok/templates/lang"
)

// texts reads the files of one language: key → forms ("" for a plain text).
func texts(t *testing.T, l lang.Lang) map[string]map[string]string {
	t.Helper()
	names, err := filepath.Glob(string(l) + "/*.json")
	if err != nil || len(names) == 0 {
		t.Fatalf("no texts of %s: %v", l, err)
	}
	out := map[string]map[string]string{}
	for _, name := range names {
		body, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var entries map[string]any
		if err := json.Unmarshal(body, &entries); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for key, value := range entries {
			if _, twice := out[key]; twice {
				t.Errorf("%s: %s stands in two files", name, key)
			}
			forms := map[string]string{}
			switch v := value.(type) {
			case string:
				forms[""] = v
			case map[string]any:
				for form, text := range v {
					forms[form], _ = text.(string)
				}
			}
			out[key] = forms
		}
	}
	return out
}

var argument = regexp.MustCompile(`\{\{\s*\.(\w+)\s*\}\}`)

func arguments(forms map[string]string) []string {
	var out []string
	for _, text := range forms {
		for _, m := range argument.FindAllStringSubmatch(text, -1) {
			if !slices.Contains(out, m[1]) {
				out = append(out, m[1])
			}
		}
	}
	slices.Sort(out)
	return out
}

// forms are the plural forms of whole numbers in a language, and the one of all others.
func forms(l lang.Lang) []string {
	names := map[plural.Form]string{plural.Zero: "zero", plural.One: "one", plural.Two: "two", plural.Few: "few", plural.Many: "many"}
	list := []string{"other"}
	for n := range 200 {
		if form := names[plural.Cardinal.MatchPlural(language.Make(string(l)), n, 0, 0, 0, 0)]; form != "" && !slices.Contains(list, form) {
			list = append(list, form)
		}
	}
	return list
}

// lacks compares the texts of a language with those in English: keys, plural forms, arguments.
func lacks(l lang.Lang, own, english map[string]map[string]string) (faults []string) {
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	for key, texts := range english {
		if own[key] == nil {
			fault("%s lacks %s", l, key)
			continue
		}
		_, plain := texts[""]
		if _, ownPlain := own[key][""]; plain != ownPlain {
			fault("%s has plural forms in one language only", key)
			continue
		}
		if !plain {
			for _, form := range forms(l) {
				if own[key][form] == "" {
					fault("%s: %s has no form %q", l, key, form)
				}
			}
		}
		if a, b := arguments(own[key]), arguments(texts); !slices.Equal(a, b) {
			fault("%s takes %v in %s and %v in en", key, a, l, b)
		}
	}
	for key := range own {
		if english[key] == nil {
			fault("en lacks %s", key)
		}
	}
	return faults
}

func TestLanguagesHaveTheSameKeysFormsAndArguments(t *testing.T) {
	t.Parallel()
	english := texts(t, lang.English)
	for _, l := range lang.All {
		for _, fault := range lacks(l, texts(t, l), english) {
			t.Error(fault)
		}
		for _, name := range []string{"rules", "faq", "privacy", "fair-play"} {
			if text, in := l.Long(name); in != l || text == "" {
				t.Errorf("%s lacks %s.txt", l, name)
			}
		}
	}
}

// A third language is a folder: what it does not have is read in English, and is told by lacks.
func TestAThirdLanguageIsAFolder(t *testing.T) {
	t.Cleanup(lang.Add(fstest.MapFS{
		"pl/core.json": {Data: []byte(`{
			"core.language": "Polski", "core.site": "Szpok", "core.alphabet": "aąbcćdeęfghijklłmnńoóprsśtuwyzźż", "core.number.group": "\u00a0",
			"core.ago.days": {"one": "{{.N}} dzień temu", "few": "{{.N}} dni temu", "many": "{{.N}} dni temu", "other": "{{.N}} dnia temu"}}`)},
		"pl/faq.txt": {Data: []byte("# Pytania\n")},
	}))
	polish, known := lang.Parse("pl")
	if !known || !slices.Equal(lang.All, []lang.Lang{lang.Ukrainian, lang.English, "pl"}) || polish.Name() != "Polski" {
		t.Fatalf("%v, %v, %q", known, lang.All, polish.Name())
	}
	p, en := lang.Printer{Lang: polish}, lang.Printer{Lang: lang.English}
	for _, test := range []struct{ name, got, want string }{
		{"its own", p.T("core.site"), "Szpok"},
		{"its plural forms", p.N("core.ago.days", 3), "3 dni temu"},
		{"its numbers", p.Decimal(12345.5, 1), "12\u00a0345.5"},
		{"what it does not have", p.T("core.skip"), en.T("core.skip")},
		{"nor with plural forms", p.N("core.ago.minutes", 1), "1 minute ago"},
		{"of other readers", string(lang.Accepted("pl,en;q=0.5")), "pl"},
	} {
		if test.got != test.want {
			t.Errorf("%s: %q, want %q", test.name, test.got, test.want)
		}
	}
	if text, in := polish.Long("faq"); in != polish || text != "# Pytania\n" {
		t.Errorf("%q in %s", text, in)
	}
	if text, in := polish.Long("rules"); in != lang.English || text == "" {
		t.Errorf("%d letters in %s", len(text), in)
	}
	names := []string{"Zofia", "Łucja", "Lena", "Żaneta", "Ala", "Мілa", "Ąg"}
	slices.SortFunc(names, p.Compare)
	if got := strings.Join(names, " "); got != "Ala Ąg Lena Łucja Zofia Żaneta Мілa" {
		t.Error(got)
	}
	own := map[string]map[string]string{"a": {"": "{{.X}}"}, "b": {"one": "1", "few": "2", "other": "3"}, "new": {"": ""}}
	english := map[string]map[string]string{"a": {"": "{{.Y}}"}, "b": {"one": "1", "other": "3"}, "c": {"": "c"}}
	got := lacks(polish, own, english)
	slices.Sort(got)
	want := []string{"a takes [X] in pl and [Y] in en", "en lacks new", `pl lacks c`, `pl: b has no form "many"`}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// used finds the keys that templates and handlers name; a key that ends in a
// dot is a prefix put together with more at run time.
var used = regexp.MustCompile(`(?:\bT\((?:ctx, ?)?|\bN\((?:ctx, ?)?)"([a-z][a-z0-9-]*(?:\.[a-zA-Z0-9-]*)+)"`)

func TestEveryKeyThatIsUsedHasAText(t *testing.T) {
	t.Parallel()
	uk := texts(t, lang.Ukrainian)
	var sources []string
	for _, pattern := range []string{"*.go", "../*.templ", "../*/*.templ", "../../web/*.go", "../../web/*/*.go"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, names...)
	}
	found := 0
	for _, name := range sources {
		if strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, "_templ.go") {
			continue
		}
		body, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range used.FindAllStringSubmatch(string(body), -1) {
			found++
			key := m[1]
			if forms, known := uk[key]; known && (m[0][0] == 'N') == (forms["few"] == "") {
				t.Errorf("%s: %s is asked for as if it had plural forms, or as if it had none", name, key)
			}
			if strings.HasSuffix(key, ".") {
				if !hasPrefix(uk, key) {
					t.Errorf("%s: no text begins with %s", name, key)
				}
			} else if _, ok := uk[key]; !ok {
				t.Errorf("%s: %s has no text", name, key)
			}
		}
	}
	if found == 0 {
		t.Fatal("found no key in use")
	}
}

func hasPrefix(texts map[string]map[string]string, prefix string) bool {
	for key := range texts {
		if strings.HasPrefix(key, prefix) {
			return true
		}
	}
	return false
}

func TestPlurals(t *testing.T) {
	t.Parallel()
	tests := []struct {
		lang lang.Lang
		n    int
		want string
	}{
		{lang.Ukrainian, 1, "1 хвилину тому"},
		{lang.Ukrainian, 2, "2 хвилини тому"},
		{lang.Ukrainian, 5, "5 хвилин тому"},
		{lang.Ukrainian, 11, "11 хвилин тому"},
		{lang.Ukrainian, 21, "21 хвилину тому"},
		{lang.Ukrainian, 22, "22 хвилини тому"},
		{lang.English, 1, "1 minute ago"},
		{lang.English, 21, "21 minutes ago"},
	}
	for _, test := range tests {
		if got := (lang.Printer{Lang: test.lang}).N("core.ago.minutes", test.n); got != test.want {
			t.Errorf("%s %d: %q, want %q", test.lang, test.n, got, test.want)
		}
	}
}

func TestFormats(t *testing.T) {
	t.Parallel()
	kyiv, err := time.LoadLocation("Europe/Kyiv")
	if err != nil {
		t.Skip("no time zones here")
	}
	uk, en := lang.Printer{Lang: lang.Ukrainian, Zone: kyiv}, lang.Printer{Lang: lang.English}
	at := time.Date(2026, 11, 20, 23, 30, 0, 0, time.UTC)
	tests := []struct{ name, got, want string }{
		{"a Ukrainian day is that of the zone", uk.Date(at), "21\u00a0листопада 2026"},
		{"an English day", en.Date(at), "November\u00a020, 2026"},
		{"time of day in Kyiv in winter", uk.Clock(at), "01:30"},
		{"thousands", en.Int(12345), "12,345"},
		{"Ukrainian thousands", uk.Int(12345), "12\u00a0345"},
		{"Ukrainian decimals", uk.Decimal(1.5, 1), "1,5"},
		{"millions", en.Int(-1234567) + " " + en.Int(999) + " " + uk.Int(1000), "−1,234,567 999 1\u00a0000"},
		{"negative decimals", en.Decimal(-1234.25, 1), "−1,234.2"},
		{"signs", en.Signed(-4) + en.Signed(4) + en.Signed(0), "−4+40"},
		{"seconds", uk.Duration(45 * time.Second), "45\u00a0с"},
		{"nothing", uk.Duration(0), "0\u00a0с"},
		{"minutes and seconds", en.Duration(90 * time.Second), "1\u00a0min\u00a030\u00a0s"},
		{"hours and minutes, no seconds", uk.Duration(80*time.Minute + 5*time.Second), "1\u00a0год\u00a020\u00a0хв"},
		{"an even hour", en.Duration(time.Hour), "1\u00a0h"},
		{"an hour and some seconds", en.Duration(time.Hour + 5*time.Second), "1\u00a0h"},
		{"days", en.Duration(49 * time.Hour), "2\u00a0d\u00a01\u00a0h"},
		{"up to 1 h 20 min", en.Length(76*time.Minute + 10*time.Second), "1\u00a0h\u00a020\u00a0min"},
		{"minutes are whole", en.Length(12*time.Minute + time.Second), "13\u00a0min"},
		{"days go by the hour", uk.Length(49*time.Hour + time.Minute), "2\u00a0дн\u00a02\u00a0год"},
		{"nothing is nothing", en.Length(0), "0\u00a0s"},
	}
	for _, test := range tests {
		if test.got != test.want {
			t.Errorf("%s: %q, want %q", test.name, test.got, test.want)
		}
	}
}

// Days as people say them, for a reader in Kyiv at 21:05 on a Friday.
func TestWhen(t *testing.T) {
	t.Parallel()
	kyiv, err := time.LoadLocation("Europe/Kyiv")
	if err != nil {
		t.Skip("no time zones here")
	}
	at := func(month time.Month, day, hour, minute int) time.Time {
		return time.Date(2026, month, day, hour, minute, 0, 0, kyiv)
	}
	now := func() time.Time { return at(11, 20, 21, 5) }
	uk, en := lang.Printer{Lang: lang.Ukrainian, Zone: kyiv, Now: now}, lang.Printer{Lang: lang.English, Zone: kyiv, Now: now}
	sofia := lang.Printer{Lang: lang.English, Zone: time.UTC, Now: now}
	full := lang.Printer{Lang: lang.English, Zone: kyiv}
	lastYear := time.Date(2025, 11, 20, 21, 5, 0, 0, kyiv)
	for _, test := range []struct{ name, got, want string }{
		{"today", en.When(at(11, 20, 21, 14)), "21:14"},
		{"today in a sentence", en.On(at(11, 20, 21, 14)), "today 21:14"},
		{"today in a Ukrainian sentence", uk.On(at(11, 20, 21, 14)), "сьогодні, 21:14"},
		{"after midnight", en.When(at(11, 21, 1, 32)), "tomorrow 01:32"},
		{"after midnight, in Ukrainian", uk.When(at(11, 21, 1, 32)), "завтра, 01:32"},
		{"the same moment where it is before midnight", sofia.When(at(11, 21, 1, 32)), "23:32"},
		{"yesterday", en.When(at(11, 19, 9, 0)), "yesterday 09:00"},
		{"ahead", en.When(at(11, 27, 20, 0)), "Fri Nov\u00a027, 20:00"},
		{"ahead, in Ukrainian", uk.When(at(11, 27, 20, 0)), "пт 27\u00a0лист., 20:00"},
		{"behind", en.When(at(10, 2, 20, 0)), "Oct\u00a02, 20:00"},
		{"another year", en.When(lastYear), "Nov\u00a020, 2025, 21:05"},
		{"a day of this year", uk.Day(at(5, 1, 12, 0)), "1\u00a0трав."},
		{"a day of another year", en.Day(lastYear), "Nov\u00a020, 2025"},
		{"a span of today", en.Span(at(11, 20, 21, 14), at(11, 20, 21, 41)), "21:14–21:41"},
		{"a span of tomorrow", en.Span(at(11, 21, 1, 32), at(11, 21, 2, 10)), "tomorrow 01:32–02:10"},
		{"a span over midnight", uk.Span(at(11, 20, 23, 40), at(11, 21, 0, 20)), "23:40 – завтра, 00:20"},
		{"a span within a minute", en.Span(at(11, 20, 21, 14), at(11, 20, 21, 14).Add(50*time.Second)), "21:14"},
		{"soon", en.Soon(at(11, 20, 21, 9)), "in 4\u00a0min"},
		{"soon, begun minutes count whole", uk.Soon(at(11, 20, 21, 8).Add(time.Second)), "через 4\u00a0хв"},
		{"no longer soon", en.Soon(at(11, 20, 22, 5)), "today 22:05"},
		{"just now", uk.Ago(at(11, 20, 21, 5).Add(-time.Second)), "щойно"},
		{"hours ago", uk.Ago(at(11, 20, 18, 0)), "3 години тому"},
		{"long ago is a day", en.Ago(at(9, 1, 18, 0)), "Sep\u00a01"},
		{"without a now in full", full.When(at(11, 21, 1, 32)), "November\u00a021, 2026, 01:32 (Europe/Kyiv)"},
		{"without a now a day in full", full.Day(at(11, 21, 1, 32)), "November\u00a021, 2026"},
	} {
		if test.got != test.want {
			t.Errorf("%s: %q, want %q", test.name, test.got, test.want)
		}
	}
}

func TestAcceptedLanguage(t *testing.T) {
	t.Parallel()
	tests := []struct {
		header string
		want   lang.Lang
	}{
		{"", lang.Ukrainian},
		{"uk-UA,uk;q=0.9,en;q=0.8", lang.Ukrainian},
		{"en-GB,uk;q=0.5", lang.English},
		{"de,uk;q=0.5", lang.Ukrainian},
		{"de-DE", lang.English},
		{"\x00", lang.Ukrainian},
	}
	for _, test := range tests {
		if got := lang.Accepted(test.header); got != test.want {
			t.Errorf("%q: %s, want %s", test.header, got, test.want)
		}
	}
}

func TestUnknownKeyIsVisible(t *testing.T) {
	t.Parallel()
	if got := (lang.Printer{}).T("no.such.key"); !strings.HasPrefix(got, lang.Missing) {
		t.Errorf("%q", got)
	}
}

func TestQuotesWithinQuotes(t *testing.T) {
	for name, want := range map[string]string{
		"Дракон":             "«Дракон»",
		"Шпок-клуб «Дракон»": "«Шпок-клуб „Дракон“»",
		"«Слон» і «Кінь»":    "«„Слон“ і „Кінь“»",
	} {
		got := lang.Printer{Lang: lang.Ukrainian}.T("notice.text.club-request", "By", "Ніна", "Club", name)
		if !strings.HasSuffix(got, " "+want) {
			t.Errorf("%s: %s instead of %s", name, got, want)
		}
	}
}

func TestUkrainianAlphabet(t *testing.T) {
	t.Parallel()
	names := []string{"Яна", "Zoé", "ґанок", "М’яч", "Іван", "Ганна", "Мова", "Євген", "їжак", "Жанна", "Zoya", "Łukasz", "Эдуард"}
	slices.SortFunc(names, lang.Printer{Lang: lang.Ukrainian}.Compare)
	if got, want := strings.Join(names, " "), "Ганна ґанок Євген Жанна Іван їжак Мова М’яч Яна Zoé Zoya Łukasz Эдуард"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestHasKnowsTextsOfBothKinds(t *testing.T) {
	t.Parallel()
	for _, l := range lang.All {
		p := lang.Printer{Lang: l}
		if !p.Has("core.site") || !p.Has("core.ago.days") || p.Has("no.such.key") {
			t.Errorf("%s: %v %v %v", l, p.Has("core.site"), p.Has("core.ago.days"), p.Has("no.such.key"))
		}
	}
}

// What the reader meets under one name is one thing: a match is матч, an arbiter
// суддя, a steward наглядач. The rules themselves speak of партія.
func TestUkrainianHasOneWordForOneThing(t *testing.T) {
	other := regexp.MustCompile(`(?i)арбітр|парті[яїйєю]|спостерігач`)
	for key, forms := range texts(t, lang.Ukrainian) {
		if strings.HasPrefix(key, "rules.") || key == "schedule.who.read-only" {
			continue
		}
		for _, text := range forms {
			if word := other.FindString(text); word != "" {
				t.Errorf("%s says %q: %s", key, word, text)
			}
		}
	}
}
