package arbiter_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/arbiter/entries"
	"chpok.org/chpok/arbiter/events"
	"chpok.org/chpok/arbiter/rounds"
	"chpok.org/chpok/arbiter/tables"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/rating"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/format"
	"chpok.org/chpok/tournament/ledger"
	"chpok.org/chpok/tournament/swiss"
)

type clock struct{ ms atomic.Int64 }

func newClock() *clock {
	c := &clock{}
	c.ms.Store(time.Date(2026, 9, 4, 18, 0, 0, 0, time.UTC).UnixMilli())
	return c
}

func (c *clock) now() time.Time          { return time.UnixMilli(c.ms.Load()).UTC() }
func (c *clock) advance(d time.Duration) { c.ms.Add(d.Milliseconds()) }

// hall is a club with its arbiter and the machinery under it.
type hall struct {
	*arbiter.Arbiter
	t     testing.TB
	store *store.Store
	live  *live.Runner
	clock *clock
	host  player.Viewer
}

var names = []string{"ana", "bob", "cyn", "dan", "eve", "fay", "gus"}

func open(t testing.TB, s *store.Store) *hall {
	t.Helper()
	storetest.OneAfterAnother(t)
	h := &hall{t: t, store: s, clock: newClock()}
	storetest.Players(t, s, append([]string{"host"}, names...)...)
	var err error
	if h.live, err = live.New(s, live.NewInProcess(), live.Config{Now: h.clock.now, OutageAfter: 5 * time.Second}, nil); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.live.Close)
	h.Arbiter = arbiter.New(s, h.live, arbiter.Config{Now: h.clock.now}, nil)
	h.live.OnFinish(h.OnFinish)
	h.host = player.Viewer{Player: h.player("host")}
	h.host.Role = player.Organizer
	t.Cleanup(func() { h.logsAreWhole() })
	return h
}

// logsAreWhole checks, after every test, that the log of each tournament folds
// to the tournament.
func (h *hall) logsAreWhole() {
	err := h.store.Read(context.Background(), func(tx *store.Tx) error {
		lines, _, err := tx.Tournaments(store.TournamentQuery{AllDrafts: true, Limit: 1000})
		if err != nil {
			return err
		}
		for _, l := range lines {
			t, err := tx.Tournament(l.ID)
			if err != nil {
				return err
			}
			deeds, err := tx.Deeds(l.ID)
			if err != nil {
				return err
			}
			folded, err := ledger.Fold(deeds)
			if err != nil {
				return err
			}
			t.ClubStaff = nil // the club's to tell
			for i := range t.Entries {
				t.Entries[i].Officers = nil
			}
			if diff := cmp.Diff(t, folded, cmpopts.EquateEmpty()); diff != "" {
				h.t.Errorf("tournament %s: stored (-), log (+):\n%s", l.ID, diff)
			}
			for i, d := range deeds {
				if d.Seq != int64(i+1) {
					h.t.Errorf("tournament %s: deed %d has number %d", l.ID, i+1, d.Seq)
				}
			}
		}
		return nil
	})
	if err != nil {
		h.t.Error(err)
	}
}

func each(t *testing.T, test func(*testing.T, *hall)) { in(t, storetest.Each, test) }

// one runs a test on SQLite, where others take the same ways through the store on both.
func one(t *testing.T, test func(*testing.T, *hall)) { in(t, storetest.One, test) }

func in(t *testing.T, databases func(*testing.T, func(*testing.T, *store.Store)), test func(*testing.T, *hall)) {
	storetest.OneAfterAnother(t) // before databases are made
	databases(t, func(t *testing.T, s *store.Store) { test(t, open(t, s)) })
}

func (h *hall) player(handle string) (p player.Player) {
	h.t.Helper()
	h.ok(h.store.Read(h.t.Context(), func(tx *store.Tx) (err error) {
		p, err = tx.PlayerByHandle(player.Handle(handle))
		return err
	}))
	return p
}

func (h *hall) viewer(handle string) player.Viewer { return player.Viewer{Player: h.player(handle)} }

