package arbiter_test

import (
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/fixture"
	"chpok.org/chpok/tournament/ladder"
)

// ladder makes a ladder of the host's with these players, from the top.
func (h *hall) ladder(change func(*ladder.Settings), handles ...string) ladder.ID {
	h.t.Helper()
	s := ladder.DefaultSettings()
	s.Name = "Club ladder"
	if change != nil {
		change(&s)
	}
	id, err := h.Ladders.Create(h.t.Context(), h.host, s)
	h.ok(err)
	for _, handle := range handles {
		h.ok(h.Ladders.Join(h.t.Context(), h.viewer(handle), id, ""))
	}
	return id
}

func (h *hall) readLadder(id ladder.ID) (l *ladder.Ladder) {
	h.t.Helper()
	h.ok(h.store.Read(h.t.Context(), func(tx *store.Tx) (err error) {
		l, err = tx.Ladder(id)
		return err
	}))
	return l
}

// stands checks the order of a ladder, and that its log and its tables say the same.
func (h *hall) stands(id ladder.ID, want string) {
	h.t.Helper()
	l := h.readLadder(id)
	var order []string
	for _, r := range l.Rungs {
		order = append(order, string(r.Player))
	}
	if got := strings.Join(order, " "); got != want {
		h.t.Errorf("the ladder stands %s, want %s", got, want)
	}
	h.ok(h.store.Read(h.t.Context(), func(tx *store.Tx) error {
		log, err := tx.LadderLog(id)
		if err != nil {
			return err
		}
		again, err := ladder.Fold(id, log)
		if err != nil {
			return err
		}
		have, _ := json.Marshal(again)
		kept, _ := json.Marshal(l)
		if string(have) != string(kept) {
			h.t.Errorf("the log replays to\n%s\nkept is\n%s", have, kept)
		}
		for i, r := range l.Rungs {
			lines, _, err := tx.Ladders(store.LadderQuery{For: r.Player, Limit: 10})
			if err != nil {
				return err
			}
			if len(lines) != 1 || lines[0].ID != id || lines[0].Place != i+1 || lines[0].Players != len(l.Rungs) || lines[0].Running != len(l.Challenges) {
				h.t.Errorf("place %d of the ladder: the list says %+v", i+1, lines)
			}
		}
		return nil
	}))
}

func (h *hall) sweepLadders() {
	h.t.Helper()
	h.ok(h.Ladders.Sweep(h.t.Context()))
}

// appoint sends a challenge and agrees on a match two hours later.
func (h *hall) appoint(id ladder.ID, challenger, defender string) store.LadderRef {
	h.t.Helper()
	ctx := h.t.Context()
	n, err := h.Ladders.Challenge(ctx, h.viewer(challenger), id, player.ID(defender))
	h.ok(err)
	ref := store.LadderRef{Ladder: id, Number: n}
	h.ok(h.Ladders.Accept(ctx, h.viewer(defender), ref))
	at := h.clock.now().Add(2 * time.Hour)
	h.ok(h.Ladders.ProposeTime(ctx, h.viewer(challenger), ref, at))
	h.ok(h.Ladders.AgreeTime(ctx, h.viewer(defender), ref, at))
	return ref
}

func (h *hall) ladderChallenge(ref store.LadderRef) (c ladder.Challenge) {
	h.t.Helper()
	h.ok(h.store.Read(h.t.Context(), func(tx *store.Tx) (err error) {
		c, err = tx.LadderChallenge(ref)
		return err
	}))
	return c
}

