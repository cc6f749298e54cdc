package rating_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"chpok.org/chpok/rating"
)

// fideText writes lines of FIDE's list of one kind of ratings, or of all three, as its site does.
func fideText(all bool, lines ...[4]string) string {
	month, more := "NOV26 Gms K  ", ""
	if all {
		month, more = "SRtng SGm SK RRtng RGm Rk BRtng BGm BK ", "1999  0   20 1888  0   20 "
	}
	head := fmt.Sprintf("%-15s%-61s%s%s%s", "ID Number", "Name", "Fed Sex Tit  WTit OTit           FOA ", month, "B-day Flag")
	out := head + "\r\n"
	for _, l := range lines {
		out += fmt.Sprintf("%-15s%-61s%-4s%-4s%-5s%-5s%-15s%-4s", l[0], l[1], "UKR", "F", "WFM", "", "", "")
		if all {
			out += fmt.Sprintf("%-6s%-4s%-3s%s", l[2], "3", l[3], more)
		} else {
			out += fmt.Sprintf("%-6s%-4s%-3s", l[2], "3", l[3])
		}
		out += "1999  \r\n"
	}
	return out
}

func readFIDE(t *testing.T, in io.Reader) (rows []rating.Row) {
	t.Helper()
	if err := rating.ReadFIDE(in, func(r rating.Row) error { rows = append(rows, r); return nil }); err != nil {
		t.Fatal(err)
	}
	return rows
}

func TestFIDEsListIsReadAsItIsGiven(t *testing.T) {
	t.Parallel()
	lines := [][4]string{{"14101010", "Franko, Ivan", "2215", "20"},
		{"14101011", "Unrated, Olena", "0", "0"}, {"14101012", "Dvořák, Jan", "1650", "40"}}
	want := []rating.Row{{Line: 2, FIDE: "14101010", Name: "Franko, Ivan", Rating: 2215, Games: 30},
		{Line: 4, FIDE: "14101012", Name: "Dvořák, Jan", Rating: 1650}}
	for _, all := range []bool{false, true} {
		text := fideText(all, lines...)
		if !rating.IsFIDE([]byte(text)) {
			t.Errorf("all %t: not recognized", all)
		}
		if diff := cmp.Diff(want, readFIDE(t, strings.NewReader(text))); diff != "" {
			t.Errorf("all %t: %s", all, diff)
		}
		if diff := cmp.Diff(want, readFIDE(t, strings.NewReader(strings.ReplaceAll(text, "\r\n", "\n")))); diff != "" {
			t.Errorf("all %t, other line ends: %s", all, diff)
		}
	}
	old := strings.ReplaceAll(fideText(false, [4]string{"1", "M_ller, Eva", "1500", "20"}), "_", "\xfc") // Latin-1
	if got := readFIDE(t, strings.NewReader(old)); len(got) != 1 || got[0].Name != "Müller, Eva" || got[0].Rating != 1500 {
		t.Errorf("%+v", got)
	}
	const player = "<player><fideid>%s</fideid><name>%s</name><country>UKR</country><rating>%s</rating><games>3</games><k>%s</k>" +
		"<rapid_rating>1999</rapid_rating><rapid_k>20</rapid_k></player>\n"
	body := "<playerslist>\n"
	for _, l := range lines {
		body += fmt.Sprintf(player, l[0], strings.ReplaceAll(l[1], ",", "&#44;"), l[2], l[3])
	}
	body += "</playerslist>\n"
	want[0].Line, want[1].Line = 1, 3
	for head, text := range map[string]string{"": body, `<?xml version="1.0" encoding="utf-8"?>`: body,
		`<?xml version="1.0" encoding="ISO-8859-1"?>`: strings.ReplaceAll(body, "ř", "\xf8")} {
		if diff := cmp.Diff(want, readFIDE(t, strings.NewReader(head+text))); diff != "" && !strings.Contains(head, "8859") {
			t.Errorf("%s: %s", head, diff)
		} else if got := readFIDE(t, strings.NewReader(head+text)); len(got) != 2 || got[1].Rating != 1650 {
			t.Errorf("%s: %+v", head, got)
		}
	}
}

func TestWhatIsNotFIDEsListIsRefused(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "handle,rating\nanna,1500\n", "ID Number Name\n1 A\n", "<playerslist><player></player>",
		"ID Number" + strings.Repeat("x", 70_000)} {
		err := rating.ReadFIDE(strings.NewReader(text), func(rating.Row) error { return nil })
		if !errors.Is(err, rating.ErrFIDE) {
			t.Errorf("%.40q: %v", text, err)
		}
	}
	broken := errors.New("the wire is cut")
	list := io.MultiReader(strings.NewReader(fideText(false, [4]string{"1", "A, B", "1500", "20"})), failing{broken})
	if err := rating.ReadFIDE(list, func(rating.Row) error { return nil }); !errors.Is(err, broken) {
		t.Errorf("a list that breaks off: %v", err)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

func FuzzReadFIDENeverPanics(f *testing.F) {
	f.Add(fideText(true, [4]string{"1", "A, B", "1500", "20"}))
	f.Add("<playerslist><player><fideid>1</fideid><name>A</name><rating>1500</rating></player></playerslist>")
	f.Fuzz(func(t *testing.T, text string) {
		_ = rating.ReadFIDE(strings.NewReader(text), func(r rating.Row) error {
			if r.Rating < 1 || r.Name+r.FIDE == "" || r.Line < 1 {
				t.Fatalf("%q gave %+v", text, r)
			}
			return nil
		})
	})
}
