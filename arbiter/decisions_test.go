package arbiter_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/arbiter/challenges"
	"chpok.org/chpok/arbiter/entries"
	"chpok.org/chpok/arbiter/judges"
	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/arbiter/persons"
	"chpok.org/chpok/arbiter/rounds"
	"chpok.org/chpok/arbiter/tables"
	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/fairplay/vouch"
	"chpok.org/chpok/live"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ladder"
)

const day = 24 * time.Hour

// verify gives players all that Verified asks for.
func (h *hall) verify(handles ...string) {
	h.t.Helper()
	boss := h.viewer("gus") // the word of an event's only arbiter does not count in it
	boss.Role = player.Operator
	for _, handle := range handles {
		p := h.player(handle)
		_, err := h.Persons.Attest(h.t.Context(), boss, persons.Word{Issuer: vouch.SiteIssuer, Handle: handle, Says: identity(), Days: 400, Person: persons.Person{Name: handle, Born: "1990-01-01"}})
		h.ok(err)
		h.ok(h.Persons.AcceptText(h.t.Context(), player.Viewer{Player: p}, "en", "…"))
		h.ok(h.store.Write(h.t.Context(), func(tx *store.Tx) error {
			return tx.AddPasskey(player.Passkey{ID: handle, Player: p.ID, Credential: []byte(handle), PublicKey: []byte("k"), AAGUID: make([]byte, 16), Name: "key", Created: h.clock.now()})
		}))
	}
}

// verified is a tournament at Verified in which nobody needs a check-in.
func (h *hall) verified(f tournament.Format, change func(*tournament.Settings), handles ...string) tournament.ID {
	h.t.Helper()
	id := h.create(f, func(s *tournament.Settings) {
		s.Pace, s.Policy = tournament.Manual, fairplay.Preset(fairplay.Verified)
		if change != nil {
			change(s)
		}
	})
	for _, handle := range handles {
		_, err := h.Entries.Admit(h.t.Context(), kernel.For(h.host, "known for years"), id, handle, fairplay.Waivable)
		h.ok(err)
	}
	return id
}

// exclude keeps somebody from Verified for a term, by a decision in a tournament.
func (h *hall) exclude(handle string, in tournament.ID, term time.Duration) (until time.Time) {
	h.t.Helper()
	now := h.clock.now()
	r := review.New(store.NewID(), h.player(handle).ID, in.Place(), review.OpenedByArbiter, h.host.ID, now)
	r.Status, r.DecidedAt, r.Excluded = review.StatusDecided, now, now.Add(term)
	r.Decided = &review.Proposal{Decision: review.DecideExclude, Ground: review.GroundAdmission, Days: int(term / day), Why: "x", By: h.host.ID}
	h.ok(h.store.Write(h.t.Context(), func(tx *store.Tx) error { return tx.AddReview(*r) }))
	return r.Excluded
}

// outcome is what the last round gave an entry.
func outcome(t *tournament.Tournament, of player.ID) tournament.Outcome {
	e, _ := t.EntryOf(of)
	f := t.Field()
	for _, p := range f.Players {
		if p.Number == e.Number {
			return p.Rounds[len(t.Rounds)-1].Outcome
		}
	}
	return 0
}

// readAll is more steps than any review of these tests has: who acts has read them.
const readAll = 1000

