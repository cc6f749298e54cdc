package arbiter_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/arbiter/judges"
	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/live"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/call"
	"chpok.org/chpok/tournament/ledger"
)

// evening is a running round robin of four in which a call stops the clocks,
// with gus as its arbiter, and the first board's match.
func evening(h *hall) (tournament.ID, tournament.Pairing, player.Viewer) {
	h.t.Helper()
	id := h.create(tournament.RoundRobin, func(s *tournament.Settings) {
		s.CallStops = true
		s.Break = time.Hour
	}, "ana", "bob", "cyn", "dan")
	gus := h.viewer("gus")
	h.giveDuty(id, gus)
	h.ok(h.Rounds.Start(h.t.Context(), h.host, id))
	return id, h.tournament(id).Rounds[0].Pairings[0], gus
}

// giveDuty makes somebody an arbiter of a tournament, as if they had accepted.
func (h *hall) giveDuty(id tournament.ID, to player.Viewer) {
	h.t.Helper()
	before := h.tournament(id)
	after := before.Clone()
	h.ok(after.Appoint(h.host, to.ID, tournament.Arbiter, h.clock.now()))
	h.ok(after.AcceptDuty(to, h.clock.now()))
	h.ok(h.store.Write(h.t.Context(), func(tx *store.Tx) error {
		return tx.SaveTournament(before, after, ledger.Deed{At: h.clock.now(), By: h.host.ID, Act: tournament.ActStaff})
	}))
}

// bidAll bids until the board phase begins.
func (h *hall) bidAll(id tournament.ID, p tournament.Pairing) {
	h.t.Helper()
	h.bidOut(p.Match, func(seat match.Seat) player.ID { return h.at(id, p, seat).ID })
}

// bidOut lays all chips of a match on the time and White.
func (h *hall) bidOut(id match.ID, at func(match.Seat) player.ID) {
	h.t.Helper()
	for h.state(id).Status() == match.Bidding {
		seat, _ := h.state(id).ToAct()
		bids := h.state(id).Game().Bids()
		bid := bidding.Bid{Target: bidding.Time, Chips: bids.Purse(seat), HasOutcome: true, Time: bidding.TimeControl{Minutes: 5}}
		if gap := bids.Gap(bidding.Time, seat); bid.Chips <= gap {
			bid.Target = bidding.White
			bid.HasOutcome = false
		}
		_, err := h.live.Do(h.t.Context(), id, at(seat), live.Request{Command: match.PlaceBid{Seat: seat, Bid: bid}, Admit: admitted})
		h.ok(err)
	}
}

// at is who sits at a seat of a board.
func (h *hall) at(id tournament.ID, p tournament.Pairing, seat match.Seat) player.Viewer {
	h.t.Helper()
	e, err := h.tournament(id).Entry(p.EntryAt(seat))
	h.ok(err)
	return h.viewer(e.Name)
}

func word(by player.Viewer, why string) match.Warrant {
	return match.Warrant{By: string(by.ID), Why: why}
}

func (h *hall) state(id match.ID) match.State {
	h.t.Helper()
	s, _, err := h.live.State(h.t.Context(), id)
	h.ok(err)
	return s
}

