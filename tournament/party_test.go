package tournament_test

import (
	"errors"
	"slices"
	"testing"

	"chpok.org/chpok/arbiter/tables"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
)

// party is what judges a change of staff who play.
func party(before, after *tournament.Tournament, by player.Viewer, a tournament.Act) error {
	_, err := tables.OwnInterest(before, after, by, a, start)
	return err
}

// A playing arbiter who lost withdraws their conqueror: in a round robin all the results of the withdrawn would drop
// out. Another arbiter may, and the conqueror leaves by themself.
func TestALossIsNotLostByWithdrawingWhoWon(t *testing.T) {
	t.Parallel()
	tour := playingStaff(t, tournament.RoundRobin)
	lost := boardWith(t, tour, 1, 1, true)
	them := opponent(lost, 1)
	for _, b := range tour.AllBoards() {
		if b.First == 1 && b.Second == them {
			b.Result.Kind = tournament.SecondWins
		} else if b.First == them && b.Second == 1 {
			b.Result.Kind = tournament.FirstWins
		}
	}
	p, err := tour.Entry(them)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		by      player.Viewer
		refused bool
	}{{signedIn("p1", player.Plain), true}, {signedIn("anna", player.Plain), false}, {signedIn(p.Player, player.Plain), false}} {
		after := tour.Clone()
		if err := after.Withdraw(c.by, them); err != nil {
			t.Fatal(err)
		}
		if err := party(tour, after, c.by, tournament.ActWithdraw); errors.Is(err, fairplay.ErrParty) != c.refused {
			t.Errorf("by %s: %v", c.by.ID, err)
		}
	}
}

// Whoever leaves, decides and comes back gains no more than by deciding while they play.
func TestNobodyLeavesForTheTimeOfADecision(t *testing.T) {
	t.Parallel()
	me := signedIn("p1", player.Plain)
	for _, f := range []tournament.Format{tournament.RoundRobin, tournament.Swiss} {
		tour := playingStaff(t, f)
		left := tour.Clone()
		if err := left.Withdraw(me, 1); err != nil {
			t.Fatal(err)
		}
		for id := tournament.EntryID(2); id <= 6; id++ {
			for act, do := range map[tournament.Act]func(*tournament.Tournament) error{
				tournament.ActWithdraw: func(t *tournament.Tournament) error { return t.Withdraw(me, id) },
				tournament.ActExpel: func(t *tournament.Tournament) error {
					_, err := t.Expel(me, id, func(match.ID) bool { return false }, start)
					return err
				},
			} {
				direct, after := tour.Clone(), left.Clone()
				if err := errors.Join(do(direct), do(after)); err != nil {
					t.Fatal(err)
				}
				if playing, gone := party(tour, direct, me, act), party(left, after, me, act); playing != nil && gone == nil {
					t.Errorf("%s: %s of %d is refused to who plays, not to who has left for a moment", f, act, id)
				}
			}
		}
		after := left.Clone()
		if err := after.Readmit(me, 1); err != nil || party(left, after, me, tournament.ActReadmit) != nil {
			t.Errorf("%s: who has left by themselves comes back: %v", f, err)
		}
	}
}

// Other demands of fair play decide who can come to a board at all.
func TestWhoPlaysDoesNotChangeTheDemandsOfARunningEvent(t *testing.T) {
	t.Parallel()
	tour := playingStaff(t, tournament.Swiss)
	for _, id := range []player.ID{"p1", "anna"} {
		if err := tour.Appoint(host, id, tournament.Owner, start); err != nil {
			t.Fatal(err)
		}
		after := tour.Clone()
		if err := after.SetPolicy(signedIn(id, player.Plain), fairplay.Preset(fairplay.Declared)); err != nil {
			t.Fatal(err)
		}
		if err := party(tour, after, signedIn(id, player.Plain), tournament.ActPolicy); errors.Is(err, fairplay.ErrParty) != (id == "p1") {
			t.Errorf("by %s: %v", id, err)
		}
	}
}

