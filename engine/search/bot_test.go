package search_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"pgregory.net/rapid"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/engine/search"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// record is the state after the events, all at noon: no clock ever runs down.
func record(s match.State, events []match.Event) match.State {
	for _, e := range events {
		s = s.Apply(match.Recorded{Seq: s.Seq() + 1, At: noon, Event: e})
	}
	return s
}

// step gives the bot of whoever is to act its turn.
func step(t testing.TB, s match.State, bots map[match.Seat]search.Bot) match.State {
	t.Helper()
	seat, ok := s.ToAct()
	if !ok {
		if seat = match.First; s.IsReady(seat) {
			seat = match.Second
		}
	}
	c, err := bots[seat].Choose(context.Background(), s, seat)
	if errors.Is(err, search.ErrWait) {
		deadline, _ := s.Deadline()
		events, err := match.Decide(s, match.CheckClock{}, deadline)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range events {
			s = s.Apply(match.Recorded{Seq: s.Seq() + 1, At: deadline, Event: e})
		}
		return s
	}
	if err != nil {
		t.Fatalf("%s: %v", s.Game().Position(), err)
	}
	events, err := match.Decide(s, c, noon)
	if err != nil {
		t.Fatalf("%s: %+v is refused: %v", s.Game().Position(), c, err)
	}
	return record(s, events)
}

func randomEnvelope(r *rand.Rand) bidding.Envelope {
	e := bidding.DefaultEnvelope()
	e.Chips = 1 + r.IntN(20)
	between := func(b *[2]int) {
		b[0] += r.IntN(b[1] - b[0] + 1)
		b[1] = b[0] + r.IntN(b[1]-b[0]+1)
	}
	between(&e.Undos)
	between(&e.Castlings)
	between(&e.MovePoints)
	between(&e.Minutes)
	between(&e.Increment)
	e.MoveLimit = [2]int{10, 10 + r.IntN(30)}
	e.Widths = [][]int{{6, 7, 8, 9, 10}, {6}, {9, 10}, {7, 8}}[r.IntN(4)]
	for _, key := range bidding.Switches {
		if r.IntN(3) == 0 {
			e.Forbidden = append(e.Forbidden, key)
		}
	}
	if r.IntN(2) == 0 {
		e.AnyRow, e.Rows = false, []board.Row{"RNBKKBNR", "KKKKKK"}[:r.IntN(3)]
	}
	f := &e.Defaults
	f.Width = e.Widths[r.IntN(len(e.Widths))]
	f.MoveLimit, f.Undos, f.Castlings = e.MoveLimit[1], e.Undos[0], e.Castlings[1]
	for k := board.Pawn; k <= board.Dragon; k++ {
		f.MovePoints[k] = e.MovePoints[0]
	}
	for key, on := range map[string]*bool{
		"kingOfTheHill": &f.KingOfTheHill, "kingsRun": &f.KingsRun, "fierceKings": &f.FierceKings,
		"removeOwn": &f.RemoveOwn, "skipMoves": &f.SkipMoves, "newbornPawns": &f.NewbornPawns,
	} {
		*on = r.IntN(3) == 0
		for _, forbidden := range e.Forbidden {
			*on = *on && forbidden != key
		}
	}
	e.Presets = []bidding.TimeControl{{Minutes: e.Minutes[0], Increment: e.Increment[1]}}
	return e
}

// Bots play whole matches in any envelope without a single refusal, and every
// match comes to an end.
func TestMatchesOfBotsEnd(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 3))
		o := match.DefaultOptions()
		o.Envelope = randomEnvelope(r)
		o.Claims = match.Claims(r.IntN(2))
		o.Lateness = time.Duration(r.IntN(2)) * time.Minute
		if err := o.Validate(); err != nil {
			t.Fatal(err)
		}
		bots := map[match.Seat]search.Bot{
			match.First:  {Nodes: r.IntN(40), Seed: r.Uint64()},
			match.Second: {Nodes: r.IntN(40), Seed: r.Uint64()},
		}
		s := record(match.State{}, match.Open(o, match.Seed{byte(r.Uint32())}))
		for range 1000 {
			if s.Status() == match.Over {
				return
			}
			s = step(t, s, bots)
		}
		t.Fatalf("no end after %d events: %s", s.Seq(), s.Game().Position())
	})
}