func TestACallStopsTheClocksAndIsAnswered(t *testing.T) {
	each(t, func(t *testing.T, h *hall) {
		ctx := t.Context()
		id, board, gus := evening(h)
		first := h.at(id, board, match.First)
		h.clock.advance(10 * time.Second)
		if _, err := h.Judges.Call(ctx, gus, board.Match, "me?"); !errors.Is(err, live.ErrNotPlaying) {
			t.Errorf("a watcher calls: %v", err)
		}
		if err := h.Judges.Say(ctx, first, board.Match, "hello?"); !errors.Is(err, assurance.ErrNoTalk) {
			t.Errorf("a talk without a call: %v", err)
		}
		c, err := h.Judges.Call(ctx, first, board.Match, "the row is wrong")
		h.ok(err)
		h.clock.advance(time.Hour)
		h.ok(h.live.SweepDue(ctx))
		if left, _, running := h.state(board.Match).Clocks(h.clock.now()); left != 90*time.Second || running.Valid() {
			t.Errorf("the clock shows %v, %v runs", left, running)
		}
		if _, err := h.Judges.Call(ctx, first, board.Match, "again"); !errors.Is(err, call.ErrOpen) {
			t.Errorf("a second call: %v", err)
		}
		var told []store.Told
		var waiting []call.Call
		h.ok(h.store.Read(ctx, func(tx *store.Tx) (err error) {
			if told, _, err = tx.Notices(store.NoticeQuery{Player: gus.ID, Limit: 10}); err != nil {
				return err
			}
			waiting, err = tx.OpenCalls(id)
			return err
		}))
		if len(told) == 0 || told[0].Kind != notice.Call || told[0].URL != "/tournaments/"+string(id)+"/calls" {
			t.Errorf("the arbiter is told %+v", told)
		}
		if len(waiting) != 1 || waiting[0].Board != 1 || waiting[0].Round != 1 || !waiting[0].Stopped || waiting[0].Text != "the row is wrong" {
			t.Errorf("the queue: %+v", waiting)
		}
		if err := h.Judges.TakeCall(ctx, first, c.ID); !errors.Is(err, assurance.ErrNotJudge) {
			t.Errorf("the caller takes his own call: %v", err)
		}
		h.ok(h.Judges.TakeCall(ctx, gus, c.ID))
		if err := h.Judges.TakeCall(ctx, h.host, c.ID); !errors.Is(err, call.ErrTaken) {
			t.Errorf("taken twice: %v", err)
		}
		h.ok(h.Judges.Say(ctx, first, board.Match, "look at it"))
		h.ok(h.Judges.Rule(ctx, gus, board.Match, live.Request{CommandID: "1", Command: match.Resume{Warrant: word(gus, "it is right")}}))
		h.ok(h.Judges.ResolveCall(ctx, gus, c.ID, "the row is as it was bid"))
		var talk []call.Message
		h.ok(h.store.Read(ctx, func(tx *store.Tx) (err error) {
			talk, err = tx.Messages(board.Match)
			return err
		}))
		if len(talk) != 2 || talk[0].Staff || talk[0].By != first.ID || !talk[1].Staff || talk[1].By != gus.ID {
			t.Errorf("the talk: %+v", talk)
		}
		if err := h.Judges.ResolveCall(ctx, gus, c.ID, ""); !errors.Is(err, call.ErrResolved) {
			t.Errorf("settled twice: %v", err)
		}
		// Whoever missed the nudges learns of it all the same.
		late := h.live.Subscribe(ctx, judges.CallsTopic(id), judges.TalkTopic(board.Match))
		defer late.Close()
		h.ok(h.live.Reread(ctx))
		if news := late.Take(); len(news) != 2 || news[0].Seq != h.clock.now().UnixMilli() || news[1].Seq != h.clock.now().UnixMilli() {
			t.Errorf("read again: %+v", news)
		}
	})
}

func TestWhoeverTakesHisCallBackLetsTheClocksRun(t *testing.T) {
	one(t, func(t *testing.T, h *hall) {
		id, board, gus := evening(h)
		second := h.at(id, board, match.Second)
		c, err := h.Judges.Call(t.Context(), second, board.Match, "a draft in the hall")
		h.ok(err)
		if err := h.Judges.WithdrawCall(t.Context(), gus, c.ID); !errors.Is(err, assurance.ErrNotJudge) {
			t.Errorf("another's call: %v", err)
		}
		h.ok(h.Judges.WithdrawCall(t.Context(), second, c.ID))
		if _, still := h.state(board.Match).Standstill(); still {
			t.Error("the match stands still")
		}
	})
}

