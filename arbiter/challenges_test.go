package arbiter_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/challenge"
)

// friendly is without a ready gate.
func friendly(rated bool) challenge.Settings {
	s := challenge.DefaultSettings()
	s.Rated, s.Lateness = rated, 0
	return s
}

func (h *hall) challenge(by, to string, s challenge.Settings) challenge.Challenge {
	h.t.Helper()
	c, err := h.Challenges.Send(h.t.Context(), h.viewer(by), to, s)
	h.ok(err)
	return c
}

// wins plays the match of a challenge: the named one wins.
func (h *hall) wins(c challenge.Challenge, winner string) {
	h.t.Helper()
	for i, id := range c.Seats() {
		if id != h.player(winner).ID {
			seat := match.Seats[i]
			_, err := h.live.Do(h.t.Context(), c.Match, id, live.Request{Command: match.Resign{Seat: seat}})
			h.ok(err)
		}
	}
}

// plays is a rated challenge from its offer to its end.
func (h *hall) plays(winner, loser string) challenge.Challenge {
	h.t.Helper()
	c := h.challenge(winner, loser, friendly(true))
	c, err := h.Challenges.Accept(h.t.Context(), h.viewer(loser), c.ID)
	h.ok(err)
	h.wins(c, winner)
	return c
}

func (h *hall) head(id match.ID) (head store.Head) {
	h.t.Helper()
	h.ok(h.store.Read(h.t.Context(), func(tx *store.Tx) (err error) {
		head, err = tx.Match(id)
		return err
	}))
	return head
}

func TestAnAcceptedChallengeIsAMatchTheChallengerBegins(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		c := h.challenge("ana", "Bob", friendly(false))
		if c.Status != challenge.Open || c.Match != "" {
			t.Fatalf("%+v", c)
		}
		if _, err := h.Challenges.Accept(t.Context(), h.viewer("cyn"), c.ID); !errors.Is(err, challenge.ErrNotForYou) {
			t.Errorf("cyn: %v", err)
		}
		c, err := h.Challenges.Accept(t.Context(), h.viewer("bob"), c.ID)
		h.ok(err)
		head := h.head(c.Match)
		if head.Players != [2]player.ID{"ana", "bob"} || head.Status != match.Bidding || head.ToAct != match.First {
			t.Errorf("%+v", head)
		}
		var stored challenge.Challenge
		h.ok(h.store.Read(t.Context(), func(tx *store.Tx) (err error) {
			stored, err = tx.ChallengeOf(c.Match)
			return err
		}))
		if diff := cmp.Diff(c, stored); diff != "" {
			t.Errorf("stored:\n%s", diff)
		}
		if _, err := h.Challenges.Accept(t.Context(), h.viewer("bob"), c.ID); !errors.Is(err, challenge.ErrClosed) {
			t.Errorf("again: %v", err)
		}
	})
}

func TestWhoAcceptsIsReadyAndTheChallengerHasTime(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		s := challenge.DefaultSettings() // with a gate of five minutes
		c, err := h.Challenges.Accept(t.Context(), h.viewer("bob"), h.challenge("ana", "", s).ID)
		h.ok(err)
		state, head, err := h.live.State(t.Context(), c.Match)
		h.ok(err)
		if state.IsReady(match.First) || !state.IsReady(match.Second) || head.ToAct != match.First {
			t.Errorf("ready: %v and %v, to act %v", state.IsReady(match.First), state.IsReady(match.Second), head.ToAct)
		}
	})
}

func TestOfManyWhoAcceptALinkOneGetsTheMatch(t *testing.T) {
	t.Parallel()
	storetest.ManyAtOnce(t)
	each(t, func(t *testing.T, h *hall) {
		c := h.challenge("ana", "", friendly(false))
		var wait sync.WaitGroup
		results := make(chan error, len(names)-1)
		for _, handle := range names[1:] {
			by := h.viewer(handle)
			wait.Go(func() {
				_, err := h.Challenges.Accept(t.Context(), by, c.ID)
				results <- err
			})
		}
		wait.Wait()
		close(results)
		won := 0
		for err := range results {
			switch {
			case err == nil:
				won++
			case !errors.Is(err, challenge.ErrClosed) && !errors.Is(err, challenge.ErrNotForYou):
				t.Error(err)
			}
		}
		var running []store.Head
		h.ok(h.store.Read(t.Context(), func(tx *store.Tx) (err error) {
			running, err = tx.RunningMatches(10)
			return err
		}))
		if won != 1 || len(running) != 1 {
			t.Errorf("%d have accepted, %d matches", won, len(running))
		}
	})
}

