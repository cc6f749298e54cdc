package arbiter_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/arbiter/desk"
	"chpok.org/chpok/arbiter/entries"
	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ladder"
)

// TestMatchesStopWithATournament: a pause stops those that run, and going on
// lets go on those, and only those, that it stopped.
func TestMatchesStopWithATournament(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		ctx := t.Context()
		id, p, gus := evening(h)
		boards := h.tournament(id).Rounds[0].Pairings
		still := func() (s [2]string) {
			for i, b := range boards {
				why, _ := h.state(b.Match).Standstill()
				s[i] = why.Why
			}
			return s
		}
		want := func(step string, first, second string) {
			t.Helper()
			if got := still(); got != [2]string{first, second} {
				t.Errorf("%s: the boards stand for %q", step, got)
			}
		}
		h.ok(h.Desk.PauseRounds(ctx, gus, id, "fire alarm", false))
		want("rounds only", "", "")
		h.ok(h.Desk.ContinueRounds(ctx, gus, id))

		h.ok(h.Desk.PauseRounds(ctx, gus, id, "fire alarm", true))
		want("all", "fire alarm", "fire alarm")
		if n := len(h.tournament(id).Timetable.Pause.Matches); n != 2 {
			t.Errorf("%d matches in the pause", n)
		}
		h.clock.advance(time.Hour)
		h.ok(h.Desk.ContinueRounds(ctx, h.host, id))
		want("all go on", "", "")
		if h.tournament(id).Timetable.IsPaused() {
			t.Error("it is paused still")
		}

		h.ok(h.Judges.Rule(ctx, gus, p.Match, live.Request{Command: match.Pause{Warrant: word(gus, "a talk")}}))
		h.ok(h.Desk.PauseRounds(ctx, gus, id, "fire alarm", true))
		want("one stood before", "a talk", "fire alarm")
		h.ok(h.Desk.ContinueRounds(ctx, gus, id))
		want("it stands on", "a talk", "")

		h.clock.advance(time.Minute)
		h.ok(h.Desk.PauseRounds(ctx, gus, id, "again", true))
		h.ok(h.Judges.Rule(ctx, gus, boards[1].Match, live.Request{Command: match.Resume{Warrant: word(gus, "they are here")}}))
		h.ok(h.Judges.Rule(ctx, gus, boards[1].Match, live.Request{Command: match.Pause{Warrant: word(gus, "a talk, too")}}))
		h.ok(h.Desk.ContinueRounds(ctx, gus, id))
		want("stopped anew for something else", "a talk", "a talk, too")
	})
}

