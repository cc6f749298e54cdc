package tournament_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/contest"
	"chpok.org/chpok/tournament/ledger"
	"chpok.org/chpok/tournament/outlook"
)

// knockOut returns a running knock-out of n players, numbered by their ids.
func knockOut(t fataler, n int, change func(*tournament.Settings)) *tournament.Tournament {
	tour := newTournament(t, tournament.KnockOut, change)
	enter(t, tour, n)
	if err := tour.Start(host, lowest, start); err != nil {
		t.Fatal(err)
	}
	return tour
}

func bracketSystem(tour *tournament.Tournament) tournament.System {
	return tournament.System{Pairer: tour.BracketPairing(), Engine: contest.Version}
}

// next opens the next round and returns its boards.
func next(t fataler, tour *tournament.Tournament, newID func() match.ID) [][2]tournament.EntryID {
	r, err := tour.PairNext(bracketSystem(tour), newID, start)
	if err != nil {
		t.Fatal(err)
	}
	return pairs(r)
}

// pairs returns the boards of a round as pairs of ids, the lower first.
func pairs(r tournament.Round) (boards [][2]tournament.EntryID) {
	for _, p := range r.Pairings {
		boards = append(boards, [2]tournament.EntryID{min(p.First, p.Second), max(p.First, p.Second)})
	}
	return boards
}

// wins plays the open round. On each board the first player of the list who sits there wins;
// without one it is a draw.
func wins(tour *tournament.Tournament, list ...tournament.EntryID) {
	play(tour, func(p tournament.Pairing) tournament.ResultKind {
		for _, id := range list {
			switch id {
			case p.First:
				return tournament.FirstWins
			case p.Second:
				return tournament.SecondWins
			}
		}
		return tournament.Drawn
	})
	tour.Conclude(start)
}

type boards = [][2]tournament.EntryID

func wantBoards(t *testing.T, what string, got, want boards) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Fatalf("%s: boards %v, want %v", what, got, want)
	}
}

// Six players: byes for 1 and 2. 4-5 is drawn and played twice more; 3 beats 6. 2
// withdraws, so that 3 advances without a match; 1 beats 5. In the final 3 beats 1; 5 has
// no opponent for third place.
func TestAKnockOutOfSix(t *testing.T) {
	t.Parallel()
	tour, newID := knockOut(t, 6, nil), ids()
	if tour.Settings.Rounds != 3 {
		t.Fatalf("%d rounds, want 3", tour.Settings.Rounds)
	}
	wantBoards(t, "round 1", next(t, tour, newID), boards{{4, 5}, {3, 6}})
	wins(tour, 3)
	if tour.Settings.Rounds != 5 {
		t.Fatalf("after a draw %d rounds, want 5", tour.Settings.Rounds)
	}
	wantBoards(t, "round 2", next(t, tour, newID), boards{{4, 5}})
	wins(tour, 4)
	wantBoards(t, "round 3", next(t, tour, newID), boards{{4, 5}})
	wins(tour) // 4 has one and a half of two
	wantBoards(t, "round 4", next(t, tour, newID), boards{{1, 4}, {2, 3}})
	if seats := tour.Rounds[1].Pairings[0].First == tour.Rounds[2].Pairings[0].First; seats {
		t.Error("the seats are not swapped in the second of two more matches")
	}
	wins(tour, 1, 3)
	if err := tour.Withdraw(host, 2); err != nil {
		t.Fatal(err)
	}
	wantBoards(t, "round 5", next(t, tour, newID), boards{{1, 3}, {2, 4}})
	third := tour.Rounds[4].Pairings[1]
	if forfeit := third.Result.Outcome(third.SeatOf(4)); forfeit != tournament.ForfeitWin {
		t.Errorf("4 against who has withdrawn: %v", forfeit)
	}
	wins(tour, 3)
	if tour.Status != tournament.Finished {
		t.Fatalf("after the final it is %v", tour.Status)
	}
	if want, got := map[int]int{3: 1, 1: 2, 4: 3, 2: 4, 5: 5, 6: 5}, tour.Field().Places; !cmp.Equal(want, got) {
		t.Errorf("places %v, want %v", got, want)
	}
}

