package arbiter_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"chpok.org/chpok/arbiter/tables"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/format"
)

func TestEveryRoundIsPairedAgainFromItsReport(t *testing.T) {
	t.Parallel()
	host := player.Viewer{Player: player.Player{ID: "host", Role: player.Organizer}}
	now := time.Date(2026, 9, 4, 18, 0, 0, 0, time.UTC)
	rapid.Check(t, func(rt *rapid.T) {
		s := tournament.DefaultSettings(rapid.SampledFrom([]tournament.Format{tournament.RoundRobin, tournament.Swiss}).Draw(rt, "format"))
		s.Name = "Friday"
		if s.Format == tournament.Swiss {
			s.Rounds = 6
			s.Acceleration = rapid.SampledFrom([]tournament.Acceleration{tournament.NoAcceleration, tournament.Baku}).Draw(rt, "acceleration")
		} else {
			s.Double = rapid.Bool().Draw(rt, "double")
		}
		tour, err := tournament.New("t", host.ID, s, now)
		if err != nil {
			rt.Fatal(err)
		}
		enter := func(i int) {
			_, err := tour.Register(host, tournament.Candidate{Player: player.ID(fmt.Sprint("p", i)), Name: fmt.Sprint("Player ", i), Rating: rapid.IntRange(1400, 1600).Draw(rt, "rating")}, now)
			if err != nil && tour.Status != tournament.Running {
				rt.Fatal(err)
			}
		}
		for i := range rapid.IntRange(4, 14).Draw(rt, "players") {
			enter(i)
		}
		if err := tour.Start(host, tables.DrawingOf([32]byte{rapid.Byte().Draw(rt, "seed")}), now); err != nil {
			rt.Fatal(err)
		}
		ids := 0
		for tour.Status == tournament.Running {
			report, err := tables.Report(&tour.Table, format.System(&tour.Table), tour.PairingField())
			if err != nil {
				rt.Fatal(err)
			}
			// The report speaks of the numbers as they are now.
			numbers := map[tournament.EntryID]int{}
			for _, e := range tour.Entries {
				numbers[e.ID] = e.Number
			}
			r, err := tour.PairNext(format.System(&tour.Table), func() match.ID { ids++; return match.ID(fmt.Sprint(ids)) }, now)
			again, _, repeatErr := tables.Repeat(report)
			if errors.Is(err, tournament.ErrNoPairing) {
				// One who is left alone would only have a bye, and that is no round.
				if !errors.Is(repeatErr, tournament.ErrNoPairing) && (repeatErr != nil || len(again.Boards) > 0) {
					rt.Fatalf("a pairing was found the second time: %v", repeatErr)
				}
				return
			}
			if err != nil || repeatErr != nil {
				rt.Fatal(err, repeatErr)
			}
			for _, p := range r.Pairings {
				if !slices.Contains(again.Boards, tournament.Board{First: numbers[p.First], Second: numbers[p.Second]}) {
					rt.Fatalf("round %d: %v is not in %v", r.Number, p, again.Boards)
				}
			}
			for _, p := range r.Pairings {
				tour.Record(p.Match, tournament.Result{Kind: tournament.ResultKind(rapid.IntRange(1, 6).Draw(rt, "result")), At: now})
			}
			switch id := tournament.EntryID(rapid.IntRange(1, len(tour.Entries)).Draw(rt, "entry")); rapid.IntRange(0, 4).Draw(rt, "disturbance") {
			case 0:
				err = tour.Withdraw(host, id)
			case 1:
				enter(100 + len(tour.Entries))
			case 2:
				err = tour.AskBye(host, id, len(tour.Rounds)+1, tournament.HalfBye)
			}
			_ = err // refused now and then, which is fine here
			tour.Conclude(now)
		}
	})
}