func TestARoundWaitsForItsCheckIn(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		ctx := t.Context()
		id := h.create(tournament.Swiss, func(s *tournament.Settings) {
			s.Rounds, s.CheckIn = 2, tournament.CheckIn{Scope: tournament.ForRound, Opens: 10 * time.Minute, Closes: time.Minute}
		}, "ana", "bob", "cyn", "dan")
		h.ok(h.Rounds.Start(ctx, h.host, id))
		rounds := func() int { return len(h.tournament(id).Rounds) }
		sweep := func(later time.Duration) {
			h.clock.advance(later)
			h.ok(h.Sweep(ctx))
		}
		if rounds() != 0 {
			t.Fatal("the first round does not wait")
		}
		for _, name := range []string{"ana", "bob", "cyn"} {
			h.ok(h.Desk.CheckInOwn(ctx, h.viewer(name), id, true))
		}
		sweep(9*time.Minute + time.Second)
		h.ok(h.Desk.CheckInOwn(ctx, h.viewer("dan"), id, true)) // late, but it is not paired yet
		h.ok(h.Desk.CheckInOwn(ctx, h.viewer("dan"), id, false))
		h.ok(h.Desk.PauseRounds(ctx, h.host, id, "power cut", false))
		sweep(time.Hour)
		if rounds() != 0 {
			t.Fatal("a round while paused")
		}
		h.ok(h.Desk.ContinueRounds(ctx, h.host, id))
		h.ok(h.Desk.CheckInOwn(ctx, h.viewer("dan"), id, true)) // the window is open again
		sweep(10*time.Minute - time.Second)
		if rounds() != 0 {
			t.Fatal("a round before its time")
		}
		h.clock.advance(time.Second)
		reads := h.store.Reads()
		h.ok(h.Rounds.Sweep(ctx))
		// What is due, the tournament once, outages, who is excluded, who sits elsewhere, and the opened matches.
		if got := h.store.Reads() - reads; got != 6 {
			t.Errorf("a due round is opened in %d reads", got)
		}
		if tour := h.tournament(id); rounds() != 1 || len(tour.Rounds[0].Pairings) != 2 {
			t.Fatalf("%+v", tour.Rounds)
		}
		h.ok(h.Desk.Postpone(ctx, kernel.For(h.host, "late hour"), id, desk.NewTime{Round: 2, To: h.clock.now().Add(24 * time.Hour)}))
		for _, p := range h.tournament(id).Rounds[0].Pairings {
			h.ok(h.loses(p))
		}
		sweep(2 * time.Hour)
		if rounds() != 1 {
			t.Fatal("round 2 was postponed")
		}
		sweep(22 * time.Hour) // nobody has checked in: stuck, until staff do something about it
		if tour := h.tournament(id); len(tour.Rounds) != 1 || tour.Stuck == "" {
			t.Fatalf("stuck: %q", tour.Stuck)
		}
		h.ok(h.Desk.CheckIn(ctx, h.host, id, 1, true))
		h.ok(h.Desk.CheckIn(ctx, h.host, id, 2, true))
		sweep(time.Second)
		if tour := h.tournament(id); len(tour.Rounds) != 2 || tour.Stuck != "" {
			t.Fatalf("%d rounds, stuck: %q", len(tour.Rounds), tour.Stuck)
		}
	})
}

func TestWhoSitsAtAnotherBoardIsPresentAndIsWaitedFor(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		ctx := t.Context()
		evening := h.create(tournament.Swiss, func(s *tournament.Settings) { s.Rounds, s.Lateness = 1, time.Hour }, "ana", "bob")
		h.ok(h.Rounds.Start(ctx, h.host, evening))
		other := h.tournament(evening).Rounds[0].Pairings[0]
		_, head, err := h.live.State(ctx, other.Match)
		h.ok(err)
		id := h.create(tournament.Swiss, func(s *tournament.Settings) {
			s.Rounds, s.Lateness = 1, time.Minute
			s.CheckIn = tournament.CheckIn{Scope: tournament.ForRound, Opens: time.Minute, Misses: 1}
		}, "ana", "cyn", "dan", "eve")
		h.ok(h.Rounds.Start(ctx, h.host, id))
		h.ok(h.Desk.CheckInOwn(ctx, h.viewer("cyn"), id, true))
		h.clock.advance(20 * time.Second)
		down := h.clock.now()
		h.ok(h.store.Write(ctx, func(tx *store.Tx) error {
			return tx.AddOutage(store.Outage{From: down, To: down.Add(20 * time.Second)})
		}))
		h.clock.advance(40 * time.Second)
		h.ok(h.Sweep(ctx))
		if n := len(h.tournament(id).Rounds); n != 0 {
			t.Fatal("20 of 60 seconds to check in were lost to an outage")
		}
		for i, seat := range match.Seats {
			_, err := h.live.Do(ctx, other.Match, head.Players[i], live.Request{Command: match.Ready{Seat: seat}})
			h.ok(err)
		}
		h.clock.advance(20 * time.Second)
		h.ok(h.Sweep(ctx))
		tour := h.tournament(id)
		if len(tour.Rounds) != 1 || len(tour.Rounds[0].Pairings) != 1 {
			t.Fatalf("ana plays elsewhere and is here, dan and eve are not: %+v", tour.Rounds)
		}
		if e, _ := tour.Entry(4); e.Status != tournament.Withdrawn {
			t.Errorf("eve missed a whole window: %+v", e)
		}
		h.clock.advance(61 * time.Second)
		h.ok(h.live.SweepDue(ctx))
		p := tour.Rounds[0].Pairings[0]
		if s, _, err := h.live.State(ctx, p.Match); err != nil || s.Status() != match.Waiting {
			t.Fatalf("ana still sits at the other board: %v, %v", s.Status(), err)
		}
		_, err = h.live.Do(ctx, other.Match, head.Players[0], live.Request{Command: match.Resign{Seat: match.First}})
		h.ok(err)
		h.clock.advance(59 * time.Second)
		h.ok(h.live.SweepDue(ctx))
		if s, _, err := h.live.State(ctx, p.Match); err != nil || s.Status() != match.Waiting {
			t.Fatalf("ana left the other board a moment ago: %v, %v", s.Status(), err)
		}
		h.clock.advance(2 * time.Minute)
		h.ok(h.live.SweepDue(ctx))
		if s, _, err := h.live.State(ctx, p.Match); err != nil || s.Status() != match.Over {
			t.Fatalf("ana had her time: %v, %v", s.Status(), err)
		}
	})
}

