package store_test

import (
	"crypto/ed25519"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
)

func TestWhatIsKeptOfAMatchsFairPlay(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
		write := func(f func(tx *store.Tx) error) {
			t.Helper()
			if err := s.Write(t.Context(), f); err != nil {
				t.Fatal(err)
			}
		}
		const id = match.ID("m")
		policy := fairplay.Preset(fairplay.Verified)
		fact := fairplay.Fact{Kind: fairplay.Waived, Seat: match.Second, At: now, Demand: fairplay.DemandPasskey, By: "host", Move: 3, Count: 2}
		write(func(tx *store.Tx) error {
			for _, p := range []player.ID{"anna", "borys"} {
				if err := tx.AddPlayer(player.Player{ID: p, Handle: player.Handle(p), Role: player.Plain, Created: now}, ""); err != nil {
					return err
				}
			}
			o := match.DefaultOptions()
			head := store.Head{ID: id, Players: [2]player.ID{"anna", "borys"}, Seq: 1, OpenedAt: now, LastAt: now, Level: policy.Level, Feed: policy.Feed}
			opened := match.Open(o, match.Seed{})[0]
			if err := tx.OpenMatch(store.Append{Head: head, Events: []match.Recorded{{Seq: 1, At: now, Event: opened}}}); err != nil {
				return err
			}
			return errors.Join(tx.FreezePolicy(id, policy), tx.AddFacts(id, fact), tx.AddFacts(id, fairplay.Fact{Kind: fact.Kind, Seat: fact.Seat, At: now.Add(time.Hour), Demand: fact.Demand}))
		})
		write(func(tx *store.Tx) error {
			frozen, err := tx.MatchPolicy(id)
			if err != nil || frozen.Policy != policy || frozen.Statement != nil {
				t.Errorf("%+v, %v", frozen, err)
			}
			facts, err := tx.Facts(id)
			if diff := cmp.Diff([]fairplay.Fact{fact}, facts); err != nil || diff != "" {
				t.Errorf("the first of a kind is kept: %v, want (-), got (+):\n%s", err, diff)
			}
			head, err := tx.Match(id)
			if err != nil || head.Level != fairplay.Verified || head.Feed != policy.Feed || head.Achieved != 0 {
				t.Errorf("%+v, %v", head, err)
			}
			guarded, err := tx.Guarded(now)
			if err != nil || len(guarded) != 1 || guarded[0].ID != id {
				t.Errorf("guarded: %+v, %v", guarded, err)
			}
			return nil
		})

		signed, err := fairplay.Sign(ed25519.NewKeyFromSeed(make([]byte, 32)), fairplay.Statement{
			Match: string(id), Players: [2]string{"anna", "borys"}, At: now, Achieved: fairplay.Achievement{Level: fairplay.Declared},
		}, policy)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Write(t.Context(), func(tx *store.Tx) error { return tx.SetAchieved(id, 2, signed) }); !errors.Is(err, store.ErrConflict) {
			t.Errorf("a running match has achieved something: %v", err)
		}
		over := store.Head{ID: id, Seq: 2, Status: match.Over, LastAt: now, Result: match.Result{Outcome: match.Draw, Reason: "x"}}
		if err := s.Append(t.Context(), store.Append{Head: over, Events: []match.Recorded{{Seq: 2, At: now, Event: match.Ended{Result: over.Result}}}}); err != nil {
			t.Fatal(err)
		}
		write(func(tx *store.Tx) error {
			return tx.SetAchieved(id, 2, signed)
		})
		if err := s.Write(t.Context(), func(tx *store.Tx) error { return tx.SetAchieved(id, 2, signed) }); !errors.Is(err, store.ErrConflict) {
			t.Errorf("twice: %v", err)
		}
		write(func(tx *store.Tx) error {
			with, err := tx.MatchPolicy(id)
			if err != nil || with.Statement == nil || with.Statement.Check(nil) != nil {
				t.Errorf("%+v, %v", with, err)
			}
			return errors.Join(
				tx.AddDevice(id, store.Device{Seat: match.First, Session: "s", Device: "d", Network: "n", At: now}),
				tx.AddDevice(id, store.Device{Seat: match.First, Session: "s", Device: "d", Network: "n", At: now.Add(time.Hour)}),
				tx.AddSignal(review.Signal{ID: "x", Player: "anna", Match: id, Kind: review.SignalToken, At: now}),
				tx.AddAnalysisRefusal(store.AnalysisRefusal{ID: "y", Match: id, Player: "anna", At: now, Position: "p"}),
				tx.AcceptText("anna", "uk", "…", now), tx.AcceptText("anna", "en", "…", now.Add(time.Hour)))
		})
		write(func(tx *store.Tx) error {
			devices, err := tx.Devices(id)
			if err != nil || len(devices) != 1 || !devices[0].At.Equal(now) {
				t.Errorf("%+v, %v", devices, err)
			}
			if accepted, err := tx.TextAccepted("anna", "borys"); err != nil || len(accepted) != 1 || !accepted["anna"].Equal(now) {
				t.Errorf("%v, %v", accepted, err)
			}
			if has, err := tx.HasSignal("anna", id, review.SignalToken); err != nil || !has {
				t.Errorf("%v, %v", has, err)
			}
			return tx.Forget(store.Terms[1], now.Add(90*24*time.Hour+time.Second))
		})
		write(func(tx *store.Tx) error {
			devices, err := tx.Devices(id)
			if err != nil || len(devices) != 0 {
				t.Errorf("%+v, %v", devices, err)
			}
			return nil
		})
		write(func(tx *store.Tx) error {
			return errors.Join(tx.AskErasure("borys", now, now), tx.Erase("borys", now))
		})
		write(func(tx *store.Tx) error {
			with, err := tx.MatchPolicy(id)
			if err != nil || with.Statement.Statement.Players != [2]string{"anna", "deleted-1"} || with.Statement.Signature != "" {
				t.Errorf("after one is erased: %+v, %v", with.Statement, err)
			}
			return nil
		})
	})
}