// onBoard is a match on those terms whose bidding is over; First plays White.
func onBoard(t testing.TB, features string, row board.Row, claims match.Claims, moves ...string) match.State {
	t.Helper()
	o := match.DefaultOptions()
	o.Claims = claims
	o.Envelope.Chips = 2
	f, err := board.ParseFeatures([]byte(features))
	if err != nil {
		t.Fatal(err)
	}
	o.Envelope.Defaults = f
	s := record(match.State{}, match.Open(o, match.Seed{7}))
	for _, c := range []match.Command{
		match.PlaceBid{Seat: match.First, Bid: bidding.Bid{Target: bidding.White, Chips: 2}},
		match.PlaceBid{Seat: match.Second, Bid: bidding.Bid{
			Target: bidding.Time, Chips: 1, HasOutcome: true, Time: bidding.TimeControl{Minutes: 5}}},
		match.PlaceBid{Seat: match.Second, Bid: bidding.Bid{
			Target: bidding.HomeRow, Chips: 1, HasOutcome: true, Row: row}},
	} {
		s = command(t, s, c)
	}
	for _, text := range moves {
		a, err := board.ParseAction(text)
		if err != nil {
			t.Fatal(err)
		}
		seat, _ := s.ToAct()
		s = command(t, s, match.Play{Seat: seat, Action: a})
	}
	return s
}

func command(t testing.TB, s match.State, c match.Command) match.State {
	t.Helper()
	events, err := match.Decide(s, c, noon)
	if err != nil {
		t.Fatalf("%+v: %v", c, err)
	}
	return record(s, events)
}

func TestBotEndsTheGameWhenItCan(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		features string
		moves    []string
	}{
		"by taking the last king": { // the pawn that hid it has gone
			`{}`, []string{"e2e4", "e7e5", "d1h5", "a7a6", "h5f7", "a6a5"}},
		"on the hill": {
			`{"kingOfTheHill":true}`, []string{"e2e4", "a7a6", "e1e2", "b7b6", "e2e3", "h7h6", "e3d4", "g7g6"}},
		"at the end of the run": {
			`{"kingsRun":true,"skipMoves":true}`,
			[]string{"e2e4", "--", "e1e2", "--", "e2e3", "--", "e3f4", "--", "f4f5", "--", "f5e6", "--", "e6f7", "--"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := onBoard(t, c.features, "RNBQKBNR", match.Automatic, c.moves...)
			s = step(t, s, map[match.Seat]search.Bot{match.First: {Nodes: 5000}})
			if s.Result().Outcome != match.FirstWins {
				t.Errorf("it left %s", s.Game().Position())
			}
		})
	}
}

func TestBotSavesItsLastKing(t *testing.T) {
	t.Parallel()
	// The queen on e5 looks at the king on e8; three pieces can come between.
	s := onBoard(t, `{}`, "RNBQKBNR", match.Automatic, "e2e4", "e7e5", "d1h5", "a7a6", "h5e5")
	s = step(t, s, map[match.Seat]search.Bot{match.Second: {Nodes: 5000}})
	p := s.Game().Position()
	for _, a := range p.Moves(nil) {
		if _, e := p.PlayUnchecked(a); e.End != board.NotOver {
			t.Errorf("it left %s, where %s ends the game", p, a)
		}
	}
}

func TestBotClaimsUnderManualClaims(t *testing.T) {
	t.Parallel()
	shuffle := func(first string, n int) (moves []string) {
		if moves = []string{}; first != "" {
			moves = append(moves, first)
		}
		for range n {
			moves = append(moves, "--", "--")
		}
		return moves
	}
	level := onBoard(t, `{"skipMoves":true}`, "RNBQKBNR", match.Manual, shuffle("", 20)...)
	for _, seat := range match.Seats {
		if got, err := (search.Bot{}).Choose(context.Background(), level, seat); err != nil || got != (match.Claim{Seat: seat}) {
			t.Errorf("the score is level: %v answers %+v, %v", seat, got, err)
		}
	}
	moves := append([]string{"e2e4", "--", "e4e5", "--"}, shuffle("", 19)...)
	ahead := onBoard(t, `{"skipMoves":true}`, "RNBQKBNR", match.Manual, moves...)
	if got, err := (search.Bot{}).Choose(context.Background(), ahead, match.First); err != nil || got != (match.Claim{Seat: match.First, Win: true}) {
		t.Errorf("White leads: it answers %+v, %v", got, err)
	}
}