// The opponent of somebody who still sits at another board, or has just left it, claims no forfeit either.
func TestWhoSitsAtAnotherBoardIsNotForfeitedOnAClaim(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		ctx := t.Context()
		opened := func(lateness time.Duration, handles ...string) (match.ID, store.Head) {
			id := h.create(tournament.Swiss, func(s *tournament.Settings) { s.Rounds, s.Lateness, s.OnClaim = 1, lateness, true }, handles...)
			h.ok(h.Rounds.Start(ctx, h.host, id))
			board := h.tournament(id).Rounds[0].Pairings[0].Match
			_, head, err := h.live.State(ctx, board)
			h.ok(err)
			return board, head
		}
		other, there := opened(time.Hour, "ana", "bob")
		board, here := opened(2*time.Minute, "ana", "cyn")
		ana, cyn := here.SeatOf(h.player("ana").ID), here.SeatOf(h.player("cyn").ID)
		_, err := h.live.Do(ctx, board, h.player("cyn").ID, live.Request{Command: match.Ready{Seat: cyn}})
		h.ok(err)
		claim := func() error {
			_, err := h.live.Do(ctx, board, h.player("cyn").ID, live.Request{Command: match.ClaimForfeit{Seat: cyn}})
			return err
		}
		refused := func(when string) {
			t.Helper()
			var no *match.Refusal
			if err := claim(); !errors.As(err, &no) || no.Code != match.NoForfeit {
				t.Errorf("%s: %v", when, err)
			}
		}
		h.clock.advance(2*time.Minute + time.Second)
		for i, seat := range match.Seats {
			_, err := h.live.Do(ctx, other, there.Players[i], live.Request{Command: match.Ready{Seat: seat}})
			h.ok(err)
		}
		refused("ana still sits at the other board")
		_, err = h.live.Do(ctx, other, there.Players[0], live.Request{Command: match.Resign{Seat: match.First}})
		h.ok(err)
		h.clock.advance(time.Minute)
		refused("ana left it a minute ago")
		h.clock.advance(2 * time.Minute)
		h.ok(claim())
		if s := h.state(board); s.Status() != match.Over || s.IsReady(ana) {
			t.Error("ana had her two minutes")
		}
	})
}

// loses ends a board by a resignation of its first player.
func (h *hall) loses(p tournament.Pairing) error {
	_, head, err := h.live.State(h.t.Context(), p.Match)
	if err == nil {
		_, err = h.live.Do(h.t.Context(), p.Match, head.Players[0], live.Request{Command: match.Resign{Seat: match.First}})
	}
	return err
}

