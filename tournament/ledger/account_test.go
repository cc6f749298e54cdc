package ledger_test

import (
	"testing"

	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ledger"
)

// Board 1 of round 2 is taken back by a correction of round 1, so the board of 3 and 4 moves up. Its own result was
// not corrected; that of round 1 was.
func TestABoardThatMovesUpIsNotCorrected(t *testing.T) {
	t.Parallel()
	entered := func(board int, first, second tournament.EntryID, contest int, kind tournament.ResultKind) tournament.Pairing {
		return tournament.Pairing{Board: board, First: first, Second: second, Contest: contest,
			Result: tournament.Result{Kind: kind, By: "host"}}
	}
	of := func(first []tournament.Pairing, second ...tournament.Pairing) *tournament.Tournament {
		x := &tournament.Tournament{}
		x.Rounds = tournament.Rounds{{Number: 1, Pairings: first}, {Number: 2, Pairings: second}}
		return x
	}
	before := of([]tournament.Pairing{entered(1, 1, 2, 0, tournament.FirstWins)},
		entered(1, 1, 5, 4, tournament.FirstWins), entered(2, 3, 4, 5, tournament.SecondWins))
	after := of([]tournament.Pairing{entered(1, 1, 2, 0, tournament.SecondWins)}, entered(1, 3, 4, 5, tournament.SecondWins))
	ledger.Account(before, after, "host", "a slip")
	if r := after.Rounds[0].Pairings[0].Result; r.Why != "a slip" || r.Stood != tournament.FirstWins {
		t.Errorf("the corrected result is %+v", r)
	}
	if r := after.Rounds[1].Pairings[0].Result; r.Why != "" || r.Stood != tournament.Pending {
		t.Errorf("the board that moved up is %+v", r)
	}
}