// The final was drawn, and two more matches were to come. It was won after all: nothing is left to play.
func TestACorrectionThatDecidesTheFinalEndsTheEvent(t *testing.T) {
	t.Parallel()
	tour, newID := knockOut(t, 3, nil), ids()
	next(t, tour, newID)
	wins(tour, 2)
	wantBoards(t, "final", next(t, tour, newID), boards{{1, 2}})
	wins(tour)
	if tour.Status != tournament.Running || tour.Settings.Rounds != 4 {
		t.Fatalf("%v, %d rounds", tour.Status, tour.Settings.Rounds)
	}
	if err := tour.Correct(host, 2, 1, tournament.FirstWins, tournament.FromNow, bracketSystem(tour), start); err != nil {
		t.Fatal(err)
	}
	if tour.Status != tournament.Finished || !tour.EndedAt.Equal(start) {
		t.Errorf("%v, ended at %v", tour.Status, tour.EndedAt)
	}
	if err := tour.Correct(host, 2, 1, tournament.Drawn, tournament.FromNow, bracketSystem(tour), start); err != nil {
		t.Fatal(err)
	}
	if tour.Status != tournament.Running {
		t.Errorf("level again: %v", tour.Status)
	}
}

// 1 and 4 are level after three matches: the fourth is for sealed bids. It is drawn, and
// 4 has the draw odds. Such a board is in no report as a rated game.
func TestSealedBidsDecideALevelContest(t *testing.T) {
	t.Parallel()
	tour, newID := knockOut(t, 4, nil), ids()
	wantBoards(t, "round 1", next(t, tour, newID), boards{{1, 4}, {2, 3}})
	wins(tour, 2)
	for n := 2; n <= 3; n++ {
		wantBoards(t, "two more", next(t, tour, newID), boards{{1, 4}})
		wins(tour)
	}
	wantBoards(t, "round 4", next(t, tour, newID), boards{{1, 4}})
	p := tour.Rounds[3].Pairings[0]
	if o := tour.OptionsOn(p); !p.Sealed || !o.Odds || tour.OptionsOn(tour.Rounds[2].Pairings[0]).Odds {
		t.Fatalf("sealed: %v, %+v", p.Sealed, o)
	}
	if !tour.Record(p.Match, tournament.Result{Kind: tournament.Drawn, Odds: p.SeatOf(4), At: start}) {
		t.Fatal("not recorded")
	}
	tour.Conclude(start)
	if cell := tour.Field().Players[0].Rounds[3]; cell.Outcome != tournament.DrawUnrated {
		t.Errorf("in the table it is %v", cell.Outcome)
	}
	wantBoards(t, "the final and third place", next(t, tour, newID), boards{{2, 4}, {1, 3}})
	if err := tour.Correct(host, 4, 1, tournament.SecondWins, tournament.RatingsOnly, bracketSystem(tour), start); err != nil {
		t.Fatal(err)
	}
	other := tournament.FirstWins // then 1 goes on
	if p.First == 4 {
		other = tournament.SecondWins
	}
	if err := tour.Correct(host, 4, 1, other, tournament.Replay, bracketSystem(tour), start); err != nil {
		t.Fatal(err)
	}
	if err := tour.Correct(host, 4, 1, tournament.Drawn, tournament.Replay, bracketSystem(tour), start); err != nil {
		t.Fatal(err)
	}
	wantBoards(t, "as it was played", next(t, tour, newID), boards{{2, 4}, {1, 3}})
}