// TestAnExclusionHoldsAtEveryDoorAndEndsByItself: only the player learns until when.
func TestAnExclusionHoldsAtEveryDoorAndEndsByItself(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		ctx := t.Context()
		h.verify("ana", "bob", "cyn")
		past := h.verified(tournament.Swiss, nil)
		next := h.verified(tournament.Swiss, func(s *tournament.Settings) { s.Rounds = 3 })
		left := h.verified(tournament.Swiss, func(s *tournament.Settings) { s.Rounds = 3 }, "ana", "bob", "cyn")
		h.ok(h.Rounds.Start(ctx, h.host, left))
		e, _ := h.tournament(left).EntryOf(h.player("ana").ID)
		h.ok(h.Entries.Withdraw(ctx, h.viewer("ana"), left, e.ID))
		var none *fairplay.UnmetError
		at := func(l *ladder.Settings) { l.Policy = fairplay.Preset(fairplay.Verified) }
		rungs, empty := h.ladder(at, "bob", "ana"), h.ladder(at)
		offered := friendly(false)
		offered.Policy = fairplay.Preset(fairplay.Verified)
		toAna, ofAna := h.challenge("bob", "ana", offered), h.challenge("ana", "cyn", offered)
		played := h.plays("dan", "ana") // at Open
		until := h.exclude("ana", past, 30*day)

		ana, bob := h.viewer("ana"), h.viewer("bob")
		enter := func(by player.Viewer, handle string) error {
			_, err := h.Entries.Register(ctx, by, next, entries.Application{Handle: handle})
			return err
		}
		own := map[string]func() error{
			"entry":             func() error { return enter(ana, "") },
			"coming back":       func() error { return h.Entries.Return(ctx, ana, left) },
			"joining a ladder":  func() error { return h.Ladders.Join(ctx, ana, empty, "") },
			"a challenge there": func() error { _, err := h.Ladders.Challenge(ctx, ana, rungs, bob.ID); return err },
			"a challenge": func() error {
				_, err := h.Challenges.Send(ctx, ana, "bob", offered)
				return err
			},
			"accepting one": func() error { _, err := h.Challenges.Accept(ctx, ana, toAna.ID); return err },
		}
		for name, door := range own {
			if err := door(); !errors.As(err, &none) || !none.Until.Equal(until) {
				t.Errorf("%s: %v", name, err)
			}
		}
		others := map[string]func() error{
			"entered by the arbiter": func() error { return enter(h.host, "ana") },
			"admitted by him": func() error {
				_, err := h.Entries.Admit(ctx, kernel.For(h.host, "please"), next, "ana", fairplay.Waivable)
				return err
			},
			"put on a ladder": func() error { return h.Ladders.Join(ctx, h.host, empty, "ana") },
		}
		for name, door := range others {
			if err := door(); !errors.As(err, &none) || !none.Until.IsZero() {
				t.Errorf("%s: %v", name, err)
			}
		}
		if _, err := h.Challenges.Accept(ctx, h.viewer("cyn"), ofAna.ID); !errors.Is(err, challenges.ErrOtherUnmet) {
			t.Errorf("hers is accepted: %v", err)
		}
		if _, err := h.Challenges.Rematch(ctx, ana, played.Match); err != nil {
			t.Errorf("below Verified she plays on: %v", err)
		}
		// On a ladder nobody sees it: she can be challenged, and does not take it on.

		h.ok(h.Ladders.Move(ctx, kernel.For(h.host, "x"), rungs, ana.ID, 1))
		n, err := h.Ladders.Challenge(ctx, bob, rungs, ana.ID)
		h.ok(err)
		if err := h.Ladders.Accept(ctx, ana, store.LadderRef{Ladder: rungs, Number: n}); !errors.As(err, &none) {
			t.Errorf("she takes a ladder challenge on: %v", err)
		}

		h.clock.advance(30 * day)
		h.ok(enter(ana, ""))
		h.ok(h.Entries.Return(ctx, ana, left))
		h.ok(h.Ladders.Join(ctx, ana, empty, ""))
	})
}

