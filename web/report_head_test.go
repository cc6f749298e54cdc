package web_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
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