// After a corrected semifinal, the reach of the correction decides who advances.
func TestACorrectionChangesWhoGoesOn(t *testing.T) {
	t.Parallel()
	tour, newID := knockOut(t, 4, func(*tournament.Settings) {}), ids()
	next(t, tour, newID) // 1-4, 2-3
	wins(tour, 1, 2)
	next(t, tour, newID) // 1-2, and 3-4 for third place
	wins(tour, 1, 3)
	if tour.Status != tournament.Finished {
		t.Fatal("it is not finished")
	}
	board := tour.Rounds[0].Pairings[0]
	kind := tournament.FirstWins
	if board.First == 1 {
		kind = tournament.SecondWins // 4 has won, not 1
	}
	correct := func(reach tournament.Reach) (*tournament.Tournament, error) {
		c := tour.Clone()
		return c, c.Correct(host, 1, 1, kind, reach, bracketSystem(tour), start)
	}
	if _, err := correct(tournament.FromNow); !errors.Is(err, tournament.ErrGoesOn) {
		t.Errorf("without saying what becomes of the final: %v", err)
	}
	if c, err := correct(tournament.RatingsOnly); err != nil || c.Status != tournament.Finished ||
		!cmp.Equal(c.Field().Places, tour.Field().Places) {
		t.Errorf("for the ratings only: %v, %v", err, c.Field().Places)
	}
	c, err := correct(tournament.Replay)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Rounds) != 1 || c.Status != tournament.Running || c.Settings.Rounds != 2 {
		t.Fatalf("%d rounds of %d are left, it is %v", len(c.Rounds), c.Settings.Rounds, c.Status)
	}
	wantBoards(t, "the final anew", next(t, c, newID), boards{{2, 4}, {1, 3}})
	wins(c, 4, 1)
	if want := map[int]int{4: 1, 2: 2, 1: 3, 3: 4}; !cmp.Equal(c.Field().Places, want) {
		t.Errorf("places %v, want %v", c.Field().Places, want)
	}
}

// A correction in one half of the bracket leaves the other half alone.
func TestACorrectionTakesBackOnlyWhatItMust(t *testing.T) {
	t.Parallel()
	tour, newID := knockOut(t, 8, func(s *tournament.Settings) { s.Losers = contest.Out }), ids()
	next(t, tour, newID) // 1-8 4-5 2-7 3-6
	wins(tour, 1, 4, 2, 3)
	next(t, tour, newID) // 1-4 2-3
	wins(tour, 1, 2)
	next(t, tour, newID) // 1-2
	kind := tournament.FirstWins
	if tour.Rounds[0].Pairings[3].First == 3 {
		kind = tournament.SecondWins // 6 has won, not 3
	}
	if err := tour.Correct(host, 1, 4, kind, tournament.Replay, bracketSystem(tour), start); err != nil {
		t.Fatal(err)
	}
	if len(tour.Rounds) != 2 || len(tour.Rounds[1].Pairings) != 1 {
		t.Fatalf("left: %v", tour.Rounds[1:])
	}
	wantBoards(t, "the semi-final anew", next(t, tour, newID), boards{{2, 6}})
	wins(tour, 6)
	wantBoards(t, "the final", next(t, tour, newID), boards{{1, 6}})
	wins(tour, 6)
	if tour.Status != tournament.Finished || tour.Field().Places[6] != 1 {
		t.Errorf("it is %v, places %v", tour.Status, tour.Field().Places)
	}
}

// Of eight, 4 and 5 are level and play twice more. Meanwhile it turns out that 1 and 8
// were level as well. Taken back, the round includes them and can be published.
func TestARoundTakenBackAfterACorrectionHoldsWhoIsDueNow(t *testing.T) {
	t.Parallel()
	tour, newID := knockOut(t, 8, func(*tournament.Settings) {}), ids()
	wantBoards(t, "round 1", next(t, tour, newID), boards{{1, 8}, {4, 5}, {2, 7}, {3, 6}})
	wins(tour, 1, 2, 3)
	wantBoards(t, "round 2", next(t, tour, newID), boards{{4, 5}})
	if err := tour.Correct(host, 1, 1, tournament.Drawn, tournament.FromNow, bracketSystem(tour), start); err != nil {
		t.Fatal(err)
	}
	if _, err := tour.Unpair(host, false, nothingBegun, start); err != nil {
		t.Fatal(err)
	}
	r, err := tour.Publish(tournament.System{}, nil, newID, start)
	if err != nil {
		t.Fatal(err)
	}
	wantBoards(t, "round 2 anew", pairs(r), boards{{1, 8}, {4, 5}})
	wins(tour, 8, 5)
	wantBoards(t, "round 3", next(t, tour, newID), boards{{1, 8}, {4, 5}})
	wins(tour, 8, 5)
	wantBoards(t, "round 4", next(t, tour, newID), boards{{5, 8}, {2, 3}})
}

