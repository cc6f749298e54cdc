package arbiter_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/arbiter/leagues"
	"chpok.org/chpok/arbiter/rounds"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/live"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/fixture"
	"chpok.org/chpok/tournament/league"
)

func (h *hall) readLeague(id league.ID) (l *league.League) {
	h.t.Helper()
	h.ok(h.store.Read(h.t.Context(), func(tx *store.Tx) (err error) {
		l, err = tx.League(id)
		return err
	}))
	return l
}

// jobs lets a node that has just come up do what is due, after one that was stopped in the middle.
func (h *hall) jobs() {
	h.t.Helper()
	stopped, stop := context.WithCancel(h.t.Context())
	stop()
	for _, ctx := range []context.Context{stopped, h.t.Context()} {
		node := arbiter.New(h.store, h.live, arbiter.Config{Now: h.clock.now}, nil)
		err := errors.Join(node.Leagues.Sweep(ctx), node.Rounds.Sweep(ctx))
		if ctx != stopped {
			h.ok(err)
		}
	}
}

// playSeason plays the divisions of a season to their end: some agree on a time and play, of some only one proposes, some
// do nothing.
func (h *hall) playSeason(id league.ID) {
	h.t.Helper()
	ctx := h.t.Context()
	for step := 0; ; step++ {
		if step > 60 {
			h.t.Fatal("the season does not end")
		}
		over := true
		for _, d := range h.readLeague(id).Now().Divisions {
			t := h.tournament(d.Tournament)
			over = over && (t.Status.IsOver() || leagues.IsEmptied(t))
			for _, x := range t.FixturesOf(0) {
				first, _ := t.Entry(x.First)
				second, _ := t.Entry(x.Second)
				at := rounds.At{Tournament: d.Tournament, Round: x.Round, Board: x.Board}
				if x.Fixture.Status != fixture.Arranging || len(x.Fixture.Times) > 0 {
					continue
				}
				when := h.clock.now().Add(3 * time.Hour)
				switch how := (int(x.First) + int(x.Second) + x.Round) % 4; how {
				case 0, 1:
					if h.Rounds.ProposeTime(ctx, h.viewer(string(first.Player)), at, when) == nil && how == 0 {
						h.ok(h.Rounds.AgreeTime(ctx, h.viewer(string(second.Player)), at, when))
					}
				}
			}
		}
		if over {
			return
		}
		h.clock.advance(3 * time.Hour)
		h.jobs()
		for _, d := range h.readLeague(id).Now().Divisions {
			for _, x := range h.tournament(d.Tournament).FixturesOf(0) {
				if x.Match == "" || x.Fixture.Status != fixture.Playing {
					continue
				}
				_, head, err := h.live.State(ctx, x.Match)
				h.ok(err)
				for _, seat := range match.Seats {
					_, err := h.live.Do(ctx, x.Match, head.Players[seat.Index()], live.Request{Command: match.Ready{Seat: seat}})
					h.ok(err)
				}
				h.ok(h.resign(x.Match, match.Second))
			}
		}
		h.ok(h.Sweep(ctx))
		h.clock.advance(4 * 24 * time.Hour)
		h.jobs()
	}
}