// TestWhoIsExcludedIsNotPaired: a zero-point bye in a Swiss, forfeits in a table,
// and a draft in which they sit is not published.
func TestWhoIsExcludedIsNotPaired(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		ctx, ana := t.Context(), h.player("ana").ID
		rounds := func(s *tournament.Settings) { s.Rounds = 4 }
		id := h.verified(tournament.Swiss, rounds, "ana", "bob", "cyn", "dan", "eve")
		table := h.verified(tournament.RoundRobin, nil, "ana", "bob", "cyn", "dan")
		for _, x := range []tournament.ID{id, table} {
			h.ok(h.Rounds.Start(ctx, h.host, x))
		}
		h.exclude("ana", id, 2*day)
		h.ok(h.Rounds.Open(ctx, h.host, id))
		h.ok(h.Rounds.Open(ctx, h.host, table))
		if got := outcome(h.tournament(id), ana); got != tournament.ZeroBye {
			t.Errorf("in the Swiss: %v", got)
		}
		if got := outcome(h.tournament(table), ana); got != tournament.ForfeitLoss {
			t.Errorf("in the table: %v", got)
		}
		h.finishRound(id)
		h.clock.advance(2 * day)
		h.ok(h.Rounds.Open(ctx, h.host, id))
		if got := outcome(h.tournament(id), ana); got == tournament.ZeroBye {
			t.Error("the exclusion is over, and she is not paired")
		}
		h.finishRound(id)
		h.ok(h.Rounds.Draft(ctx, h.host, id))
		h.ok(h.store.Write(ctx, func(tx *store.Tx) error { // its appeal time is over
			list, err := tx.ReviewsIn(id.Place())
			list[0].Status, list[0].ClosedAt = review.StatusClosed, h.clock.now()
			return errors.Join(err, tx.SaveReview(list[0]))
		}))
		h.exclude("ana", id, 2*day)
		if err := h.Rounds.Publish(ctx, h.host, id); !errors.Is(err, tournament.ErrDraftUnfit) {
			t.Errorf("a draft with her is published: %v", err)
		}
		h.ok(h.Desk.DiscardDraft(ctx, h.host, id))
		h.ok(h.Rounds.Open(ctx, h.host, id))
		if got := outcome(h.tournament(id), ana); got != tournament.ZeroBye {
			t.Errorf("after a new draft: %v", got)
		}
	})
}

// finishRound lets everybody who sits second resign.
func (h *hall) finishRound(id tournament.ID) {
	h.t.Helper()
	tour := h.tournament(id)
	for _, p := range tour.Rounds[len(tour.Rounds)-1].Pairings {
		if e, err := tour.Entry(p.Second); p.Match != "" && p.Result.IsPending() && err == nil {
			_, err := h.live.Do(h.t.Context(), p.Match, e.Player, live.Request{Command: match.Resign{Seat: match.Second}, Admit: admitted})
			h.ok(err)
		}
	}
}

// concern is a tournament of ana, bob and cyn after ana has won in round 1, with
// the host and dan for arbiters, and a review of her in which she has answered.
func (h *hall) concern(change func(*tournament.Settings)) (id tournament.ID, opened string) {
	h.t.Helper()
	ctx := h.t.Context()
	id = h.verified(tournament.Swiss, func(s *tournament.Settings) {
		s.Rounds, s.Numbering, s.Expulsion, s.Leave = 3, tournament.ByRating, tournament.LeaveForfeits, tournament.LeaveForfeits
		if change != nil {
			change(s)
		}
	}, "ana", "bob", "cyn")
	h.ok(h.Events.Appoint(ctx, h.host, id, "dan", tournament.Arbiter))
	h.ok(h.Events.AcceptDuty(ctx, h.viewer("dan"), id))
	h.ok(h.Rounds.Start(ctx, h.host, id))
	h.ok(h.Rounds.Open(ctx, h.host, id))
	h.beats(id, "ana", "bob")
	opened, err := h.Judges.OpenReview(ctx, h.host, id.Place(), h.player("ana").ID)
	h.ok(err)
	h.ok(h.Judges.Execute(ctx, h.host, opened, judges.ReviewCommand{Seen: readAll, Kind: review.StepTell, Text: "Why?"}))
	h.ok(h.Judges.Execute(ctx, h.viewer("ana"), opened, judges.ReviewCommand{Seen: readAll, Kind: review.StepAnswer, Text: "I did."}))
	return id, opened
}

