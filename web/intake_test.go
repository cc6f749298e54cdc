package web_test

import (
	"cmp"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"chpok.org/chpok/tournament"
)

// TestListsArriveWholeAtEveryDoor brings a list and a report in the encodings people have.
func TestListsArriveWholeAtEveryDoor(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.event(func(*tournament.Settings) {})
	wide := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	for name, e := range map[string]encoding.Encoding{"utf-8": encoding.Nop, "windows-1251": charmap.Windows1251, "koi8-u": charmap.KOI8U, "utf-16": wide} {
		saved := func(text string) string {
			raw, err := e.NewEncoder().String(text)
			if err != nil {
				t.Fatal(err)
			}
			return raw
		}
		n.upload(path+"/players/add", "list.csv", saved("Ім'я;Рейтинг\r\nІван Франко;1650,4\r\nЛеся Українка;1500\r\n")).
			want(http.StatusOK).wants("button", "Add 2 players").shows("Іван Франко").shows("Леся Українка").shows("1650")
		report := "012 Кубок\n142 3\n" +
			"001    1      Іван Франко                       1650                             0.0    1\n" +
			"001    2      Леся Українка                     1500                             0.0    2\n"
		preview := n.upload("/tournaments/import", "cup.trf", saved(report)).want(http.StatusOK).wants("heading", "Кубок").shows("Леся Українка")
		at := n.host.post("/tournaments/import", "text", preview.field("text"), "do", "import").want(http.StatusOK).path
		if got := n.tournament(at); got.Name != "Кубок" || len(got.Entries) != 2 || got.Entries[1].Name != "Леся Українка" {
			t.Errorf("%s: %q %+v", name, got.Name, got.Entries)
		}
	}
	unmarked, err := unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM).NewEncoder().String("Іван Франко\nЛеся Українка\n")
	if err != nil {
		t.Fatal(err)
	}
	for name, raw := range map[string]string{"a picture": "\x89PNG\r\n\x1a\n\x00\x00", "UTF-16 without a mark": unmarked} {
		n.upload(path+"/players/add", name, raw).want(http.StatusUnprocessableEntity).wants("alert", "not text")
		n.upload("/tournaments/import", name, raw).want(http.StatusUnprocessableEntity).wants("alert", "not text")
	}
	n.upload("/tournaments/import", "team.trf", "012 Cup\n001    1      A\n013 Lions 1\n").want(http.StatusUnprocessableEntity).wants("alert", "013").wants("alert", "line 3")
}

func TestAnotherEncodingOfAListCanBeChosen(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.event(func(*tournament.Settings) {})
	raw, err := charmap.Windows1250.NewEncoder().String("Jan Dvořák\n")
	if err != nil {
		t.Fatal(err)
	}
	p := n.upload(path+"/players/add", "list.csv", raw).want(http.StatusOK).wants("button", "Read the file again")
	kept := regexp.MustCompile(`name="raw" value="([^"]*)"`).FindStringSubmatch(p.body)
	if kept == nil {
		t.Fatal("the file is not kept")
	}
	n.host.post(path+"/players/add", "raw", strings.ReplaceAll(kept[1], "&#43;", "+"), "encoding", "windows-1250", "do", "read-again").
		want(http.StatusOK).shows("Jan Dvořák")
	if strings.Contains(n.host.post(path+"/players/add", "list", "Jan Dvořák", "do", "preview").body, "Read the file again") {
		t.Error("a pasted list asks for its encoding")
	}
	// One name in the letters of another alphabet is too little to guess by.
	raw, err = charmap.ISO8859_5.NewEncoder().String("Љубиша\n")
	if err != nil {
		t.Fatal(err)
	}
	p = n.upload(path+"/players/add", "list.csv", raw).want(http.StatusOK).wants("button", "Read the file again")
	n.host.post(path+"/players/add", "raw", p.field("raw"), "encoding", "iso-8859-5", "do", "read-again").want(http.StatusOK).shows("Љубиша")
	n.host.post(path+"/players/add", "list", "Jan Dvo\ufffd\ufffdk", "do", "preview").want(http.StatusOK).shows("problem")
	if t0 := n.tournament(path); len(t0.Entries) != 0 {
		t.Error("a look entered somebody")
	}
}