func (h *hall) ok(err error) {
	h.t.Helper()
	if err != nil {
		h.t.Fatal(err)
	}
}

// create makes a tournament without a ready gate and enters the players.
func (h *hall) create(f tournament.Format, change func(*tournament.Settings), handles ...string) tournament.ID {
	h.t.Helper()
	s := tournament.DefaultSettings(f)
	s.Name, s.Lateness = "Friday", 0
	if change != nil {
		change(&s)
	}
	id, err := h.Events.Create(h.t.Context(), h.host, s, true)
	h.ok(err)
	for _, handle := range handles {
		_, err := h.Entries.Register(h.t.Context(), h.host, id, entries.Application{Handle: handle})
		h.ok(err)
	}
	return id
}

// Correct is a correction by somebody who has looked at what stands.
func (h *hall) Correct(ctx context.Context, by player.Viewer, id tournament.ID, c tables.Correction, reason string) error {
	h.t.Helper()
	by.Shown = h.tournament(id).Version
	return h.Arbiter.Desk.Correct(ctx, by, id, c, reason)
}

func (h *hall) tournament(id tournament.ID) (t *tournament.Tournament) {
	h.t.Helper()
	h.ok(h.store.Read(h.t.Context(), func(tx *store.Tx) (err error) {
		t, err = tx.Tournament(id)
		return err
	}))
	return t
}

// beats ends the match between two players: the first-named wins.
func (h *hall) beats(id tournament.ID, winner, loser string) {
	h.t.Helper()
	t := h.tournament(id)
	w, _ := t.EntryOf(h.player(winner).ID)
	l, _ := t.EntryOf(h.player(loser).ID)
	for _, p := range t.Rounds.Pending() {
		if seat := p.SeatOf(l.ID); seat.Valid() && p.SeatOf(w.ID).Valid() {
			_, err := h.live.Do(h.t.Context(), p.Match, l.Player, live.Request{Command: match.Resign{Seat: seat}, Admit: admitted})
			if err != nil {
				h.t.Fatalf("%s beats %s: %v", winner, loser, err)
			}
			return
		}
	}
	h.t.Fatalf("%s and %s do not play", winner, loser)
}

func (h *hall) ratings(handles ...string) map[string]int {
	h.t.Helper()
	out := map[string]int{}
	h.ok(h.store.Read(h.t.Context(), func(tx *store.Tx) error {
		for _, handle := range handles {
			p, err := tx.PlayerByHandle(player.Handle(handle))
			if err != nil {
				return err
			}
			found, err := tx.Ratings(p.ID)
			if err != nil {
				return err
			}
			out[handle] = found[p.ID].Rating.Whole()
		}
		return nil
	}))
	return out
}

// table is a line for everybody: place, name, score in tenths, tie-breaks.
func table(t testing.TB, tour *tournament.Tournament) (lines []string) {
	t.Helper()
	standings, err := format.Standings(tour, -1)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range standings.Lines {
		values := make([]string, len(l.Values))
		for i, v := range l.Values {
			values[i] = v.String()
		}
		lines = append(lines, fmt.Sprintf("%d %s %d %s", l.Rank, l.Entry.Name, l.Score, strings.Join(values, " ")))
	}
	return lines
}

// friday is a round robin of ana, bob, cyn and dan, numbers 1 to 4 by name as
// all begin at 1500. By the table: 1-4, 2-3; 4-3, 1-2; 2-4, 3-1.
func friday(h *hall) tournament.ID {
	h.t.Helper()
	id := h.create(tournament.RoundRobin, nil, "ana", "bob", "cyn", "dan")
	h.ok(h.Rounds.Start(h.t.Context(), h.host, id))
	h.beats(id, "ana", "dan")
	h.beats(id, "bob", "cyn")
	h.beats(id, "dan", "cyn")
	h.beats(id, "ana", "bob")
	h.beats(id, "bob", "dan")
	h.beats(id, "cyn", "ana")
	return id
}

