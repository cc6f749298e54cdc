package arbiter_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"chpok.org/chpok/arbiter/seats"
	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
)

// opens opens a match on the usual terms, one chip each.
func (h *hall) opens(level fairplay.Assurance, first, second player.ID) (id match.ID) {
	h.t.Helper()
	o := match.DefaultOptions()
	o.Envelope.Chips = 1
	h.ok(h.store.Write(h.t.Context(), func(tx *store.Tx) (err error) {
		id, err = h.live.OpenTx(tx, live.Opening{Players: [2]player.ID{first, second}, Options: o, Policy: fairplay.Preset(level)})
		return err
	}))
	return id
}

// does brings a command of whoever sits at a seat to the judge.
func (h *hall) does(id match.ID, seat match.Seat, command string) {
	h.t.Helper()
	c, err := match.ParseCommand(seat, []byte(command))
	h.ok(err)
	_, err = h.live.Do(h.t.Context(), id, h.head(id).Players[seat.Index()], live.Request{Command: c, Admit: admitted})
	h.ok(err)
}

// moves plays plies from the beginning of the board phase on; First is White.
func (h *hall) moves(id match.ID, plies ...string) board.Position {
	h.t.Helper()
	h.bids(id, h.head(id).Players[0], match.First, bidding.Bid{Target: bidding.White, Chips: 1})
	h.bids(id, h.head(id).Players[1], match.Second, bidding.Bid{Target: bidding.Time, Chips: 1, HasOutcome: true, Time: bidding.TimeControl{Minutes: 5, Increment: 3}})
	for i, ply := range plies {
		h.does(id, match.Seat(i%2+1), fmt.Sprintf(`{"act":%q}`, ply))
	}
	return h.state(id).Game().Position()
}

// line ends, at ply 7, in a position that hardly any other match comes to.
var line = []string{"a2a4", "h7h5", "b1c3", "b8c6", "g1f3", "g8f6", "a1a3"}

// TestWhatStoodInTwoEarlierMatchesIsNotLocked: earlier means that everybody had
// seen both to their ends when the running match opened.
func TestWhatStoodInTwoEarlierMatchesIsNotLocked(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *hall) {
		ctx, gus := t.Context(), h.viewer("gus")
		past := func() {
			t.Helper()
			id := h.opens(fairplay.Open, "ana", "bob")
			h.moves(id, line...)
			h.does(id, match.Second, `{"act":"resign"}`)
			h.ok(h.Sweep(ctx))
		}
		asks := func(pos board.Position, want error) {
			t.Helper()
			if err := h.Seats.MayAnalyse(ctx, seats.Asker{Viewer: gus}, pos); !errors.Is(err, want) {
				t.Errorf("%v, want %v", err, want)
			}
		}
		past()
		h.clock.advance(time.Minute)
		running := h.opens(fairplay.Declared, "dan", "eve")
		pos := h.moves(running, line...)
		asks(pos, seats.ErrBeingPlayed) // one earlier match
		h.clock.advance(time.Minute)
		past()
		asks(pos, seats.ErrBeingPlayed) // two friends could unlock any position by that
		h.does(running, match.First, `{"act":"resign"}`)

		h.clock.advance(time.Minute)
		next := h.opens(fairplay.Declared, "cyn", "fay")
		h.moves(next, line...)
		asks(pos, nil)
		h.does(next, match.Second, `{"act":"c6e5"}`) // nobody has played that yet
		asks(h.state(next).Game().Position(), seats.ErrBeingPlayed)
	})
}

