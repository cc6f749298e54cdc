package web_test

import (
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/engine/puzzle"
	"chpok.org/chpok/engine/search"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/live"
	"chpok.org/chpok/live/practice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
)

// Fool's mate, three moves late: after the seventh ply Black takes the king in two
// moves, by d8h4 alone.
var fool = []string{"a2a3", "a7a6", "b2b3", "b7b6", "f2f3", "e7e5", "g2g4", "d8h4", "h2h3", "h4e1"}

// searched is when puzzles were looked for in a match; false: that has to wait.
func (s *site) searched(id match.ID) bool {
	s.t.Helper()
	s.analysed(id)
	for {
		var kept store.Analysis
		s.write(func(tx *store.Tx) (err error) {
			kept, err = tx.Analysis(id)
			return err
		})
		if kept.State == store.AnalysisMined || kept.Due.After(s.clock.Now()) {
			return kept.State == store.AnalysisMined
		}
		if err := s.analyst.Work(s.t.Context()); err != nil {
			s.t.Fatal(err)
		}
		<-time.After(5 * time.Millisecond) // until the share has been paid back there is nothing to ask
	}
}

func TestAPuzzleOfAFinishedMatchIsSolvedAndRated(t *testing.T) {
	t.Parallel()
	c := newContest(t, short(1))
	visitor := c.browser(lang.Ukrainian)
	visitor.get("/practice").want(http.StatusOK).wants("link", texts(lang.Ukrainian).T("puzzle.play")) // none yet
	c.toBoard()
	c.moves(fool...)
	if !c.searched(c.id) {
		t.Fatal("nobody looked for puzzles")
	}

	at := visitor.get("/practice").want(http.StatusOK).says("Хід чорних")
	at.says("Візьміть останнього короля за 2 ходи").saysNot(c.url()) // the match shows the answer
	var put store.Puzzle
	c.write(func(tx *store.Tx) (err error) {
		put, err = practice.Next(tx, c.taras.ID)
		return err
	})
	path := "/practice/" + put.ID
	if put.Match != c.id || put.Ply != 7 || put.What.Theme != puzzle.King {
		t.Errorf("%+v", put)
	}
	visitor.post(path, "act", "e5e4").want(http.StatusOK).says("Qd8").says(c.url() + "/replay?ply=7") // not rated, but told
	visitor.post(path, "act", "d8d4").want(http.StatusUnprocessableEntity).wants("alert", texts(lang.Ukrainian).T("learn.refused.move"))
	visitor.post(path, "act", "?").want(http.StatusUnprocessableEntity)
	visitor.get("/practice/none").want(http.StatusNotFound)

	c.second.get("/practice").says("Puzzle rating 1200").says("your first try counts")
	on := c.second.post(path, "act", "d8h4").want(http.StatusOK).says("Right so far").says("Puzzle rating 1200")
	if !strings.Contains(on.body, `name="act" value="d8h4"`) {
		t.Error("the next act forgets the first")
	}
	c.second.post(path, "act", "d8h4", "act", "h4e1").want(http.StatusOK).says("Solved!").says("(+").wants("link", "Next")
	c.second.post(path, "act", "d8h4", "act", "h4e1").want(http.StatusOK).says("already tried, doesn’t count")
	c.second.get("/practice").says("No puzzles left for you")
	c.first.post(path, "act", "a6a5").want(http.StatusOK).says("Not this time").wants("link", "Try again")
	c.first.post(path, "act", "d8h4", "act", "h4e1").says("Solved!").says("already tried")

	var won, lost store.PuzzleTry
	var rated store.Puzzle
	c.write(func(tx *store.Tx) (err error) {
		won, err = tx.LastTry(c.taras.ID)
		if err == nil {
			lost, err = tx.LastTry(c.olena.ID)
		}
		rated, _ = tx.Puzzle(put.ID)
		return err
	})
	if won.N != 1 || won.Streak != 1 || won.Rating.Rating <= 1200 || lost.N != 1 || lost.Solved || lost.Rating.Rating >= 1200 {
		t.Errorf("%+v, %+v", won, lost)
	}
	if rated.Rating.Deviation >= put.Rating.Deviation {
		t.Errorf("two tries say nothing of the puzzle: %+v, %+v", put.Rating, rated.Rating)
	}
}

// A whole match, played by bots who misjudge positions by up to two pawns: the job that finds puzzles
// comes upon the king that can be taken in two moves, by no hand of ours.
func TestAMatchOfBotsIsMined(t *testing.T) {
	t.Parallel()
	c := newContest(t, short(1))
	c.toBoard()
	e, seats := search.NewEngine(15), [2]player.ID{c.olena.ID, c.taras.ID}
	for c.state().Status() != match.Over {
		e.Forget()
		best := e.Search(t.Context(), search.RootOf(c.state().Game()), search.Limits{Nodes: 300, Seed: 105, Error: 180}, nil)[0]
		seat, _ := c.state().ToAct()
		play := live.Request{Command: match.Play{Seat: seat, Action: best.Actions[0]}}
		if _, err := c.live.Do(t.Context(), c.id, seats[seat.Index()], play); err != nil {
			t.Fatal(err)
		}
	}
	if !c.searched(c.id) {
		t.Fatal("nobody looked for puzzles")
	}
	var put store.Puzzle
	c.write(func(tx *store.Tx) (err error) {
		put, err = practice.Next(tx, c.taras.ID)
		return err
	})
	plies := len(c.state().Game().Plies())
	if put.Match != c.id || put.What.Theme != puzzle.King || put.What.Moves() != 2 || put.Ply < 6 || put.Ply >= plies-1 {
		t.Fatalf("of %d plies: %+v", plies, put)
	}
	step, err := put.What.Try([]board.Action{put.What.Answer[0], put.What.Answer[2]})
	if err != nil || step.Status != puzzle.Solved || !step.Root.Position.IsOver() {
		t.Errorf("%+v, %v", step, err)
	}
}