func TestAHouseBotAcceptsAtOnceAndNoClockRunsUntilBothAreReady(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		storetest.Players(t, h.store, "bot-one")
		c := h.challenge("ana", "bot-one", challenge.DefaultSettings())
		if head := h.head(c.Match); head.Status != match.Waiting || head.Players != [2]player.ID{"ana", "bot-one"} || head.Bots != [2]bool{false, true} {
			t.Errorf("%+v", head)
		}
		if _, err := h.Challenges.Send(t.Context(), h.viewer("ana"), "bot-one", friendly(true)); !errors.Is(err, challenge.ErrBotRated) {
			t.Errorf("rated: %v", err)
		}
		_, err := h.live.Do(t.Context(), c.Match, "bot-one", live.Request{Command: match.Ready{Seat: match.Second}})
		h.ok(err)
		if head := h.head(c.Match); head.Status != match.Waiting {
			t.Errorf("the bot is ready, and the match began without ana: %+v", head)
		}
		_, err = h.live.Do(t.Context(), c.Match, "ana", live.Request{Command: match.Ready{Seat: match.First}})
		h.ok(err)
		if head := h.head(c.Match); head.Status != match.Bidding {
			t.Errorf("both are ready: %+v", head)
		}
		h.wins(c, "ana")
		again, err := h.Challenges.Rematch(t.Context(), h.viewer("ana"), c.Match)
		h.ok(err)
		if head := h.head(again.Match); head.Players != [2]player.ID{"bot-one", "ana"} {
			t.Errorf("rematch: %v", head.Players)
		}
	})
}

func TestAChallengeThatNobodyAnswersExpires(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *hall) {
		c := h.challenge("ana", "bob", friendly(false))
		if _, err := h.Challenges.Send(t.Context(), h.viewer("ana"), "bob", friendly(false)); !errors.Is(err, challenge.ErrTwice) {
			t.Errorf("a second one while the first waits: %v", err)
		}
		h.clock.advance(24 * time.Hour)
		if _, err := h.Challenges.Accept(t.Context(), h.viewer("bob"), c.ID); !errors.Is(err, challenge.ErrExpired) {
			t.Errorf("too late: %v", err)
		}
		h.challenge("ana", "bob", friendly(false)) // what has expired is not in its way
		d := h.challenge("ana", "cyn", friendly(false))
		h.clock.advance(24 * time.Hour)
		h.ok(h.Sweep(t.Context()))
		h.ok(h.store.Read(t.Context(), func(tx *store.Tx) error {
			found, err := tx.ChallengeStatuses([]challenge.ID{c.ID, d.ID})
			if diff := cmp.Diff(map[challenge.ID]challenge.Status{c.ID: challenge.Expired, d.ID: challenge.Expired}, found); diff != "" {
				t.Error(diff)
			}
			return err
		}))
	})
}

func TestDeclinedAndWithdrawn(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *hall) {
		declined, err := h.Challenges.Decline(t.Context(), h.viewer("bob"), h.challenge("ana", "bob", friendly(false)).ID, "later")
		h.ok(err)
		withdrawn, err := h.Challenges.Withdraw(t.Context(), h.viewer("ana"), h.challenge("ana", "bob", friendly(false)).ID)
		h.ok(err)
		if declined.Status != challenge.Declined || withdrawn.Status != challenge.Withdrawn {
			t.Errorf("%v, %v", declined.Status, withdrawn.Status)
		}
		h.ok(h.store.Read(t.Context(), func(tx *store.Tx) error {
			waiting, err := tx.WaitingChallenges("bob", h.clock.now())
			if len(waiting) != 0 {
				t.Errorf("%d still wait", len(waiting))
			}
			if unread, err := tx.UnreadNotices("bob", h.clock.now()); unread != 0 || err != nil {
				t.Errorf("%d notices of challenges that are closed are new, %v", unread, err)
			}
			return err
		}))
	})
}