func TestNobodyJudgesHisOwnMatchAndPlayersJudgeNone(t *testing.T) {
	one(t, func(t *testing.T, h *hall) {
		ctx := t.Context()
		id, board, gus := evening(h)
		first := h.at(id, board, match.First)
		h.giveDuty(id, first)
		pause := func(by player.Viewer, m match.ID) error {
			return h.Judges.Rule(ctx, by, m, live.Request{Command: match.Pause{Warrant: word(by, "x")}})
		}
		var party *fairplay.PartyError
		if err := pause(first, board.Match); !errors.As(err, &party) || !slices.Contains(party.Names, "gus") || slices.Contains(party.Names, string(first.Handle)) {
			t.Errorf("an arbiter judges their own match: %v, %+v", err, party)
		}
		h.ok(pause(first, h.tournament(id).Rounds[0].Pairings[1].Match))
		if err := pause(h.viewer("fay"), board.Match); !errors.Is(err, assurance.ErrNotJudge) {
			t.Errorf("a watcher judges: %v", err)
		}
		if err := h.Judges.Rule(ctx, gus, board.Match, live.Request{Command: match.Pause{Warrant: word(h.host, "x")}}); !errors.Is(err, assurance.ErrNotJudge) {
			t.Errorf("by another's word: %v", err)
		}
	})
}

// An arbiter who plays, too, does not declare who of their rivals wins, nor has the match played again. They set a clock
// there, and everybody sees it; another arbiter's word is not marked.
func TestWhoPlaysDoesNotRuleAmongTheirRivals(t *testing.T) {
	one(t, func(t *testing.T, h *hall) {
		ctx := t.Context()
		id, board, gus := evening(h)
		plays := h.at(id, board, match.First)
		h.giveDuty(id, plays)
		theirs := h.tournament(id).Rounds[0].Pairings[1]
		h.bidAll(id, theirs)
		request := func(by player.Viewer, c match.Command) live.Request {
			return live.Request{CommandID: "once", Command: c}
		}
		var party *fairplay.PartyError
		err := h.Judges.Rule(ctx, plays, theirs.Match, request(plays, match.Declare{Warrant: word(plays, "x"), Outcome: match.FirstWins}))
		if !errors.As(err, &party) || !slices.Contains(party.Names, "gus") {
			t.Errorf("they declare a winner: %v", err)
		}
		void := match.MakeVoid{Warrant: word(plays, "x")}
		if err := h.Judges.Rule(ctx, plays, theirs.Match, request(plays, void)); !errors.Is(err, fairplay.ErrParty) {
			t.Errorf("they make it void: %v", err)
		}
		if _, err := h.Judges.Replay(ctx, plays, theirs.Match, request(plays, void)); !errors.Is(err, fairplay.ErrParty) {
			t.Errorf("they have it played again: %v", err)
		}
		clock := func(by player.Viewer) {
			h.ok(h.Judges.Rule(ctx, by, theirs.Match, request(by, match.SetClock{Warrant: word(by, "x"), Seat: match.First, Left: time.Minute})))
		}
		clock(plays)
		clock(plays) // sent again
		clock(gus)
		if marks := h.tournament(id).Interests; len(marks) != 1 || marks[0].Act != tournament.ActMatch || marks[0].Seq != h.tournament(id).Version {
			t.Errorf("marked: %+v", marks)
		}
		if first, _, _ := h.state(theirs.Match).Clocks(h.clock.now()); first != time.Minute {
			t.Errorf("the clock shows %v", first)
		}
		h.ok(h.Judges.Rule(ctx, gus, theirs.Match, request(gus, match.MakeVoid{Warrant: word(gus, "x")})))
	})
}

