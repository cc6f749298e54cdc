package tournament_test

import (
	"encoding/json"
	"strings"
	"testing"

	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ledger"
	"chpok.org/chpok/tournament/setting"
)

// Hidden are the entry code, the list, refused and withdrawn requests with their reasons, and
// stewards. Accepted entries are shown in full.
func TestThePublicLogKeepsWhatIsForStaff(t *testing.T) {
	t.Parallel()
	tour := newTournament(t, tournament.Swiss, func(s *tournament.Settings) {
		s.Entry = tournament.EntryRules{Code: "sesame", Approval: true, Conditions: setting.Conditions{MinRating: 1}}
	})
	deeds := []ledger.Deed{{Seq: 1, Act: tournament.ActCreate, Changes: ledger.Diff(&tournament.Tournament{}, tour)}}
	do := func(d ledger.Deed, f func() error) {
		t.Helper()
		before := tour.Clone()
		if err := f(); err != nil {
			t.Fatal(d.Act, err)
		}
		d.Seq, d.Changes = int64(len(deeds)+1), ledger.Diff(before, tour)
		deeds = append(deeds, d)
	}
	for _, name := range []string{"ana", "bob", "eva"} {
		c, v := account(name)
		c.Code, c.Rated, c.Best = "sesame", 1600, 1600
		do(ledger.Deed{Act: tournament.ActEnter, By: v.ID}, func() error {
			_, err := tour.Register(v, c, start)
			return err
		})
	}
	do(ledger.Deed{Act: tournament.ActRefuse, By: host.ID, Reason: "a rude man"}, func() error { return tour.Refuse(host, 1, "a rude man") })
	do(ledger.Deed{Act: tournament.ActAccept, By: host.ID}, func() error { return tour.Accept(host, 2, "", start) })
	_, eva := account("eva")
	do(ledger.Deed{Act: tournament.ActWithdraw, By: eva.ID}, func() error { return tour.Withdraw(eva, 3) })

	do(ledger.Deed{Act: tournament.ActSteward, By: host.ID}, func() error { return tour.SetSteward(host, 2, "gus") })

	public := ledger.Public(deeds)
	raw, err := json.Marshal(public)
	if err != nil {
		t.Fatal(err)
	}
	for _, private := range []string{"sesame", "ana", "eva", "rude", "gus", "steward"} {
		if strings.Contains(string(raw), private) {
			t.Errorf("the public log has %q: %s", private, raw)
		}
	}
	folded, err := ledger.Fold(public)
	if err != nil {
		t.Fatal(err)
	}
	if e, entered := folded.EntryOf("bob"); !entered || e.Status != tournament.Active || len(folded.Entries) != 3 {
		t.Errorf("folded: %+v", folded.Entries)
	}
	if !strings.Contains(string(raw), `"minRating":1`) {
		t.Errorf("a condition is missing: %s", raw)
	}
}