// A league of three divisions of six over two seasons: a withdrawal before the start whose place goes to an alternate,
// one during the season, sanctions and an appeal, play-offs, promotions. Nodes stop in the middle of every job.
func TestALeagueOfThreeDivisionsOverTwoSeasons(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		ctx := t.Context()
		of, boss := h.dragon(), h.viewer("ana")
		s := league.DefaultSettings()
		s.Name, s.PlayOff = "Winter league", true
		starts := h.clock.now().Add(10 * 24 * time.Hour)
		id, err := h.Leagues.Create(ctx, boss, of, s, "", starts)
		h.ok(err)
		var all []string
		for i := range 18 {
			all = append(all, fmt.Sprintf("pl%02d", i+1))
		}
		storetest.Players(t, h.store, append([]string{"alt", "newby"}, all...)...)
		for i := range all {
			h.ok(h.Leagues.Enter(ctx, h.viewer(all[i]), id, ""))
		}
		if err := h.Leagues.Enter(ctx, h.viewer("pl01"), id, ""); !errors.Is(err, league.ErrIn) {
			t.Error("entered twice:", err)
		}
		if err := h.Leagues.Propose(ctx, h.viewer("pl01"), id); !errors.Is(err, league.ErrNotAllowed) {
			t.Error("a player drafted the divisions:", err)
		}
		h.ok(h.Leagues.Propose(ctx, boss, id))
		h.ok(h.Leagues.Publish(ctx, boss, id))
		first := h.readLeague(id).Now()
		if len(first.Divisions) != 3 || first.State != league.Placed {
			t.Fatalf("%d divisions, %s", len(first.Divisions), first.State)
		}
		h.ok(h.Leagues.Enter(ctx, h.viewer("alt"), id, "")) // too late: as an alternate
		leaver := string(first.Divisions[0].Members[2])
		h.ok(h.Leagues.Leave(ctx, h.viewer(leaver), id, ""))
		h.jobs()
		if h.hasTold("alt", notice.LeaguePlace) {
			t.Error("the place was offered more than 48 hours before the start")
		}
		h.clock.advance(starts.Add(-league.SearchFrom).Sub(h.clock.now()))
		h.jobs()
		if !h.hasTold("alt", notice.LeaguePlace) {
			t.Fatal("the place was not offered")
		}
		h.ok(h.Leagues.Enter(ctx, h.viewer("newby"), id, "")) // waits, too late
		h.ok(h.Leagues.Answer(ctx, h.viewer("alt"), id, "", 1, true))
		told := func(handle string) (cases []string) {
			for _, n := range h.told(handle) {
				if n.Kind == notice.LeaguePlace {
					cases = append(cases, n.Args["Case"])
				}
			}
			return cases
		}
		if got := told("ana"); !slices.Equal(got, []string{"taken"}) {
			t.Errorf("the organizer was told %q", got)
		}
		h.clock.advance(starts.Sub(h.clock.now()))
		h.jobs()
		l := h.readLeague(id)
		if l.Now().State != league.Running {
			t.Fatalf("at its time the season is %s", l.Now().State)
		}
		if got := told("newby"); !slices.Equal(got, []string{"none"}) || len(l.Now().Bench.Alternates) > 0 {
			t.Errorf("who was left over was told %q", got)
		}
		if err := h.Leagues.Enter(ctx, h.viewer("newby"), id, ""); !errors.Is(err, league.ErrNotNow) {
			t.Error("somebody waits for a place that nobody offers any more:", err)
		}
		for i, d := range l.Now().Divisions {
			if tour := h.tournament(d.Tournament); tour.Status != tournament.Running || len(tour.Rounds) != 1 || tour.Active() != 6 {
				t.Fatalf("division %d: %v, %d rounds, %d players", i+1, tour.Status, len(tour.Rounds), tour.Active())
			}
		}
		if _, entered := h.tournament(l.Now().Divisions[0].Tournament).EntryOf("alt"); !entered {
			t.Error("the alternate is not in the first division")
		}

		// Three sanctions send somebody off; one appeal is granted, and their next season begins with a warning less.
		bad := string(l.Now().Divisions[2].Members[1])
		for range 3 {
			h.ok(h.Leagues.Warn(ctx, boss, id, bad, "No answer for a week"))
		}
		if e, _ := h.tournament(l.Now().Divisions[2].Tournament).EntryOf(player.ID(bad)); e.Status != tournament.Withdrawn {
			t.Errorf("after a red card their entry is %v", e.Status)
		}
		h.ok(h.Leagues.Appeal(ctx, h.viewer(bad), id, 2, "I answered on Friday"))
		if err := h.Leagues.DecideAppeal(ctx, h.viewer(bad), id, 2, true, "Yes"); !errors.Is(err, league.ErrNotAllowed) {
			t.Error("somebody decided their own appeal:", err)
		}
		h.ok(h.Leagues.DecideAppeal(ctx, boss, id, 2, true, "They did"))
		if l := h.readLeague(id); l.Level(league.Member(bad)) != league.Yellow {
			t.Errorf("with one lifted they stand at %v", l.Level(league.Member(bad)))
		}

		if err := h.Leagues.Freeze(ctx, boss, id); !errors.Is(err, league.ErrStillPlays) {
			t.Error("tables were frozen while divisions play:", err)
		}
		h.playSeason(id)
		for _, d := range h.readLeague(id).Now().Divisions {
			for round, p := range h.tournament(d.Tournament).AllBoards() {
				if p.Result.IsPending() {
					t.Errorf("board %d.%d is not decided", round, p.Board)
				}
			}
		}
		h.ok(h.Leagues.Freeze(ctx, boss, id))
		next := h.clock.now().Add(14 * 24 * time.Hour)
		if err := h.Leagues.Archive(ctx, boss, id, next); !errors.Is(err, league.ErrPlayOff) {
			t.Error("the season closed before its play-offs:", err)
		}
		h.ok(h.Leagues.OpenPlayOffs(ctx, boss, id))
		closing := h.readLeague(id).Now()
		if len(closing.PlayOffs) == 0 {
			t.Fatal("no play-offs")
		}
		for i, event := range closing.Decided {
			h.ok(h.Rounds.Start(ctx, boss, event))
			for step := 0; !h.tournament(event).Status.IsOver(); step++ {
				if step > 20 {
					t.Fatal("the play-off does not end")
				}
				for _, p := range h.tournament(event).Rounds.Pending() {
					riser, _ := h.tournament(event).EntryOf(player.ID(closing.PlayOffs[i].Rises))
					_, head, err := h.live.State(ctx, p.Match)
					h.ok(err)
					for _, seat := range match.Seats {
						_, err := h.live.Do(ctx, p.Match, head.Players[seat.Index()], live.Request{Command: match.Ready{Seat: seat}})
						h.ok(err)
					}
					h.ok(h.resign(p.Match, p.SeatOf(riser.ID).Other()))
				}
				h.ok(h.Sweep(ctx))
				h.clock.advance(time.Hour)
			}
		}
		h.ok(h.Leagues.Archive(ctx, boss, id, next))

		// The second season: everybody but two comes again, and somebody new.
		before := h.readLeague(id).Last()
		var away []league.Member
		for i, table := range before.Tables {
			for k, row := range table {
				if i == 1 && k == 2 || i == 2 && k == 4 {
					away = append(away, row.Member)
					continue
				}
				if err := h.Leagues.Enter(ctx, h.viewer(string(row.Member)), id, ""); err != nil {
					t.Fatalf("%s enters again: %v", row.Member, err)
				}
			}
		}
		h.ok(h.Leagues.Enter(ctx, h.viewer("newby"), id, ""))
		h.ok(h.Leagues.Propose(ctx, boss, id))
		draft := h.readLeague(id).Now().Draft
		seen := map[league.Member]int{}
		for i, list := range draft.Divisions {
			for _, x := range list {
				seen[x.Member]++
				if x.From > 0 && (x.To-x.From > 1 || x.From-x.To > 1) || x.To != i+1 {
					t.Errorf("%+v", x)
				}
			}
		}
		if len(seen) != 17 || slices.ContainsFunc(away, func(m league.Member) bool { return seen[m] > 0 }) {
			t.Errorf("%d players are placed", len(seen))
		}
		for _, o := range before.PlayOffs {
			if o.Winner != o.Rises {
				t.Errorf("the play-off was won by %s", o.Winner)
			}
			if moves := h.readLeague(id).Movements(before); moves[o.Rises] != league.Promoted || moves[o.Stays] != league.Relegated {
				t.Errorf("after the play-off: %v, %v", moves[o.Rises], moves[o.Stays])
			}
		}
		h.ok(h.Leagues.Publish(ctx, boss, id))
		h.clock.advance(next.Sub(h.clock.now()))
		h.jobs()
		h.playSeason(id)
		h.ok(h.Leagues.Freeze(ctx, boss, id))
		rows := 0
		for _, table := range h.readLeague(id).Now().Tables {
			rows += len(table)
		}
		if rows != 17 {
			t.Errorf("%d players in the final tables", rows)
		}
	})
}