func TestARematchIsOfferedOnceByEither(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		c, err := h.Challenges.Accept(t.Context(), h.viewer("bob"), h.challenge("ana", "bob", friendly(false)).ID)
		h.ok(err)
		if _, err := h.Challenges.Rematch(t.Context(), h.viewer("ana"), c.Match); !errors.Is(err, challenge.ErrNotOver) {
			t.Errorf("while it runs: %v", err)
		}
		h.wins(c, "bob")
		offered, err := h.Challenges.Rematch(t.Context(), h.viewer("ana"), c.Match)
		h.ok(err)
		if offered.Status != challenge.Open || offered.Rematch != c.Match || offered.Seats() != [2]player.ID{"bob", "ana"} {
			t.Errorf("%+v", offered)
		}
		again, err := h.Challenges.Rematch(t.Context(), h.viewer("ana"), c.Match)
		h.ok(err)
		if again.ID != offered.ID {
			t.Error("asked again it is the same offer")
		}
		// The other one asks for the same: that is a yes.
		accepted, err := h.Challenges.Rematch(t.Context(), h.viewer("bob"), c.Match)
		h.ok(err)
		if accepted.ID != offered.ID || h.head(accepted.Match).Players != [2]player.ID{"bob", "ana"} {
			t.Errorf("%+v", accepted)
		}
		once, err := h.Challenges.Rematch(t.Context(), h.viewer("ana"), c.Match)
		h.ok(err)
		if once.Match != accepted.Match {
			t.Error("a match has one rematch")
		}
		if _, err := h.Challenges.Rematch(t.Context(), h.viewer("cyn"), c.Match); !errors.Is(err, challenge.ErrNotPlayed) {
			t.Errorf("cyn: %v", err)
		}
	})
}

func TestBothAskForARematchAtOnce(t *testing.T) {
	t.Parallel()
	storetest.ManyAtOnce(t)
	each(t, func(t *testing.T, h *hall) {
		c, err := h.Challenges.Accept(t.Context(), h.viewer("bob"), h.challenge("ana", "bob", friendly(false)).ID)
		h.ok(err)
		h.wins(c, "ana")
		var wait sync.WaitGroup
		for _, handle := range []string{"ana", "bob"} {
			by := h.viewer(handle)
			wait.Go(func() {
				if _, err := h.Challenges.Rematch(t.Context(), by, c.Match); err != nil && !errors.Is(err, challenge.ErrClosed) {
					t.Errorf("%s: %v", by.Handle, err)
				}
			})
		}
		wait.Wait()
		found, err := h.Challenges.Rematch(t.Context(), h.viewer("ana"), c.Match)
		h.ok(err)
		if found.Status != challenge.Accepted || h.head(found.Match).Players != [2]player.ID{"bob", "ana"} {
			t.Errorf("%+v", found)
		}
	})
}