// TestWhoPlaysGetsNoAnswerForANeighbor of the position, by no door: their account, their bot's,
// another account in a browser the match is played from, or a match that was played on the side.
func TestWhoPlaysGetsNoAnswerForANeighbor(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *hall) {
		ctx := t.Context()
		side := h.opens(fairplay.Open, "ana", "bob") // opened before, and ended after the match began
		running := h.opens(fairplay.Declared, "dan", "eve")
		h.moves(running, line...)
		bot := player.Player{ID: "dans-bot", Handle: "dans-bot", Role: player.Plain, Bot: true, Maintainer: "dan", Created: h.clock.now()}
		h.ok(h.store.Write(ctx, func(tx *store.Tx) error {
			return errors.Join(tx.AddPlayer(bot, ""),
				tx.AddDevice(running, store.Device{Seat: match.Second, Session: "s", Device: "eves laptop", At: h.clock.now()}))
		}))
		near := slices.Clone(line)
		near[0] = "a2a3" // the pawn stands elsewhere
		near[6] = "h1g1"
		h.clock.advance(time.Minute)
		neighbor := h.moves(side, near...)
		for name, test := range map[string]struct {
			by         seats.Asker
			want, read error // for asking of it, and for reading of the match on the side
		}{
			"who plays":                          {seats.Asker{Viewer: h.viewer("dan")}, seats.ErrBeingPlayed, seats.ErrBeingPlayed},
			"a player's bot":                     {seats.Asker{Viewer: player.Viewer{Player: bot}}, seats.ErrBeingPlayed, seats.ErrBeingPlayed},
			"another account in the browser":     {seats.Asker{Viewer: h.viewer("gus"), Device: "eves laptop"}, seats.ErrBeingPlayed, seats.ErrBeingPlayed},
			"the same account somewhere else":    {seats.Asker{Viewer: h.viewer("gus"), Device: "a phone"}, nil, nil},
			"somebody who only watches":          {seats.Asker{Viewer: h.viewer("cyn")}, nil, nil},
			"a visitor without any account":      {seats.Asker{}, seats.ErrBeingPlayed, nil}, // may be anybody
			"a visitor in a player's browser":    {seats.Asker{Device: "eves laptop"}, seats.ErrBeingPlayed, seats.ErrBeingPlayed},
			"the opponent, who did not move yet": {seats.Asker{Viewer: h.viewer("eve")}, seats.ErrBeingPlayed, seats.ErrBeingPlayed},
		} {
			if err := h.Seats.MayAnalyse(ctx, test.by, neighbor); !errors.Is(err, test.want) {
				t.Errorf("%s asks: %v, want %v", name, err, test.want)
			}
			if err := h.Seats.MayReadAnalysis(ctx, test.by, h.head(side), h.state(side).Game()); !errors.Is(err, test.read) {
				t.Errorf("%s reads of the match on the side: %v, want %v", name, err, test.read)
			}
		}
		opening, err := board.ParseCFEN(neighbor.Features(), "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w - 1/1 0/0 1/1 2")
		h.ok(err)
		if err := h.Seats.MayAnalyse(ctx, seats.Asker{}, opening); err != nil {
			t.Errorf("a visitor asks for an opening: %v", err)
		}
		h.ok(h.store.Read(ctx, func(tx *store.Tx) error {
			signals, err := tx.SignalsIn([]match.ID{running})
			noted, failed := tx.AnalysisRefusals(running)
			if len(noted) != 4 || len(signals) != 2 {
				t.Errorf("noted: %+v, signals: %+v", noted, signals)
			}
			return errors.Join(err, failed)
		}))
	})
}

// TestNobodyWhoMayBidIsToldOfBids: while a match is in its bidding, its players and whoever could be one of them get no
// answer about any bidding, and others none about how its own stands.
func TestNobodyWhoMayBidIsToldOfBids(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *hall) {
		asks := func(who string, by seats.Asker, bids bidding.State, want error) {
			t.Helper()
			if err := h.Seats.MayExploreBids(t.Context(), by, bids); !errors.Is(err, want) {
				t.Errorf("%s: %v, want %v", who, err, want)
			}
		}
		o := match.DefaultOptions()
		start := bidding.Start(o.Envelope.Chips, o.Envelope.Defaults)
		asks("a visitor before", seats.Asker{}, start, nil)
		var running match.ID
		h.ok(h.store.Write(t.Context(), func(tx *store.Tx) (err error) {
			running, err = h.live.OpenTx(tx, live.Opening{
				Players: [2]player.ID{"dan", "eve"}, Options: o, Policy: fairplay.Preset(fairplay.Declared),
			})
			return err
		}))
		first := bidding.Bid{Target: bidding.White, Chips: 2}
		second := bidding.Bid{Target: bidding.HomeRow, Chips: 1, HasOutcome: true, Row: "RNBKKBNR"}
		h.bids(running, "dan", match.First, first)
		h.bids(running, "eve", match.Second, second)
		same, err := start.Place(match.First, first)
		h.ok(err)
		other := same
		same, err = same.Place(match.Second, second)
		h.ok(err)
		asks("a player about another bidding", seats.Asker{Viewer: h.viewer("eve")}, start, seats.ErrBeingPlayed)
		asks("a player whom a link led there", seats.Asker{Viewer: h.viewer("eve"), ByLink: true}, same, seats.ErrBeingPlayed)
		asks("a player", seats.Asker{Viewer: h.viewer("dan")}, same, seats.ErrBeingPlayed)
		asks("a visitor", seats.Asker{}, start, seats.ErrBeingPlayed)
		asks("somebody who watches", seats.Asker{Viewer: h.viewer("cyn")}, same, seats.ErrBeingPlayed)
		asks("somebody who watches, about another bidding", seats.Asker{Viewer: h.viewer("cyn")}, other, nil)
		h.ok(h.store.Read(t.Context(), func(tx *store.Tx) error {
			signals, err := tx.SignalsIn([]match.ID{running})
			noted, failed := tx.AnalysisRefusals(running)
			if len(noted) != 2 || len(signals) != 1 || signals[0].Player != "dan" ||
				noted[0].Position != "white 2:0, time 0:0, homeRow 0:1, features 0:0, RNBKKBNR" {
				t.Errorf("noted: %+v, signals: %+v", noted, signals)
			}
			return errors.Join(err, failed)
		}))
		h.does(running, match.First, `{"act":"resign"}`)
		asks("a visitor after", seats.Asker{}, same, nil)
	})
}