func TestBotWithNothingToDo(t *testing.T) {
	t.Parallel()
	s := onBoard(t, `{}`, "RNBQKBNR", match.Automatic)
	if _, err := (search.Bot{}).Choose(context.Background(), s, match.Second); !errors.Is(err, search.ErrNotToAct) {
		t.Errorf("Black is not to move: error %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := (search.Bot{Nodes: 100}).Choose(ctx, s, match.First); !errors.Is(err, context.Canceled) {
		t.Errorf("the context is cancelled: error %v", err)
	}
	over := command(t, s, match.Resign{Seat: match.First})
	if _, err := (search.Bot{}).Choose(context.Background(), over, match.First); !errors.Is(err, match.ErrOver) {
		t.Errorf("the match is over: error %v", err)
	}
}

func TestSameStateSameCommand(t *testing.T) {
	t.Parallel()
	bots := map[match.Seat]search.Bot{match.First: {Nodes: 300, Seed: 1}, match.Second: {Nodes: 300, Seed: 2}}
	s := record(match.State{}, match.Open(match.DefaultOptions(), match.Seed{9}))
	for range 40 {
		seat, ok := s.ToAct()
		if !ok {
			return
		}
		a, err1 := bots[seat].Choose(context.Background(), s, seat)
		b, err2 := bots[seat].Choose(context.Background(), s, seat)
		if err1 != nil || err2 != nil || fmt.Sprint(a) != fmt.Sprint(b) {
			t.Fatalf("%+v %v, then %+v %v", a, err1, b, err2)
		}
		s = step(t, s, bots)
	}
}

// A bot that put all its chips on one target would leave the others to chance.
func TestBotsSpreadTheirChips(t *testing.T) {
	t.Parallel()
	bots := map[match.Seat]search.Bot{match.First: {Seed: 1}, match.Second: {Seed: 2}}
	for seed := range byte(12) {
		s := record(match.State{}, match.Open(match.DefaultOptions(), match.Seed{seed}))
		for s.Status() == match.Bidding {
			s = step(t, s, bots)
		}
		bids := s.Game().Bids()
		for _, seat := range match.Seats {
			for target := bidding.White; target <= bidding.Features; target++ {
				if stake := bids.Stake(target, seat); stake > 10 {
					t.Errorf("seed %d: %v staked %d of 15 chips on %v", seed, seat, stake, target)
				}
			}
		}
	}
}

// More thought must beat less: of these games the stronger bot wins most.
func TestMoreThoughtWins(t *testing.T) {
	t.Parallel()
	if testing.Short() || raceEnabled {
		t.Skip("plays whole games")
	}
	score := 0
	for game := range 6 {
		strong := match.Seats[game%2]
		bots := map[match.Seat]search.Bot{strong: {Nodes: 3000}, strong.Other(): {Nodes: 30}}
		s := record(match.State{}, match.Open(match.DefaultOptions(), match.Seed{byte(game)}))
		for s.Status() != match.Over {
			s = step(t, s, bots)
		}
		if winner, ok := s.Result().Outcome.Winner(); ok && winner == strong {
			score++
		}
	}
	if score < 5 {
		t.Errorf("the stronger bot won %d of 6", score)
	}
}

func BenchmarkChoose(b *testing.B) {
	s := onBoard(b, `{}`, "RNBQKBNR", match.Automatic, "e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "g8f6")
	const nodes = 20_000
	b.ReportAllocs()
	for b.Loop() {
		if _, err := (search.Bot{Nodes: nodes}).Choose(context.Background(), s, match.First); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(nodes*float64(b.N)/b.Elapsed().Seconds(), "nodes/s")
}

// Cautious bots name few chips for draw odds, bold ones more, none more than may be
// named, and not the same in every match.
func TestBotsBidForDrawOddsByTheirTaste(t *testing.T) {
	t.Parallel()
	for seed, want := range map[uint64][2]int{3: {0, 2}, 1: {1, 3}, 2: {2, 4}} { // of five that may be named
		seen := map[int]bool{}
		for n := range byte(40) {
			o := match.DefaultOptions()
			o.Envelope.Chips, o.Odds, o.Lateness = 6, true, time.Minute
			s, err := match.Fold([]match.Recorded{{Seq: 1, At: time.Unix(0, 0), Event: match.Open(o, match.Seed{n})[0]}})
			if err != nil {
				t.Fatal(err)
			}
			c, err := search.Bot{Seed: seed}.Choose(t.Context(), s, match.First)
			ready, ok := c.(match.Ready)
			if err != nil || !ok || ready.Sealed < want[0] || ready.Sealed > want[1] {
				t.Fatalf("taste %d: %+v, %v", seed, c, err)
			}
			seen[ready.Sealed] = true
		}
		if len(seen) != 3 {
			t.Errorf("taste %d: only %v", seed, seen)
		}
	}
}