func TestWhoDoesNotComeIsKeptOutForAWhile(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		ctx := t.Context()
		late := func(s *tournament.Settings) { s.Lateness, s.Rounds = 5*time.Minute, 1 }
		id := h.create(tournament.Swiss, late, "ana", "bob")
		h.ok(h.Rounds.Start(ctx, h.host, id))
		p := h.tournament(id).Rounds[0].Pairings[0]
		_, head, err := h.live.State(ctx, p.Match)
		h.ok(err)
		h.clock.advance(time.Minute)
		_, err = h.live.Do(ctx, p.Match, head.Players[0], live.Request{Command: match.Ready{Seat: match.First}})
		h.ok(err)
		if n, err := h.Desk.ExtendWait(ctx, kernel.For(h.host, "the tram"), id, "", 2*time.Minute); n != 1 || err != nil {
			t.Fatalf("extended %d, %v", n, err)
		}
		h.clock.advance(4*time.Minute + time.Second)
		h.ok(h.live.SweepDue(ctx))
		if h.tournament(id).Status == tournament.Finished {
			t.Fatal("two minutes were added")
		}
		h.clock.advance(2 * time.Minute)
		h.ok(h.live.SweepDue(ctx))
		h.ok(h.Sweep(ctx))

		here, away := player.Viewer{}, player.Viewer{}
		for _, name := range []string{"ana", "bob"} {
			if v := h.viewer(name); v.ID == head.Players[0] {
				here = v
			} else {
				away = v
			}
		}
		r, err := h.Assurance.NoShows(ctx, away.ID)
		h.ok(err)
		if len(r.NoShows) != 1 || !r.Bars(h.clock.now()) || !r.Until.Equal(r.NoShows[0].At.Add(24*time.Hour)) {
			t.Fatalf("%+v", r)
		}
		if r, err := h.Assurance.NoShows(ctx, here.ID); err != nil || len(r.NoShows) != 0 {
			t.Fatalf("who came: %+v, %v", r, err)
		}
		next := h.create(tournament.Swiss, nil)
		other := h.create(tournament.Swiss, func(s *tournament.Settings) { s.HonourNoShows = false })
		if _, err := h.Entries.Register(ctx, away, next, entries.Application{}); !errors.Is(err, player.ErrBarred) {
			t.Errorf("into an event that honours absences: %v", err)
		}
		_, err = h.Entries.Register(ctx, away, other, entries.Application{})
		h.ok(err)
		_, err = h.Entries.Register(ctx, h.host, next, entries.Application{Handle: string(away.Handle)}) // staff may all the same
		h.ok(err)
		h.ok(h.Entries.Withdraw(ctx, away, next, 1))

		n := r.NoShows[0]
		if err := h.Rounds.Appeal(ctx, here, n.ID, "not mine"); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("another's absence: %v", err)
		}
		h.ok(h.Rounds.Appeal(ctx, away, n.ID, "The tram stood still."))
		told := h.told("host")
		if !slices.ContainsFunc(told, func(n store.Told) bool { return n.Kind == notice.Appeal && n.Args["By"] == string(away.Handle) }) {
			t.Errorf("nobody tells who decides: %+v", told)
		}
		if _, err := h.Rounds.DecideAppeal(ctx, away, n.ID, player.Excused, ""); !errors.Is(err, tournament.ErrNotAllowed) {
			t.Errorf("one's own: %v", err)
		}
		_, err = h.Rounds.DecideAppeal(ctx, h.host, n.ID, player.Excused, "It did.")
		h.ok(err)
		_, err = h.Entries.Register(ctx, away, next, entries.Application{})
		h.ok(err)
	})
}