func (h *hall) propose(opened string, d review.Decision) {
	h.t.Helper()
	h.ok(h.Judges.Execute(h.t.Context(), h.host, opened, judges.ReviewCommand{Seen: readAll, Kind: review.StepPropose, Proposal: review.Proposal{Decision: d, Ground: review.GroundAdmission, Days: 90, Why: "her word"}}))
}

func (h *hall) confirm(opened string) error {
	return h.Judges.Execute(h.t.Context(), h.viewer("dan"), opened, judges.ReviewCommand{Seen: readAll, Kind: "confirm"})
}

// overturns is an appeal that succeeds.
func (h *hall) overturns(opened string) {
	h.t.Helper()
	ctx := h.t.Context()
	h.ok(h.Judges.Execute(ctx, h.viewer("ana"), opened, judges.ReviewCommand{Seen: readAll, Kind: review.StepAppeal, Text: "It was a joke."}))
	h.operates("gus")
	h.ok(h.Judges.Execute(ctx, h.viewer("gus"), opened, judges.ReviewCommand{Seen: readAll, Kind: review.StepOverturn, Text: "a joke"}))
}

func (h *hall) operates(name string) {
	h.t.Helper()
	h.ok(h.store.Write(h.t.Context(), func(tx *store.Tx) error { return tx.SetRole(h.player(name).ID, player.Operator) }))
}

func (h *hall) review(id string) (r store.Review) {
	h.t.Helper()
	h.ok(h.store.Read(h.t.Context(), func(tx *store.Tx) (err error) {
		r, err = tx.Review(id)
		return err
	}))
	return r
}

// TestAnAppealTakesEverythingBack: results, the place in the pairing, the exclusion.
func TestAnAppealTakesEverythingBack(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *hall) {
		ctx := t.Context()
		id, opened := h.concern(nil)
		ana, _ := h.tournament(id).EntryOf(h.player("ana").ID)
		before := table(t, h.tournament(id))
		h.propose(opened, review.DecideAnnul)
		h.ok(h.confirm(opened))
		if e, _ := h.tournament(id).Entry(ana.ID); !e.Expelled {
			t.Fatal("two have not annulled")
		}
		if got := table(t, h.tournament(id)); cmp.Diff(before, got) == "" {
			t.Error("her results stand")
		}
		if err := h.Desk.Reinstate(ctx, h.host, id, ana.ID, "I do not agree"); !errors.Is(err, assurance.ErrReviewStands) {
			t.Errorf("one arbiter takes it back: %v", err)
		}
		h.overturns(opened)
		if diff := cmp.Diff(before, table(t, h.tournament(id))); diff != "" {
			t.Errorf("the table (-before, +after the appeal):\n%s", diff)
		}
		log := h.deeds(id)
		if last := log[len(log)-1]; last.Act != tournament.ActReinstate || last.By != "" || last.Reason != judges.ReasonAppeal {
			t.Errorf("the log ends with %+v", last)
		}
		h.ok(h.Rounds.Open(ctx, h.host, id))
		if got := outcome(h.tournament(id), ana.Player); got == tournament.ZeroBye {
			t.Error("she is not paired again")
		}

		h.ok(h.Judges.Execute(ctx, h.host, h.reopened(id, "ana"), judges.ReviewCommand{Seen: readAll, Kind: review.StepTell, Text: "Again?"}))
		second := h.reviewsOf("ana")[0].ID
		h.ok(h.Judges.Execute(ctx, h.viewer("ana"), second, judges.ReviewCommand{Seen: readAll, Kind: review.StepAnswer, Text: "Yes."}))
		h.propose(second, review.DecideExclude)
		h.ok(h.confirm(second))
		standing := func() (s fairplay.Standing) {
			h.ok(h.store.Read(ctx, func(tx *store.Tx) (err error) {
				s, err = assurance.StandingOf(tx, h.player("ana"), h.clock.now())
				return err
			}))
			return s
		}
		if got, want := standing().Excluded, h.clock.now().Add(90*day); !got.Equal(want) {
			t.Errorf("excluded until %v, want %v", got, want)
		}
		h.overturns(second)
		if got := standing().Excluded; !got.IsZero() {
			t.Errorf("after the appeal excluded until %v", got)
		}
	})
}

