package roster_test

import (
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"chpok.org/chpok/tournament/intake"
	"chpok.org/chpok/tournament/roster"
)

// TestAListSaysTheSameHoweverItWasSaved walks encodings, separators, line ends, quotes and
// invisible characters: the same three players, or a refusal.
func TestAListSaysTheSameHoweverItWasSaved(t *testing.T) {
	t.Parallel()
	encodings := map[string]encoding.Encoding{
		"UTF-8": encoding.Nop, "UTF-8 with a mark": unicode.UTF8BOM, "windows-1251": charmap.Windows1251, "koi8-u": charmap.KOI8U,
		"mac": charmap.MacintoshCyrillic, "iso-8859-5": charmap.ISO8859_5, "UTF-16": unicode.UTF16(unicode.LittleEndian, unicode.UseBOM),
		"UTF-16BE": unicode.UTF16(unicode.BigEndian, unicode.UseBOM),
	}
	invisible := map[string]func(string) string{
		"plain":       func(s string) string { return s },
		"no-break":    func(s string) string { return strings.ReplaceAll(s, " ", "\u00a0") },
		"two spaces":  func(s string) string { return strings.ReplaceAll(s, " ", "  ") },
		"zero width":  func(s string) string { return strings.ReplaceAll(s, " ", " \u200b") },
		"soft hyphen": func(s string) string { return strings.ReplaceAll(s, "к", "\u00adк") },
		"bidi marks":  func(s string) string { return "\u202a" + s + "\u202c" },
		"decomposed":  func(s string) string { return strings.ReplaceAll(s, "ї", "і\u0308") },
	}
	names := []string{"Іван Франко", "Леся «Мавка» Українка", `Юрко "Лев" Щербань`}
	ratings := [][]string{{"1500", "1620", "1400"}, {"1499,6", "1620,2", "1400"}}
	for as, e := range encodings {
		for how, hide := range invisible {
			for _, comma := range []string{";", "\t", "|", ","} {
				for _, end := range []string{"\n", "\r\n", "\r"} {
					for q, quote := range []func(string) string{
						func(s string) string { return s },
						func(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` },
					} {
						of := ratings[0]
						if comma != "," {
							of = ratings[q]
						}
						text := "Name" + comma + "Rating" + end
						for i, name := range names {
							text += quote(hide(name)) + comma + of[i] + end
						}
						raw, err := e.NewEncoder().Bytes([]byte(text))
						if err != nil {
							continue // the encoding has no such character
						}
						said, found, err := intake.Read(raw)
						if err != nil {
							t.Errorf("%s, %s, %q, %q: %v", as, how, comma, end, err)
							continue
						}
						lines := roster.Read(said)
						if len(lines) != 3 {
							t.Fatalf("%s (%s), %s, %q, %q, quotes %d: %+v", as, found, how, comma, end, q, lines)
						}
						for i, want := range []int{1500, 1620, 1400} {
							if l := lines[i]; l.Err != nil || l.Name != names[i] || l.Rating != want {
								t.Errorf("%s (%s), %s, %q, %q, quotes %d: %+v", as, found, how, comma, end, q, l)
							}
						}
					}
				}
			}
		}
	}
}

// Somebody pressed Enter in a cell: it is one cell. A mark that nobody closed is told, and swallows no other line.
func TestACellOfTwoLinesIsOne(t *testing.T) {
	t.Parallel()
	lines := roster.Read("Name;Club;Rating\n\"Іван\nФранко\";\"Клуб\nімені\nЛева\";1500\nЛеся Українка;;1620\n\"Юрко Щербань;;1400\nОлена Пчілка;;1300\n")
	if len(lines) != 4 {
		t.Fatalf("%+v", lines)
	}
	if l := lines[0]; l.Err != nil || l.Name != "Іван Франко" || l.Club != "Клуб імені Лева" || l.Rating != 1500 || l.Number != 2 {
		t.Errorf("%+v", l)
	}
	for i, want := range []struct {
		number int
		name   string
	}{{6, "Леся Українка"}, {7, ""}, {8, "Олена Пчілка"}} {
		if l := lines[i+1]; l.Number != want.number || l.Name != want.name || (l.Err == nil) != (want.name != "") {
			t.Errorf("%+v, want %+v", l, want)
		}
	}
	for _, text := range []string{"Іван Франко;1e3\nЛеся Українка\n", "Іван Франко;0x10\nЛеся Українка\n", "\"Іван\nЛеся Українка\n", "+380501234567,1400\nЛеся Українка\n"} {
		if lines := roster.Read(text); len(lines) != 2 || lines[0].Err == nil || lines[1].Err != nil {
			t.Errorf("%q: %+v", text, lines)
		}
	}
}
