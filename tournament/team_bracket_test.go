package tournament_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/contest"
)

// teamCup is a running knock-out of teams A, B, C … on two boards, seeded in that order.
func teamCup(t fataler, teams int, change func(*tournament.Settings)) *tournament.Tournament {
	tour := teamEvent(t, tournament.KnockOut, teams, 3, func(s *tournament.Settings) {
		s.Tie = tournament.DefaultTie(true)
		if change != nil {
			change(s)
		}
	})
	begin(t, tour)
	return tour
}

// meetings opens the next round and returns who meets, the stronger first.
func meetings(t fataler, tour *tournament.Tournament, newID func() match.ID) (list []string) {
	for _, m := range pairTeams(t, tour, newID).Teams {
		a, b := nameOf(tour, m.First), nameOf(tour, m.Second)
		list = append(list, min(a, b)+max(a, b))
	}
	return list
}

// boardsWon plays the open round: by a team's letter, what it wins on its boards, of 10.
func boardsWon(tour *tournament.Tournament, won map[string][2]int) {
	r := tour.Rounds[len(tour.Rounds)-1]
	for i, m := range r.Teams {
		for _, s := range match.Seats {
			points, is := won[nameOf(tour, m.TeamAt(s))]
			if !is {
				continue
			}
			for k, p := range r.BoardsOf(i + 1) {
				kind := map[int]tournament.ResultKind{10: tournament.FirstWins, 5: tournament.Drawn, 0: tournament.SecondWins}[points[k]]
				if tournament.TeamSeat(k+1, s) == match.Second && kind != tournament.Drawn {
					kind = kind.Swapped()
				}
				tour.Record(p.Match, tournament.Result{Kind: kind, At: start, Gone: tour.Gone()})
			}
		}
	}
	tour.Conclude(start)
}

func wantMeetings(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Fatalf("%s: %v meet, want %v", what, got, want)
	}
}

// Six teams: byes for A and B. D and E are level at 1:1, and D won board 1, so it has the lower board count. C beats F. B leaves and
// sends nobody: C goes on. A and D draw both boards: the better seed goes on. C wins the final; D alone comes for third place.
func TestAKnockOutOfSixTeams(t *testing.T) {
	t.Parallel()
	tour, newID := teamCup(t, 6, nil), ids()
	if tour.Settings.Rounds != 3 {
		t.Fatalf("%d rounds, want 3", tour.Settings.Rounds)
	}
	wantMeetings(t, "round 1", meetings(t, tour, newID), "DE", "CF")
	boardsWon(tour, map[string][2]int{"D": {10, 0}, "C": {10, 5}})
	if by := tour.Bracket(1).States[1].By; by != contest.ByBoardCount {
		t.Errorf("D and E are decided by %v", by)
	}
	if err := tour.Withdraw(host, teamID(tour, "B")); err != nil {
		t.Fatal(err)
	}
	wantMeetings(t, "round 2", meetings(t, tour, newID), "AD", "BC")
	boardsWon(tour, map[string][2]int{"A": {5, 5}})
	wantMeetings(t, "round 3", meetings(t, tour, newID), "AC", "BD")
	boardsWon(tour, map[string][2]int{"C": {10, 10}})
	if tour.Status != tournament.Finished {
		t.Fatalf("after the final it is %v", tour.Status)
	}
	if want, got := map[int]int{3: 1, 1: 2, 4: 3, 2: 4, 5: 5, 6: 5}, tour.Field().Places; !cmp.Equal(want, got) {
		t.Errorf("places %v, want %v", got, want)
	}
	if !tour.IsOut(tour.Entries[tour.Roster(teamID(tour, "C"))[0].ID-1]) {
		t.Error("a player of the winners has something left to play")
	}
}

func teamID(tour *tournament.Tournament, letter string) tournament.EntryID {
	for _, e := range tour.Sides() {
		if e.Name == "Team "+letter {
			return e.ID
		}
	}
	return 0
}