func TestLadderChallengeFromTheFirstWordToTheLast(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		id := h.ladder(nil, "ana", "bob", "cyn")
		ref := h.appoint(id, "cyn", "ana")
		h.clock.advance(2*time.Hour - fixture.Doors - time.Second)
		h.sweepLadders()
		if c := h.ladderChallenge(ref); c.Status != fixture.Scheduled {
			t.Fatalf("a second before the doors open it is %s", c.Status)
		}
		h.clock.advance(time.Second)
		h.sweepLadders()
		h.sweepLadders()
		c := h.ladderChallenge(ref)
		if c.Status != fixture.Playing || c.Match == "" {
			t.Fatalf("the match is not open: %+v", c)
		}
		state, head, err := h.live.State(t.Context(), c.Match)
		h.ok(err)
		if head.Players != [2]player.ID{"cyn", "ana"} || state.Status() != match.Waiting {
			t.Errorf("the challenger bids first and the gate is closed: %v %v", head.Players, state.Status())
		}
		if deadline, _ := state.Deadline(); !deadline.Equal(h.clock.now().Add(fixture.Doors + 15*time.Minute)) {
			t.Errorf("the gate waits until %v", deadline)
		}
		for _, seat := range match.Seats {
			_, err := h.live.Do(t.Context(), c.Match, head.Players[seat.Index()], live.Request{Command: match.Ready{Seat: seat}})
			h.ok(err)
		}
		_, err = h.live.Do(t.Context(), c.Match, "ana", live.Request{Command: match.Resign{Seat: match.Second}})
		h.ok(err)
		h.sweepLadders()
		h.sweepLadders()
		h.stands(id, "cyn ana bob")
		if c := h.ladderChallenge(ref); c.Status != ladder.Ended || c.Ending != ladder.Played || c.Winner != "cyn" {
			t.Errorf("the challenge: %+v", c)
		}
	})
}

func TestLadderDeadlinesAreLateButNeverMissedAndNeverTwice(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		id := h.ladder(nil, "cyn", "ana", "bob")
		n, err := h.Ladders.Challenge(t.Context(), h.viewer("bob"), id, "ana")
		h.ok(err)
		h.clock.advance(10 * 24 * time.Hour)
		h.sweepLadders()
		h.stands(id, "cyn bob ana")
		if c := h.ladderChallenge(store.LadderRef{Ladder: id, Number: n}); c.Ending != ladder.NoReply {
			t.Errorf("ended by %q", c.Ending)
		}
		seq := h.readLadder(id).Seq
		h.sweepLadders()
		if again := h.readLadder(id).Seq; again != seq {
			t.Errorf("a second pass added %d events", again-seq)
		}
		// A year in which no job runs: warned first, the whole notice, then down.
		h.clock.advance(365 * 24 * time.Hour)
		h.sweepLadders()
		h.stands(id, "cyn bob ana")
		h.clock.advance(5 * 24 * time.Hour)
		h.sweepLadders()
		h.stands(id, "cyn ana bob")
	})
}