// Whose account is erased leaves puzzles as hard as they have proved, and no tries.
func TestTriesGoWithTheirAccount(t *testing.T) {
	t.Parallel()
	c := newContest(t, short(1))
	c.toBoard()
	c.moves(fool...)
	c.searched(c.id)
	c.write(func(tx *store.Tx) error {
		put, err := practice.Next(tx, c.taras.ID)
		if err != nil {
			return err
		}
		return practice.Note(tx, put, c.taras.ID, true, c.clock.Now())
	})
	now := c.clock.Now()
	c.write(func(tx *store.Tx) error {
		return errors.Join(tx.AskErasure(c.taras.ID, now, now), tx.Erase(c.taras.ID, now))
	})
	c.write(func(tx *store.Tx) error {
		if try, err := tx.LastTry(c.taras.ID); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%+v, %v", try, err)
		}
		return nil
	})
}

// While a match of Verified runs that was opened before, and while watchers do not see
// the end yet, nobody looks for puzzles.
func TestPuzzlesWaitUntilEverybodyMayKnow(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, fairplay.Verified)
	g.toBoard()
	c := &contest{site: g.site, olena: g.account("Mykola", player.Plain), taras: g.account("Roman", player.Plain)}
	c.first, c.second = c.as(c.olena, lang.English), c.as(c.taras, lang.English)
	c.open(short(1))
	c.toBoard()
	c.moves(fool...)
	if c.searched(c.id) {
		t.Fatal("a match of Verified runs")
	}
	g.act(0, "act", "resign")
	if c.clock.advance(11 * time.Minute); !c.searched(c.id) {
		t.Error("nothing is a secret any more")
	}
}

// A bidding in which one raise was worth much more than any other bid is a puzzle of
// its own, mined from the match in which it was, and rated as the others are.
func TestTheRaiseThatPaysIsMinedSolvedAndRated(t *testing.T) {
	t.Parallel()
	known := puzzle.House()[slices.IndexFunc(puzzle.House(), func(p puzzle.Puzzle) bool { return p.Table != nil })]
	c := newContest(t, match.DefaultOptions())
	seats := [2]match.Seat{match.First, match.Second}
	bids := append(slices.Clone(known.Table.Bids), known.Table.Choices[known.Table.Right].Bid)
	for _, b := range bids {
		turn, ok := c.state().ToAct()
		if !ok {
			t.Fatalf("nobody bids after %+v", b)
		}
		by := [2]player.ID{c.olena.ID, c.taras.ID}[slices.Index(seats[:], turn)]
		if _, err := c.live.Do(t.Context(), c.id, by, live.Request{Command: match.PlaceBid{Seat: turn, Bid: b.Bid}}); err != nil {
			t.Fatal(err)
		}
	}
	c.act(c.first, "act", "resign")
	if !c.searched(c.id) {
		t.Fatal("nobody looked for puzzles")
	}
	put := func() (put store.Puzzle) {
		c.write(func(tx *store.Tx) (err error) {
			put, err = tx.Puzzle(known.ID())
			return err
		})
		return put
	}
	before := put()
	table := before.What.Table
	if before.Match != c.id || before.Ply != len(known.Table.Bids) || before.What.Theme != puzzle.Pays {
		t.Fatalf("%+v", before)
	}
	right, wrong := strconv.Itoa(table.Right), strconv.Itoa((table.Right+1)%len(table.Choices))

	visitor, path := c.browser(lang.Ukrainian), "/practice/"+known.ID()
	at := visitor.get("/practice").want(http.StatusOK).says("Знайдіть вигідний рейз").says("Ваша ставка").saysNot(c.url())
	if strings.Count(at.body, `name="raise"`) != len(table.Choices) || strings.Contains(at.body, "очок") {
		t.Error("it does not offer the bids, or tells what they are worth")
	}
	visitor.post(path, "raise", wrong).want(http.StatusOK).says("Цього разу ні").says(c.url() + "/replay?bid=" + strconv.Itoa(before.Ply))
	for _, none := range []string{"9", "-1", "x", ""} {
		c.second.post(path, "raise", none).want(http.StatusUnprocessableEntity).wants("alert", texts(lang.English).T("puzzle.raise.none"))
	}
	c.second.post(path, "raise", right).want(http.StatusOK).says("Right: you’d score").says("(+").wants("link", "Next")
	c.first.post(path, "raise", wrong).want(http.StatusOK).says("Not this time").says("(−").wants("link", "Try again")
	if after := put(); after.Rating.Deviation >= before.Rating.Deviation {
		t.Errorf("two tries say nothing of it: %+v, %+v", before.Rating, after.Rating)
	}
}