// reopened opens one more review.
func (h *hall) reopened(id tournament.ID, of string) string {
	h.t.Helper()
	h.clock.advance(time.Minute)
	opened, err := h.Judges.OpenReview(h.t.Context(), h.host, id.Place(), h.player(of).ID)
	h.ok(err)
	return opened
}

// TestADecisionAndWhatFollowsAreWrittenTogether, or neither is: while a match is
// being played, and when two confirm at once.
func TestADecisionAndWhatFollowsAreWrittenTogether(t *testing.T) {
	t.Parallel()
	storetest.ManyAtOnce(t)
	each(t, func(t *testing.T, h *hall) {
		ctx := t.Context()
		id, opened := h.concern(nil)
		h.ok(h.Events.Appoint(ctx, h.host, id, "eve", tournament.Arbiter))
		h.ok(h.Events.AcceptDuty(ctx, h.viewer("eve"), id))
		h.ok(h.Rounds.Open(ctx, h.host, id))
		last := h.tournament(id)
		last.Rounds = last.Rounds[1:]
		own, _ := h.matchOf(last, "ana")
		head := h.head(own)
		h.bids(own, head.Players[0], match.First, bidding.Bid{Target: bidding.White, Chips: 1})
		h.propose(opened, review.DecideAnnul)
		if err := h.confirm(opened); !errors.Is(err, tournament.ErrBeingPlayed) || h.review(opened).Proposed == nil {
			t.Errorf("while she plays: %v, and the review is %s", err, h.review(opened).Status)
		}
		h.finishRound(id)
		results := make(chan error, 2)
		for _, who := range []string{"dan", "eve"} {
			go func() {
				results <- h.Judges.Execute(ctx, h.viewer(who), opened, judges.ReviewCommand{Seen: readAll, Kind: "confirm"})
			}()
		}
		done := 0
		for range cap(results) {
			if err := <-results; err == nil {
				done++
			}
		}
		expelled := 0
		for _, d := range h.deeds(id) {
			if d.Act == tournament.ActExpel {
				expelled++
			}
		}
		if r := h.review(opened); done != 1 || expelled != 1 || !r.Stands(review.DecideAnnul) {
			t.Errorf("confirmed %d times, disqualified %d times, %s", done, expelled, r.Status)
		}
	})
}