func TestARoundRobinOfFourRunsToItsFinalTable(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		id := friday(h)
		tour := h.tournament(id)
		if tour.Status != tournament.Finished || len(tour.Rounds) != 3 || tour.RatedAt.IsZero() {
			t.Fatalf("%v after %d rounds, rated at %v", tour.Status, len(tour.Rounds), tour.RatedAt)
		}
		// Both pairs are tied and decided by their own game. SB: ana has beaten
		// dan (1) and bob (2); bob cyn (1) and dan (1); dan cyn (1); cyn ana (2).
		want := []string{"1 ana 20 1 2 3 1", "2 bob 20 2 2 2 0", "3 dan 10 1 1 1 0", "4 cyn 10 2 1 2 1"}
		if diff := cmp.Diff(want, table(t, tour)); diff != "" {
			t.Error(diff)
		}
		// All at 1500: every game is expected at a half; K 40 for newcomers.
		elo := map[string]int{"ana": 1520, "bob": 1520, "cyn": 1480, "dan": 1480}
		if diff := cmp.Diff(elo, h.ratings("ana", "bob", "cyn", "dan")); diff != "" {
			t.Error(diff)
		}
		h.ok(h.Ratings.Recompute(t.Context(), nil))
		if diff := cmp.Diff(elo, h.ratings("ana", "bob", "cyn", "dan")); diff != "" {
			t.Errorf("made anew: %s", diff)
		}
		var history []store.RatingChange
		h.ok(h.store.Read(t.Context(), func(tx *store.Tx) (err error) {
			history, err = tx.RatingHistory(h.player("cyn").ID)
			return err
		}))
		if len(history) != 2 || history[0].Reason != rating.Started || history[1].Reason != rating.Rated || len(history[1].Steps) != 3 || history[1].K != 40 {
			t.Errorf("cyn joined and was rated once, with three games: %+v", history)
		}
	})
}

func TestACorrectionAfterTheEndMakesTheRatingsAnew(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		id := friday(h)
		second := h.create(tournament.RoundRobin, nil, "ana", "bob", "cyn")
		h.ok(h.Rounds.Start(t.Context(), h.host, second))
		// Numbers 1 ana (1520), 2 bob (1520), 3 cyn (1480): 2-3, 1-2, 3-1.
		h.beats(second, "bob", "cyn")
		h.beats(second, "ana", "bob")
		h.beats(second, "ana", "cyn")
		// ana beat 1520 (0.50 expected) and 1480 (0.56): (2 − 1.06) × 40 = 37.6;
		// bob 1 − 1.06: −2.4; cyn −0.44 × 2: −35.2.
		elo := map[string]int{"ana": 1558, "bob": 1518, "cyn": 1445, "dan": 1480}
		if diff := cmp.Diff(elo, h.ratings("ana", "bob", "cyn", "dan")); diff != "" {
			t.Fatal(diff)
		}
		tour := h.tournament(id)
		cyn, _ := tour.EntryOf(h.player("cyn").ID)
		for _, p := range tour.Rounds[2].Pairings {
			if p.SeatOf(cyn.ID).Valid() {
				draw := tables.Correction{Round: 3, Board: p.Board, Kind: tournament.Drawn, Reach: tournament.FromNow}
				h.ok(h.Correct(t.Context(), h.host, id, draw, "the scoresheet says so"))
			}
		}
		// In the first event ana now has 2½ of 3: 1540, cyn ½: 1460. In the second
		// ana beat 1520 (0.53) and 1460 (0.61): 0.86 × 40 = 34.4; bob (1520) lost to
		// 1540 (0.47) and beat 1460 (0.58): −2; cyn −(0.39 + 0.42) × 40 = −32.4.
		elo = map[string]int{"ana": 1574, "bob": 1518, "cyn": 1428, "dan": 1480}
		if diff := cmp.Diff(elo, h.ratings("ana", "bob", "cyn", "dan")); diff != "" {
			t.Error(diff)
		}
	})
}