func TestADeclaredResultCountsAndAReopenedMatchTakesItBack(t *testing.T) {
	one(t, func(t *testing.T, h *hall) {
		ctx := t.Context()
		id, board, gus := evening(h)
		rule := func(name string, c match.Command) error {
			return h.Judges.Rule(ctx, gus, board.Match, live.Request{CommandID: name, Command: c})
		}
		h.bidAll(id, board)
		h.ok(rule("d", match.Declare{Warrant: word(gus, "left"), Outcome: match.SecondWins, Forfeit: true}))
		if r := h.tournament(id).Rounds[0].Pairings[0].Result; r.Kind != tournament.SecondByForfeit {
			t.Fatalf("recorded: %+v", r)
		}
		reopen := match.Reopen{Warrant: word(gus, "came back"), Left: [2]time.Duration{time.Minute, 0}}
		h.ok(rule("r", reopen))
		h.ok(rule("r", reopen)) // sent again
		if r := h.tournament(id).Rounds[0].Pairings[0].Result; !r.IsPending() || h.state(board.Match).Status() != match.Playing {
			t.Fatalf("reopened: %+v", r)
		}
		deeds := h.deeds(id)
		if last := deeds[len(deeds)-1]; last.Act != tournament.ActReopen || last.By != gus.ID || last.Reason != "came back" {
			t.Errorf("the deed: %+v", last)
		}
		h.ok(rule("g", match.Resume{Warrant: word(gus, "go")}))
		if f, _, _ := h.state(board.Match).Clocks(h.clock.now()); f != time.Minute {
			t.Errorf("the clock that was given shows %v", f)
		}
		h.clock.advance(time.Hour)
		h.ok(h.live.SweepDue(ctx))
		if r := h.tournament(id).Rounds[0].Pairings[0].Result; r.IsPending() || r.Reason != match.FlagBoard {
			t.Errorf("the second end: %+v", r)
		}
	})
}

// TestARulingIsJudgedOnTheStateItIsDecidedOn: the match ends after the arbiter's
// office was read, so what is asked for goes by the tournament, too.
func TestARulingIsJudgedOnTheStateItIsDecidedOn(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		ctx := t.Context()
		id, board, gus := evening(h)
		h.bidAll(id, board)
		var meanwhile func()
		node, err := live.New(h.store, live.NewInProcess(), live.Config{OutageAfter: 5 * time.Second, Now: func() time.Time {
			if f := meanwhile; f != nil {
				meanwhile = nil
				f()
			}
			return h.clock.now()
		}}, nil)
		h.ok(err)
		t.Cleanup(node.Close)
		there := arbiter.New(h.store, node, arbiter.Config{Now: h.clock.now}, nil)
		meanwhile = func() { h.ok(h.resign(board.Match, match.Second)) }
		h.ok(there.Judges.Rule(ctx, gus, board.Match, live.Request{CommandID: "r", Command: match.Reopen{Warrant: word(gus, "he meant another board")}}))
		if meanwhile != nil {
			t.Fatal("the match did not end meanwhile")
		}
		if r := h.tournament(id).Rounds[0].Pairings[0].Result; !r.IsPending() || h.state(board.Match).Status() != match.Playing {
			t.Errorf("the match is %v, its board says %+v", h.state(board.Match).Status(), r)
		}
		deeds := h.deeds(id)
		if last := deeds[len(deeds)-1]; last.Act != tournament.ActReopen || last.By != gus.ID {
			t.Errorf("the deed: %+v", last)
		}
	})
}

func (h *hall) deeds(id tournament.ID) (list []ledger.Deed) {
	h.t.Helper()
	h.ok(h.store.Read(h.t.Context(), func(tx *store.Tx) (err error) {
		list, err = tx.Deeds(id)
		return err
	}))
	return list
}

