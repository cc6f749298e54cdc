package search_test

import (
	"testing"
	"time"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/engine/search"
)

// withUndos is a match on the usual features with so many undos, First playing White,
// after these moves.
func withUndos(t *testing.T, undos int, moves ...string) match.State {
	t.Helper()
	o := match.DefaultOptions()
	o.Envelope.Chips, o.Envelope.Defaults.Undos = 1, undos
	s := record(match.State{}, match.Open(o, match.Seed{}))
	do := func(c match.Command) {
		t.Helper()
		events, err := match.Decide(s, c, noon)
		if err != nil {
			t.Fatal(err)
		}
		s = record(s, events)
	}
	if s.Status() == match.Waiting {
		do(match.Ready{Seat: match.First})
		do(match.Ready{Seat: match.Second})
	}
	do(match.PlaceBid{Seat: match.First, Bid: bidding.Bid{Target: bidding.White, Chips: 1}})
	do(match.PlaceBid{Seat: match.Second, Bid: bidding.Bid{
		Target: bidding.Time, Chips: 1, HasOutcome: true, Time: bidding.TimeControl{Minutes: 5}}})
	for i, text := range moves {
		a, err := board.ParseAction(text)
		if err != nil {
			t.Fatal(err)
		}
		do(match.Play{Seat: match.First + match.Seat(i%2), Action: a})
	}
	return s
}

func TestABotTakesALostQueenBackOnceAndPlaysSomethingElse(t *testing.T) {
	t.Parallel()
	bot := search.Bot{Nodes: 3000}
	s := withUndos(t, 1, "e2e4", "d7d5", "d1g4", "c8g4") // the queen is gone
	c, err := bot.Choose(t.Context(), s, match.First)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := c.(match.Undo); !ok {
		t.Fatalf("%+v: the queen stays lost", c)
	}
	events, err := match.Decide(s, c, noon)
	if err != nil {
		t.Fatal(err)
	}
	s = record(s, events)
	again, err := bot.Choose(t.Context(), s, match.First)
	if err != nil {
		t.Fatal(err)
	}
	if play, ok := again.(match.Play); !ok || play.Action.String() == "d1g4" {
		t.Errorf("%+v after the undo", again)
	}
}

func TestABotTakesNothingBackWithoutNeed(t *testing.T) {
	t.Parallel()
	for name, s := range map[string]match.State{
		"nothing is lost":   withUndos(t, 1, "e2e4", "d7d5", "e4d5", "d8d5"),
		"no undos are left": withUndos(t, 0, "e2e4", "d7d5", "d1g4", "c8g4"),
	} {
		c, err := search.Bot{Nodes: 3000}.Choose(t.Context(), s, match.First)
		if _, ok := c.(match.Undo); ok || err != nil {
			t.Errorf("%s: %+v, %v", name, c, err)
		}
	}
}

// White's share on every terms is a share, and a table that was made is read.
func TestTermsAreWorthAShare(t *testing.T) {
	t.Parallel()
	for width := board.MinWidth; width <= board.MaxWidth; width++ {
		for _, f := range search.Twists(board.DefaultFeatures(), width) {
			for _, row := range search.Armies(width) {
				if white := search.WorthOfWhite(f, row); white <= 0.1 || white >= 0.9 {
					t.Errorf("%v, %s: %v", f, row, white)
				}
				if err := board.ValidateRow(row, width); err != nil {
					t.Errorf("%s: %v", row, err)
				}
			}
		}
	}
	hill := board.DefaultFeatures()
	hill.Width, hill.KingOfTheHill, hill.FierceKings = 10, true, true
	if white := search.WorthOfWhite(hill, "KKKKKKKKKK"); white < 0.7 {
		t.Errorf("ten kings race for the hill, and White has %v", white)
	}
}

// Who has bought White is left with terms that serve Black: the opponent has spent
// all chips and cannot answer.
func TestABidderAnswersWhoBoughtWhiteWithTermsForBlack(t *testing.T) {
	t.Parallel()
	e := bidding.DefaultEnvelope()
	s := bidding.Start(e.Chips, e.Defaults)
	s, err := s.Place(bidding.First, bidding.Bid{Target: bidding.White, Chips: e.Chips})
	for err == nil && !s.IsOver() {
		if target, pending := s.Pending(); pending {
			s, err = s.Draw(bidding.Draw{Target: target, White: bidding.First, Time: e.Presets[0]})
			continue
		}
		var b bidding.Bid
		if b, err = search.BestBid(t.Context(), s, e, bidding.Second, search.Taste{Seed: 1}); err == nil {
			s, err = s.Place(bidding.Second, b)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	terms, err := s.Terms()
	if white := search.WorthOfWhite(terms.Features, terms.Row); err != nil || terms.White != bidding.First || white > 0.4 {
		t.Errorf("%+v, %v: White has %v", terms, err, white)
	}
}

func TestADearBidIsToldFromAGoodOne(t *testing.T) {
	t.Parallel()
	e := bidding.DefaultEnvelope()
	s := bidding.Start(e.Chips, e.Defaults)
	all := bidding.Bid{Target: bidding.Time, Chips: e.Chips, HasOutcome: true, Time: e.Presets[0]}
	loss, better := search.JudgeBid(t.Context(), s, e, bidding.First, all)
	if loss < 0.05 || better.Chips == 0 {
		t.Errorf("all chips on the time cost %v; better %+v", loss, better)
	}
	if loss, _ := search.JudgeBid(t.Context(), s, e, bidding.First, better); loss > 0 {
		t.Errorf("the best bid costs %v", loss)
	}
}

// With a second left of its clock a bot looks at no more than what takes a fiftieth of
// it: what it finds is what one that thinks no further finds.
func TestABotInHasteThinksLess(t *testing.T) {
	t.Parallel()
	s := withUndos(t, 0, "e2e4", "d7d5", "d1g4")
	position := s.Game().Position()
	late := s.Apply(match.Recorded{Seq: s.Seq() + 1, At: noon.Add(299*time.Second + 900*time.Millisecond),
		Event: match.Played{Seat: match.Second, Action: position.Moves(nil)[0]}})
	if _, _, second := late.Since(); second > time.Second {
		t.Fatalf("%v are left", second)
	}
	position = late.Game().Position()
	late = late.Apply(match.Recorded{Seq: late.Seq() + 1, At: late.LastAt(),
		Event: match.Played{Seat: match.First, Action: position.Moves(nil)[0]}})
	got, err := search.Bot{Nodes: 1 << 30}.Choose(t.Context(), late, match.Second) // without haste: half an hour
	if err != nil {
		t.Fatal(err)
	}
	if want, err := (search.Bot{Nodes: 500}).Choose(t.Context(), late, match.Second); err != nil || got != want {
		t.Errorf("%+v, want %+v, %v", got, want, err)
	}
}