// Four play for third place as well, so that all of them are in the draft of round 2.
// A corrected semifinal leaves them there with other opponents: the draft is paired again and
// keeps its time.
func TestACorrectionPairsADraftOfOtherPairsAnew(t *testing.T) {
	t.Parallel()
	tour, newID := knockOut(t, 4, func(*tournament.Settings) {}), ids()
	next(t, tour, newID) // 1-4, 2-3
	wins(tour, 1, 2)
	if err := tour.DraftNext(bracketSystem(tour), host.ID, start); err != nil {
		t.Fatal(err)
	}
	if err := tour.Schedule(host, start.Add(time.Hour), start); err != nil {
		t.Fatal(err)
	}
	kind := tournament.FirstWins
	if tour.Rounds[0].Pairings[0].First == 1 {
		kind = tournament.SecondWins // 4 has won, not 1
	}
	if err := tour.Correct(host, 1, 1, kind, tournament.FromNow, bracketSystem(tour), start); err != nil {
		t.Fatal(err)
	}
	if tour.Draft == nil || !tour.Draft.PublishAt.Equal(start.Add(time.Hour)) || tour.DraftStale() != nil {
		t.Fatalf("the draft is %+v", tour.Draft)
	}
	r, err := tour.Publish(tournament.System{}, nil, newID, start)
	if err != nil {
		t.Fatal(err)
	}
	wantBoards(t, "corrected", pairs(r), boards{{2, 4}, {1, 3}})
}

// When a result is corrected, the draft of a Swiss stays as it is, with the edits of staff. But
// it cannot be published before it is paired again.
func TestADraftIsNotPublishedOnResultsThatAreOthersNow(t *testing.T) {
	t.Parallel()
	tour, newID := newTournament(t, tournament.Swiss, nil), ids()
	enter(t, tour, 4)
	if err := tour.Start(host, lowest, start); err != nil {
		t.Fatal(err)
	}
	if _, err := tour.PairNext(system(tour), newID, start); err != nil {
		t.Fatal(err)
	}
	play(tour, func(tournament.Pairing) tournament.ResultKind { return tournament.FirstWins })
	if err := tour.DraftNext(system(tour), host.ID, start); err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		kind  tournament.ResultKind
		reach tournament.Reach
		want  error
	}{
		{tournament.SecondWins, tournament.RatingsOnly, nil},
		{tournament.SecondWins, tournament.FromNow, tournament.ErrDraftStale},
		{tournament.FirstWins, tournament.FromNow, nil}, // as it was paired
		{tournament.SecondWins, tournament.RepairDraft, nil},
	} {
		if err := tour.Correct(host, 1, 1, x.kind, x.reach, system(tour), start); err != nil {
			t.Fatal(err)
		}
		if _, err := tour.Clone().Publish(tournament.System{}, nil, newID, start); !errors.Is(err, x.want) {
			t.Errorf("%v, %v: %v, want %v", x.kind, x.reach, err, x.want)
		}
	}
	if err := tour.Correct(host, 1, 1, tournament.Drawn, tournament.FromNow, system(tour), start); err != nil {
		t.Fatal(err)
	}
	if err := tour.EditDraft(host, tournament.Edit{Kind: tournament.Repair}, system(tour)); err != nil {
		t.Fatal(err)
	}
	if _, err := tour.Publish(tournament.System{}, nil, newID, start); err != nil {
		t.Errorf("paired anew: %v", err)
	}
}

