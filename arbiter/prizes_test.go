package arbiter_test

import (
	"testing"

	"chpok.org/chpok/arbiter/tables"
	"chpok.org/chpok/tournament"
)

// Of four who have played, only the person who stayed can win something.
func TestOnlyPeopleWhoPlayedAndStayedWinPrizes(t *testing.T) {
	t.Parallel()
	result := tournament.Result{Kind: tournament.FirstWins}
	tour := &tournament.Tournament{}
	tour.Rounds = []tournament.Round{{Number: 1, Pairings: []tournament.Pairing{
		{Board: 1, First: 1, Second: 2, Result: result}, {Board: 2, First: 3, Second: 4, Result: result},
		{Board: 3, First: 5, Second: 6, Result: tournament.Result{Kind: tournament.FirstByForfeit}},
	}}}
	for i, e := range []tournament.Entry{
		{Status: tournament.Active}, {Status: tournament.Active, Bot: true}, {Status: tournament.Withdrawn}, {Status: tournament.Active, Expelled: true}, {Status: tournament.Active},
	} {
		e.ID = tournament.EntryID(i + 1)
		if out := tables.PrizePlayer(tour, e).Out; out != (i > 0) {
			t.Errorf("entry %d, %+v: out %v", i+1, e, out)
		}
	}
}