// The owner of the club plays in its league of one division: sanctions of opponents are for somebody else, and nothing of a refused
// one is kept.
func TestWhoRunsALeagueDoesNotSanctionTheirOpponents(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		ctx := t.Context()
		of, boss := h.dragon(), h.viewer("ana")
		s := league.DefaultSettings()
		s.Name = "Winter league"
		id, err := h.Leagues.Create(ctx, boss, of, s, "", h.clock.now().Add(10*24*time.Hour))
		h.ok(err)
		storetest.Players(t, h.store, "pl01", "pl02", "pl03")
		for _, name := range []string{"ana", "pl01", "pl02", "pl03"} {
			h.ok(h.Leagues.Enter(ctx, h.viewer(name), id, ""))
		}
		h.ok(h.Leagues.Propose(ctx, boss, id))
		h.ok(h.Leagues.Publish(ctx, boss, id))
		var party *fairplay.PartyError
		if err := h.Leagues.Warn(ctx, boss, id, "pl01", "No answer"); !errors.As(err, &party) || party.Rival != "pl01" {
			t.Errorf("a sanction of an opponent: %v, %+v", err, party)
		}
		if l := h.readLeague(id); len(l.Sanctions) > 0 {
			t.Errorf("kept: %+v", l.Sanctions)
		}
		h.ok(h.Leagues.Leave(ctx, boss, id, "")) // as everybody may
		h.ok(h.Leagues.Warn(ctx, boss, id, "pl01", "No answer"))
	})
}

