package learn

import (
	"fmt"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/templates/lang"
	learnview "chpok.org/chpok/templates/learn"
	"chpok.org/chpok/web/scene"
	"chpok.org/chpok/web/words"
)

// exampleStep is a step of the example: a bid, a draw or, at the start and end, neither. The text of step n is
// "rules.example.n".
type exampleStep struct {
	by   bidding.Seat
	bid  bidding.Bid
	draw bidding.Draw
}

const exampleChips = 7

// exampleSteps is a whole bidding phase. It has both kinds of bid on all targets, both draws, a row fitted to another
// width, and a player who goes on bidding alone.
var exampleSteps = []exampleStep{
	{},
	{by: bidding.First, bid: bidding.Bid{Target: bidding.White, Chips: 2}},
	{by: bidding.Second, bid: bidding.Bid{Target: bidding.Features, Chips: 2, HasOutcome: true, Features: exampleFeatures(6, true)}},
	{by: bidding.First, bid: bidding.Bid{Target: bidding.Features, Chips: 2}},
	{by: bidding.Second, bid: bidding.Bid{Target: bidding.White, Chips: 2}},
	{draw: bidding.Draw{Target: bidding.White, White: bidding.Second}},
	{by: bidding.First, bid: bidding.Bid{Target: bidding.Time, Chips: 1, HasOutcome: true,
		Time: bidding.TimeControl{Minutes: 10, Increment: 5}}},
	{by: bidding.Second, bid: bidding.Bid{Target: bidding.HomeRow, Chips: 2, HasOutcome: true, Row: "RNBKKBNR"}},
	{by: bidding.First, bid: bidding.Bid{Target: bidding.Features, Chips: 1, HasOutcome: true, Features: exampleFeatures(10, false)}},
	{by: bidding.Second, bid: bidding.Bid{Target: bidding.Time, Chips: 1}},
	{draw: bidding.Draw{Target: bidding.Time, Time: bidding.TimeControl{Minutes: 5, Increment: 3}}},
	{by: bidding.First, bid: bidding.Bid{Target: bidding.White, Chips: 1}},
	{},
}

func exampleFeatures(width int, hill bool) board.Features {
	f := board.DefaultFeatures()
	f.Width, f.KingOfTheHill = width, hill
	return f
}

// exampleAt returns the bidding after a step.
func exampleAt(step int) (bidding.State, error) {
	s := bidding.Start(exampleChips, board.DefaultFeatures())
	for i, x := range exampleSteps[:step+1] {
		var err error
		switch {
		case x.by.Valid():
			s, err = s.Place(x.by, x.bid)
		case x.draw.Target != 0:
			s, err = s.Draw(x.draw)
		}
		if err != nil {
			return s, fmt.Errorf("example, step %d: %w", i, err)
		}
	}
	return s, nil
}

func viewExample(p lang.Printer, step int) learnview.ExampleView {
	s, err := exampleAt(step)
	if err != nil {
		panic(err) // a test goes through all steps
	}
	names := [2]string{p.T("rules.example.first"), p.T("rules.example.second")}
	v := learnview.ExampleView{
		Text: p.T("rules.example." + words.Itoa(step)), Names: names,
		Progress: p.T("rules.example.step", "Step", step+1, "Steps", len(exampleSteps)),
		Purses:   [2]int{s.Purse(bidding.First), s.Purse(bidding.Second)},
		Board:    scene.StartBoard(p, s.Features(), s.Row(), false), IsOver: s.IsOver(),
	}
	if step > 0 {
		v.Previous = exampleURL(step - 1)
	}
	if step < len(exampleSteps)-1 {
		v.Next = exampleURL(step + 1)
	}
	x := exampleSteps[step]
	changed := x.draw.Target
	if x.by.Valid() {
		changed = x.bid.Target
		before, err := exampleAt(step - 1)
		if err != nil {
			panic(err)
		}
		isCall := !x.bid.HasOutcome && x.bid.Chips == before.Gap(x.bid.Target, x.by)
		act := scene.BidAct(p, x.bid, isCall, false, before.Features())
		v.Act = scene.BidTold(p, names[x.by.Index()], act) + " (" + p.N("match.chips", x.bid.Chips) + ")"
	} else if changed != 0 {
		v.Act = p.T("rules.example.draw", "Target", scene.TargetName(p, changed))
	}
	for t := bidding.White; t <= bidding.Features; t++ {
		target := learnview.ExampleTarget{
			Name: scene.TargetName(p, t), Outcome: exampleOutcome(p, s, t, names),
			Stakes: [2]int{s.Stake(t, bidding.First), s.Stake(t, bidding.Second)}, Changed: t == changed,
		}
		if t == bidding.HomeRow {
			target.Row = string(s.Row())
		}
		v.Targets = append(v.Targets, target)
	}
	return v
}

func exampleURL(step int) string { return "/rules/bidding?step=" + words.Itoa(step) }

func exampleOutcome(p lang.Printer, s bidding.State, t bidding.Target, names [2]string) string {
	switch t {
	case bidding.White:
		if seat, known := s.White(); known {
			return names[seat.Index()]
		}
		return p.T("rules.example.open")
	case bidding.Time:
		if tc, known := s.Time(); known {
			return tc.String()
		}
		return p.T("rules.example.open")
	}
	return scene.FeaturesText(p, s.Features())
}
