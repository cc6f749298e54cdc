package arbiter_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/arbiter/entries"
	"chpok.org/chpok/arbiter/events"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/series"
)

// evening is a series of the club's: every Tuesday at 19:00 in Kyiv, three days ahead.
func (h *hall) evening(change func(*series.Settings)) series.ID {
	h.t.Helper()
	t := tournament.DefaultSettings(tournament.RoundRobin)
	t.Name, t.ClubID, t.Lateness = "The first evening", h.dragon(), 0
	like, err := h.Events.Create(h.t.Context(), h.viewer("ana"), t, true)
	h.ok(err)
	s := series.Settings{
		Name: "Tuesday", Zone: "Europe/Kyiv", Lead: 72 * time.Hour, SelfStart: true,
		Rule: series.Rule{Weekdays: []time.Weekday{time.Tuesday}, Every: 1, Hour: 19, First: "2000-01-01"},
	}
	if change != nil {
		change(&s)
	}
	id, err := h.Events.CreateSeries(h.t.Context(), h.viewer("bob"), "dragon", s, like)
	h.ok(err)
	return id
}

func (h *hall) series(id series.ID) (s *series.Series) {
	h.t.Helper()
	h.ok(h.store.Read(h.t.Context(), func(tx *store.Tx) (err error) {
		s, err = tx.Series(id)
		return err
	}))
	return s
}

// until lets time pass to a moment.
func (h *hall) until(t time.Time) { h.clock.advance(t.Sub(h.clock.now())) }

func TestADateBecomesATournamentAndStarts(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		zone, err := events.SeriesZone("Europe/Kyiv")
		h.ok(err)
		id := h.evening(nil)
		// A date is due already where the three days have begun; look at the one after.
		next := h.series(id).Next(h.series(id).Through, zone)
		h.until(next.At.Add(-72*time.Hour - time.Second))
		h.ok(h.Sweep(t.Context()))
		if s := h.series(id); s.StatusOf(next.Day) != series.Planned {
			t.Fatalf("announced too early: %+v", s.Dates)
		}
		h.clock.advance(time.Second)
		h.ok(h.Sweep(t.Context()))
		date := h.series(id).Dates[len(h.series(id).Dates)-1]
		if date.Day != next.Day || date.Status != series.Announced || !date.StartAt.Equal(next.At) {
			t.Fatalf("%+v", date)
		}
		event := h.tournament(date.Tournament)
		if event.Name != "Tuesday, "+string(next.Day) || event.Status != tournament.Registration || event.ClubID != "dragon" || event.Organizer != h.player("bob").ID {
			t.Errorf("%q %v %s %s", event.Name, event.Status, event.ClubID, event.Organizer)
		}
		if !event.StartsAt().Equal(next.At) {
			t.Errorf("lists tell that it starts at %v", event.StartsAt())
		}
		for _, handle := range []string{"ana", "cyn", "dan"} {
			_, err := h.Entries.Register(t.Context(), h.viewer(handle), date.Tournament, entries.Application{})
			h.ok(err)
		}
		h.until(next.At)
		h.ok(h.Sweep(t.Context()))
		if got := h.tournament(date.Tournament); got.Status != tournament.Running || len(got.Rounds) != 1 {
			t.Errorf("at 19:00 it is %v with %d rounds", got.Status, len(got.Rounds))
		}
	})
}

func TestADateWithTooFewPlayersIsLeftToItsOrganizer(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		zone, err := events.SeriesZone("Europe/Kyiv")
		h.ok(err)
		id := h.evening(nil)
		next := h.series(id).Next(h.series(id).Through, zone)
		h.until(next.At.Add(-time.Hour))
		h.ok(h.Sweep(t.Context()))
		h.until(next.At)
		h.ok(h.Sweep(t.Context()))
		date := h.series(id).Dates[len(h.series(id).Dates)-1]
		if got := h.tournament(date.Tournament); got.Status != tournament.Registration || !date.StartAt.IsZero() {
			t.Errorf("%v, still to start at %v", got.Status, date.StartAt)
		}
		if !h.hasTold("bob", notice.NotStarted) || h.hasTold("ana", notice.NotStarted) {
			t.Error("the organizer, and he alone, is to hear that it did not start")
		}
	})
}

