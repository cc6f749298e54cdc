package tournament_test

import (
	"errors"
	"maps"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/contest"
)

// knockOutWalk is a knock-out in which anything may happen, and what was seen of it.
type knockOutWalk struct {
	t     *rapid.T
	tour  *tournament.Tournament
	newID func() match.ID
	now   time.Time
	seen  map[match.ID]bool // matches there have been
	won   map[int]contest.State
	left  map[tournament.EntryID]bool
}

// Players leave, come back, are disqualified or do not come, and results are corrected. Nobody who
// has left is given a match, a contest without one, or a level one over somebody who is there; leaving decides
// nothing that was decided before. Places are 1 to N, shared or not, at any time.
func TestNobodyWhoHasLeftIsGivenAnything(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := knockOutWalk{t: t, newID: ids(), now: start, seen: map[match.ID]bool{}}
		n := rapid.IntRange(3, 11).Draw(t, "players")
		w.tour = knockOut(t, n, func(s *tournament.Settings) {
			s.Losers = rapid.SampledFrom(contest.AllLosers).Draw(t, "losers")
			s.Pace = rapid.SampledFrom([]tournament.Pace{tournament.Auto, tournament.Rolling}).Draw(t, "pace")
			s.Double = rapid.Bool().Draw(t, "double")
			if !s.Double && rapid.Bool().Draw(t, "four") {
				s.Legs = 4
			}
			s.Tie = rapid.SampledFrom([][]contest.Step{{contest.Seed}, {contest.Lot}, {contest.Points, contest.Seed},
				{contest.Pair, contest.Lot}, {contest.Pair, contest.Decider}, {contest.Decider}}).Draw(t, "tie")
		})
		w.look("at the start")
		for range 150 {
			if w.tour.Status != tournament.Running && rapid.IntRange(0, 3).Draw(t, "is over") > 0 {
				return
			}
			w.step()
		}
	})
}

// Teams leave, come back and are disqualified, and so do their players, as players do in a knock-out of their own.
func TestNoTeamThatHasLeftIsGivenAnything(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := knockOutWalk{t: t, newID: ids(), now: start, seen: map[match.ID]bool{}}
		w.tour = teamCup(t, rapid.IntRange(3, 7).Draw(t, "teams"), func(s *tournament.Settings) {
			s.Losers = rapid.SampledFrom(contest.AllLosers).Draw(t, "losers")
			s.Tie = rapid.SampledFrom([][]contest.Step{{contest.Seed}, {contest.Lot}, {contest.BoardCount, contest.Seed},
				{contest.TopBoards, contest.LessBottom, contest.Lot}}).Draw(t, "tie")
			s.Teams.LineUps = time.Duration(rapid.IntRange(0, 1).Draw(t, "line-ups")) * time.Minute
		})
		w.look("at the start")
		for range 150 {
			if w.tour.Status != tournament.Running && rapid.IntRange(0, 3).Draw(t, "is over") > 0 {
				return
			}
			w.step()
		}
	})
}

// seat opens the boards of teams whose line-ups were awaited.
func (w *knockOutWalk) seat() {
	if w.tour.Status != tournament.Running {
		return
	}
	for _, n := range w.tour.Awaited() {
		if rapid.IntRange(0, 3).Draw(w.t, "seated") > 0 {
			if _, err := w.tour.OpenTeamMatch(n, nil, w.newID, w.now); err != nil {
				w.t.Fatal(err)
			}
		}
	}
}

// step does one thing that can be done.
func (w *knockOutWalk) step() {
	w.now = w.now.Add(time.Minute)
	w.left = map[tournament.EntryID]bool{}
	for _, e := range w.tour.Entries {
		w.left[e.ID] = e.Status == tournament.Withdrawn
	}
	for _, e := range w.tour.Entries {
		w.left[e.ID] = w.left[e.ID] || w.left[e.Team]
	}
	what := rapid.SampledFrom([]string{"play", "play", "play", "play", "open", "open", "open", "withdraw", "expel", "readmit",
		"reinstate", "correct", "unpair", "seat"}).Draw(w.t, "what")
	entry := tournament.EntryID(rapid.IntRange(1, len(w.tour.Entries)).Draw(w.t, "entry"))
	var err error
	switch what {
	case "play":
		w.play()
	case "open":
		if w.tour.Pace == tournament.Rolling && len(w.tour.Rounds) > 0 {
			w.tour.Roll(w.newID, w.now, true)
			break
		}
		_, err = w.tour.PairNext(bracketSystem(w.tour), w.newID, w.now)
	case "seat":
		w.seat()
	case "withdraw":
		err = w.tour.Withdraw(host, entry)
	case "expel":
		_, err = w.tour.Expel(host, entry, nothingBegun, w.now)
	case "readmit":
		err = w.tour.Readmit(host, entry)
	case "reinstate":
		err = w.tour.Reinstate(host, entry)
	case "correct":
		err = w.correct()
	case "unpair":
		if _, err = w.tour.Unpair(host, true, nothingBegun, w.now); err == nil {
			_, err = w.tour.Publish(tournament.System{}, nil, w.newID, w.now)
		}
	}
	if errors.Is(err, tournament.ErrDraftUnfit) || errors.Is(err, tournament.ErrDraftStale) {
		w.t.Fatalf("%s: %v", what, err)
	}
	w.tour.Conclude(w.now)
	w.look(what)
}