// TestAYearOfWeeklyRoundsOpensEachOnce: 52 Fridays at 18:30 in Kyiv, across both
// changes of the clocks, by two nodes of which either is started anew at any
// moment, and which look late, early, together and over again.
func TestAYearOfWeeklyRoundsOpensEachOnce(t *testing.T) {
	t.Parallel()
	storetest.OneAfterAnother(t) // many sweeps at once: TestOnePassAtATimeOnTwoNodes
	kyiv, err := time.LoadLocation("Europe/Kyiv")
	if err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(t.Context(), "sqlite:"+filepath.Join(t.TempDir(), "year.db"), store.Options{Fast: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	storetest.Players(t, s, "host", "ana", "bob")
	clock := newClock()
	clock.advance(-3 * 24 * time.Hour)
	ctx := t.Context()
	type node struct {
		live    *live.Runner
		arbiter *arbiter.Arbiter
	}
	start := func() *node {
		r, err := live.New(s, live.NewInProcess(), live.Config{Now: clock.now}, nil)
		if err != nil {
			t.Fatal(err)
		}
		n := &node{r, arbiter.New(s, r, arbiter.Config{Now: clock.now}, nil)}
		r.OnFinish(n.arbiter.OnFinish)
		return n
	}
	nodes := []*node{start(), start()}
	defer func() {
		for _, n := range nodes {
			n.live.Close()
		}
	}()
	chance := rand.New(rand.NewPCG(2026, 1))

	settings := tournament.DefaultSettings(tournament.Swiss)
	settings.Name, settings.Lateness, settings.Pace, settings.Rounds, settings.Rated = "Fridays", 0, tournament.Times, 1, false
	host := player.Viewer{Player: player.Player{ID: "host", Handle: "host", Role: player.Organizer}}
	var fridays []time.Time
	var ids []tournament.ID
	for week := range 52 {
		at := time.Date(2026, 9, 4+7*week, 18, 30, 0, 0, kyiv)
		fridays = append(fridays, at)
		settings.Name, settings.Times = fmt.Sprintf("Friday %d", week+1), []time.Time{at.UTC()}
		id, err := nodes[0].arbiter.Events.Create(ctx, host, settings, true)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"ana", "bob"} {
			if _, err := nodes[0].arbiter.Entries.Register(ctx, host, id, entries.Application{Handle: name}); err != nil {
				t.Fatal(err)
			}
		}
		if err := nodes[0].arbiter.Rounds.Start(ctx, host, id); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	if a, b := fridays[0].UTC().Hour(), fridays[20].UTC().Hour(); a != 15 || b != 16 {
		t.Fatalf("18:30 in Kyiv is %d:30 UTC in September and %d:30 in January", a, b)
	}

	state := func(id tournament.ID) (tour *tournament.Tournament) {
		t.Helper()
		if err := s.Read(ctx, func(tx *store.Tx) (err error) {
			tour, err = tx.Tournament(id)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		return tour
	}
	for week, id := range ids {
		clock.ms.Store(fridays[week].Add(-time.Second).UnixMilli())
		if err := nodes[week%2].arbiter.Sweep(ctx); err != nil {
			t.Fatal(err)
		}
		if n := len(state(id).Rounds); n != 0 {
			t.Fatalf("%v: a round a second before its time", fridays[week])
		}
		late := time.Duration(chance.IntN(300)) * time.Second
		clock.ms.Store(fridays[week].Add(late).UnixMilli())
		done := make(chan error, 2)
		for _, n := range nodes {
			go func() { done <- errors.Join(n.arbiter.Sweep(ctx), n.arbiter.Sweep(ctx)) }()
		}
		for range nodes {
			if err := <-done; err != nil {
				t.Fatal(err)
			}
		}
		if i := chance.IntN(4); i < 2 { // a node falls and another takes its place
			nodes[i].live.Close()
			nodes[i] = start()
		}
		tour := state(id)
		if len(tour.Rounds) != 1 || !tour.Rounds[0].OpenedAt.Equal(fridays[week].Add(late)) {
			t.Fatalf("%v, %v late: %+v", fridays[week], late, tour.Rounds)
		}
		if local := tour.Times[0].In(kyiv); local.Weekday() != time.Friday || local.Hour() != 18 || local.Minute() != 30 {
			t.Errorf("week %d is at %v", week+1, local)
		}
		p := tour.Rounds[0].Pairings[0]
		e, _ := tour.Entry(p.First)
		if _, err := nodes[chance.IntN(2)].live.Do(ctx, p.Match, e.Player, live.Request{Command: match.Resign{Seat: match.First}}); err != nil {
			t.Fatal(err)
		}
	}
	matches := map[match.ID]bool{}
	for _, id := range ids {
		tour := state(id)
		if tour.Status != tournament.Finished || len(tour.Rounds) != 1 {
			t.Errorf("%s: %v, %d rounds", tour.Name, tour.Status, len(tour.Rounds))
		}
		matches[tour.Rounds[0].Pairings[0].Match] = true
	}
	if len(matches) != 52 {
		t.Errorf("%d matches in 52 weeks", len(matches))
	}
	var heads int
	if err := s.Read(context.WithoutCancel(ctx), func(tx *store.Tx) error {
		list, err := tx.PlayedSince("ana", time.Time{})
		heads = len(list)
		return err
	}); err != nil || heads != 52 {
		t.Errorf("ana has played %d matches: %v", heads, err)
	}
}

// The site is away from an hour before each deadline until an hour after it. Nobody could keep them, so they wait for two
// hours more, and can be kept until then.
func TestNoDeadlinePassesWhileTheSiteIsAway(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		ctx := t.Context()
		due := h.clock.now().Add(day)
		rungs := h.ladder(func(s *ladder.Settings) { s.Reply = day }, "ana", "bob", "cyn")
		n, err := h.Ladders.Challenge(ctx, h.viewer("bob"), rungs, "ana")
		h.ok(err)
		ignored, err := h.Ladders.Challenge(ctx, h.viewer("cyn"), rungs, "bob")
		h.ok(err)
		back := h.ladder(func(s *ladder.Settings) { s.Vacation = ladder.Day }, "ana", "bob")
		h.ok(h.Ladders.Vacation(ctx, h.viewer("ana"), back, true))
		event := h.create(tournament.Swiss, func(s *tournament.Settings) { s.Entry.Closes = due }, "ana")
		h.ok(h.store.Write(ctx, func(tx *store.Tx) error {
			return tx.AddOutage(store.Outage{From: due.Add(-time.Hour), To: due.Add(time.Hour)})
		}))
		fallen := func(after time.Duration) (what []string) {
			h.clock.advance(due.Add(after).Sub(h.clock.now()))
			h.sweepLadders()
			h.ok(h.Sweep(ctx))
			if c := h.ladderChallenge(store.LadderRef{Ladder: rungs, Number: ignored}); c.Status != ladder.Proposed {
				what = append(what, "reply")
			}
			if tour := h.tournament(event); !tour.IsOpen(h.clock.now()) {
				what = append(what, "entry")
			}
			return what
		}
		h.clock.advance(due.Add(time.Hour).Sub(h.clock.now()))
		stay, err := h.Stay(ctx)
		h.ok(err)
		held, err := store.Get(ctx, h.store, func(tx *store.Tx) ([]ladder.ID, error) {
			return tx.DueLadders(stay.Passed(h.clock.now()), h.clock.now(), 1)
		})
		if err != nil || !slices.Equal(held, []ladder.ID{back}) {
			t.Errorf("due are %v, %v; want %s, where a vacation ends, and none whose deadlines wait", held, err, back)
		}
		if what := fallen(time.Hour + time.Second); what != nil {
			t.Fatalf("fallen when the site is back: %v", what)
		}
		tour, acts := h.tournament(event), h.acts(event)
		if !tour.Settings.Entry.Closes.Equal(due) || !tour.ClosesAt().After(due) || acts[len(acts)-1] != tournament.ActGiveBack {
			t.Errorf("registration closes at %v, by the settings at %v; the log says %v", tour.ClosesAt(), tour.Settings.Entry.Closes, acts)
		}
		copied, err := h.Events.Clone(ctx, h.host, event, time.UTC, false)
		h.ok(err)
		if c := h.tournament(copied); !c.ClosesAt().Equal(due.AddDate(0, 0, 7)) || !c.Timetable.IsZero() {
			t.Errorf("registration of a copy closes at %v, not a week after %v: %+v", c.ClosesAt(), due, c.Timetable)
		}
		h.ok(h.Ladders.Accept(ctx, h.viewer("ana"), store.LadderRef{Ladder: rungs, Number: n}))
		_, err = h.Entries.Register(ctx, h.viewer("bob"), event, entries.Application{})
		h.ok(err)
		if what := fallen(3*time.Hour - time.Minute); what != nil {
			t.Errorf("fallen before two hours have passed: %v", what)
		}
		if what, want := fallen(3*time.Hour+2*time.Minute), []string{"reply", "entry"}; !slices.Equal(what, want) {
			t.Errorf("fallen at last: %v, want %v", what, want)
		}
	})
}