// What makes a draft stale is said: in a bracket that other boards are due, elsewhere that results have changed.
func TestAStaleDraftSaysWhatHasChanged(t *testing.T) {
	t.Parallel()
	cup, newID := knockOut(t, 4, nil), ids()
	next(t, cup, newID)
	wins(cup, 1, 2)
	swiss := newTournament(t, tournament.Swiss, nil)
	enter(t, swiss, 4)
	if err := swiss.Start(host, lowest, start); err != nil {
		t.Fatal(err)
	}
	if _, err := swiss.PairNext(system(swiss), newID, start); err != nil {
		t.Fatal(err)
	}
	play(swiss, firstWins)
	for _, x := range []struct {
		tour   *tournament.Tournament
		change func(*tournament.Tournament) error
		want   string
	}{
		{cup, func(t *tournament.Tournament) error { // without what pairs a bracket's draft again at once
			t.Rounds[0].Pairings[0].Result.Kind = tournament.SecondWins
			return nil
		}, "desk.error.draft-due"},
		{swiss, func(t *tournament.Tournament) error {
			return t.Correct(host, 1, 1, tournament.SecondWins, tournament.FromNow, system(t), start)
		}, "desk.error.draft-stale"},
	} {
		if err := x.tour.DraftNext(system(x.tour), host.ID, start); err != nil {
			t.Fatal(err)
		}
		if err := x.change(x.tour); err != nil {
			t.Fatal(err)
		}
		var said *refusal.Error
		_, err := x.tour.Publish(tournament.System{}, nil, newID, start)
		if !errors.Is(err, tournament.ErrDraftStale) || !errors.As(err, &said) || said.Code != x.want {
			t.Errorf("%s: %v, want %s", x.tour.Format, err, x.want)
		}
	}
}

// Four play until two losses. 1 and 2 win twice and once; 4 is out after losing to 1
// and 3. 2 comes back through the lower bracket and beats 1 in the grand final, so
// they meet a third time. Then the grand final is corrected: 1 won it, and the reset is
// taken back.
func TestADoubleElimination(t *testing.T) {
	t.Parallel()
	tour, newID := knockOut(t, 4, func(s *tournament.Settings) { s.Losers = contest.TwiceReset }), ids()
	if tour.Settings.Rounds != 4 {
		t.Fatalf("%d rounds, want 4", tour.Settings.Rounds)
	}
	wantBoards(t, "round 1", next(t, tour, newID), boards{{1, 4}, {2, 3}})
	wins(tour, 1, 2)
	wantBoards(t, "round 2", next(t, tour, newID), boards{{1, 2}, {3, 4}})
	wins(tour, 1, 3)
	if out := tour.IsOut(tour.Entries[3]); !out || tour.IsOut(tour.Entries[1]) {
		t.Errorf("4 is out: %v; 2 is not", out)
	}
	wantBoards(t, "round 3", next(t, tour, newID), boards{{2, 3}})
	wins(tour, 2)
	wantBoards(t, "the grand final", next(t, tour, newID), boards{{1, 2}})
	wins(tour, 2)
	if tour.Settings.Rounds != 5 {
		t.Fatalf("after the grand final %d rounds, want 5", tour.Settings.Rounds)
	}
	wantBoards(t, "once more", next(t, tour, newID), boards{{1, 2}})
	wins(tour, 2)
	if want := map[int]int{2: 1, 1: 2, 3: 3, 4: 4}; tour.Status != tournament.Finished || !cmp.Equal(want, tour.Field().Places) {
		t.Fatalf("it is %v, places %v", tour.Status, tour.Field().Places)
	}
	kind := tournament.FirstWins
	if tour.Rounds[3].Pairings[0].First == 2 {
		kind = tournament.SecondWins
	}
	if err := tour.Correct(host, 4, 1, kind, tournament.Replay, bracketSystem(tour), start); err != nil {
		t.Fatal(err)
	}
	if want := map[int]int{1: 1, 2: 2, 3: 3, 4: 4}; len(tour.Rounds) != 4 || !cmp.Equal(want, tour.Field().Places) {
		t.Errorf("%d rounds, places %v", len(tour.Rounds), tour.Field().Places)
	}
}

// An imported file may name any contest.
func TestABoardOfNoContest(t *testing.T) {
	t.Parallel()
	for _, at := range []int{-1, 99} {
		tour, newID := knockOut(t, 4, func(*tournament.Settings) {}), ids()
		next(t, tour, newID)
		wins(tour, 1, 2)
		tour.Rounds[0].Pairings[0].Contest = at
		if err := tour.Correct(host, 1, 2, tournament.FirstWins, tournament.FromNow, bracketSystem(tour), start); !errors.Is(err, tournament.ErrGoesOn) {
			t.Errorf("contest %d: %v", at, err)
		}
	}
}

