package tables_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"chpok.org/chpok/arbiter/tables"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/format"
)

// Whoever leaves, comes or is kept apart after a round was drafted, also both of one board or everybody: the desk can
// show what the draft breaks, and publishing it is refused in words at most.
func TestADraftIsJudgedWhoeverHasLeftIt(t *testing.T) {
	t.Parallel()
	host := player.Viewer{Player: player.Player{ID: "host", Role: player.Organizer}}
	now := time.Date(2026, 9, 4, 18, 0, 0, 0, time.UTC)
	rapid.Check(t, func(rt *rapid.T) {
		must := func(err error) {
			if err != nil {
				rt.Fatal(err)
			}
		}
		s := tournament.DefaultSettings(rapid.SampledFrom([]tournament.Format{tournament.Swiss, tournament.Keizer, tournament.RoundRobin,
			tournament.KnockOut}).Draw(rt, "format"))
		if s.Name = "Friday"; s.Format.PairsByScore() {
			s.Rounds = 4
		}
		tour, err := tournament.New("t", host.ID, s, now)
		must(err)
		enter := func(i int) error {
			_, err := tour.Register(host, tournament.Candidate{Player: player.ID(fmt.Sprint("p", i)), Name: fmt.Sprint("Player ", i)}, now)
			return err
		}
		for i := range rapid.IntRange(4, 9).Draw(rt, "players") {
			must(enter(i))
		}
		must(tour.Start(host, tables.DrawingOf([32]byte{rapid.Byte().Draw(rt, "seed")}), now))
		ids := 0
		for range rapid.IntRange(0, 2).Draw(rt, "rounds") {
			if _, err := tour.PairNext(format.System(&tour.Table), func() match.ID { ids++; return match.ID(fmt.Sprint(ids)) }, now); err != nil {
				return // there is no such round
			}
			for _, p := range tour.Pending() {
				tour.Record(p.Match, tournament.Result{Kind: tournament.ResultKind(rapid.IntRange(1, 6).Draw(rt, "result")), At: now})
			}
			tour.Conclude(now)
		}
		if err := tour.DraftNext(format.System(&tour.Table), host.ID, now); err != nil {
			return
		}
		for range rapid.IntRange(1, 9).Draw(rt, "acts") {
			entry := func() tournament.EntryID {
				return tournament.EntryID(rapid.IntRange(1, len(tour.Entries)).Draw(rt, "entry"))
			}
			switch rapid.IntRange(0, 5).Draw(rt, "act") {
			case 0:
				err = enter(100 + len(tour.Entries))
			case 1:
				err = tour.Forbid(host, tournament.ForbiddenEntries{Entries: []tournament.EntryID{entry(), entry()}})
			case 2:
				err = tour.AskBye(host, entry(), len(tour.Rounds)+1, tournament.ZeroBye)
			default:
				err = tour.Withdraw(host, entry())
			}
			_ = err // refused now and then, which is fine here
			if tour.Draft == nil {
				return
			}
			if _, _, err := tables.Objections(tour); err != nil {
				rt.Fatal(err)
			}
			if err := tour.DraftBreaks(format.System(&tour.Table)); err != nil && !errors.Is(err, tournament.ErrDraftBroken) {
				rt.Fatal(err)
			}
		}
	})
}