func TestAMatchOnWhichALaterRoundIsBuiltIsNotReopened(t *testing.T) {
	one(t, func(t *testing.T, h *hall) {
		ctx := t.Context()
		id, board, gus := evening(h)
		for _, p := range h.tournament(id).Rounds[0].Pairings {
			h.bidAll(id, p) // a match that ended in the bidding does not go on at all
			first := h.at(id, p, match.First)
			_, err := h.live.Do(ctx, p.Match, first.ID, live.Request{Command: match.Resign{Seat: match.First}})
			h.ok(err)
		}
		h.ok(h.Rounds.Open(ctx, h.host, id))
		err := h.Judges.Rule(ctx, gus, board.Match, live.Request{Command: match.Reopen{Warrant: word(gus, "x")}})
		if !errors.Is(err, tournament.ErrLaterRound) || h.state(board.Match).Status() != match.Over {
			t.Errorf("reopened: %v", err)
		}
		if _, err := h.Judges.Replay(ctx, gus, board.Match, live.Request{Command: match.MakeVoid{Warrant: word(gus, "x")}}); !errors.Is(err, tournament.ErrLaterRound) {
			t.Errorf("played again: %v", err)
		}
	})
}

func TestAVoidMatchIsPlayedAgain(t *testing.T) {
	each(t, func(t *testing.T, h *hall) {
		ctx := t.Context()
		id, board, gus := evening(h)
		q := live.Request{CommandID: "again", Command: match.MakeVoid{Warrant: word(gus, "the server was slow")}}
		next, err := h.Judges.Replay(ctx, gus, board.Match, q)
		h.ok(err)
		if twice, err := h.Judges.Replay(ctx, gus, board.Match, q); err != nil || twice != next {
			t.Errorf("sent again: %v, %v, want %v", twice, err, next)
		}
		p := h.tournament(id).Rounds[0].Pairings[0]
		if old := h.state(board.Match); p.Match != next || !p.Result.IsPending() || old.Result().Outcome != match.Void {
			t.Errorf("the board has %v, the old match ended %+v", p, old.Result())
		}
		o, err := h.Assurance.Capacity(ctx, gus, board.Match)
		if err != nil || !o.MayJudge || o.Place.Board != 1 {
			t.Errorf("the old match's arbiter: %+v, %v", o, err)
		}
		if err := h.Judges.Rule(ctx, gus, board.Match, live.Request{Command: match.Reopen{Warrant: word(gus, "x")}}); !errors.Is(err, tournament.ErrNoBoard) {
			t.Errorf("a replaced match is reopened: %v", err)
		}
		second := h.at(id, p, match.Second)
		_, err = h.live.Do(ctx, next, second.ID, live.Request{Command: match.Resign{Seat: match.Second}})
		h.ok(err)
		if r := h.tournament(id).Rounds[0].Pairings[0].Result; r.Kind != tournament.FirstWins {
			t.Errorf("the new match's result: %+v", r)
		}
		next2, err := h.Judges.Replay(ctx, gus, next, live.Request{Command: match.MakeVoid{Warrant: word(gus, "once more")}})
		h.ok(err)
		if p := h.tournament(id).Rounds[0].Pairings[0]; p.Match != next2 || !p.Result.IsPending() {
			t.Errorf("a match that was over is played again: %+v", p)
		}
	})
}

func TestWhoIsAtTheBoardIsKnownToEveryNode(t *testing.T) {
	each(t, func(t *testing.T, h *hall) {
		ctx := t.Context()
		id, board, _ := evening(h)
		first, second := h.at(id, board, match.First), h.at(id, board, match.Second)
		leave, leaveTwice := h.live.See(board.Match, first.ID), h.live.See(board.Match, first.ID)
		h.ok(h.live.BeatPresence(ctx))
		leave()
		leave()
		h.clock.advance(20 * time.Second)
		h.ok(h.live.BeatPresence(ctx)) // another page of theirs is still open
		leaveTwice()
		h.clock.advance(5 * time.Second)
		h.ok(h.live.BeatPresence(ctx))
		var seen map[player.ID]time.Time
		h.ok(h.store.Read(context.Background(), func(tx *store.Tx) error {
			all, err := tx.SeenIn([]match.ID{board.Match})
			seen = all[board.Match]
			return err
		}))
		if since := h.clock.now().Sub(seen[first.ID]); since != 5*time.Second || !seen[second.ID].IsZero() {
			t.Errorf("first was seen %v ago, second at %v", since, seen[second.ID])
		}
	})
}