func TestPotsKeepTheBestApart(t *testing.T) {
	t.Parallel()
	for n, want := range map[int][]int{
		4:  {1, 2, 4, 3},                                            // lots for 3 and 4
		6:  {1, 2, 4, 5, 6, 3},                                      // 3 to 6
		16: {1, 2, 4, 3, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 5}, // 3 and 4; 5 to 16
	} {
		tour := knockOut(t, n, func(s *tournament.Settings) { s.Numbering = tournament.Pots })
		got := make([]int, n)
		for _, e := range tour.Entries {
			got[e.Number-1] = int(e.ID)
		}
		if !slices.Equal(got, want) { // the lowest lot moves everybody up by one
			t.Errorf("%d players by number: %v, want %v", n, got, want)
		}
	}
}

// If 1 to 4 belong to one club and 5 to 8 to another, no club mates meet in the first round,
// whether by lots or from pots. With a single club it cannot be helped.
func TestClubMatesAreDrawnApart(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		chance := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 0))
		numbering := rapid.SampledFrom([]tournament.Numbering{tournament.Lots, tournament.Pots}).Draw(rt, "numbering")
		clubs := rapid.SampledFrom([]int{1, 2}).Draw(rt, "clubs")
		tour := newTournament(rt, tournament.KnockOut, func(s *tournament.Settings) { s.Numbering = numbering })
		enter(rt, tour, 8)
		for i := range tour.Entries {
			tour.Entries[i].Club = []string{"Lviv ", "Odesa"}[i*clubs/8]
			if i%2 == 1 {
				tour.Entries[i].Club = strings.ToUpper(strings.TrimSpace(tour.Entries[i].Club))
			}
		}
		if err := tour.Start(host, tournament.Drawing{Seed: "x", Pick: chance.IntN}, start); err != nil {
			rt.Fatal(err)
		}
		for _, pair := range next(rt, tour, ids()) {
			if together := (pair[0] <= 4) == (pair[1] <= 4); together && clubs == 2 {
				rt.Errorf("%v are of one club", pair)
			}
		}
	})
}

// In a final of four matches 1 opens the first and 2 the next two. 1 wins three, and the fourth
// is not played.
func TestAFinalOfFourMatches(t *testing.T) {
	t.Parallel()
	tour, newID := knockOut(t, 2, func(s *tournament.Settings) { s.Legs, s.Losers = 4, contest.Out }), ids()
	if tour.Settings.Rounds != 4 {
		t.Fatalf("%d rounds, want 4", tour.Settings.Rounds)
	}
	var opens []tournament.EntryID
	for range 3 {
		next(t, tour, newID)
		opens = append(opens, tour.Rounds[len(tour.Rounds)-1].Pairings[0].First)
		wins(tour, 1)
	}
	if other := 3 - opens[0]; !slices.Equal(opens[1:], []tournament.EntryID{other, other}) {
		t.Errorf("opened by %v", opens)
	}
	if tour.Status != tournament.Finished {
		t.Errorf("after three wins it is %v", tour.Status)
	}
}

// Eight chips, up to ten minutes and three seconds, sixty moves: 26:40 of bidding and
// 25:54 on the board, so that two matches and one with sealed bids take three times that.
func TestTheWorstCaseOfATieIsTheSumOfItsSteps(t *testing.T) {
	t.Parallel()
	tour := newTournament(t, tournament.KnockOut, func(s *tournament.Settings) {
		s.Double, s.Tie, s.Losers, s.Lateness = true, []contest.Step{contest.Decider}, contest.Out, time.Minute
		s.Envelope.Chips, s.Envelope.Minutes, s.Envelope.Increment, s.Envelope.MoveLimit = 8, [2]int{3, 10}, [2]int{0, 3}, [2]int{10, 60}
		s.Envelope.Undos, s.Envelope.Defaults.MoveLimit, s.Envelope.Presets = [2]int{}, 60, []bidding.TimeControl{{Minutes: 5, Increment: 3}}
	})
	enter(t, tour, 2)
	leg := 52*time.Minute + 34*time.Second
	if got := tour.Envelope.WorstCase(0); got != leg {
		t.Fatalf("a match takes %v, want %v", got, leg)
	}
	f := outlook.Of(tour, nil, outlook.TypicalDurations(), start)
	if got, want := f.End.Latest.Sub(start), 3*(time.Minute+match.DefaultStartDelay+leg); got != want {
		t.Errorf("at the latest it ends after %v, want %v", got, want)
	}
}