// Four teams. A beats D, B beats C; then the semi-final A-D turns out otherwise after the final has begun: by the board, and by
// the forfeit of the match. Both are refused unless the later matches go with it, and lifting the forfeit brings A back.
func TestAMatchOfTeamsTurnedAfterTheNextWasMade(t *testing.T) {
	t.Parallel()
	turn := map[string]func(*tournament.Tournament, bool) error{
		"a board": func(tour *tournament.Tournament, replay bool) error {
			n, m := tour.Rounds[0].MatchOf(teamID(tour, "A"))
			board := tour.Rounds[0].BoardsOf(n)[0]
			kind, reach := tournament.FirstWins, tournament.FromNow
			if m.SeatOf(teamID(tour, "A")) == match.First {
				kind = tournament.SecondWins
			}
			if replay {
				reach = tournament.Replay
			}
			return tour.Correct(host, 1, board.Board, kind, reach, bracketSystem(tour), start)
		},
		"the match": func(tour *tournament.Tournament, replay bool) error { return forfeitOf(tour, "A", replay) },
	}
	for name, change := range turn {
		t.Run(name, func(t *testing.T) {
			tour, newID := teamCup(t, 4, func(s *tournament.Settings) { s.Losers = contest.ForThird }), ids()
			wantMeetings(t, "round 1", meetings(t, tour, newID), "AD", "BC")
			boardsWon(tour, map[string][2]int{"A": {10, 5}, "B": {10, 10}})
			wantMeetings(t, "round 2", meetings(t, tour, newID), "AB", "CD")
			boardsWon(tour, map[string][2]int{"C": {10, 10}}) // for third place; A-B goes on
			if err := change(tour, false); !errors.Is(err, tournament.ErrGoesOn) {
				t.Fatalf("without taking later matches back: %v", err)
			}
			if err := change(tour, true); err != nil {
				t.Fatal(err)
			}
			if len(tour.Rounds) != 1 {
				t.Fatalf("%d rounds are left: both matches of the second were of others", len(tour.Rounds))
			}
			wantMeetings(t, "round 2 anew", meetings(t, tour, newID), "BD", "AC")
			boardsWon(tour, map[string][2]int{"D": {10, 10}, "A": {10, 10}})
			if want, got := map[int]int{4: 1, 2: 2, 1: 3, 3: 4}, tour.Field().Places; tour.Status != tournament.Finished || !cmp.Equal(want, got) {
				t.Errorf("places %v, want %v", got, want)
			}
		})
	}
}

// forfeitOf makes a team forfeit its match of the first round.
func forfeitOf(tour *tournament.Tournament, letter string, replay bool) error {
	n, m := tour.Rounds[0].MatchOf(teamID(tour, letter))
	x := tournament.MatchForfeit{Round: 1, Match: n, Why: "an ineligible player", Replay: replay}
	x.Lost[m.SeatOf(teamID(tour, letter)).Index()] = true
	_, err := tour.ForfeitMatch(host, x, func(match.ID) bool { return false }, start)
	return err
}

// Eight teams, and only the match A-H of the first round turns: of the second round the match of A goes, its boards are numbered anew,
// and the others play on; the contest is played in a later round.
func TestOneMatchOfARoundOfTeamsIsTakenBack(t *testing.T) {
	t.Parallel()
	tour, newID := teamCup(t, 8, func(s *tournament.Settings) { s.Losers = contest.Out }), ids()
	wantMeetings(t, "round 1", meetings(t, tour, newID), "AH", "DE", "BG", "CF")
	boardsWon(tour, map[string][2]int{"A": {10, 10}, "D": {10, 10}, "B": {10, 10}, "C": {10, 10}})
	wantMeetings(t, "round 2", meetings(t, tour, newID), "AD", "BC")
	if err := forfeitOf(tour, "A", true); err != nil {
		t.Fatal(err)
	}
	second := tour.Rounds[1]
	if len(second.Teams) != 1 || len(second.Pairings) != 2 || second.Pairings[0].Board != 1 || second.Pairings[1].TeamMatch != 1 {
		t.Fatalf("round 2 is %+v", second)
	}
	boardsWon(tour, map[string][2]int{"B": {10, 10}})
	wantMeetings(t, "round 3", meetings(t, tour, newID), "DH")
	boardsWon(tour, map[string][2]int{"H": {10, 10}})
	wantMeetings(t, "round 4", meetings(t, tour, newID), "BH")
	boardsWon(tour, map[string][2]int{"H": {10, 10}})
	if got := tour.Field().Places[8]; tour.Status != tournament.Finished || got != 1 {
		t.Errorf("H has place %d", got)
	}
}