// Whoever did not come may be withdrawn, but that a rival did not come is not proved by who withdraws them.
func TestARivalIsNotAbsentByTheWordOfWhoWithdrawsThem(t *testing.T) {
	t.Parallel()
	for _, word := range []player.Viewer{signedIn("p1", player.Plain), signedIn("anna", player.Plain)} {
		tour := playingStaff(t, tournament.Swiss)
		tour.Tiebreaks = nil                 // so that equal points are level
		b := boardWith(t, tour, 2, 1, false) // of two others; with results by hand, as at a table
		for _, p := range tour.AllBoards() {
			if p.Match == b.Match {
				p.Match = ""
			}
		}
		rival, absent := b.First, tournament.SecondByForfeit
		if before, _ := tour.Rounds[0].BoardOf(b.Second); before.First == b.Second { // won, as p1 did
			rival, absent = b.Second, tournament.FirstByForfeit
		}
		if err := tour.Enter(word, 2, b.Board, absent, true, start); err != nil {
			t.Fatal(err)
		}
		after := tour.Clone()
		if err := after.Withdraw(signedIn("p1", player.Plain), rival); err != nil {
			t.Fatal(err)
		}
		err := party(tour, after, signedIn("p1", player.Plain), tournament.ActWithdraw)
		if errors.Is(err, fairplay.ErrParty) != (word.ID == "p1") {
			t.Errorf("%d, by the word of %s: %v", rival, word.ID, err)
		}
	}
}

// A guest at the table agrees to a result, and cannot disagree with a forfeit. So the first is for whoever plays there to
// write down, with a mark; the second is for another of the staff, unless nobody else is there.
func TestAResultOfTheirOwnAgainstAGuestIsMarked(t *testing.T) {
	t.Parallel()
	p1 := signedIn("p1", player.Plain)
	for _, alone := range []bool{false, true} {
		for kind := tournament.FirstWins; kind <= tournament.DoubleForfeit; kind++ {
			tour := playingStaff(t, tournament.Swiss)
			if alone {
				tour.Staff = slices.DeleteFunc(tour.Staff, func(m tournament.Member) bool { return m.Player != p1.ID })
			}
			b := boardWith(t, tour, 2, 1, true)
			tour.Entries[opponent(b, 1)-1].Player = ""
			for _, p := range tour.AllBoards() {
				if p.Match == b.Match {
					p.Match = ""
				}
			}
			after := tour.Clone()
			if err := after.Enter(p1, 2, b.Board, kind, true, start); err != nil {
				t.Fatal(err)
			}
			note, err := tables.OwnInterest(tour, after, p1, tournament.ActResult, start)
			mine := map[bool]tournament.ResultKind{true: tournament.FirstByForfeit, false: tournament.SecondByForfeit}[b.First == 1]
			refused := !alone && (kind == mine || kind == tournament.DoubleForfeit)
			if errors.Is(err, fairplay.ErrParty) != refused || (note != nil) == refused {
				t.Errorf("%v, alone %v: %+v, %v", kind, alone, note, err)
			}
		}
	}
}

// playingStaff is a Swiss of six players in its second round. Its arbiters are p1 and anna,
// who does not play. After wins of the first in round
// 1, p1 sits at board 1 and has won board 1 of round 1; m4 is p1's match, m5 another.
func playingStaff(t *testing.T, f tournament.Format) *tournament.Tournament {
	t.Helper()
	tour := newTournament(t, f, func(s *tournament.Settings) { s.Rounds = 4 })
	if f == tournament.RoundRobin {
		tour.Settings.Rounds = 0
	}
	enter(t, tour, 6)
	for _, id := range []player.ID{"p1", "anna"} {
		if err := tour.Appoint(host, id, tournament.Arbiter, start); err != nil {
			t.Fatal(err)
		}
		if err := tour.AcceptDuty(signedIn(id, player.Plain), start); err != nil {
			t.Fatal(err)
		}
	}
	if err := tour.Start(host, lowest, start); err != nil {
		t.Fatal(err)
	}
	newID := ids()
	for range 2 {
		if _, err := tour.PairNext(system(tour), newID, start); err != nil {
			t.Fatal(err)
		}
		if len(tour.Rounds) == 1 {
			play(tour, firstWins)
		}
	}
	return tour
}

