package roster_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"chpok.org/chpok/player/club"
	"chpok.org/chpok/tournament/roster"
)

func TestListsOfPlayers(t *testing.T) {
	t.Parallel()
	guest := func(n int, name string, rating int, club string) roster.Line {
		return roster.Line{Number: n, Name: name, Rating: rating, Club: club}
	}
	tests := []struct {
		name, text string
		want       []roster.Line
	}{
		{"handles, one in a line, with and without the sign", "anna\n\n @borys_2 \n", []roster.Line{{Number: 1, Handle: "anna", Alone: "anna"}, {Number: 3, Handle: "borys_2"}}},
		{"a name that is no handle is a guest", "Іван Франко\nLesia Ukrainka", []roster.Line{guest(1, "Іван Франко", 0, ""), guest(2, "Lesia Ukrainka", 0, "")}},
		{"name, rating and club between semicolons", "Іван Франко; 1650; Дракон\nanna;\nLesia; -; Lion", []roster.Line{
			guest(1, "Іван Франко", 1650, "Дракон"), guest(2, "anna", 0, ""), guest(3, "Lesia", 0, "Lion"),
		}},
		{"a comma within a name, and one that separates", "Franko, Ivan\nUkrainka, 1700, Lion", []roster.Line{guest(1, "Franko, Ivan", 0, ""), guest(2, "Ukrainka", 1700, "Lion")}},
		{"a table with headings in any order", "\ufeffClub,Rating,Name\r\nDragon,1500,\"Franko, Ivan\"\r\n,,Lesia", []roster.Line{guest(2, "Franko, Ivan", 1500, "Dragon"), guest(3, "Lesia", 0, "")}},
		{"headings in Ukrainian, with accounts", "Нік;Ім'я;Рейтинг\nanna;Анна;\n;Борис;1400", []roster.Line{{Number: 2, Handle: "anna"}, guest(3, "Борис", 1400, "")}},
		{"a table from a spreadsheet", "Anna K\t1500\tDragon", []roster.Line{guest(1, "Anna K", 1500, "Dragon")}},
		{"every bad line is named", "@no way\nFranko; much\nA; 1; 2; 3\n; 1500\nFranko; 4001\n\"open; 5", []roster.Line{
			{Number: 1, Err: roster.ErrHandle}, {Number: 2, Name: "Franko", Err: roster.ErrRating}, {Number: 3, Err: roster.ErrFields},
			{Number: 4, Err: club.ErrGuestName}, {Number: 5, Name: "Franko", Err: roster.ErrRating}, {Number: 6, Err: roster.ErrQuotes},
		}},
		{"a numbered list", "1. Ivan Franko\n2) @borys_2\n• Anna K; 1500\n— Lesia U", []roster.Line{
			guest(1, "Ivan Franko", 0, ""), {Number: 2, Handle: "borys_2"}, guest(3, "Anna K", 1500, ""), guest(4, "Lesia U", 0, ""),
		}},
		{"numbers in a column of their own", "1\tAnna K\t1500\n2\tLesia U\t", []roster.Line{guest(1, "Anna K", 1500, ""), guest(2, "Lesia U", 0, "")}},
		{"what Excel adds", "sep=;\nName;Rating;Club\nAnna K;1500;\n;;\n", []roster.Line{guest(3, "Anna K", 1500, "")}},
		{"first and last names in columns of their own", "№;Прізвище;Імʼя;Рейтинг\n1;Ґудзь;Іван;1500", []roster.Line{guest(2, "Ґудзь Іван", 1500, "")}},
		{"numbers in a column of their own", "№\tName\tRating\n1.\tIvan Franko\t1500\n–\tLesia U\t1400", []roster.Line{guest(2, "Ivan Franko", 1500, ""), guest(3, "Lesia U", 1400, "")}},
		{"headings in Russian", "Фамилия и имя;Рейтинг\nПетров Иван;1500", []roster.Line{guest(2, "Петров Иван", 1500, "")}},
		{"nothing", " \n\n", nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(test.want, roster.Read(test.text), cmpopts.IgnoreFields(roster.Line{}, "Text"), cmpopts.EquateErrors()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAReportsPlayersAreGuests(t *testing.T) {
	t.Parallel()
	row := func(number int, name string, rating int) string {
		return fmt.Sprintf("001 %4d %1s%3s %-33s %4d %3s %11s %10s %4s %4s\n", number, "", "", name, rating, "", "", "", "0.0", "")
	}
	got := roster.Read("012 Friday\n" + row(1, "Franko, Ivan", 1650) + row(2, "Ukrainka, Lesia", 1600))
	want := []roster.Line{{Number: 2, Name: "Franko, Ivan", Rating: 1650}, {Number: 3, Name: "Ukrainka, Lesia", Rating: 1600}}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(roster.Line{}, "Text"), cmpopts.EquateErrors()); diff != "" {
		t.Error(diff)
	}
}

func TestALongListEndsWithItsFault(t *testing.T) {
	t.Parallel()
	lines := roster.Read(strings.Repeat("Guest of honour\n", roster.MaxLines+5))
	if n := len(lines); n != roster.MaxLines+1 || lines[n-1].Err != roster.ErrTooMany || lines[n-2].Err != nil {
		t.Errorf("%d lines, the last %+v", n, lines[n-1])
	}
}

// FuzzReadNeverPanics: every line that is taken has either a handle or a name.
func FuzzReadNeverPanics(f *testing.F) {
	for _, seed := range []string{"anna", "A; 5; B", "name,rating\nx,1", "001    1      Franko", "\"a,", "@", ";;;;", "\ufeff\x00\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, l := range roster.Read(text) {
			if l.Err == nil && (l.Handle == "") == (l.Name == "") || l.Rating < 0 || l.Err == nil && !utf8.ValidString(l.Name) {
				t.Errorf("%+v", l)
			}
		}
	})
}
