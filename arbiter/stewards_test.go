package arbiter_test

import (
	"slices"
	"testing"
	"time"

	"chpok.org/chpok/arbiter/judges"
	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/live"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/tournament"
)

// TestAStewardIsToldAndRemindedTwice: when they are named, a quarter of an hour after
// the end and three hours before it is too late to sign; the tournament names
// what waits for them.
func TestAStewardIsToldAndRemindedTwice(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		ctx := t.Context()
		id := h.create(tournament.Swiss, func(s *tournament.Settings) {
			s.Pace, s.Policy, s.Rounds = tournament.Manual, fairplay.Preset(fairplay.Supervised), 1
		})
		all := slices.DeleteFunc(slices.Clone(fairplay.Waivable), func(d fairplay.Demand) bool { return d == fairplay.DemandSteward })
		without := map[string][]fairplay.Demand{"ana": all, "bob": fairplay.Waivable}
		for _, handle := range []string{"ana", "bob"} {
			_, err := h.Entries.Admit(ctx, kernel.For(h.host, "known for years"), id, handle, without[handle])
			h.ok(err)
		}
		h.ok(h.Rounds.Start(ctx, h.host, id))
		h.ok(h.Rounds.Open(ctx, h.host, id))
		tour := h.tournament(id)
		ana, _ := tour.EntryOf(h.player("ana").ID)
		own, seat := h.matchOf(tour, "ana")
		blocked := func(want string) {
			t.Helper()
			list, err := h.Events.Blockers(ctx, h.tournament(id))
			h.ok(err)
			got := ""
			for _, b := range list {
				got += b.What + " "
			}
			if got != want {
				t.Errorf("it waits for %q, want %q", got, want)
			}
		}
		told := func(when string, want int) {
			t.Helper()
			h.remind()
			h.remind()
			if n := h.reminded("eve", notice.Steward); n != want {
				t.Errorf("%s: told %d times, want %d", when, n, want)
			}
		}
		blocked("steward ")
		h.ok(h.Judges.SetSteward(ctx, h.host, id, ana.ID, "eve"))
		told("named", 1)
		for _, do := range []string{"accept", "open"} {
			h.ok(h.Judges.Watch(ctx, h.viewer("eve"), own, seat, judges.WatchDeed{Kind: do}))
		}
		blocked("board ")
		_, err := h.live.Do(ctx, own, h.player("ana").ID, live.Request{Command: match.Resign{Seat: seat}, Admit: admitted})
		h.ok(err)
		blocked("unsigned ")
		h.clock.advance(15*time.Minute - time.Second)
		told("before a quarter of an hour", 1)
		h.clock.advance(time.Second)
		told("after it", 2)
		h.clock.advance(fairplay.SignWithin - 15*time.Minute - 3*time.Hour)
		told("three hours before it is too late", 3)
		h.ok(h.Judges.Watch(ctx, h.viewer("eve"), own, seat, judges.WatchDeed{Kind: "sign", Verdict: fairplay.StewardSigned}))
		blocked("")
		h.clock.advance(time.Hour)
		told("signed", 3)
	})
}