// boardWith returns the board of a round that an entry plays on, or the first one it does not.
func boardWith(t *testing.T, tour *tournament.Tournament, round int, id tournament.EntryID, plays bool) tournament.Pairing {
	t.Helper()
	for _, p := range tour.Rounds[round-1].Pairings {
		if p.SeatOf(id).Valid() == plays {
			return p
		}
	}
	t.Fatal("no such board")
	return tournament.Pairing{}
}

func opponent(p tournament.Pairing, id tournament.EntryID) tournament.EntryID {
	if p.First == id {
		return p.Second
	}
	return p.First
}

// It tries each act of staff about the board of an arbiter who plays and about another, by that
// arbiter, by one who does not play, and by an operator who does not play.
func TestNobodyDecidesAloneWhereTheyAreAParty(t *testing.T) {
	t.Parallel()
	const me = tournament.EntryID(1)
	type about struct {
		round, board int
		who          tournament.EntryID // on that board
		other        tournament.EntryID
		match        match.ID
	}
	drafted := func(tour *tournament.Tournament) error {
		play(tour, firstWins)
		return tour.DraftNext(system(tour), host.ID, start)
	}
	elsewhere := func(tour *tournament.Tournament, a about) tournament.EntryID {
		for _, p := range tour.Rounds[1].Pairings {
			if p.First != me && p.Second != me && p.Board != a.board {
				return p.First
			}
		}
		return 0
	}
	type do = func(tour *tournament.Tournament, by player.Viewer, a about) error
	type row struct {
		name   string
		act    tournament.Act
		before func(*tournament.Tournament) error
		do     do
	}
	rows := []row{
		{"enters a result where the match is void", tournament.ActResult, nil, func(tour *tournament.Tournament, by player.Viewer, a about) error {
			return tour.Enter(by, 2, a.board, tournament.Drawn, true, start)
		}},
		{"corrects a result", tournament.ActCorrect, nil, func(tour *tournament.Tournament, by player.Viewer, a about) error {
			return tour.Correct(by, 1, a.round, tournament.Drawn, tournament.FromNow, system(tour), start)
		}},
		{"corrects what the ratings count", tournament.ActCorrect, nil, func(tour *tournament.Tournament, by player.Viewer, a about) error {
			return tour.Correct(by, 1, a.round, tournament.Drawn, tournament.RatingsOnly, system(tour), start)
		}},
		{"reopens a match", tournament.ActReopen, func(tour *tournament.Tournament) error { play(tour, firstWins); return nil },
			func(tour *tournament.Tournament, by player.Viewer, a about) error { return tour.Reopen(by, a.match) }},
		{"has a match replayed", tournament.ActReplay, nil, func(tour *tournament.Tournament, by player.Viewer, a about) error {
			_, err := tour.Replay(by, a.match, "again")
			return err
		}},
		{"disqualifies the opponent", tournament.ActExpel, nil, func(tour *tournament.Tournament, by player.Viewer, a about) error {
			_, err := tour.Expel(by, a.other, nothingBegun, start)
			return err
		}},
		{"swaps players of the open round", tournament.ActRepair, nil, func(tour *tournament.Tournament, by player.Viewer, a about) error {
			_, _, err := tour.EditRound(by, tournament.Edit{Kind: tournament.SwapSeats, A: a.who}, nothingBegun, ids())
			return err
		}},
		{"swaps seats in a draft", tournament.ActDraft, drafted, func(tour *tournament.Tournament, by player.Viewer, a about) error {
			return tour.EditDraft(by, tournament.Edit{Kind: tournament.SwapSeats, A: a.who}, system(tour))
		}},
		{"forbids a pairing", tournament.ActForbid, nil, func(tour *tournament.Tournament, by player.Viewer, a about) error {
			return tour.Forbid(by, tournament.ForbiddenEntries{Entries: []tournament.EntryID{a.who, elsewhere(tour, a)}})
		}},
		{"allows it again", tournament.ActForbid, nil, func(tour *tournament.Tournament, by player.Viewer, a about) error {
			tour.Forbidden = []tournament.ForbiddenEntries{{Entries: []tournament.EntryID{a.who, elsewhere(tour, a)}}}
			return nil
		}},
		{"gives a full-point bye", tournament.ActBye, nil, func(tour *tournament.Tournament, by player.Viewer, a about) error {
			return tour.AskBye(by, a.who, 3, tournament.FullBye)
		}},
		{"gives more half-point byes than the rules do", tournament.ActBye, nil, func(tour *tournament.Tournament, by player.Viewer, a about) error {
			return tour.AskBye(by, a.who, 4, tournament.HalfBye)
		}},
		{"takes in again whom staff removed", tournament.ActReadmit,
			func(tour *tournament.Tournament) error {
				for _, id := range []tournament.EntryID{1, 2, 3, 4} {
					if err := tour.Withdraw(host, id); err != nil {
						return err
					}
				}
				return nil
			},
			func(tour *tournament.Tournament, by player.Viewer, a about) error { return tour.Readmit(by, a.who) }},
		{"takes a disqualification back", tournament.ActReinstate,
			func(tour *tournament.Tournament) error {
				for _, p := range tour.Rounds[1].Pairings {
					if _, err := tour.Expel(host, p.First, nothingBegun, start); err != nil {
						return err
					}
					if _, err := tour.Expel(host, p.Second, nothingBegun, start); err != nil {
						return err
					}
				}
				return nil
			},
			func(tour *tournament.Tournament, by player.Viewer, a about) error { return tour.Reinstate(by, a.who) }},
	}
	judged := map[tournament.Act]bool{}
	for _, r := range rows {
		judged[r.act] = true
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			for _, by := range []player.Viewer{signedIn("p1", player.Plain), signedIn("anna", player.Plain), boss} {
				for _, own := range []bool{true, false} {
					tour := playingStaff(t, tournament.Swiss)
					first, second := boardWith(t, tour, 1, me, own), boardWith(t, tour, 2, me, own)
					a := about{round: first.Board, board: second.Board, match: second.Match, who: second.First, other: second.Second}
					if own {
						a.who, a.other = me, opponent(second, me)
					}
					if r.before != nil {
						if err := r.before(tour); err != nil {
							t.Fatal(err)
						}
					}
					before := tour.Clone()
					if r.name == "allows it again" {
						before.Forbidden = []tournament.ForbiddenEntries{{Entries: []tournament.EntryID{a.who, 0}}}
					}
					err := r.do(tour, by, a)
					if err == nil {
						err = party(before, tour, by, r.act)
					}
					if own && by.ID == "p1" {
						var party *fairplay.PartyError
						if !errors.As(err, &party) || !slices.Equal(party.CanDecide(), []player.ID{"host", "anna"}) {
							t.Errorf("about their own board: %v, of %v", err, party.CanDecide())
						}
					} else if isRival := by.ID == "p1" && slices.Contains([]string{"disqualifies the opponent", "corrects a result", "enters over a result"}, r.name); isRival != errors.Is(err, fairplay.ErrParty) {
						// whoever stands level with p1 is their rival
						t.Errorf("by %s, own: %v: %v", by.ID, own, err)
					}
				}
			}
		})
	}
	// Acts that do not decide about one player's board or place, or are checked elsewhere:
	// in a match, an appeal or a review, and for stewards.
	for _, act := range tournament.StaffActs() {
		if judged[act] || slices.Contains([]tournament.Act{
			tournament.ActSettings, tournament.ActStaff, tournament.ActOpen, tournament.ActClose, tournament.ActEnter, tournament.ActAccept,
			tournament.ActRefuse, tournament.ActWaive, tournament.ActPolicy, tournament.ActVenue, tournament.ActWithdraw, tournament.ActStart,
			tournament.ActPair, tournament.ActFinish, tournament.ActLink, tournament.ActExport, tournament.ActScreen, tournament.ActDoor, tournament.ActHide,
			tournament.ActUnstart, tournament.ActPublish, tournament.ActUnfinish, tournament.ActFinalize, tournament.ActUnfinalize,
			tournament.ActDesk, tournament.ActAnnounce, tournament.ActModerate, tournament.ActCheckIn, tournament.ActPause, tournament.ActPostpone,
			tournament.ActUnpair, // below: it is the whole round
			tournament.ActMatch, tournament.ActCalls, tournament.ActAppeal, tournament.ActReview, tournament.ActWatch, tournament.ActSteward, tournament.ActFixBoard,
			tournament.ActReport,
			tournament.ActForfeitMatch,                  // TestNobodyDecidesAloneForTheirTeam
			tournament.ActStage,                         // the standings say who goes on
			tournament.ActRounds,                        // everybody's number of rounds: TestNobodyGainsByWhatTheyDoAlone
			tournament.ActParticulars,                   // their own rating is refused: TestAnEntryIsCorrected
			tournament.ActExtend,                        // TestWhoPlaysDoesNotGiveThemselvesTime
			tournament.ActPrizes, tournament.ActDeclare, // everybody may declare their own year
		}, act) {
			continue
		}
		t.Errorf("nobody says who is a party to %q", act)
	}
}