func TestAnOddNumberRests(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		id := h.create(tournament.RoundRobin, nil, names[:5]...)
		h.ok(h.Rounds.Start(t.Context(), h.host, id))
		for range 5 {
			tour := h.tournament(id)
			r := tour.Rounds[len(tour.Rounds)-1]
			if len(r.Pairings) != 2 || len(r.Byes) != 1 || r.Byes[0].Kind != tournament.ZeroBye {
				t.Fatalf("round %d: %+v", r.Number, r)
			}
			for _, p := range r.Pairings {
				first, _ := tour.Entry(p.First)
				second, _ := tour.Entry(p.Second)
				h.beats(id, first.Name, second.Name)
			}
		}
		if tour := h.tournament(id); tour.Status != tournament.Finished {
			t.Error(tour.Status)
		}
	})
}

func TestWhoIsLateForfeits(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		id := h.create(tournament.RoundRobin, func(s *tournament.Settings) { s.Lateness = 5 * time.Minute }, "ana", "bob", "cyn", "dan")
		h.ok(h.Rounds.Start(t.Context(), h.host, id))
		tour := h.tournament(id)
		// Round 1 is ana-dan and bob-cyn: ana comes, nobody else.
		p := tour.Rounds[0].Pairings[0]
		_, err := h.live.Do(t.Context(), p.Match, h.player("ana").ID, live.Request{Command: match.Ready{Seat: match.First}})
		h.ok(err)
		// Time passes in steps with heartbeats, else it would be an outage.
		pass := func(d time.Duration) {
			for range d / (2 * time.Second) {
				h.clock.advance(2 * time.Second)
				h.ok(h.live.Heartbeat(t.Context()))
			}
			h.ok(h.live.SweepDue(t.Context()))
		}
		h.ok(h.live.Heartbeat(t.Context()))
		pass(4 * time.Minute)
		if !h.tournament(id).Rounds[0].Pairings[1].Result.IsPending() {
			t.Fatal("after four minutes nobody is late")
		}
		pass(2 * time.Minute)
		r := h.tournament(id).Rounds[0]
		if a, b := r.Pairings[0].Result, r.Pairings[1].Result; a.Kind != tournament.FirstByForfeit || b.Kind != tournament.DoubleForfeit {
			t.Errorf("%v and %v", a.Kind, b.Kind)
		}
		if len(h.tournament(id).Rounds) < 2 {
			t.Error("the next round opens after the last result, forfeits too")
		}
	})
}

func TestACrashBetweenTheEndOfAMatchAndItsRecord(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		id := h.create(tournament.RoundRobin, nil, "ana", "bob", "cyn", "dan")
		h.ok(h.Rounds.Start(t.Context(), h.host, id))
		h.live.OnFinish(nil) // the process dies before it is told
		h.beats(id, "ana", "dan")
		h.beats(id, "bob", "cyn")
		if !h.tournament(id).Rounds[0].Pairings[0].Result.IsPending() {
			t.Fatal("nobody has recorded anything yet")
		}
		again := arbiter.New(h.store, h.live, arbiter.Config{Now: h.clock.now}, nil)
		for range 2 { // a second sweep finds nothing to do
			h.ok(again.Sweep(t.Context()))
			tour := h.tournament(id)
			if len(tour.Rounds) != 2 || !tour.Rounds[0].IsOver() {
				t.Fatalf("%d rounds", len(tour.Rounds))
			}
		}
	})
}

func TestARoundOpensWithAllItsMatchesOrNotAtAll(t *testing.T) {
	t.Parallel()
	storetest.ManyAtOnce(t)
	each(t, func(t *testing.T, h *hall) {
		id := h.create(tournament.RoundRobin, func(s *tournament.Settings) { s.Pace = tournament.Manual }, "ana", "bob", "cyn", "dan")
		h.ok(h.Rounds.Start(t.Context(), h.host, id))
		if n := len(h.tournament(id).Rounds); n != 0 {
			t.Fatalf("%d rounds before the organizer opens one", n)
		}
		// Several organizers' windows at once: one round.
		results := make(chan error, 4)
		for range cap(results) {
			go func() { results <- h.Rounds.Open(t.Context(), h.host, id) }()
		}
		opened := 0
		for range cap(results) {
			switch err := <-results; {
			case err == nil:
				opened++
			case !errors.Is(err, tournament.ErrRoundOpen):
				t.Error(err)
			}
		}
		tour := h.tournament(id)
		if opened != 1 || len(tour.Rounds) != 1 {
			t.Fatalf("opened %d times, %d rounds", opened, len(tour.Rounds))
		}
		h.ok(h.store.Read(t.Context(), func(tx *store.Tx) error {
			running, err := tx.RunningMatches(100)
			if len(running) != 2 {
				t.Errorf("%d matches", len(running))
			}
			return err
		}))
	})
}