// TestOneArbiterAloneAnnulsNothing while a review of the player runs, at no door of
// the desk; what they correct they give a reason for.
func TestOneArbiterAloneAnnulsNothing(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		ctx := t.Context()
		id, opened := h.concern(nil)
		ana, _ := h.tournament(id).EntryOf(h.player("ana").ID)
		before := table(t, h.tournament(id))
		_, seat := h.matchOf(h.tournament(id), "ana")
		lost := tournament.SecondWins
		if seat == match.Second {
			lost = tournament.FirstWins
		}
		conduct := tables.Expulsion{Reason: "an engine", Conduct: true}
		h.propose(opened, review.DecideAnnul)
		for name, door := range map[string]struct {
			err  error
			want error
		}{
			"disqualifying":        {h.Desk.Expel(ctx, h.host, id, ana.ID, conduct), assurance.ErrReviewRuns},
			"the other, alone":     {h.Desk.Expel(ctx, h.viewer("dan"), id, ana.ID, conduct), assurance.ErrReviewRuns},
			"taking her out":       {h.Entries.Withdraw(ctx, h.host, id, ana.ID), assurance.ErrReviewRuns},
			"by handle":            {h.Entries.WithdrawPlayer(ctx, h.host, id, "ana"), assurance.ErrReviewRuns},
			"a result by hand":     {h.Rounds.EnterResult(ctx, h.host, id, rounds.Seen{Round: 1, Board: 1}, lost), kernel.ErrOvertaken},
			"no reason":            {h.Correct(ctx, h.host, id, tables.Correction{Round: 1, Board: 1, Kind: lost, Reach: tournament.FromNow}, ""), tournament.ErrReason},
			"confirming his own":   {h.Judges.Execute(ctx, h.host, opened, judges.ReviewCommand{Seen: readAll, Kind: "confirm"}), review.ErrAlone},
			"confirming her own":   {h.Judges.Execute(ctx, h.viewer("ana"), opened, judges.ReviewCommand{Seen: readAll, Kind: "confirm"}), tournament.ErrNotAllowed},
			"an opponent confirms": {h.Judges.Execute(ctx, h.viewer("bob"), opened, judges.ReviewCommand{Seen: readAll, Kind: "confirm"}), store.ErrNotFound},
		} {
			if !errors.Is(door.err, door.want) {
				t.Errorf("%s: %v", name, door.err)
			}
		}
		if diff := cmp.Diff(before, table(t, h.tournament(id))); diff != "" {
			t.Errorf("something has changed:\n%s", diff)
		}
		h.ok(h.Correct(ctx, h.host, id, tables.Correction{Round: 1, Board: 1, Kind: lost, Reach: tournament.FromNow}, "the sheet was read wrong"))
		if log := h.deeds(id); log[len(log)-1].Reason != "the sheet was read wrong" {
			t.Errorf("%+v", log[len(log)-1])
		}
		bob, _ := h.tournament(id).EntryOf(h.player("bob").ID)
		if err := h.Desk.Expel(ctx, h.host, id, bob.ID, tables.Expulsion{Reason: "an engine"}); !errors.Is(err, assurance.ErrOfPlay) {
			t.Errorf("without a review, for play: %v", err)
		}
		h.ok(h.Desk.Expel(ctx, h.host, id, bob.ID, tables.Expulsion{Reason: "shouting", Conduct: true}))
		h.ok(h.Entries.Withdraw(ctx, h.viewer("ana"), id, ana.ID)) // who goes, goes
	})
}

// TestResultsAreProvisionalForThreeDaysAndWhileAReviewCanChangeThem.
func TestResultsAreProvisionalForThreeDaysAndWhileAReviewCanChangeThem(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *hall) {
		ctx := t.Context()
		id, opened := h.concern(func(s *tournament.Settings) { s.Rounds = 1 })
		ended := h.clock.now()
		told := func(err error, code string, args ...any) bool {
			refused, ok := errors.AsType[*refusal.Error](err)
			return ok && errors.Is(err, tournament.ErrProvisional) && refused.Code == code && slices.Equal(refused.Args, args)
		}
		sign := func() error { return h.Desk.Finalize(ctx, h.host, id, "") }
		h.clock.advance(72*time.Hour - time.Millisecond)
		if err := sign(); !told(err, "desk.error.provisional-until", "Date", ended.Add(72*time.Hour)) {
			t.Errorf("before the third day is over: %v", err)
		}
		h.clock.advance(time.Millisecond)
		if err := sign(); !told(err, "desk.error.reviews", "Count", 1) {
			t.Errorf("while a review runs: %v", err)
		}
		h.propose(opened, review.DecideAnnul)
		h.ok(h.confirm(opened))
		if err := sign(); !told(err, "desk.error.reviews", "Count", 1) {
			t.Errorf("while an appeal can take it back: %v", err)
		}
		h.overturns(opened)
		h.ok(h.Events.Appoint(ctx, h.host, id, "ana", tournament.Arbiter))
		h.ok(h.Events.AcceptDuty(ctx, h.viewer("ana"), id))
		again := h.reopened(id, "ana")
		if err := h.Desk.Finalize(ctx, h.viewer("ana"), id, ""); !told(err, "desk.error.provisional") {
			t.Errorf("she is told of a review of herself: %v", err)
		}
		h.ok(h.Judges.Execute(ctx, h.host, again, judges.ReviewCommand{Seen: readAll, Kind: review.StepPropose, Proposal: review.Proposal{Decision: review.DecideNothing, Why: "nothing"}}))
		h.ok(sign())
		if _, is := h.tournament(id).ProvisionalUntil(); is {
			t.Error("signed off and provisional")
		}
	})
}