// field is what a hidden text of a page holds.
func (p page) field(name string) string {
	p.t.Helper()
	found := regexp.MustCompile(`<(?:input type="hidden" name="` + name + `" value="([^"]*)"|textarea name="` + name + `" hidden>([^<]*)<)`).
		FindStringSubmatch(p.body)
	if found == nil {
		p.t.Fatalf("%s: no field %s", p.path, name)
	}
	return html.UnescapeString(found[1] + found[2])
}

func TestAReportIsShownBeforeItIsImportedAndReadAgainInAnotherEncoding(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	const report = "012 Pohár\n142 3\n" +
		"001    1      Jan Dvořák                        1650                             0.0    1\n" +
		"001    2      Eva Němcová                       1500                             0.0    2\n"
	raw, err := charmap.Windows1250.NewEncoder().String(report)
	if err != nil {
		t.Fatal(err)
	}
	before := n.tournaments()
	guessed := n.upload("/tournaments/import", "pohar.trf", raw).want(http.StatusOK).wants("button", "Read the file again")
	chosen := n.host.post("/tournaments/import", "raw", guessed.field("raw"), "encoding", "windows-1250", "do", "read-again").
		want(http.StatusOK).wants("heading", "Pohár").shows("Jan Dvořák").shows("Eva Němcová")
	if now := n.tournaments(); now != before {
		t.Errorf("a look made %d events", now-before)
	}
	at := n.host.post("/tournaments/import", "raw", chosen.field("raw"), "encoding", "windows-1250", "text", chosen.field("text"), "do", "import").
		want(http.StatusOK).path
	if got := n.tournament(at); got.Name != "Pohár" || got.Entries[0].Name != "Jan Dvořák" {
		t.Errorf("%q, %+v", got.Name, got.Entries)
	}
}

func TestWhatIsNotUTF8IsRefusedWhereverItComesIn(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.event(func(*tournament.Settings) {})
	const lost = "\xb2\xe2\xe0\xed" // Іван in windows-1251
	n.host.post(path+"/entries", "guest", lost).want(http.StatusBadRequest)
	n.host.post(path+"/players/add", "list", lost, "do", "add").want(http.StatusBadRequest)
	n.host.get("/tournaments?q=" + url.QueryEscape(lost)).want(http.StatusBadRequest)
	if got := len(n.tournament(path).Entries); got != 0 {
		t.Errorf("%d entries", got)
	}
}

// shows fails unless a text stands on the page.
func (p page) shows(text string) page {
	p.t.Helper()
	if !strings.Contains(p.body, text) {
		p.t.Errorf("%s: %q is not there", p.path, text)
	}
	return p
}

// A name that was pasted with what nobody sees is the same name, of whatever it is, by page and by program; it is not refused
// as one of two lines. A space that does not break is a plain one: with it, the site itself writes seasons of leagues.
func TestNamesOfThingsArePlainText(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	program := n.program(n.viewer("Olena").Player)
	pasted, plain := "\ufeffКу\u00adбок\u200b  Лева,\u00a01.1", "Кубок Лева, 1.1"
	var of, made struct{ ID, Name string }
	is := func(what, name string) {
		t.Helper()
		if name != plain {
			t.Errorf("%s: %q", what, name)
		}
	}
	asked := func(address, more string) string {
		t.Helper()
		made.ID = ""
		program.ask(http.MethodPost, address, `{"name":"`+pasted+`"`+more+`}`, http.StatusCreated, &made)
		return made.ID
	}
	program.ask(http.MethodPost, "/clubs", `{"name":"`+pasted+`","text":""}`, http.StatusCreated, &of)
	is("a club", of.Name)
	for address, more := range map[string]string{"/tournaments": `,"format":"swiss","rounds":3`, "/ladders": ``,
		"/leagues": `,"club":"` + of.ID + `","starts":"` + n.clock.Now().AddDate(0, 0, 9).Format("2006-01-02") + `T18:00:00Z"`} {
		id := asked(address, more)
		var got struct {
			Name     string
			Settings struct{ Name string }
		}
		program.ask(http.MethodGet, address+"/"+id, "", http.StatusOK, &got)
		is(address, cmp.Or(got.Name, got.Settings.Name))
	}
	path := n.create("name", pasted, "format", "swiss", "rounds", "3")
	is("an event by its form", n.tournament(path).Name)
	n.host.post(path+"/screens", "name", pasted, "seconds", "15", "shows", "standings", "lang", "en", "zone", "Europe/Kyiv").want(http.StatusOK)
	is("a screen", n.screens(path)[0].Name)
}
