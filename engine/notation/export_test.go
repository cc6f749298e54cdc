package notation_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/engine/notation"
)

// anyCommand draws a command that is often legal.
func anyCommand(t *rapid.T, s match.State) match.Command {
	g := s.Game()
	by, _ := g.Turn()
	if !g.OnBoard() {
		b := bidding.Bid{Target: bidding.Target(rapid.IntRange(1, 4).Draw(t, "target"))}
		gap := g.Bids().Gap(b.Target, by)
		b.Chips = max(1, gap+rapid.IntRange(0, 2).Draw(t, "over the gap"))
		b.HasOutcome = b.Chips != gap && b.Target != bidding.White
		b.Time = bidding.TimeControl{Minutes: rapid.IntRange(1, 180).Draw(t, "minutes"), Increment: rapid.IntRange(0, 60).Draw(t, "increment")}
		b.Row = board.Fit("KRQKD", g.Bids().Features().Width)
		b.Features = board.DefaultFeatures()
		b.Features.Width = rapid.IntRange(6, 10).Draw(t, "width")
		b.Features.Undos = 2
		b.Features.RemoveOwn, b.Features.NewbornPawns = true, true
		return match.PlaceBid{Seat: by, Bid: b}
	}
	switch rapid.IntRange(0, 40).Draw(t, "command") {
	case 0, 1, 2:
		return match.Undo{Seat: by}
	case 3:
		return match.Resign{Seat: by.Other()}
	}
	position := g.Position()
	return match.Play{Seat: by, Action: rapid.SampledFrom(position.Moves(nil)).Draw(t, "action")}
}

func TestAnExportedMatchReplaysToWhatWasPlayed(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		o := match.DefaultOptions()
		o.Envelope.Chips = rapid.IntRange(1, 4).Draw(t, "chips")
		o.Extra[rapid.IntRange(0, 1).Draw(t, "weaker")] = rapid.IntRange(0, 6).Draw(t, "handicap")
		now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
		var s match.State
		record := func(events []match.Event) {
			for _, e := range events {
				s = s.Apply(match.Recorded{Seq: s.Seq() + 1, At: now, Event: e})
			}
		}
		record(match.Open(o, match.Seed{byte(rapid.IntRange(0, 255).Draw(t, "seed"))}))
		for range rapid.IntRange(0, 60).Draw(t, "commands") {
			if s.Status() == match.Over {
				break
			}
			now = now.Add(time.Duration(rapid.IntRange(0, 20000).Draw(t, "pause")) * time.Millisecond)
			c := anyCommand(t, s)
			if rapid.IntRange(0, 9).Draw(t, "arbiter") == 0 {
				c = match.TakeBack{Warrant: match.Warrant{By: "1", Why: "because"}, Actions: rapid.IntRange(1, 3).Draw(t, "actions")}
			}
			if events, err := match.Decide(s, c, now); err == nil {
				record(events)
			}
		}
		r, err := notation.Export(s, notation.Event{First: "olena", Second: "taras", Name: "Club evening", Round: 1, Board: 2})
		if err != nil {
			t.Fatal(err)
		}
		g, err := r.NewGame()
		if err != nil {
			t.Fatal(err)
		}
		for i, raw := range r.Actions {
			if g, err = notation.Do(g, raw, r.First); err != nil {
				t.Fatalf("action %d, %s: %v", i, raw, err)
			}
		}
		have, want := notation.StateJSON(g, r.First, true), notation.StateJSON(s.Game(), match.FirstIsA, true)
		if string(have) != string(want) {
			t.Fatalf("have %s\nwant %s", have, want)
		}
		check, err := notation.CheckDraws(r)
		if over := s.Status() == match.Over; over && (err != nil || !check.AllHold()) || !over && err != notation.ErrNoSeed {
			t.Fatalf("draws: %+v, %v", check, err)
		}
		text, err := notation.Text(r)
		if err != nil {
			t.Fatal(err)
		}
		again, err := notation.ParseText(text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		a, _ := again.MarshalJSON()
		b, _ := r.MarshalJSON()
		if string(a) != string(b) {
			t.Fatalf("read back %s\nwritten %s", a, b)
		}
	})
}

func TestARecordTellsWhatArbitersDidBesideTheActions(t *testing.T) {
	t.Parallel()
	o := match.DefaultOptions()
	o.Envelope.Chips = 1
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	var s match.State
	record := func(events []match.Event, err error) {
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range events {
			s = s.Apply(match.Recorded{Seq: s.Seq() + 1, At: now, Event: e})
		}
	}
	do := func(c match.Command) { now = now.Add(time.Second); record(match.Decide(s, c, now)) }
	word := func(why string) match.Warrant { return match.Warrant{By: "17", Why: why} }
	record(match.Open(o, match.Seed{1}), nil)
	do(match.PlaceBid{Seat: match.First, Bid: bidding.Bid{Target: bidding.White, Chips: 1}})
	do(match.PlaceBid{Seat: match.Second, Bid: bidding.Bid{Target: bidding.Time, Chips: 1, HasOutcome: true, Time: bidding.TimeControl{Minutes: 5}}})
	e2e4, _ := board.ParseAction("e2e4")
	do(match.Play{Seat: match.First, Action: e2e4})
	do(match.Call{Seat: match.Second, Stops: true})
	do(match.TakeBack{Warrant: word("a slip"), Actions: 1})
	do(match.SetClock{Warrant: word("lost time"), Seat: match.Second, Left: 6 * time.Minute})
	do(match.Resume{Warrant: word("go on")})
	do(match.Play{Seat: match.First, Action: e2e4})
	r, err := notation.Export(s, notation.Event{Arbiters: map[string]string{"17": "iryna"}})
	if err != nil {
		t.Fatal(err)
	}
	have, _ := r.Others.Get("arbiter")
	want := `[{"act":"called","after":3,"at":4000,"by":"B"},` +
		`{"act":"taken-back","after":3,"at":5000,"who":"iryna","why":"a slip","taken":[{"by":"A","act":"e2e4"}]},` +
		`{"act":"clock-set","after":2,"at":6000,"who":"iryna","why":"lost time","by":"B","left":360000},` +
		`{"act":"resumed","after":2,"at":7000,"who":"iryna","why":"go on"}]`
	if string(have) != want || len(r.Actions) != 3 {
		t.Errorf("beside %s\nstands %s\nwant   %s", r.Actions, have, want)
	}
}