func TestWhatAKnockOutRefuses(t *testing.T) {
	t.Parallel()
	s := tournament.DefaultSettings(tournament.KnockOut)
	s.Name, s.Leave, s.Pace = "Cup", tournament.LeaveForfeits, tournament.Times
	s.Tie, s.Tiebreaks = []contest.Step{contest.Pair}, []string{"BH"}
	var faults *refusal.Error
	if !errors.As(s.Validate(), &faults) {
		t.Fatal("such settings are taken")
	}
	for _, field := range []string{"tie", "leave", "tiebreaks", "pace"} {
		if !slices.ContainsFunc(faults.Faults, func(p tournament.Problem) bool { return p.Field == field }) {
			t.Errorf("nothing is said about %s", field)
		}
	}
	tour, newID := knockOut(t, 4, func(*tournament.Settings) {}), ids()
	if err := tour.DraftNext(bracketSystem(tour), host.ID, start); err != nil {
		t.Fatal(err)
	}
	swap := tournament.Edit{Kind: tournament.SwapEntries, A: 1, B: 2}
	if err := tour.EditDraft(host, swap, bracketSystem(tour)); !errors.Is(err, tournament.ErrBracket) {
		t.Errorf("players swapped in a draft: %v", err)
	}
	if err := tour.EditDraft(host, tournament.Edit{Kind: tournament.SwapSeats, A: 1}, bracketSystem(tour)); err != nil {
		t.Errorf("seats swapped in a draft: %v", err)
	}
	if _, err := tour.Publish(tournament.System{}, nil, newID, start); err != nil {
		t.Fatal(err)
	}
	if _, _, err := tour.EditRound(host, swap, nothingBegun, newID); !errors.Is(err, tournament.ErrBracket) {
		t.Errorf("players swapped in a round: %v", err)
	}
	if _, err := tour.Register(host, tournament.Candidate{Name: "Late"}, start); !errors.Is(err, tournament.ErrStarted) {
		t.Errorf("a late entry: %v", err)
	}
}