func TestASwissPairsAndStopsWhereNoPairingIsLegal(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		id := h.create(tournament.Swiss, func(s *tournament.Settings) { s.Rounds = 4 }, "ana", "bob", "cyn", "dan")
		h.ok(h.Rounds.Start(t.Context(), h.host, id))
		for range 3 {
			tour := h.tournament(id)
			r := tour.Rounds[len(tour.Rounds)-1]
			for _, p := range r.Pairings {
				a, _ := tour.Entry(min(p.First, p.Second))
				b, _ := tour.Entry(max(p.First, p.Second))
				h.beats(id, a.Name, b.Name)
			}
		}
		tour := h.tournament(id)
		if tour.Status != tournament.Running || len(tour.Rounds) != 3 || tour.Stuck == "" {
			t.Fatalf("four players have no fourth round: %v, %d rounds, %q", tour.Status, len(tour.Rounds), tour.Stuck)
		}
		h.ok(h.Sweep(t.Context()))
		if err := h.Rounds.Open(t.Context(), h.host, id); !errors.Is(err, tournament.ErrNoPairing) {
			t.Error(err)
		}
		h.ok(h.Rounds.Finish(t.Context(), h.host, id))
		if tour := h.tournament(id); tour.Status != tournament.Finished || tour.RatedAt.IsZero() {
			t.Errorf("%v, rated at %v", tour.Status, tour.RatedAt)
		}
		// The kept report of every round pairs to that round again.
		for _, r := range tour.Rounds {
			var report string
			h.ok(h.store.Read(t.Context(), func(tx *store.Tx) (err error) {
				report, err = tx.RoundInput(id, r.Number)
				return err
			}))
			paired, _, err := tables.Repeat(report)
			h.ok(err)
			for i, p := range r.Pairings {
				first, _ := tour.Entry(p.First)
				second, _ := tour.Entry(p.Second)
				if paired.Boards[i] != (tournament.Board{First: first.Number, Second: second.Number}) || r.Engine != swiss.Version {
					t.Errorf("round %d board %d: %v", r.Number, i+1, paired.Boards[i])
				}
			}
		}
	})
}

func TestRoundsOpenAtTheirTimes(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		begin := h.clock.now()
		id := h.create(tournament.RoundRobin, func(s *tournament.Settings) {
			s.Pace, s.Times = tournament.Times, []time.Time{begin.Add(time.Hour), begin.Add(2 * time.Hour), begin.Add(3 * time.Hour)}
		}, "ana", "bob", "cyn", "dan")
		h.ok(h.Rounds.Start(t.Context(), h.host, id))
		rounds := func(after time.Duration) int {
			h.t.Helper()
			h.clock.ms.Store(begin.Add(after).UnixMilli())
			h.ok(h.Sweep(t.Context()))
			return len(h.tournament(id).Rounds)
		}
		if n := rounds(59 * time.Minute); n != 0 {
			t.Errorf("%d rounds before the first time", n)
		}
		if n := rounds(time.Hour); n != 1 {
			t.Errorf("%d rounds at the first time", n)
		}
		h.beats(id, "ana", "dan")
		h.beats(id, "bob", "cyn")
		if n := rounds(119 * time.Minute); n != 1 {
			t.Errorf("%d rounds before the second time", n)
		}
		if n := rounds(2 * time.Hour); n != 2 {
			t.Errorf("%d rounds at the second time", n)
		}
	})
}

