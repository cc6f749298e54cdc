package selfplay_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"chpok.org/chpok/cmd/chpok-lab/selfplay"
	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/search"
)

func TestSamplesAreReadAsTheyWereWritten(t *testing.T) {
	t.Parallel()
	var a, b bytes.Buffer
	for _, w := range []*bytes.Buffer{&a, &b} {
		if err := selfplay.SampleTerms(t.Context(), w, 12, 30, 5); err != nil {
			t.Fatal(err)
		}
	}
	if a.String() != b.String() {
		t.Error("the same seed plays other games")
	}
	list, err := selfplay.ReadSamples(&a)
	if err != nil || len(list) != 12 {
		t.Fatalf("%d samples, %v", len(list), err)
	}
	for _, s := range list {
		if s.White < 0 || s.White > 2 || board.ValidateRow(s.Row, s.Features.Width) != nil {
			t.Errorf("%+v", s)
		}
	}
	if _, err := selfplay.ReadSamples(strings.NewReader("no JSON")); err == nil {
		t.Error("nonsense is a sample")
	}
}

// Of games in which White always wins with one feature and never without it, the
// traits learn that; terms that were played often are kept.
func TestTheTableLearnsWhoIsServed(t *testing.T) {
	t.Parallel()
	usual, skip := board.DefaultFeatures(), board.DefaultFeatures()
	skip.SkipMoves = true
	var samples []selfplay.Sample
	for range 40 {
		samples = append(samples, selfplay.Sample{Features: usual, Row: "RNBQKBNR"}, selfplay.Sample{Features: skip, Row: "RNBQKBNR", White: 2})
	}
	w := selfplay.FitTerms(samples)
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
	for _, name := range []string{"random", "white"} {
		sum := 0.0
		const matches = 6
		for i := range matches {
			terms, ours := bidAgainst(t, name, i)
			sum += worthTo(ours, terms)
		}
		t.Logf("%s: %.2f", name, sum/matches)
		if sum/matches < 0.55 {
			t.Errorf("against %s our terms are worth %.2f", name, sum/matches)
		}
	}
}

// Every course of a bidding in which one puts all on features while it can raise or
// call there, by up to three chips more than it takes: whatever the other one bids, the
// last word is that one's raise, or a call that took all chips of both.
func TestWhoBidsOnFeaturesCannotBeOutbid(t *testing.T) {
	t.Parallel()
	for _, they := range []bidding.Seat{bidding.First, bidding.Second} {
		seen, ends := map[bidding.State]bool{}, 0
		var walk func(bidding.State)
		walk = func(s bidding.State) {
			seat, ok := s.Turn()
			switch {
			case seen[s]:
				return
			case !ok:
				ends++
				called := s.Features() == board.DefaultFeatures() && s.Stake(bidding.Features, they.Other()) == s.Chips()
				if s.Features().Width != theirWidth && !called {
					t.Errorf("%+v", s)
				}
				return
			}
			seen[s] = true
			list := onFeatures(s, seat == they)
			if len(list) == 0 {
				t.Errorf("no bid: %+v", s)
			}
			for _, bid := range list {
				next, err := s.Place(seat, bid)
				if err != nil {
					t.Fatal(err)
				}
				walk(next)
			}
		}
		walk(bidding.Start(bidding.DefaultChips, board.DefaultFeatures()))
		if t.Logf("%d states, %d ends", len(seen), ends); ends == 0 {
			t.Error("the bidding never ends")
		}
	}
}

// The widths that either side asks for, neither the usual one.
const theirWidth, ourWidth = 6, 10

// onFeatures are the bids of who bids on features alone, asking for one width; or of
// the other one, for another width there and on the home row.
func onFeatures(s bidding.State, they bool) (list []bidding.Bid) {
	seat, _ := s.Turn()
	purse, least := s.Purse(seat), max(1, s.Gap(bidding.Features, seat)+1)
	add := func(bid bidding.Bid, least, most int) {
		for bid.Chips = least; bid.Chips <= most; bid.Chips++ {
			list = append(list, bid)
		}
	}
	if call, err := s.CallOf(bidding.Features); err == nil && (!they || least > purse) {
		list = append(list, call)
	}
	ask := bidding.Bid{Target: bidding.Features, HasOutcome: true, Features: board.DefaultFeatures()}
	if they {
		ask.Features.Width = theirWidth
		add(ask, least, min(purse, least+3))
		return list
	}
	ask.Features.Width = ourWidth
	add(ask, least, purse)
	add(bidding.Bid{Target: bidding.HomeRow, HasOutcome: true, Row: board.StandardRow(s.Features().Width)}, 1, purse)
	return list
}

