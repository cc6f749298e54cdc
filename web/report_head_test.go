package web_test

import (
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/trf"
)

// head is what a report tells with some codes.
func (n *clubNight) head(path string, codes ...string) (texts []string) {
	n.t.Helper()
	r, err := trf.Read(n.host.get(path + "/report.trf").want(http.StatusOK).body)
	if err != nil {
		n.t.Fatal(err)
	}
	for _, code := range codes {
		texts = append(texts, strings.Join(r.Headers(code), "; "))
	}
	return texts
}

// TestStaffSayWhatTheHeadOfTheReportTells at any time, by page and program. Until then the report has what the event
// knows: who runs it, and the limits of bidding.
func TestStaffSayWhatTheHeadOfTheReportTells(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.played()
	wants := func(want ...string) {
		t.Helper()
		if got := n.head(path, "022", "032", "102", "112"); !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	wants("", "", "Olena", "")
	host := n.player("Olena")
	told := player.Profile{Name: "Олена Коваль", Privacy: player.DefaultPrivacy()}
	told.Privacy.Profile = player.Everyone
	n.write(func(tx *store.Tx) error { return tx.SetProfile(host.ID, told) })
	wants("", "", "Олена Коваль", "")
	told.Privacy.Profile = player.Nobody
	n.write(func(tx *store.Tx) error { return tx.SetProfile(host.ID, told) })
	wants("", "", "Olena", "")

	n.host.post(path+"/report", "city", " Львів ", "federation", "UKR", "deputies", "Ivan Bondar\r\n\r\nLesia Rud\r\n").want(http.StatusOK)
	wants("Львів", "UKR", "Olena", "Ivan Bondar; Lesia Rud")
	long := strings.Repeat("x", 101)
	n.host.post(path+"/report", "city", "Kyiv", "chief", "Daria", "deputies", long).want(http.StatusUnprocessableEntity).
		says("too long").says(long).says("Kyiv").says("Daria")
	wants("Львів", "UKR", "Olena", "Ivan Bondar; Lesia Rud") // nothing of it

	n.firstWins(path)
	id := strings.TrimPrefix(path, "/tournaments/")
	program := n.program(host)
	if got := program.status("PUT", path+"/report", `{"chief":"Дарина Ткач","timeControl":"60 min"}`); got != http.StatusNoContent {
		t.Fatal(got)
	}
	if got := n.head(path, "022", "032", "102", "112", "122"); !slices.Equal(got, []string{"", "", "Дарина Ткач", "", "60 min"}) {
		t.Errorf("%q", got)
	}
	if e := n.tournament(path); e.Status != tournament.Finished || e.Report.Chief != "Дарина Ткач" {
		t.Errorf("%v %+v of %s", e.Status, e.Report, id)
	}
	if many := `{"deputies":["` + strings.Repeat(`a","`, tournament.MaxDeputies) + `a"]}`; program.status("PUT", path+"/report", many) != http.StatusUnprocessableEntity {
		t.Error("there may be too many deputies")
	}
}

// TestAReportComesOutAsItWentIn player by player, whatever a line of record 001 can hold. Sex and birth are for staff.
func TestAReportComesOutAsItWentIn(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	const report = `012 Весняний кубок
142 4
001    1 wWGM Коваль, Дарина                    2210 UKR    14100001 2009/04/21  3.0    1     4 w 1     2 b +     3 w 1
001    2 m FM Bondar, Ivan                      2100 POL     1100002 1987        2.0    2     5 w W     1 w -     4 b 1
001    3      Rud, Lesia                        1900 FID                         2.0    3     6 b W  0000 - U     1 b 0
001    4      Danylo                                                             0.5    5     1 b 0  0000 - H     2 w 0
001    5   IM Ferenc                            1500 HUN 12345678901             1.0    4     2 b L  0000 - F     6 w
001    6 m    Stanko                            1400         9       2012/00/00  0.0    6     3 w L  0000 - Z     5 b
`
	sent, err := trf.Read(report)
	if err != nil {
		t.Fatal(err)
	}
	path := n.host.post("/tournaments/import", "text", report, "do", "import").want(http.StatusOK).path
	of := func(b *browser) []trf.Player {
		t.Helper()
		r, err := trf.Read(b.get(path + "/report.trf").want(http.StatusOK).body)
		if err != nil {
			t.Fatal(err)
		}
		return r.Players
	}
	for i, got := range of(n.host) {
		want := sent.Players[i]
		if got.Rank = want.Rank; !reflect.DeepEqual(got, want) { // places go by the tie-breaks of this site
			t.Errorf("went in %+v\ncame out %+v", want, got)
		}
	}
	for i, got := range of(n.browser(lang.English)) {
		want := sent.Players[i].ReportPlayer
		want.Sex, want.Birth = "", ""
		if got.ReportPlayer != want {
			t.Errorf("everybody is told %+v of %s", got.ReportPlayer, got.Name)
		}
	}
	if e := n.tournament(path).Entries; e[0].Born != 2009 || e[1].Born != 1987 || e[2].Born != 0 || e[5].Born != 2012 {
		t.Errorf("born in %d, %d, %d and %d", e[0].Born, e[1].Born, e[2].Born, e[5].Born)
	}

	other := n.event(func(*tournament.Settings) {})
	n.host.post(other+"/players/add", "list", report, "do", "add").want(http.StatusOK)
	for i, e := range n.tournament(other).Entries {
		if e.Report != sent.Players[i].ReportPlayer {
			t.Errorf("a list brings %+v of %s", e.Report, e.Name)
		}
	}
}