func TestTwoNodesOpenOneMatchForOneAppointment(t *testing.T) {
	t.Parallel()
	storetest.ManyAtOnce(t)
	each(t, func(t *testing.T, h *hall) {
		id := h.ladder(nil, "ana", "bob", "cyn")
		h.appoint(id, "bob", "ana")
		other := arbiter.New(h.store, h.live, arbiter.Config{Now: h.clock.now}, nil)
		h.clock.advance(2 * time.Hour)
		var nodes sync.WaitGroup
		for _, node := range []*arbiter.Arbiter{h.Arbiter, other, h.Arbiter, other} {
			nodes.Go(func() {
				if err := node.Ladders.Sweep(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		nodes.Wait()
		h.ok(h.store.Read(t.Context(), func(tx *store.Tx) error {
			running, err := tx.RunningMatches(10)
			if len(running) != 1 {
				t.Errorf("%d matches are open", len(running))
			}
			return err
		}))
	})
}

func TestRacingChallengesKeepTheLimits(t *testing.T) {
	t.Parallel()
	storetest.ManyAtOnce(t)
	each(t, func(t *testing.T, h *hall) {
		id := h.ladder(nil, names...)
		var race sync.WaitGroup
		for _, handle := range names[1:] {
			by := h.viewer(handle)
			race.Go(func() {
				var refused *ladder.Refusal
				if _, err := h.Ladders.Challenge(t.Context(), by, id, "ana"); err != nil && !errors.As(err, &refused) && !errors.Is(err, store.ErrConflict) {
					t.Error(err)
				}
			})
		}
		race.Wait()
		if n := h.readLadder(id).Incoming("ana"); n != 1 {
			t.Errorf("ana has %d challenges to answer", n)
		}
	})
}

func TestWhoDoesNotAppearOnALadderMayObject(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *hall) {
		id := h.ladder(nil, "ana", "bob")
		ref := h.appoint(id, "bob", "ana")
		h.clock.advance(2 * time.Hour)
		h.sweepLadders()
		c := h.ladderChallenge(ref)
		_, err := h.live.Do(t.Context(), c.Match, "bob", live.Request{Command: match.Ready{Seat: match.First}})
		h.ok(err)
		h.clock.advance(15 * time.Minute)
		h.ok(h.live.SweepDue(t.Context()))
		h.sweepLadders()
		if c = h.ladderChallenge(ref); c.Status != fixture.Claimed || c.Winner != "bob" {
			t.Fatalf("after the lateness: %+v", c)
		}
		h.ok(h.Ladders.DisputeForfeit(t.Context(), h.viewer("ana"), ref, "the power was out"))
		if err := h.Ladders.Judge(t.Context(), h.viewer("bob"), ref, "bob", "I was there"); !errors.Is(err, ladder.ErrNotAllowed) {
			t.Errorf("a player judges: %v", err)
		}
		h.ok(h.Ladders.Judge(t.Context(), h.host, ref, "bob", "the power was on"))
		h.stands(id, "bob ana")
	})
}

func TestPlayersOfATournamentBeginALadderInItsOrder(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		from := h.create(tournament.RoundRobin, nil, "ana", "bob", "cyn")
		h.ok(h.Rounds.Start(t.Context(), h.host, from))
		for range 3 {
			round := h.tournament(from)
			last := round.Rounds[len(round.Rounds)-1]
			for _, p := range last.Pairings {
				one, _ := round.Entry(p.First)
				two, _ := round.Entry(p.Second)
				h.beats(from, max(one.Name, two.Name), min(one.Name, two.Name))
			}
		}
		id := h.ladder(nil, "dan")
		n, err := h.Ladders.Seed(t.Context(), h.host, id, from)
		h.ok(err)
		if n != 3 {
			t.Errorf("%d have come", n)
		}
		h.stands(id, "dan cyn bob ana")
	})
}

func TestClubsOwnLadder(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *hall) {
		h.ok(h.store.Write(t.Context(), func(tx *store.Tx) error {
			return tx.AddClub(club.New("dragon", "Dragon", "", "ana", h.clock.now()))
		}))
		if _, err := h.Clubs.Join(t.Context(), h.viewer("bob"), "dragon", "", ""); err != nil {
			t.Fatal(err)
		}
		s := ladder.DefaultSettings()
		s.Name, s.Club, s.MembersOnly = "Dragons", "dragon", true
		if _, err := h.Ladders.Create(t.Context(), h.viewer("bob"), s); !errors.Is(err, ladder.ErrNotAllowed) {
			t.Errorf("a member makes a ladder: %v", err)
		}
		id, err := h.Ladders.Create(t.Context(), h.viewer("ana"), s)
		h.ok(err)
		h.ok(h.Ladders.Join(t.Context(), h.viewer("bob"), id, ""))
		if err := h.Ladders.Join(t.Context(), h.viewer("cyn"), id, ""); !errors.Is(err, ladder.ErrMembersOnly) {
			t.Errorf("a stranger joins: %v", err)
		}
		h.ok(h.Ladders.Leave(t.Context(), h.viewer("bob"), id, "bob"))
		h.stands(id, "")
	})
}
