package ledger_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ledger"
)

// Accounts stand in every kind of part, also as stewards and as who drafted, paused, held and signed off.
func TestAccountsAreRenamedInEveryPartOfTheLog(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 9, 4, 18, 0, 0, 0, time.UTC)
	tour := &tournament.Tournament{ID: "t", Organizer: "acc-1"}
	tour.Staff, tour.Draft = []tournament.Member{{Player: "acc-2"}}, &tournament.RoundDraft{Number: 2, By: "acc-3"}
	tour.Signed = &tournament.SignOff{By: "acc-4"}
	tour.Name = "acc-1 is only a name here"
	tour.Timetable = tournament.Timetable{Pause: tournament.Pause{Since: at, By: "acc-5"}, Held: tournament.Hold{By: "acc-6"}}
	tour.Entries = tournament.Entries{{ID: 1, Player: "acc-7", Name: "acc-7", Steward: "acc-8"}, {ID: 2, Name: "a guest"}}
	tour.Rounds = tournament.Rounds{{Number: 1, OpenedAt: at, Pairings: []tournament.Pairing{{Board: 1, First: 1, Second: 2,
		Result: tournament.Result{Kind: tournament.FirstWins, By: "acc-9", At: at}}}}}
	deeds := []ledger.Deed{{Seq: 1, At: at, By: "acc-10", Act: tournament.ActCreate, Changes: ledger.Diff(&tournament.Tournament{}, tour)}}

	names := map[player.ID]player.ID{}
	for _, n := range []string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10"} {
		names[player.ID("acc-"+n)] = player.ID("handle" + n)
	}
	people := ledger.People(deeds)
	if len(people) != len(names) {
		t.Errorf("the log names %v", people)
	}
	for _, id := range people {
		if names[id] == "" {
			t.Errorf("%q is nobody", id)
		}
	}
	raw, err := json.Marshal(ledger.Renamed(deeds, names))
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(raw), "acc-"); n != 2 { // the two names
		t.Errorf("%d are left in %s", n, raw)
	}
	folded, err := ledger.Fold(ledger.Renamed(deeds, names))
	if err != nil {
		t.Fatal(err)
	}
	if folded.Entries[0].Steward != "handle8" || folded.Rounds[0].Pairings[0].Result.By != "handle9" || folded.Organizer != "handle1" {
		t.Errorf("%+v", folded)
	}
	if before := ledger.People(deeds); !slices.Equal(before, people) {
		t.Errorf("renaming has changed the log itself: %v", before)
	}
}
