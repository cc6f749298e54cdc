package arbiter_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"chpok.org/chpok/arbiter/leagues"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store/storetest"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/league"
)

// season makes a league whose open season somebody has entered, and which starts in ten days.
func (h *hall) season(change func(*league.Settings), players int) (league.ID, []string) {
	h.t.Helper()
	s := league.DefaultSettings()
	s.Name = "Winter league"
	change(&s)
	id, err := h.Leagues.Create(h.t.Context(), h.viewer("ana"), h.dragon(), s, "", h.clock.now().Add(10*24*time.Hour))
	h.ok(err)
	var all []string
	for i := range players {
		all = append(all, fmt.Sprintf("pl%02d", i+1))
	}
	storetest.Players(h.t, h.store, all...)
	for _, name := range all {
		h.ok(h.Leagues.Enter(h.t.Context(), h.viewer(name), id, ""))
	}
	return id, all
}

// sweepTwice lets two jobs come one after another.
func (h *hall) sweepTwice() {
	h.t.Helper()
	for range 2 {
		h.ok(h.Sweep(h.t.Context()))
	}
}

// A division of four by correspondence, published by itself and begun by itself: all six matches open at once. One is resigned; what
// goes on is decided when the seventy days are over, and the table is frozen.
func TestALeagueByCorrespondenceFromItsDraftToItsTable(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		const day = 24 * time.Hour
		h.isPatient(t)
		ctx, boss := t.Context(), h.viewer("ana")
		id, _ := h.season(func(s *league.Settings) { s.Division.Window = 70 * day; s.Play(0, 7*day) }, 4)
		h.ok(h.Leagues.Propose(ctx, boss, id))
		h.ok(h.Leagues.PublishLater(ctx, boss, id, h.clock.now().Add(2*day)))
		h.sweepTwice()
		if s := h.readLeague(id).Now().State; s != league.Open {
			t.Fatalf("two days before, it is %s", s)
		}
		h.clock.advance(2 * day)
		h.jobs() // a node that is stopped, and one that is not
		if s := h.readLeague(id).Now(); s.State != league.Placed || len(s.Divisions) != 1 {
			t.Fatalf("at its time, it is %s with %d divisions", s.State, len(s.Divisions))
		}
		h.clock.advance(8 * day)
		h.jobs()
		division := h.readLeague(id).Now().Divisions[0].Tournament
		tour := h.tournament(division)
		open := slices.Collect(func(yield func(match.ID) bool) {
			for _, p := range tour.Rounds.Pending() {
				if p.Match != "" && !yield(p.Match) {
					return
				}
			}
		})
		if len(tour.Rounds) != 3 || len(open) != 6 || tour.Pace != tournament.Correspondence {
			t.Fatalf("%d rounds, %d matches", len(tour.Rounds), len(open))
		}
		for _, e := range tour.Entries {
			if r := leagues.Ranks(tour)[e.ID]; r != (league.Ranks{Best: 1, Worst: 4}) {
				t.Errorf("before anything is played: %+v", r)
			}
		}
		// In the last match both go on bidding, a chip more each time, for sixty-six days; in the first somebody resigns.
		h.ok(h.resign(open[0], match.Second))
		last := &letters{id: open[5]}
		for range 11 {
			h.clock.advance(6 * day)
			h.ok(h.live.SweepDue(ctx))
			h.ok(h.Sweep(ctx))
			h.goesOn(last)
		}
		if err := h.Leagues.Freeze(ctx, boss, id); !errors.Is(err, league.ErrStillPlays) {
			t.Error("frozen while a match goes on:", err)
		}
		h.clock.advance(4 * day)
		h.sweepTwice()
		tour = h.tournament(division)
		if tour.Status != tournament.Finished {
			t.Fatalf("seventy days later it is %v", tour.Status)
		}
		for n, p := range tour.AllBoards() {
			if r := p.Result; p.Match == open[5] != (r.Rated == tournament.DoubleForfeit && r.Kind == tournament.Drawn) || r.IsPending() {
				t.Errorf("board %d.%d: %+v", n, p.Board, r)
			}
		}
		h.ok(h.Leagues.Freeze(ctx, boss, id))
		if rows := len(h.readLeague(id).Now().Tables[0]); rows != 4 {
			t.Errorf("%d rows in the table", rows)
		}
	})
}