// TestReportersAreToldThatSomebodyLooked, once, whatever came of it.
func TestReportersAreToldThatSomebodyLooked(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *hall) {
		ctx := t.Context()
		id, opened := h.concern(nil)
		tour := h.tournament(id)
		h.ok(h.report(tour, "bob", "ana"))
		h.ok(h.report(tour, "cyn", "ana"))
		answered := func(want int) {
			t.Helper()
			for _, who := range []string{"bob", "cyn"} {
				if n := h.reminded(who, notice.ReportAnswered); n != want {
					t.Errorf("%s was told %d times, want %d", who, n, want)
				}
			}
		}
		h.propose(opened, review.DecideExclude)
		answered(0) // a second arbiter has to look
		h.ok(h.confirm(opened))
		answered(1)
		h.overturns(opened)
		answered(1)
		second := h.reopened(id, "ana")
		h.ok(h.Judges.Execute(ctx, h.host, second, judges.ReviewCommand{Seen: readAll, Kind: review.StepPropose, Proposal: review.Proposal{Decision: review.DecideNothing, Why: "nothing"}}))
		answered(1) // nobody has reported since
		if n := h.reminded("ana", notice.ReportAnswered); n != 0 {
			t.Errorf("ana was told of reports %d times", n)
		}
	})
}

// TestAnOperatorWhoWasNotInvolvedJudgesAnAppeal, and is told of it once.
func TestAnOperatorWhoWasNotInvolvedJudgesAnAppeal(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		ctx := t.Context()
		_, opened := h.concern(nil)
		h.operates("gus")
		h.operates("dan")
		h.propose(opened, review.DecideExclude)
		h.ok(h.confirm(opened))
		h.ok(h.Judges.Execute(ctx, h.viewer("ana"), opened, judges.ReviewCommand{Seen: readAll, Kind: review.StepAppeal, Text: "It was a joke."}))
		h.ok(h.Sweep(ctx))
		h.ok(h.Sweep(ctx))
		if n := h.reminded("gus", notice.ReviewAppeal); n != 1 {
			t.Errorf("who can judge was told %d times", n)
		}
		hear := func(by string) error {
			return h.Judges.Execute(ctx, h.viewer(by), opened, judges.ReviewCommand{Seen: readAll, Kind: review.StepUphold, Text: "no joke"})
		}
		for by, want := range map[string]error{"dan": review.ErrAppeal, "eve": store.ErrNotFound} {
			if err := hear(by); !errors.Is(err, want) {
				t.Errorf("%s judges: %v, want %v", by, err, want)
			}
		}
		h.ok(hear("gus"))
		if r := h.review(opened); r.Status != review.StatusClosed || !r.IsUpheld() {
			t.Errorf("%s", r.Status)
		}
	})
}

// TestWhoIsExcludedDoesNotCheckIn to a match that was agreed on before, and reads
// why and until when at its door.
func TestWhoIsExcludedDoesNotCheckIn(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		h.verify("ana", "bob")
		rungs := h.ladder(func(s *ladder.Settings) { s.Policy = fairplay.Preset(fairplay.Verified) }, "bob", "ana")
		ref := h.appoint(rungs, "ana", "bob")
		until := h.exclude("ana", h.verified(tournament.Swiss, nil), 30*day)
		h.clock.advance(2 * time.Hour)
		h.sweepLadders()
		agreed := h.ladderChallenge(ref).Match
		for handle, want := range map[string]time.Time{"ana": until, "bob": {}} {
			door, err := h.Seats.DoorOf(t.Context(), h.viewer(handle), agreed)
			h.ok(err)
			if lacks := door.Lacks; (lacks == nil) != want.IsZero() || lacks != nil && !lacks.Until.Equal(want) {
				t.Errorf("%s at the door: %+v", handle, lacks)
			}
		}
	})
}
