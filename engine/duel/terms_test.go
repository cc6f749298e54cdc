package duel_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/duel"
	"chpok.org/chpok/engine/search"
)

func TestSamplesAreReadAsTheyWereWritten(t *testing.T) {
	t.Parallel()
	var a, b bytes.Buffer
	for _, w := range []*bytes.Buffer{&a, &b} {
		if err := duel.SampleTerms(t.Context(), w, 12, 30, 5); err != nil {
			t.Fatal(err)
		}
	}
	if a.String() != b.String() {
		t.Error("the same seed plays other games")
	}
	list, err := duel.ReadSamples(&a)
	if err != nil || len(list) != 12 {
		t.Fatalf("%d samples, %v", len(list), err)
	}
	for _, s := range list {
		if s.White < 0 || s.White > 2 || board.ValidateRow(s.Row, s.Features.Width) != nil {
			t.Errorf("%+v", s)
		}
	}
	if _, err := duel.ReadSamples(strings.NewReader("no JSON")); err == nil {
		t.Error("nonsense is a sample")
	}
}

// Of games in which White always wins with one feature and never without it, the
// traits learn that; terms that were played often are kept.
func TestTheTableLearnsWhoIsServed(t *testing.T) {
	t.Parallel()
	usual, skip := board.DefaultFeatures(), board.DefaultFeatures()
	skip.SkipMoves = true
	var samples []duel.Sample
	for range 40 {
		samples = append(samples, duel.Sample{Features: usual, Row: "RNBQKBNR"}, duel.Sample{Features: skip, Row: "RNBQKBNR", White: 2})
	}
	w := duel.FitTerms(samples)
	with, without := search.Estimate(w.Traits, skip, "RNBQKBNR"), search.Estimate(w.Traits, usual, "RNBQKBNR")
	if with < 0.7 || without > 0.3 {
		t.Errorf("White has %v with it, %v without", with, without)
	}
	if len(w.Known) != 2 || w.Known[0].Games != 40 || w.Known[0].White > 0.2 || w.Known[1].White < 0.8 {
		t.Errorf("known: %+v", w.Known)
	}
}

// The terms that our bidding gets, as the table has them; docs/engine.md has the
// scores of matches that were played out.
func TestOurBiddingGetsTermsThatServeIt(t *testing.T) {
	t.Parallel()
	e := bidding.DefaultEnvelope()
	for _, name := range []string{"random", "white"} {
		sum := 0.0
		const matches = 6
		for i := range matches {
			lots := rand.New(rand.NewPCG(4, uint64(i)))
			ours := bidding.First + bidding.Seat(i%2)
			s := bidding.Start(e.Chips, e.Defaults)
			var err error
			for err == nil && !s.IsOver() {
				seat, _ := s.Turn()
				target, pending := s.Pending()
				var b bidding.Bid
				switch {
				case pending:
					s, err = s.Draw(bidding.Draw{Target: target, White: bidding.First + bidding.Seat(lots.IntN(2)), Time: e.Presets[0]})
					continue
				case seat == ours:
					b, err = search.BestBid(t.Context(), s, e, seat, uint64(i), 0)
				default:
					b = duel.Bidders[name](s, e, seat, uint64(i), lots)
				}
				if err == nil {
					s, err = s.Place(seat, b)
				}
			}
			terms, bad := s.Terms()
			if err != nil || bad != nil {
				t.Fatal(err, bad)
			}
			white := search.WorthOfWhite(terms.Features, terms.Row)
			if terms.White != ours {
				white = 1 - white
			}
			sum += white
		}
		t.Logf("%s: %.2f", name, sum/matches)
		if sum/matches < 0.55 {
			t.Errorf("against %s our terms are worth %.2f", name, sum/matches)
		}
	}
}

func TestEveryBidderKeepsTheRules(t *testing.T) {
	t.Parallel()
	for name, b := range duel.Bidders {
		if _, err := duel.BidMatch(t.Context(), b, bidding.DefaultEnvelope(), 1, 10, 9); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Games that are added to a table count beside those it was made of; what it says of
// terms that were not played again stays.
func TestGamesAreAddedToTheTable(t *testing.T) {
	t.Parallel()
	usual, skip := board.DefaultFeatures(), board.DefaultFeatures()
	skip.SkipMoves = true
	play := func(f board.Features, games, white int) (list []duel.Sample) {
		for range games {
			list = append(list, duel.Sample{Features: f, Row: "RNBQKBNR", White: white})
		}
		return list
	}
	before := duel.FitTerms(append(play(usual, 40, 1), play(skip, 40, 2)...))
	after := duel.AddTerms(before, play(usual, 60, 0))
	if len(after.Known) != 2 || !slices.Equal(after.Traits, before.Traits) {
		t.Fatalf("%+v", after)
	}
	// Of 100 games White has the points of 20; the traits count for 30 more.
	want := search.Known{Features: usual, Row: "RNBQKBNR", Games: 100, White: (20 + 30*search.Estimate(before.Traits, usual, "RNBQKBNR")) / 130}
	got := after.Known[0]
	if math.Abs(got.White-want.White) > 0.001 {
		t.Errorf("played again: %+v, not %v", got, want.White)
	}
	if got.White = want.White; got != want {
		t.Errorf("played again: %+v, not %+v", got, want)
	}
	if !slices.Contains(before.Known, after.Known[1]) || after.Known[1].Features != skip {
		t.Errorf("not played again: %+v", after.Known[1])
	}
}