func TestAReportBecomesATournamentThatGoesOn(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		id := h.create(tournament.Swiss, func(s *tournament.Settings) { s.Rounds = 3 }, names...)
		h.ok(h.Rounds.Start(t.Context(), h.host, id))
		tour := h.tournament(id)
		for _, p := range tour.Rounds[0].Pairings {
			a, _ := tour.Entry(p.First)
			b, _ := tour.Entry(p.Second)
			if p.Board < 3 {
				h.beats(id, a.Name, b.Name)
			}
		}
		var report bytes.Buffer
		h.ok(tables.WriteReport(&report, h.tournament(id), nil, []string{"gus", "olha"}))

		played := h.clock.now().UTC().Truncate(24 * time.Hour) // record 132 has days
		h.clock.advance(72 * time.Hour)
		copied, err := h.Events.Import(t.Context(), h.host, events.Report{Text: report.String()})
		h.ok(err)
		tour = h.tournament(copied)
		if at := tour.Rounds[0].OpenedAt; !at.Equal(played) || !tour.StartedAt.Equal(played) {
			t.Errorf("the first round was on %v, the tournament began on %v; both on %v", at, tour.StartedAt, played)
		}
		if tour.Name != "Friday" || tour.Status != tournament.Running || len(tour.Rounds) != 1 || tour.Settings.Rounds != 3 || len(tour.Entries) != 7 {
			t.Fatalf("%q %v, %d of %d rounds, %d entries", tour.Name, tour.Status, len(tour.Rounds), tour.Settings.Rounds, len(tour.Entries))
		}
		if err := h.Rounds.Open(t.Context(), h.host, copied); !errors.Is(err, tournament.ErrRoundOpen) {
			t.Errorf("board 3 has no result: %v", err)
		}
		for _, p := range tour.Rounds[0].Pairings {
			if p.Result.IsPending() {
				h.ok(h.Rounds.EnterResult(t.Context(), h.host, copied, rounds.Seen{Round: 1, Board: p.Board}, tournament.Drawn))
			}
		}
		h.ok(h.Rounds.Open(t.Context(), h.host, copied))
		for _, p := range h.tournament(copied).Rounds[1].Pairings {
			if p.Match != "" {
				t.Error("guests have no match")
			}
			h.ok(h.Rounds.EnterResult(t.Context(), h.host, copied, rounds.Seen{Round: 2, Board: p.Board}, tournament.SecondWins))
		}
		if len(h.ratings("ana")) != 1 || h.ratings("ana")["ana"] != 0 {
			t.Error("guests' results are nobody's rating")
		}
	})
}

func TestPermissions(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		ana := h.viewer("ana")
		ana.Role = player.Plain
		s := tournament.DefaultSettings(tournament.RoundRobin)
		s.Name = "x"
		if _, err := h.Events.Create(t.Context(), ana, s, true); !errors.Is(err, tournament.ErrNotAllowed) {
			t.Errorf("a player creates a tournament: %v", err)
		}
		id := h.create(tournament.RoundRobin, nil)
		if _, err := h.Entries.Register(t.Context(), ana, id, entries.Application{}); err != nil {
			t.Errorf("a player enters himself: %v", err)
		}
		if _, err := h.Entries.Register(t.Context(), ana, id, entries.Application{Handle: "bob"}); !errors.Is(err, tournament.ErrNotAllowed) {
			t.Errorf("a player enters another: %v", err)
		}
		if _, err := h.Entries.Register(t.Context(), h.host, id, entries.Application{Handle: "nobody-here"}); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("somebody who is not there: %v", err)
		}
		if err := h.Entries.WithdrawPlayer(t.Context(), h.host, id, "ANA"); err != nil {
			t.Errorf("the organizer withdraws: %v", err)
		}
		if err := h.Ratings.SetSettings(t.Context(), h.host, rating.FIDE()); !errors.Is(err, tournament.ErrNotAllowed) {
			t.Errorf("an organizer changes the ratings: %v", err)
		}
		s.Tiebreaks = []string{"NONSENSE"}
		var list *refusal.Error
		if _, err := h.Events.Create(t.Context(), h.host, s, true); !errors.As(err, &list) || list.Faults[0].Field != "tiebreaks" {
			t.Errorf("an unknown tie-break: %v", err)
		}
	})
}
