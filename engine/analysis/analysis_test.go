package analysis_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/engine/analysis"
	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/engine/search"
)

// game is a game in which First plays White, with these features and actions.
func game(t *testing.T, features, actions string) match.Game {
	t.Helper()
	f, err := board.ParseFeatures([]byte(features))
	if err != nil {
		t.Fatal(err)
	}
	g, err := match.NewGame(match.Rules{Chips: 1, Claims: match.Automatic, Defaults: f})
	events := []match.Event{
		match.BidPlaced{Seat: match.First, Bid: bidding.Bid{Target: bidding.White, Chips: 1}},
		match.BidPlaced{Seat: match.Second, Bid: bidding.Bid{
			Target: bidding.Time, Chips: 1, HasOutcome: true, Time: bidding.TimeControl{Minutes: 5}}},
	}
	for i, text := range strings.Fields(actions) {
		a, err := board.ParseAction(text)
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, match.Played{Seat: match.First + match.Seat(i%2), Action: a})
	}
	for _, e := range events {
		if err == nil {
			g, err = g.Do(e)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// report looks at every position of a game.
func report(t *testing.T, g match.Game, nodes int) (r analysis.Report) {
	t.Helper()
	e := search.NewEngine(14)
	roots, played := analysis.Roots(g)
	for more := true; more; {
		var err error
		if more, err = r.Look(t.Context(), e, roots, played, analysis.Nodes{First: nodes, Second: 2 * nodes, Third: 4 * nodes}); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

func TestALeftKingIsABlunderThatIsCalledByItsName(t *testing.T) {
	t.Parallel()
	// The queen takes beside the king, and Black lets it stand there.
	g := game(t, "{}", "e2e4 e7e5 d1h5 d7d6 h5f7 a7a6 f7e8")
	r := report(t, g, 4000)
	list := analysis.Verdicts(g, r)
	if len(r.Points) != 8 || len(list) != 7 {
		t.Fatalf("%d positions, %d moves judged", len(r.Points), len(list))
	}
	left := list[5]
	if left.Ply != 6 || left.Seat != match.Second || left.Grade != analysis.Blunder || left.Cause != analysis.KingLost {
		t.Errorf("a7a6: %+v", left)
	}
	if gift := list[4]; gift.Grade < analysis.Mistake || gift.Cause != analysis.PieceLost || gift.Piece != board.Queen {
		t.Errorf("h5f7: %+v", gift)
	}
	if taken := list[6]; taken.Grade != analysis.Sound || r.Points[7].White != 1 {
		t.Errorf("the king is taken: %+v, and White has %v", taken, r.Points[7].White)
	}
	white, _ := analysis.Accuracy(list, match.First)
	black, ok := analysis.Accuracy(list, match.Second)
	if !ok || white > 95 || white < 50 || black > 90 {
		t.Errorf("each gave much away once, but White is at %.0f %%, Black at %.0f %%", white, black)
	}
}

func TestAKingThatIsNotTakenIsMissed(t *testing.T) {
	t.Parallel()
	g := game(t, "{}", "e2e4 e7e5 d1h5 d7d6 h5f7 a7a6 a2a3")
	list := analysis.Verdicts(g, report(t, g, 4000))
	missed := list[6]
	if missed.Grade == analysis.Sound || missed.Cause != analysis.KingMissed || missed.Best[0].String() != "f7e8" {
		t.Errorf("a2a3: %+v", missed)
	}
}

func TestAQueenLeftToBeTakenIsNamed(t *testing.T) {
	t.Parallel()
	g := game(t, "{}", "e2e4 b8c6 d1g4 g8f6 g4g7 a7a6")
	list := analysis.Verdicts(g, report(t, g, 4000))
	if v := list[4]; v.Grade < analysis.Mistake || v.Cause != analysis.PieceLost || v.Piece != board.Queen {
		t.Errorf("g4g7: %+v", v)
	}
	if v := list[5]; v.Grade < analysis.Mistake || v.Cause != analysis.PieceMissed || v.Piece != board.Queen {
		t.Errorf("a7a6: %+v", v)
	}
}

func TestOnlyWhatWasLookedAtIsJudged(t *testing.T) {
	t.Parallel()
	g := game(t, "{}", "e2e4 e7e5 g1f3")
	r := report(t, g, 500)
	r.Points = r.Points[:3]
	if n := len(analysis.Verdicts(g, r)); n != 2 {
		t.Errorf("of three positions %d moves are judged", n)
	}
	if _, ok := analysis.Accuracy(nil, match.First); ok {
		t.Error("who has not moved has an accuracy")
	}
}

func TestGradesGrowWithTheLoss(t *testing.T) {
	t.Parallel()
	for loss, want := range map[float64]analysis.Grade{0: analysis.Sound, 0.07: analysis.Sound, 0.08: analysis.Slip, 0.15: analysis.Mistake,
		0.28: analysis.Blunder, 1: analysis.Blunder} {
		if got := analysis.GradeOf(loss); got != want {
			t.Errorf("%v: %v, want %v", loss, got, want)
		}
	}
}

// The scores of both sides add up to one point, and what is decided is certain.
func TestTheExpectedScoreIsFair(t *testing.T) {
	t.Parallel()
	for _, score := range []int{0, 1, 95, 400, 3000, 29_990} {
		if sum := search.Expected(score) + search.Expected(-score); math.Abs(sum-1) > 1e-9 {
			t.Errorf("%d: %v together", score, sum)
		}
	}
	if search.Expected(29_990) != 1 || search.Expected(0) != 0.5 {
		t.Errorf("%v, %v", search.Expected(29_990), search.Expected(0))
	}
}

// Black's move gave away what two looks at both positions say, less three hundredths of
// doubt in its favor.
func TestAWordIsOnlySaidWhenTwoLooksAgree(t *testing.T) {
	t.Parallel()
	g := game(t, "{}", "e2e4 e7e5")
	_, played := analysis.Roots(g)
	line := []board.Action{played[0]} // not what Black played
	for _, c := range []struct {
		first, second float64 // of White, after the move
		want          analysis.Grade
		loss          float64
	}{
		{0.9, 0.9, analysis.Blunder, 0.4},
		{0.9, 0.8, analysis.Blunder, 0.3}, // 0.27 is sure, so a hard word is said; which one, the longer look decides
		{0.7, 0.75, analysis.Mistake, 0.25},
		{0.9, 0.65, analysis.Slip, 0.15},
		{0.9, 0.55, analysis.Sound, 0.05},
		{0.55, 0.9, analysis.Sound, 0.05},
	} {
		r := analysis.Report{Points: []analysis.Point{{White: 0.5}, {White: 0.5, Line: line}, {White: c.first}}}
		if v := analysis.Verdicts(g, r)[1]; v.Grade != analysis.Sound {
			t.Errorf("after one look: %v", v.Grade)
		}
		r.Second = map[int]analysis.Point{1: {White: 0.5, Line: line}, 2: {White: c.second}}
		if v := analysis.Verdicts(g, r)[1]; v.Grade != c.want || math.Abs(v.Loss-c.loss) > 1e-9 {
			t.Errorf("%v, then %v: %v, %v", c.first, c.second, v.Grade, v.Loss)
		}
		// After the better move White has as much as 0.05 less than after the played one: so little was given away.
		r.Better = map[int]analysis.Point{1: {White: c.second - 0.05}}
		if v := analysis.Verdicts(g, r)[1]; v.Grade != analysis.Sound || v.Loss > 0.05+1e-9 {
			t.Errorf("what is hardly better: %v, %v", v.Grade, v.Loss)
		}
		r.Better[1] = analysis.Point{White: 0} // and more than was thought changes nothing
		if v := analysis.Verdicts(g, r)[1]; v.Grade != c.want || math.Abs(v.Loss-c.loss) > 1e-9 {
			t.Errorf("what is better still: %v, %v", v.Grade, v.Loss)
		}
		r.Better = nil
		r.Second[1] = analysis.Point{White: 0.5, Line: played[1:]}
		if v := analysis.Verdicts(g, r)[1]; v.Grade != analysis.Sound || v.Loss != 0 {
			t.Errorf("what the second look finds best is called %v", v.Grade)
		}
	}
}

// Black's move seems to be a mistake or a blunder, and the longest look at both positions decides.
func TestAThirdLookDecidesBetweenHardWords(t *testing.T) {
	t.Parallel()
	g := game(t, "{}", "e2e4 e7e5")
	_, played := analysis.Roots(g)
	line := []board.Action{played[0]} // not what Black played
	for _, c := range []struct {
		second, third float64 // of White, after the move
		want          analysis.Grade
	}{
		{0.77, 0.79, analysis.Blunder},
		{0.79, 0.77, analysis.Mistake},
		{0.79, 0.74, analysis.Mistake},
		{0.79, 0.72, analysis.Slip}, // so much less that nothing is sure
		{0.74, 0.67, analysis.Slip},
		{0.74, 0.52, analysis.Sound},
		{0.74, 0.9, analysis.Blunder},
	} {
		r := analysis.Report{
			Points: []analysis.Point{{White: 0.5}, {White: 0.5, Line: line}, {White: 0.8}},
			Second: map[int]analysis.Point{1: {White: 0.5, Line: line}, 2: {White: c.second}},
			Third:  map[int]analysis.Point{1: {White: 0.5, Line: line}, 2: {White: c.third}},
		}
		if v := analysis.Verdicts(g, r)[1]; v.Grade != c.want || math.Abs(v.Loss-(c.third-0.5)) > 1e-9 {
			t.Errorf("%v, then %v: %v, %v", c.second, c.third, v.Grade, v.Loss)
		}
		delete(r.Third, 2)
		if v := analysis.Verdicts(g, r)[1]; math.Abs(v.Loss-(c.second-0.5)) > 1e-9 {
			t.Errorf("half a third look decides: %v", v.Loss)
		}
	}
}

// All chips on the time leave everything else to the opponent. With four chips each that is said, with five not.
func TestABidIsOnlyJudgedNearTheEnd(t *testing.T) {
	t.Parallel()
	for chips, isSaid := range map[int]bool{4: true, 5: false} {
		o := match.DefaultOptions()
		o.Envelope.Chips = chips
		all := bidding.Bid{Target: bidding.Time, Chips: chips, HasOutcome: true, Time: o.Envelope.Presets[0]}
		s := bidding.Start(chips, o.Envelope.Defaults)
		if loss, _ := search.JudgeBid(t.Context(), s, o.Envelope, bidding.First, all); loss < analysis.DearFrom {
			t.Fatalf("%d chips on the time give away %v", chips, loss)
		}
		var m match.State
		for _, e := range append(match.Open(o, match.Seed{1}), match.BidPlaced{Seat: match.First, Bid: all}) {
			m = m.Apply(match.Recorded{Seq: m.Seq() + 1, At: time.UnixMilli(0), Event: e})
		}
		if bids := analysis.Bids(t.Context(), m); len(bids) != 1 || (bids[0].Better != nil) != isSaid || (bids[0].Loss > 0) != isSaid {
			t.Errorf("%d chips: %+v", chips, bids)
		}
	}
}
