package roster_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
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

// A cell stays in its column whatever it holds: other separators, nothing, or nothing in the first one.
func TestACellStaysInItsColumn(t *testing.T) {
	t.Parallel()
	commas := []string{"\t", ";", "|", ","}
	for _, comma := range commas {
		clubs := []string{"", "Лев"}
		for _, other := range commas[1:] {
			if other != comma {
				clubs = append(clubs, "Лев"+other+" Південь")
			}
		}
		for _, of := range clubs {
			for at := range 3 { // the column of the club
				columns := func(name, rating, club string) string {
					cells := []string{name, rating}
					return strings.Join(append(cells[:at:at], append([]string{club}, cells[at:]...)...), comma)
				}
				text := columns("Name", "Rating", "Club") + "\n" + columns("Іван Франко", "1500", of) + "\n" + columns("Леся Українка", "1620", of) + "\n"
				lines := roster.Read(text)
				if len(lines) != 2 || lines[0].Err != nil || lines[0].Name != "Іван Франко" || lines[0].Rating != 1500 || lines[0].Club != of ||
					lines[1].Err != nil || lines[1].Name != "Леся Українка" || lines[1].Rating != 1620 || lines[1].Club != of {
					t.Errorf("%q: %+v", text, lines)
				}
			}
		}
	}
}

// The numbers of a list are those that follow each other from its first line to its last, however they are written; others
// belong to names.
func TestAListsNumbersAreNoNames(t *testing.T) {
	t.Parallel()
	for _, before := range []string{"%d ", "%d. ", "%d.", "%d) ", "%d)", "(%d) ", "№%d ", "№ %d ", "#%d ", "%d: ", "%d - ", "%d – ", "%d\t", "%d.\t", " %d  "} {
		text := ""
		for i, name := range []string{"Іван Франко", "Леся Українка; 1500", "Юрко Щербань"} {
			text += strings.ReplaceAll(before, "%d", strconv.Itoa(i+9)) + name + "\n"
		}
		lines := roster.Read(text)
		if len(lines) != 3 || lines[0].Name != "Іван Франко" || lines[1].Name != "Леся Українка" || lines[1].Rating != 1500 || lines[2].Name != "Юрко Щербань" {
			t.Errorf("%q: %+v", text, lines)
		}
	}
	for _, text := range []string{"7 Samurai\n", "7 Samurai\nIvan Franko\n", "7 Samurai\n12 Monkeys\n"} {
		if lines := roster.Read(text); lines[0].Name != "7 Samurai" {
			t.Errorf("%q: %+v", text, lines)
		}
	}
}

// What is left of a list reads as it did in the whole one, though its headings named the columns and its lines had numbers.
func TestWhatIsLeftOfAListReadsAsBefore(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"Іван Франко; 1500; Лев\n@anna\n\nЛеся; much\nЮрко Щербань\n",
		"Team;Rating;Name\nЛев;1500;Іван Франко\n\"Пів\nдень\";;Леся Українка\n;;\nЛев;much;Юрко Щербань\n",
		"\nsep=;\nName\tClub\tRating\nІван Франко\t\t1500\nЛеся Українка\tЛев; Південь\t\n",
		"1. Іван Франко\n2. Леся Українка\n3. Юрко Щербань; much\n",
		"1 Іван Франко\n2 Леся Українка\n3 Юрко Щербань; much\n",
		"012 Cup\n001    1      Franko, Ivan                      1500                             0.0    1\n001    2      Lesia Ukrainka                    1400                             0.0    2\n",
	} {
		whole := roster.Read(text)
		for set := range 1 << len(whole) {
			var stay []int
			var want []roster.Line
			for i, l := range whole {
				if set&(1<<i) != 0 {
					stay, want = append(stay, l.Number), append(want, l)
				}
			}
			list, anew := roster.Left(text, stay)
			for i := range want {
				want[i].Number = anew[want[i].Number]
			}
			if diff := cmp.Diff(want, roster.Read(list), cmpopts.IgnoreFields(roster.Line{}, "Text"), cmpopts.EquateErrors()); diff != "" {
				t.Errorf("%q: %q: %s", text, list, diff)
			}
		}
	}
}