func TestOnlyWhoHasNotPlayedBecomesABot(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
		err := s.Write(t.Context(), func(tx *store.Tx) error {
			for _, p := range []player.ID{"anna", "borys"} {
				if err := tx.AddPlayer(player.Player{ID: p, Handle: player.Handle(p), Role: player.Plain, Created: now}, "secret"); err != nil {
					return err
				}
			}
			_, err := tx.AddToken(player.Token{Player: "borys", Name: "old", Scopes: []player.Scope{player.ScopeBoardPlay}, Created: now})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		err = s.Write(t.Context(), func(tx *store.Tx) error {
			return tx.ConvertToBot(player.Player{ID: "borys", Handle: "borys", Bot: true, Maintainer: "anna"})
		})
		if err != nil {
			t.Fatal(err)
		}
		err = s.Read(t.Context(), func(tx *store.Tx) error {
			p, secret, err := tx.PlayerCredential("borys")
			if err != nil || !p.Bot || p.Maintainer != "anna" || p.IsHouse() || secret != "" {
				t.Errorf("%+v %q %v", p, secret, err)
			}
			tokens, err := tx.Tokens("borys")
			if err != nil || len(tokens) != 0 {
				t.Errorf("a person's tokens go on: %v, %v", tokens, err)
			}
			house, err := tx.Bots()
			if err != nil || len(house) != 0 {
				t.Errorf("the house plays %v, %v", house, err)
			}
			mine, err := tx.BotsOf("anna")
			if err != nil || len(mine) != 1 {
				t.Errorf("anna's: %v, %v", mine, err)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		err = s.Write(t.Context(), func(tx *store.Tx) error {
			return tx.ConvertToBot(player.Player{ID: "borys", Handle: "borys", Bot: true, Maintainer: "anna"})
		})
		if !errors.Is(err, store.ErrConflict) {
			t.Errorf("twice: %v", err)
		}
	})
}
