package tournament_test

import (
	"testing"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/tournament"
)

const twoDays = 48 * time.Hour

func byCorrespondence(s *tournament.Settings) {
	s.Pace, s.BidTime, s.Window = tournament.Correspondence, twoDays, 60*24*time.Hour
}

// correspondenceEvent is a round robin of four, started, of which as many rounds are open.
func correspondenceEvent(t *testing.T, rounds int) *tournament.Tournament {
	t.Helper()
	tour := newTournament(t, tournament.RoundRobin, byCorrespondence)
	enter(t, tour, 4)
	if err := tour.Start(host, lowest, start); err != nil {
		t.Fatal(err)
	}
	newID := ids()
	for range rounds {
		if _, err := tour.PairNext(system(tour), newID, start); err != nil {
			t.Fatal(err)
		}
	}
	return tour
}

func TestByCorrespondenceAllRoundsOpenAtOnce(t *testing.T) {
	t.Parallel()
	for open := range 3 {
		tour := correspondenceEvent(t, open)
		if at, due := tour.NextRoundAt(); !due || !at.Equal(start) {
			t.Errorf("with %d rounds open the next is due %v, %v", open, at, due)
		}
		if at, runs := tour.DecidedAt(); runs {
			t.Errorf("with %d rounds open, all is decided at %v", open, at)
		}
	}
	tour := correspondenceEvent(t, 3)
	if at, due := tour.NextRoundAt(); due {
		t.Error("a fourth round of four is due", at)
	}
	for n, p := range tour.AllBoards() {
		if p.Match == "" || p.Fixture != nil || !p.Result.IsPending() {
			t.Errorf("board %d.%d: %+v", n, p.Board, p)
		}
	}
	end := start.Add(60 * 24 * time.Hour)
	if at, due := tour.NextAt(); !due || !at.Equal(end) {
		t.Errorf("next at %v, want the end %v", at, end)
	}
	if m := tour.Misfits(start); len(m) > 0 {
		t.Error("three rounds of sixty days, one after another:", m)
	}
	if tour.WorstRound() != 60*24*time.Hour {
		t.Error(tour.WorstRound())
	}
	o := tour.MatchOptions()
	if o.Lateness != 0 || o.BidTime != twoDays || !o.ByMove || o.Untimed || o.Validate() != nil {
		t.Errorf("%+v", o)
	}
	if err := tour.PauseRounds(host, "flood", nil, start); err != nil {
		t.Fatal(err)
	}
	if at, runs := tour.DecidedAt(); runs {
		t.Error("a paused event ends at", at)
	}
}

// What decides a board: its match, even after the end; a board that no match decides is an unrated draw.
func TestBoardsThatNoMatchDecidesAreUnratedDrawsAtTheEnd(t *testing.T) {
	t.Parallel()
	tour := correspondenceEvent(t, 3)
	end := start.Add(60 * 24 * time.Hour)
	void, won := board(t, tour, 1, 1).Match, board(t, tour, 2, 2).Match
	isVoid := func(id match.ID) bool { return id == void }
	if tour.CloseBoards(isVoid, end.Add(-time.Second)) {
		t.Error("a second too early")
	}
	if !tour.Record(won, tournament.Result{Kind: tournament.FirstWins, At: start}) || !tour.CloseBoards(isVoid, end) || tour.CloseBoards(isVoid, end) {
		t.Error("it was not closed once")
	}
	r := board(t, tour, 1, 1).Result
	if r.Kind != tournament.Drawn || r.Reason != match.Adjudicated || r.Rated != tournament.DoubleForfeit || !r.At.Equal(end) {
		t.Errorf("%+v", r)
	}
	if k := board(t, tour, 2, 2).Result.Kind; k != tournament.FirstWins {
		t.Errorf("what was won is %v", k)
	}
	open := 0
	for range tour.Rounds.Pending() {
		open++
	}
	if open != 4 || tour.Conclude(end) {
		t.Errorf("%d boards whose matches go on", open)
	}
}

func TestSettingsOfCorrespondenceAreRefusedForAReason(t *testing.T) {
	t.Parallel()
	type change = func(*tournament.Settings)
	for name, c := range map[string]struct {
		change change
		field  string
		why    string
	}{
		"half an hour for a move":       {func(s *tournament.Settings) { s.BidTime = 30 * time.Minute }, "bidTime", "range"},
		"fifteen days for a move":       {func(s *tournament.Settings) { s.BidTime, s.Window = 15*24*time.Hour, 150*24*time.Hour }, "bidTime", "range"},
		"no time for a move":            {func(s *tournament.Settings) { s.BidTime = 0 }, "bidTime", "range"},
		"time for moves of other paces": {func(s *tournament.Settings) { s.Pace, s.Window = tournament.Auto, 0 }, "bidTime", "unsuitable"},
		"nine moves":                    {func(s *tournament.Settings) { s.Window = 18 * 24 * time.Hour }, "window", "correspondence"},
		"six days":                      {func(s *tournament.Settings) { s.BidTime, s.Window = time.Hour, 6*24*time.Hour }, "window", "correspondence"},
		"more than a year":              {func(s *tournament.Settings) { s.Window = 367 * 24 * time.Hour }, "window", "correspondence"},
		"drafted rounds":                {func(s *tournament.Settings) { s.Review = true }, "review", "unsuitable"},
		"check-in": {func(s *tournament.Settings) {
			s.CheckIn = tournament.CheckIn{Scope: tournament.ForEvent, Opens: time.Hour, Closes: time.Minute}
		}, "checkIn", "unsuitable"},
		"a Swiss, which pairs by scores": {func(s *tournament.Settings) { s.Format, s.Rounds = tournament.Swiss, 3 }, "pace", "correspondence"},
		"teams":                          {func(s *tournament.Settings) { s.PlayIn(tournament.Teams{Boards: 2}) }, "pace", "correspondence"},
	} {
		t.Run(name, func(t *testing.T) {
			s := tournament.DefaultSettings(tournament.RoundRobin)
			s.Name = "Letters"
			byCorrespondence(&s)
			if err := s.Validate(); err != nil {
				t.Fatal(err)
			}
			c.change(&s)
			faults := refusal.FaultsOf(s.Validate())
			if len(faults) != 1 || faults[0].Field != c.field || faults[0].Why != c.why {
				t.Errorf("%+v", faults)
			}
		})
	}
}