// What is left to have is White, with the row that then serves it best, or a coin. No
// way of bidding gets more of the table; ours gets nearly that (docs/engine.md).
func TestWhoBidsOnFeaturesLeavesWhiteAndTheRow(t *testing.T) {
	t.Parallel()
	most, all := 0.0, 0.0
	for width := board.MinWidth; width <= board.MaxWidth; width++ {
		for _, f := range search.Twists(board.DefaultFeatures(), width) {
			most += mostFor(f)
			all++
		}
	}
	t.Logf("on features by lot the most is %.3f", most/all)
	const matches = 12
	got, could := 0.0, 0.0
	for i := range matches {
		terms, ours := bidAgainst(t, "features", i)
		got += worthTo(ours, terms)
		could += mostFor(terms.Features)
	}
	t.Logf("of %.3f we got %.3f", could/matches, got/matches)
	if got < could-0.02*matches {
		t.Errorf("of %.3f we got %.3f", could/matches, got/matches)
	}
}

// mostFor is the most one can have of the table who can choose the row, and White or a
// coin.
func mostFor(f board.Features) float64 {
	most := 0.5
	for _, row := range search.Armies(f.Width) {
		most = max(most, search.WorthOfWhite(f, row))
	}
	return most
}

// worthTo is what terms are worth to a seat by the table.
func worthTo(seat bidding.Seat, terms bidding.Terms) float64 {
	white := search.WorthOfWhite(terms.Features, terms.Row)
	if terms.White != seat {
		return 1 - white
	}
	return white
}

// bidAgainst lets ours bid against another one, and tells which seat ours was.
func bidAgainst(t *testing.T, name string, i int) (terms bidding.Terms, ours bidding.Seat) {
	t.Helper()
	e := bidding.DefaultEnvelope()
	lots := rand.New(rand.NewPCG(4, uint64(i)))
	ours = bidding.First + bidding.Seat(i%2)
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
			b, err = search.BestBid(t.Context(), s, e, seat, search.Taste{Seed: uint64(i)})
		default:
			b = selfplay.Bidders[name](s, e, seat, uint64(i), lots)
		}
		if err == nil {
			s, err = s.Place(seat, b)
		}
	}
	terms, bad := s.Terms()
	if err != nil || bad != nil {
		t.Fatal(err, bad)
	}
	return terms, ours
}

func TestEveryBidderKeepsTheRules(t *testing.T) {
	t.Parallel()
	for name, b := range selfplay.Bidders {
		if _, err := selfplay.BidMatch(t.Context(), b, bidding.DefaultEnvelope(), 1, 10, 9); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Two of three count: 10 and 20 hundredths are said, 100 and 50 were brought. Their variance is 0.0625, of a mean of two
// all of it, and 1.96 times its root 0.49.
func TestDearBidsAreCountedByWhatTheyAreSaidToCost(t *testing.T) {
	t.Parallel()
	list := []selfplay.DearBid{{0.1, 1}, {0.05, 0}, {0.2, 0.5}}
	n, said, brought, margin := selfplay.Brought(list, 0.1)
	if n != 2 || math.Abs(said-0.15) > 1e-9 || math.Abs(brought-0.75) > 1e-9 || math.Abs(margin-0.49) > 1e-9 {
		t.Error(n, said, brought, margin)
	}
	list, err := selfplay.DearBids(t.Context(), bidding.DefaultEnvelope(), 3, 10, 9)
	if err != nil || len(list) != 3 {
		t.Fatal(list, err)
	}
	for _, d := range list {
		if twice := 2 * d.Brought; d.Said < 0.03 || twice != math.Round(twice) || math.Abs(twice) > 2 {
			t.Errorf("%+v", d)
		}
	}
}

// Games that are added to a table count beside those it was made of; what it says of
// terms that were not played again stays.
func TestGamesAreAddedToTheTable(t *testing.T) {
	t.Parallel()
	usual, skip := board.DefaultFeatures(), board.DefaultFeatures()
	skip.SkipMoves = true
	play := func(f board.Features, games, white int) (list []selfplay.Sample) {
		for range games {
			list = append(list, selfplay.Sample{Features: f, Row: "RNBQKBNR", White: white})
		}
		return list
	}
	before := selfplay.FitTerms(append(play(usual, 40, 1), play(skip, 40, 2)...))
	after := selfplay.AddTerms(before, play(usual, 60, 0))
	if len(after.Known) != 2 || !slices.Equal(after.Traits, before.Traits) {
		t.Fatalf("%+v", after)
	}
	// Of 100 games White has the points of 20; the traits count for 30 more.
	white := (20 + 30*search.Estimate(before.Traits, usual, "RNBQKBNR")) / 130
	want := search.Known{Features: usual, Row: "RNBQKBNR", Games: 100, White: white}
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