// Whatever staff do, in any order: the log folds to the tournament, refusals change nothing, all
// boards are in the bracket, and it ends.
func TestStaffActsKeepAKnockOutWhole(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		now := knockOut(rt, rapid.IntRange(3, 9).Draw(rt, "players"), func(s *tournament.Settings) {
			s.Double, s.Losers = rapid.Bool().Draw(rt, "double"), rapid.SampledFrom(contest.AllLosers).Draw(rt, "losers")
			s.Tie = rapid.SampledFrom([][]contest.Step{{contest.Seed}, {contest.Pair, contest.Seed}}).Draw(rt, "tie")
			s.Pace = rapid.SampledFrom([]tournament.Pace{tournament.Auto, tournament.Rolling}).Draw(rt, "pace")
		})
		deeds, last, newID := []ledger.Deed{}, &tournament.Tournament{}, ids()
		entry := func() tournament.EntryID {
			return tournament.EntryID(rapid.IntRange(1, len(now.Entries)).Draw(rt, "entry"))
		}
		record := func() error {
			if len(now.Rounds) == 0 {
				return tournament.ErrNoRound
			}
			for _, r := range now.Rounds {
				for _, p := range r.Pairings {
					if p.Result.IsPending() && (now.Pace != tournament.Rolling || rapid.Bool().Draw(rt, "ends")) {
						kind := tournament.ResultKind(rapid.IntRange(int(tournament.FirstWins), int(tournament.DoubleForfeit)).Draw(rt, "result"))
						now.Record(p.Match, tournament.Result{Kind: kind, At: start})
					}
				}
			}
			now.Conclude(start)
			return nil
		}
		pair := func() error {
			_, err := now.PairNext(bracketSystem(now), newID, start)
			if err == nil {
				now.Conclude(start) // all boards may be decided at once
			}
			return err
		}
		acts := map[string]func() error{
			"pair": pair, "record": record, "pair again": pair, "record again": record,
			"draft": func() error { return now.DraftNext(bracketSystem(now), host.ID, start) },
			"publish": func() error {
				_, err := now.Publish(tournament.System{}, nil, newID, start)
				if err == nil {
					now.Conclude(start)
				}
				return err
			},
			"correct": func() error {
				kind := tournament.ResultKind(rapid.IntRange(int(tournament.FirstWins), int(tournament.DoubleForfeit)).Draw(rt, "kind"))
				reach := rapid.SampledFrom([]tournament.Reach{tournament.FromNow, tournament.RatingsOnly, tournament.Replay}).Draw(rt, "reach")
				round, board := rapid.IntRange(1, 6).Draw(rt, "round"), rapid.IntRange(1, 4).Draw(rt, "board")
				return now.Correct(host, round, board, kind, reach, bracketSystem(now), start)
			},
			"withdraw": func() error { return now.Withdraw(host, entry()) },
			"readmit":  func() error { return now.Readmit(host, entry()) },
			"expel": func() error {
				_, err := now.Expel(host, entry(), nothingBegun, start)
				if err == nil {
					now.Conclude(start)
				}
				return err
			},
			"unpair":   func() error { _, err := now.Unpair(host, true, nothingBegun, start); return err },
			"unfinish": func() error { return now.Unfinish(host) },
			"roll": func() error {
				now.Roll(newID, start, false)
				now.Conclude(start)
				return nil
			},
			"release": func() error { return now.Release(host) },
		}
		names := make([]string, 0, len(acts))
		for name := range acts {
			names = append(names, name)
		}
		slices.Sort(names)
		step := func(name string, do func() error) {
			before := now.Clone()
			if err := do(); err != nil {
				if diff := unlike(before, now); diff != "" {
					rt.Fatalf("%s was refused (%v) and changed: %s", name, err, diff)
				}
				return
			}
			now.Version = int64(len(deeds) + 1)
			deeds = append(deeds, ledger.Deed{Seq: now.Version, At: start, Act: tournament.ActPair, Changes: ledger.Diff(last, now)})
			folded, err := ledger.Fold(deeds)
			if err != nil {
				rt.Fatal(err)
			}
			if diff := unlike(now, folded); diff != "" {
				rt.Fatalf("after %s: want (-), folded (+):\n%s", name, diff)
			}
			everybodyOnce(rt, "", now)
			if hadMore := before.Status != tournament.Running || !before.RoundIsOver() || len(before.Rounds) < before.Settings.Rounds; hadMore &&
				name != "unfinish" && now.Status == tournament.Running && now.RoundIsOver() && len(now.Rounds) >= now.Settings.Rounds {
				rt.Fatalf("after %s nothing is left to play, and it goes on", name)
			}
			if stray := now.Bracket(len(now.Rounds)).Stray; len(stray) > 0 {
				rt.Fatalf("after %s boards stand outside of the bracket: %v", name, stray)
			}
			last = now.Clone()
		}
		for range rapid.IntRange(5, 30).Draw(rt, "steps") {
			name := rapid.SampledFrom(names).Draw(rt, "act")
			step(name, acts[name])
		}
		for n := 0; now.Status == tournament.Running; n++ {
			if n > 100 {
				rt.Fatal(fmt.Sprint("it never ends: ", len(now.Rounds), " rounds of ", now.Settings.Rounds))
			}
			step("record", record)
			step("publish", acts["publish"])
			step("pair", pair)
			step("release", acts["release"])
			step("roll", acts["roll"])
		}
		for _, s := range now.Bracket(len(now.Rounds)).States {
			if s.Status != contest.Over {
				rt.Fatalf("it is over, and a contest is not: %+v", s)
			}
		}
	})
}