func TestWhoMayHoldMakesSeries(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		id := h.evening(nil)
		ctx, s := t.Context(), h.series(id).Settings
		cyn := h.viewer("cyn")
		for name, err := range map[string]error{
			"change": h.Events.ChangeSeries(ctx, cyn, id, s, ""), "skip": h.Events.SkipDate(ctx, cyn, id, "2026-12-01", true), "end": h.Events.EndSeries(ctx, cyn, id),
		} {
			if !errors.Is(err, club.ErrNotAllowed) {
				t.Errorf("a member may %s: %v", name, err)
			}
		}
		elsewhere := h.create(tournament.Swiss, nil)
		if _, err := h.Events.CreateSeries(ctx, h.viewer("ana"), "dragon", s, elsewhere); !errors.Is(err, series.ErrTemplate) {
			t.Errorf("after a tournament of nobody's: %v", err)
		}
		s.Zone = "Europe/Atlantis"
		if err := h.Events.ChangeSeries(ctx, h.viewer("ana"), id, s, ""); !errors.Is(err, series.ErrZone) {
			t.Errorf("in a zone that is none: %v", err)
		}
		h.ok(h.Events.EndSeries(ctx, h.viewer("ana"), id))
		if err := h.Events.EndSeries(ctx, h.viewer("ana"), id); !errors.Is(err, series.ErrEnded) {
			t.Errorf("ended twice: %v", err)
		}
	})
}

// TestAYearOfDatesOnManyNodes lets a year pass while several nodes sweep at the
// same moments, with pauses in which none is up: every date becomes exactly one
// tournament, or is noted as missed, and its clock shows 19:00.
func TestAYearOfDatesOnManyNodes(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		zone, err := events.SeriesZone("Europe/Kyiv")
		h.ok(err)
		id := h.evening(func(s *series.Settings) { s.SelfStart = false })
		chance := rand.New(rand.NewPCG(7, 11))
		nodes := []*arbiter.Arbiter{h.Arbiter, h.secondNode(), h.secondNode()}
		begin := h.clock.now()
		for end := begin.AddDate(1, 0, 0); h.clock.now().Before(end); {
			pause := time.Duration(chance.IntN(40)+1) * time.Hour
			if chance.IntN(12) == 0 {
				pause = time.Duration(chance.IntN(10*24)) * time.Hour // all nodes are down
			}
			h.clock.advance(pause)
			var wg sync.WaitGroup
			for _, node := range nodes {
				wg.Go(func() {
					if err := node.Sweep(t.Context()); err != nil {
						t.Error(err)
					}
				})
			}
			wg.Wait()
		}
		s := h.series(id)
		events := map[series.Day]int{}
		h.ok(h.store.Read(t.Context(), func(tx *store.Tx) error {
			lines, _, err := tx.Tournaments(store.TournamentQuery{Club: "dragon", AllDrafts: true, Limit: 500})
			for _, l := range lines {
				if day, of := strings.CutPrefix(l.Name, "Tuesday, "); of {
					events[series.Day(day)]++
				}
			}
			return err
		}))
		dates, missed := 0, 0
		for day := series.DayOf(begin, zone); ; dates++ {
			o := s.Next(day, zone)
			if day = o.Day; day > s.Through {
				break
			}
			if clock := o.At.In(zone).Format("15:04"); clock != "19:00" {
				t.Errorf("%s at %s", day, clock)
			}
			want := 1
			if s.StatusOf(day) == series.Missed {
				want, missed = 0, missed+1
			}
			if events[day] != want {
				t.Errorf("%s (%v): %d tournaments", day, s.StatusOf(day), events[day])
			}
			delete(events, day)
		}
		if dates < 50 || missed == 0 || missed > 15 {
			t.Errorf("%d dates, %d of them missed: the test no longer tests", dates, missed)
		}
		for day, n := range events {
			if day > series.DayOf(begin, zone) {
				t.Errorf("%s: %d tournaments of no date", day, n)
			}
		}
	})
}

// secondNode is another arbiter over the same database.
func (h *hall) secondNode() *arbiter.Arbiter {
	return arbiter.New(h.store, h.live, arbiter.Config{Now: h.clock.now}, nil)
}