// Five divisions, so four play-offs. One of those who were to play off is sent off before they are made, and another has the place.
// Then in one who stays goes home before it begins, in another who rises, in the third both, and in the fourth somebody is sent off:
// the season can be closed, and who is left has the place.
func TestAPlayOffOfALeagueIsDecidedWhoeverLeaves(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		ctx, boss := t.Context(), h.viewer("ana")
		id, _ := h.season(func(s *league.Settings) { s.PlayOff = true }, 30)
		h.ok(h.Leagues.Propose(ctx, boss, id))
		h.ok(h.Leagues.Publish(ctx, boss, id))
		h.ok(h.Leagues.Begin(ctx, boss, id))
		h.playSeason(id)
		h.ok(h.Leagues.Freeze(ctx, boss, id))
		offs := h.readLeague(id).Now().PlayOffs
		if len(offs) != 4 {
			t.Fatalf("play-offs %+v", offs)
		}
		off := func(who league.Member) {
			for range 3 {
				h.ok(h.Leagues.Warn(ctx, boss, id, string(who), "No answer for a week"))
			}
		}
		sent := offs[0].Stays
		off(sent)
		if offs = h.readLeague(id).Now().PlayOffs; len(offs) != 4 || offs[0].Stays == sent || offs[0].Stays == "" {
			t.Fatalf("play-offs after %s was sent off: %+v", sent, offs)
		}
		h.ok(h.Leagues.OpenPlayOffs(ctx, boss, id))
		events := h.readLeague(id).Now().Decided
		leave := func(i int, who league.Member) {
			e, _ := h.tournament(events[i]).EntryOf(player.ID(who))
			h.ok(h.Entries.Withdraw(ctx, h.viewer(string(who)), events[i], e.ID))
		}
		leave(0, offs[0].Stays)
		leave(1, offs[1].Rises)
		leave(2, offs[2].Stays)
		leave(2, offs[2].Rises)
		next := h.clock.now().Add(14 * 24 * time.Hour)
		if err := h.Leagues.Archive(ctx, boss, id, next); !errors.Is(err, league.ErrPlayOff) {
			t.Error("closed while one is to be played:", err)
		}
		off(offs[3].Stays)
		h.ok(h.Leagues.Archive(ctx, boss, id, next))
		closed := h.readLeague(id).Last().PlayOffs
		for i, want := range []league.Member{offs[0].Rises, offs[1].Stays, offs[2].Stays, offs[3].Rises} {
			if closed[i].Winner != want {
				t.Errorf("play-off %d: %s has the place, want %s", i+1, closed[i].Winner, want)
			}
		}
	})
}