// A Swiss division of nine over three rounds, whose players arrange their matches; somebody comes late, to the second round. What is
// still possible is sound in every round, and the table has all ten.
func TestALeagueOfOneSwissDivision(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		ctx, boss := t.Context(), h.viewer("ana")
		id, _ := h.season(func(s *league.Settings) {
			s.Rule = league.Rule{Least: 4, Usual: 9, Most: 60}
			s.Play(3, 0)
		}, 9)
		h.ok(h.Leagues.Propose(ctx, boss, id))
		h.ok(h.Leagues.Publish(ctx, boss, id))
		h.clock.advance(10 * 24 * time.Hour)
		h.jobs()
		division := h.readLeague(id).Now().Divisions[0].Tournament
		tour := h.tournament(division)
		if tour.Format != tournament.Swiss || len(tour.Rounds) != 1 || tour.Settings.Rounds != 3 || len(tour.Rounds[0].Pairings) != 4 || len(tour.Rounds[0].Byes) != 1 {
			t.Fatalf("%v, %d rounds of %d", tour.Format, len(tour.Rounds), tour.Settings.Rounds)
		}
		storetest.Players(t, h.store, "late")
		if err := h.Leagues.EnterLate(ctx, h.viewer("pl01"), id, "late", 1); !errors.Is(err, league.ErrNotAllowed) {
			t.Error("a player took somebody in:", err)
		}
		h.ok(h.Leagues.EnterLate(ctx, boss, id, "late", 1))
		if err := h.Leagues.EnterLate(ctx, boss, id, "late", 1); !errors.Is(err, league.ErrIn) {
			t.Error("twice:", err)
		}
		var possible []map[tournament.EntryID]league.Ranks
		for round := 1; round <= 3; round++ {
			tour = h.tournament(division)
			possible = append(possible, leagues.Ranks(tour))
			h.playRound(division)
			h.clock.advance(7 * 24 * time.Hour)
			h.jobs()
		}
		tour = h.tournament(division)
		if tour.Status != tournament.Finished || tour.Active() != 10 {
			t.Fatalf("%v with %d players", tour.Status, tour.Active())
		}
		h.ok(h.Leagues.Freeze(ctx, boss, id))
		table := h.readLeague(id).Now().Tables[0]
		if len(table) != 10 {
			t.Fatalf("%d rows", len(table))
		}
		for i, row := range table {
			e, _ := tour.EntryOf(player.ID(row.Member))
			for round, ranks := range possible {
				if r := ranks[e.ID]; i+1 < r.Best || i+1 > r.Worst {
					t.Errorf("%s became %d; in round %d %d–%d was possible", row.Member, i+1, round+1, r.Best, r.Worst)
				}
			}
		}
	})
}

// playRound has everybody of the open round agree on a time, come and play; Second resigns.
func (h *hall) playRound(id tournament.ID) {
	h.t.Helper()
	tour := h.tournament(id)
	for _, x := range tour.FixturesOf(0) {
		first, _ := tour.Entry(x.First)
		second, _ := tour.Entry(x.Second)
		h.agree(id, string(first.Player), string(second.Player), 3*time.Hour)
	}
	h.clock.advance(3 * time.Hour)
	h.sweepRounds()
	for _, x := range h.tournament(id).FixturesOf(0) {
		_, head, err := h.live.State(h.t.Context(), x.Match)
		h.ok(err)
		for _, seat := range match.Seats {
			_, err := h.live.Do(h.t.Context(), x.Match, head.Players[seat.Index()], live.Request{Command: match.Ready{Seat: seat}})
			h.ok(err)
		}
		h.ok(h.resign(x.Match, match.Second))
	}
	h.ok(h.Sweep(h.t.Context()))
}

// A draft that somebody's entry has taken away is not published at its time: the organizer is told, once, however many nodes look.
func TestADraftThatDoesNotHoldStaysOne(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		ctx, boss := t.Context(), h.viewer("ana")
		id, _ := h.season(func(*league.Settings) {}, 6)
		h.ok(h.Leagues.Propose(ctx, boss, id))
		h.ok(h.Leagues.PublishLater(ctx, boss, id, h.clock.now().Add(time.Hour)))
		storetest.Players(t, h.store, "newby")
		h.ok(h.Leagues.Enter(ctx, h.viewer("newby"), id, ""))
		h.clock.advance(time.Hour)
		h.jobs()
		h.jobs()
		told := 0
		for _, n := range h.told("ana") {
			if n.Kind == notice.LeaguePlace && n.Args["Case"] == "not-published" {
				told++
			}
		}
		if x := h.readLeague(id).Now(); told != 1 || x.State != league.Open || !x.PublishAt.IsZero() || len(x.Divisions) > 0 {
			t.Errorf("told %d times; %+v", told, x)
		}
		h.ok(h.Leagues.Propose(ctx, boss, id))
		h.ok(h.Leagues.Publish(ctx, boss, id))
	})
}