// Without results, they may.
func TestAPlayerOfARoundDoesNotTakeItBackWithTheirResult(t *testing.T) {
	t.Parallel()
	p1, anna := signedIn("p1", player.Plain), signedIn("anna", player.Plain)
	tour := playingStaff(t, tournament.Swiss)
	if _, err := tour.Clone().Unpair(p1, true, nothingBegun, start); err != nil {
		t.Error("nothing was lost:", err)
	}
	begun := func(id match.ID) bool { return id == boardWith(t, tour, 2, 1, true).Match }
	if _, err := tour.Clone().Unpair(p1, true, begun, start); !errors.Is(err, fairplay.ErrParty) {
		t.Error("their own match had begun:", err)
	}
	if _, err := tour.Clone().Unpair(anna, true, begun, start); err != nil {
		t.Error(err)
	}
}

// Players may withdraw themselves, and staff who play may let the system pair them.
func TestWhoLeavesOrIsPairedIsNoParty(t *testing.T) {
	t.Parallel()
	p1 := signedIn("p1", player.Plain)
	tour := playingStaff(t, tournament.RoundRobin)
	before := tour.Clone()
	if err := tour.Withdraw(p1, 1); err != nil {
		t.Fatal(err)
	}
	if err := party(before, tour, p1, tournament.ActWithdraw); err != nil {
		t.Error("leaving:", err)
	}
	tour = playingStaff(t, tournament.Swiss)
	play(tour, firstWins)
	before = tour.Clone()
	if err := tour.DraftNext(system(tour), p1.ID, start); err != nil {
		t.Fatal(err)
	}
	if err := party(before, tour, p1, tournament.ActDraft); err != nil {
		t.Error("drafting:", err)
	}
	before = tour.Clone()
	if err := tour.EditDraft(p1, tournament.Edit{Kind: tournament.Repair}, system(tour)); err != nil {
		t.Fatal(err)
	}
	if err := party(before, tour, p1, tournament.ActDraft); err != nil {
		t.Error("pairing anew:", err)
	}
}