// anyResult is a result of any kind.
func (w *knockOutWalk) anyResult() tournament.ResultKind {
	return tournament.ResultKind(rapid.IntRange(int(tournament.FirstWins), int(tournament.DoubleForfeit)).Draw(w.t, "result"))
}

// play ends a match that is open, mostly level.
func (w *knockOutWalk) play() {
	for _, p := range w.tour.Pending() {
		if rapid.IntRange(0, 2).Draw(w.t, "skip") == 0 {
			continue
		}
		kind := tournament.Drawn
		if rapid.Bool().Draw(w.t, "decided") {
			kind = w.anyResult()
		}
		w.tour.Record(p.Match, tournament.Result{Kind: kind, At: w.now, Points: [2]int{rapid.IntRange(0, 9).Draw(w.t, "points"), 5},
			Odds: match.Seats[rapid.IntRange(0, 1).Draw(w.t, "odds")]})
		return
	}
}

// correct changes a result, whatever was played on it.
func (w *knockOutWalk) correct() error {
	n := rapid.IntRange(0, max(0, len(w.tour.Rounds)-1)).Draw(w.t, "round")
	if len(w.tour.Rounds) == 0 || len(w.tour.Rounds[n].Pairings) == 0 { // a correction can empty a round before others
		return nil
	}
	board := rapid.IntRange(1, len(w.tour.Rounds[n].Pairings)).Draw(w.t, "board")
	return w.tour.Correct(host, n+1, board, w.anyResult(), tournament.Replay, bracketSystem(w.tour), w.now)
}

// isGiven reports whether a level contest was decided, and not by a match that somebody won.
func (w *knockOutWalk) isGiven(s contest.State) bool {
	if s.By != contest.ByDecider {
		return s.By == contest.ByPoints || s.By == contest.ByLot || s.By == contest.BySeed
	}
	last := tournament.Pending
	for _, p := range w.tour.AllBoards() {
		if p.Contest == s.At {
			last = p.Result.Kind
		}
	}
	return last == tournament.Drawn
}

// stays reports whether exactly one of the two was there when the last result of their contest came.
func (w *knockOutWalk) stays(s contest.State) bool {
	var last tournament.Pairing
	for _, p := range w.tour.AllBoards() {
		if p.Contest == s.At && p.TeamMatch == 0 {
			last = *p
		}
	}
	for _, r := range w.tour.Rounds {
		for i, m := range r.Teams {
			if boards := r.BoardsOf(i + 1); m.Contest == s.At && len(boards) > 0 {
				last = tournament.Pairing{First: m.First, Second: m.Second, Result: boards[0].Result}
			}
		}
	}
	return slices.Contains(last.Result.Gone, last.First) != slices.Contains(last.Result.Gone, last.Second)
}

// look checks what must hold, after an act.
func (w *knockOutWalk) look(after string) {
	tour := w.tour
	for n, p := range tour.AllBoards() {
		if p.Match == "" || w.seen[p.Match] {
			continue
		}
		w.seen[p.Match] = true
		if p.Result.IsPending() && (w.left[p.First] || w.left[p.Second]) {
			w.t.Fatalf("%s: in round %d %d and %d are to play, and one has left", after, n, p.First, p.Second)
		}
	}
	b := tour.Bracket(len(tour.Rounds))
	ids := map[int]tournament.EntryID{}
	for _, e := range tour.Entries {
		ids[e.Number] = e.ID
	}
	won := map[int]contest.State{}
	for _, s := range b.States {
		won[s.At] = s
		before, is := w.won[s.At]
		isSame := is && before.Winner == s.Winner && before.Sides == s.Sides && before.Status == s.Status
		switch {
		case isSame:
		case is && before.Status == contest.Over && after != "correct" && after != "unpair":
			w.t.Fatalf("%s: contest %d was won by %d, now by %d", after, s.At, before.Winner, s.Winner)
		case s.By == contest.ByBye && w.left[ids[s.Winner]]:
			w.t.Fatalf("%s: contest %d goes to %d without a match, who has left", after, s.At, s.Winner)
		case w.isGiven(s) && w.left[ids[s.Winner]] && !w.left[ids[s.Loser]]:
			w.t.Fatalf("%s: contest %d is won by %d by %v, who has left", after, s.At, s.Winner, s.By)
		case s.By == contest.ByNobody && w.stays(s):
			w.t.Fatalf("%s: contest %d of %v is won by nobody, and one of them had not left", after, s.At, s.Sides)
		}
	}
	w.won = won
	places := tour.Field().Places
	list := slices.Sorted(maps.Values(places))
	for i, place := range list {
		want := i + 1
		if i == 0 && b.IsTitleOpen() { // nobody is first
			want = 2
		}
		if place != want && (i == 0 || place != list[i-1]) {
			w.t.Fatalf("%s: places %v", after, list)
		}
	}
	if len(list) != len(tour.Sides()) {
		w.t.Fatalf("%s: %d places of %d", after, len(list), len(tour.Sides()))
	}
}