// TestWhatWatchersHaveNotSeenYetIsNotKnown: neither are rehearsals.
func TestWhatWatchersHaveNotSeenYetIsNotKnown(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		ctx := t.Context()
		known := func(m fairplay.Mark) (known bool) {
			t.Helper()
			h.ok(h.Sweep(ctx))
			h.ok(h.store.Read(ctx, func(tx *store.Tx) (err error) {
				known, err = tx.IsKnown(m, h.clock.now())
				return err
			}))
			return known
		}
		ends := func(id match.ID) fairplay.Mark {
			t.Helper()
			pos := h.moves(id, line...)
			h.does(id, match.Second, `{"act":"resign"}`)
			return fairplay.KeyOf(pos).Mark()
		}
		mark := ends(h.opens(fairplay.Verified, "cyn", "dan"))
		ends(h.opens(fairplay.Open, "ana", "bob"))

		h.ok(h.store.Write(ctx, func(tx *store.Tx) error {
			for _, p := range []player.ID{"bot-1", "bot-2"} {
				if err := tx.AddPlayer(player.Player{ID: p, Handle: player.Handle(p), Role: player.Plain, Bot: true, Created: h.clock.now()}, ""); err != nil {
					return err
				}
			}
			return nil
		}))
		id := h.create(tournament.Swiss, func(s *tournament.Settings) { s.Rounds, s.Envelope.Chips = 1, 1 })
		rehearsal, err := h.Rounds.Rehearse(ctx, h.host, id, 2)
		h.ok(err)
		ends(h.tournament(rehearsal).Rounds[0].Pairings[0].Match)

		if known(mark) {
			t.Error("of three matches one is delayed, one a rehearsal")
		}
		h.clock.advance(2 * time.Minute)
		if known(mark) {
			t.Error("too early")
		}
		h.clock.advance(time.Millisecond)
		if !known(mark) {
			t.Error("two are public")
		}
	})
}

// TestResultsDoNotWaitForWhatIsReadAnew: behind all bids of the years a round would stand
// still.
func TestResultsDoNotWaitForWhatIsReadAnew(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *hall) {
		h.does(h.opens(fairplay.Open, "cyn", "dan"), match.First, `{"act":"resign"}`)
		h.ok(h.Sweep(t.Context()))
		h.ok(h.Ratings.ReadDoneAnew(t.Context()))
		h.clock.advance(time.Minute)
		h.live.OnFinish(func(context.Context, match.ID) {}) // the node is killed there
		id := h.opens(fairplay.Open, "ana", "bob")
		h.does(id, match.First, `{"act":"resign"}`)
		h.ok(h.store.Read(t.Context(), func(tx *store.Tx) error {
			chores, err := tx.DueChores(h.clock.now(), 1)
			if len(chores) != 1 || chores[0].Match != id || chores[0].Kind != store.ChoreResult {
				t.Errorf("first comes %+v", chores)
			}
			return err
		}))
	})
}

// TestTheAftermathIsDoneOnceWhateverFails: what a crash leaves is done by the next
// sweep; of two ends the later one counts.
func TestTheAftermathIsDoneOnceWhateverFails(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *hall) {
		ctx := t.Context()
		left := func() (kinds []string) {
			h.ok(h.store.Read(ctx, func(tx *store.Tx) error {
				chores, err := tx.DueChores(h.clock.now().Add(time.Hour), 100)
				for _, c := range chores {
					kinds = append(kinds, c.Kind.String())
				}
				return err
			}))
			return kinds
		}
		h.live.OnFinish(func(context.Context, match.ID) {}) // the node is killed there
		id := h.opens(fairplay.Declared, "ana", "bob")
		h.moves(id, line...)
		h.does(id, match.First, `{"act":"resign"}`)
		h.opens(fairplay.Open, "cyn", "dan") // runs
		want := []string{"result", "bids", "worth", "positions"}
		if got := left(); !slices.Equal(got, want) {
			t.Fatalf("left: %v, want %v", got, want)
		}
		old := store.Chore{Match: id, Kind: store.ChorePositions, Seq: h.head(id).Seq - 1}
		h.ok(h.store.Write(ctx, func(tx *store.Tx) error {
			return errors.Join(tx.CrossOut(old), tx.PutOff(old, h.clock.now().Add(2*time.Hour)))
		}))
		if got := left(); !slices.Equal(got, want) {
			t.Errorf("a chore of an end before is crossed out: %v", got)
		}
		h.ok(h.Sweep(ctx))
		if got := left(); len(got) != 0 {
			t.Errorf("left after the sweep: %v", got)
		}
		if h.head(id).Achieved == 0 {
			t.Error("nothing is known of what the match was worth")
		}
	})
}