// TestRatedChallengesAndTournamentsAreOneSeriesOfEvents: each is rated with the
// ratings that the one before it left, and so again whenever that is done anew.
func TestRatedChallengesAndTournamentsAreOneSeriesOfEvents(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *hall) {
		first := h.plays("ana", "bob") // at 1500 each: ±20
		id := h.create(tournament.RoundRobin, nil, "ana", "bob", "cyn")
		h.ok(h.Rounds.Start(t.Context(), h.host, id))
		// Numbers 1 ana (1520), 2 cyn (1500), 3 bob (1480): 2-3, 1-2, 3-1.
		h.beats(id, "bob", "cyn")
		h.beats(id, "cyn", "ana")
		h.beats(id, "bob", "ana")
		// ana lost to 1500 (0.53) and 1480 (0.56): −1.09 × 40 = −43.6; cyn lost to
		// 1480 (0.53) and beat 1520 (0.47): 0; bob beat 1500 (0.47) and 1520 (0.44):
		// 1.09 × 40 = 43.6.
		elo := map[string]int{"ana": 1476, "bob": 1524, "cyn": 1500}
		if diff := cmp.Diff(elo, h.ratings("ana", "bob", "cyn")); diff != "" {
			t.Fatal(diff)
		}
		h.plays("cyn", "ana")
		// 24 apart: 0.53 expected of cyn, 0.47 × 40 = 18.8; 1476.4 and 1500.
		elo = map[string]int{"ana": 1458, "bob": 1524, "cyn": 1519}
		if diff := cmp.Diff(elo, h.ratings("ana", "bob", "cyn")); diff != "" {
			t.Fatal(diff)
		}
		changes := func(handle string) (list []store.RatingChange) {
			h.ok(h.store.Read(t.Context(), func(tx *store.Tx) (err error) {
				list, err = tx.RatingHistory(h.player(handle).ID)
				return err
			}))
			return list
		}
		before := changes("ana")
		if len(before) != 4 || before[0].Challenge != first.ID || before[2].Tournament != id || before[3].Ordinal != 3 {
			t.Errorf("ana joined and was rated three times: %+v", before)
		}
		h.ok(h.Ratings.Recompute(t.Context(), nil))
		if diff := cmp.Diff(elo, h.ratings("ana", "bob", "cyn")); diff != "" {
			t.Errorf("made anew: %s", diff)
		}
		if diff := cmp.Diff(before, changes("ana")); diff != "" {
			t.Errorf("made anew: %s", diff)
		}
	})
}

func TestWhatDoesNotCountForTheRating(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		unrated, err := h.Challenges.Accept(t.Context(), h.viewer("bob"), h.challenge("ana", "bob", friendly(false)).ID)
		h.ok(err)
		h.wins(unrated, "ana")
		gated := challenge.DefaultSettings()
		gated.Rated = true
		forfeited, err := h.Challenges.Accept(t.Context(), h.viewer("bob"), h.challenge("ana", "bob", gated).ID)
		h.ok(err)
		h.clock.advance(gated.Lateness)
		h.ok(h.live.SweepDue(t.Context())) // ana has not come
		if head := h.head(forfeited.Match); head.Result.Reason != match.Forfeit {
			t.Fatalf("%+v", head.Result)
		}
		h.ok(h.Sweep(t.Context()))
		if diff := cmp.Diff(map[string]int{"ana": 0, "bob": 0}, h.ratings("ana", "bob")); diff != "" {
			t.Error(diff)
		}
	})
}

func TestACrashBetweenTheEndOfAChallengeAndItsRating(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		h.live.OnFinish(nil) // the process dies before it is told
		h.plays("ana", "bob")
		again := arbiter.New(h.store, h.live, arbiter.Config{Now: h.clock.now}, nil)
		for range 2 { // a second sweep finds nothing to do
			h.ok(again.Sweep(t.Context()))
			if diff := cmp.Diff(map[string]int{"ana": 1520, "bob": 1480}, h.ratings("ana", "bob")); diff != "" {
				t.Error(diff)
			}
		}
	})
}

func TestChallengesThatEndAtOnceAreAllRated(t *testing.T) {
	t.Parallel()
	storetest.ManyAtOnce(t)
	each(t, func(t *testing.T, h *hall) {
		h.live.OnFinish(nil)
		for _, pair := range [][2]string{{"ana", "bob"}, {"cyn", "dan"}, {"eve", "fay"}} {
			h.plays(pair[0], pair[1])
		}
		var wait sync.WaitGroup
		for range 3 { // three nodes sweep
			wait.Go(func() {
				if err := h.Sweep(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		wait.Wait()
		h.ok(h.Sweep(t.Context()))
		want := map[string]int{"ana": 1520, "bob": 1480, "cyn": 1520, "dan": 1480, "eve": 1520, "fay": 1480}
		if diff := cmp.Diff(want, h.ratings("ana", "bob", "cyn", "dan", "eve", "fay")); diff != "" {
			t.Error(diff)
		}
	})
}
