package arbiter_test

import (
	"errors"
	"testing"
	"time"

	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/arbiter/judges"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ladder"
)

// What is noticed in a match of a ladder, or in a rated challenge, opens a review in that season: on the ladder for whoever
// runs it, among challenges for operators. The same rights hold as in an event, but results stand there. What is noticed in a
// match that counts for nothing opens none.
func TestLaddersAndRatedChallengesAreReviewedWhereTheyArePlayed(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *hall) {
		ctx := t.Context()
		id := h.ladder(func(s *ladder.Settings) { s.Rated = true }, "ana", "bob", "cyn")
		duel := h.ladderChallenge(h.duel(id, "bob", "ana")).Match
		h.resigns(duel, "ana", match.Second)
		rated := h.plays("cyn", "ana").Match
		casual := h.challenge("cyn", "ana", friendly(false))
		casual, err := h.Challenges.Accept(ctx, h.viewer("ana"), casual.ID)
		h.ok(err)
		h.wins(casual, "cyn")
		h.operates("gus")
		season := review.SeasonAt(h.clock.now()).String()
		onLadder, amongChallenges := fairplay.LadderPlace(string(id), season), fairplay.ChallengePlace(season)
		for m, want := range map[match.ID]fairplay.Place{duel: onLadder, rated: amongChallenges, casual.Match: ""} {
			if got := h.head(m).Place; got != want {
				t.Fatalf("a match is played in %q, not %q", got, want)
			}
		}
		h.ok(h.store.Write(ctx, func(tx *store.Tx) error {
			var failed []error
			for i, m := range []match.ID{duel, rated, casual.Match} {
				failed = append(failed, tx.AddSignal(review.Signal{ID: string(rune('a' + i)), Player: h.playerOf("ana"), Match: m, Kind: review.SignalToken, At: h.clock.now()}))
			}
			return errors.Join(failed...)
		}))
		list := h.reviewsOf("ana")
		opened := map[fairplay.Place]string{}
		for _, r := range list {
			opened[r.Place] = r.ID
		}
		if len(list) != 2 || opened[onLadder] == "" || opened[amongChallenges] == "" {
			t.Fatalf("%+v", list)
		}
		if !h.hasTold("host", notice.ReviewOpened) || !h.hasTold("gus", notice.ReviewOpened) || h.hasTold("cyn", notice.ReviewOpened) {
			t.Error("those who judge are not told, or others are")
		}
		sees := func(who string, in fairplay.Place) bool {
			d, err := h.Judges.Dossier(ctx, h.viewer(who), in, h.playerOf("ana"))
			return err == nil && len(d.Boards) == 1 && d.PlayerName() == "ana"
		}
		for who, want := range map[string][2]bool{"host": {true, false}, "gus": {true, true}, "ana": {true, true}, "bob": {}, "cyn": {}} {
			if got := [2]bool{sees(who, onLadder), sees(who, amongChallenges)}; got != want {
				t.Errorf("%s sees %v, not %v", who, got, want)
			}
		}
		if _, err := h.Judges.Dossier(ctx, h.viewer("gus"), amongChallenges, h.playerOf("bob")); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("somebody who has played no challenge: %v", err)
		}
		if _, err := h.Judges.OpenReview(ctx, h.host, onLadder, h.playerOf("ana")); !errors.Is(err, assurance.ErrReviewRuns) {
			t.Errorf("a second review there: %v", err)
		}
		if _, err := h.Judges.OpenReview(ctx, h.viewer("ana"), onLadder, h.playerOf("ana")); !errors.Is(err, tournament.ErrNotAllowed) {
			t.Errorf("of oneself: %v", err)
		}

		do := func(by player.Viewer, in fairplay.Place, cmd judges.ReviewCommand) error {
			cmd.Seen = readAll
			return h.Judges.Execute(ctx, by, opened[in], cmd)
		}
		h.ok(do(h.host, onLadder, judges.ReviewCommand{Kind: review.StepTell, Text: "Why?"}))
		h.ok(do(h.viewer("ana"), onLadder, judges.ReviewCommand{Kind: review.StepAnswer, Text: "I did."}))
		propose := func(d review.Decision) error {
			return do(h.host, onLadder, judges.ReviewCommand{Kind: review.StepPropose,
				Proposal: review.Proposal{Decision: d, Ground: review.GroundAdmission, Days: 30, Why: "her word"}})
		}
		for _, d := range []review.Decision{review.DecideAnnul, review.DecideSupervise} {
			if err := propose(d); !errors.Is(err, review.ErrStands) {
				t.Errorf("%s: %v", d, err)
			}
		}
		h.ok(propose(review.DecideExclude))
		if err := do(h.viewer("bob"), onLadder, judges.ReviewCommand{Kind: "confirm"}); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("the opponent confirms: %v", err)
		}
		h.ok(do(h.viewer("gus"), onLadder, judges.ReviewCommand{Kind: "confirm"}))
		h.ok(h.store.Read(ctx, func(tx *store.Tx) error {
			until, err := tx.Excluded(h.clock.now(), h.playerOf("ana"))
			if until[h.playerOf("ana")].IsZero() {
				t.Error("two have not excluded")
			}
			return err
		}))
		h.ok(do(h.viewer("ana"), onLadder, judges.ReviewCommand{Kind: review.StepAppeal, Text: "It was a joke."}))
		if err := do(h.viewer("gus"), onLadder, judges.ReviewCommand{Kind: review.StepOverturn, Text: "x"}); !errors.Is(err, review.ErrAppeal) {
			t.Errorf("an operator who confirmed judges the appeal: %v", err)
		}
	})
}

// The operator whom somebody has played in a season is a party to their review there.
func TestAnOpponentDoesNotDecideAmongChallenges(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		h.plays("gus", "ana")
		h.operates("gus")
		in := assurance.InChallenges(h.clock.now())
		opened, err := h.Judges.OpenReview(t.Context(), h.viewer("gus"), in, h.playerOf("ana"))
		h.ok(err)
		err = h.Judges.Execute(t.Context(), h.viewer("gus"), opened, judges.ReviewCommand{Seen: readAll, Kind: review.StepPropose,
			Proposal: review.Proposal{Decision: review.DecideNothing, Why: "x"}})
		if !errors.Is(err, fairplay.ErrParty) {
			t.Errorf("%v", err)
		}
	})
}

// Among challenges whoever has played is judged without waiting for others, and whoever plays on, or first, a week later.
func TestASeasonIsJudgedWeekByWeek(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *hall) {
		ctx := t.Context()
		for _, name := range []string{"ana", "bob", "cyn"} {
			h.ok(h.Persons.AcceptText(ctx, h.viewer(name), "en", "…"))
		}
		s := friendly(true)
		s.Policy = fairplay.Preset(fairplay.Declared)
		c, err := h.Challenges.Accept(ctx, h.viewer("bob"), h.challenge("ana", "bob", s).ID)
		h.ok(err)
		h.ok(h.resign(c.Match, match.First))
		h.ok(h.Sweep(ctx))
		running, err := h.Challenges.Accept(ctx, h.viewer("cyn"), h.challenge("ana", "cyn", s).ID)
		h.ok(err)
		h.looksAtBoth()
		h.calibrated()
		in := h.head(c.Match).Place
		dossiers := func() (n int) {
			t.Helper()
			h.ok(h.Judges.SweepDossiers(ctx))
			h.ok(h.store.Read(ctx, func(tx *store.Tx) error {
				for _, name := range []string{"ana", "bob", "cyn"} {
					if _, err := tx.Dossier(h.playerOf(name), in); err == nil {
						n++
					} else if !errors.Is(err, store.ErrNotFound) {
						return err
					}
				}
				return nil
			}))
			return n
		}
		if n := dossiers(); n != 2 {
			t.Errorf("of two who have played there are %d", n)
		}
		h.clock.advance(8 * 24 * time.Hour)
		if n := dossiers(); n != 2 {
			t.Errorf("while a match runs there are %d", n)
		}
		if err := h.resign(running.Match, match.First); err == nil { // the flag has fallen long ago
			t.Error("the match goes on")
		}
		h.ok(h.Sweep(ctx))
		h.looksAtBoth()
		if n := dossiers(); n != 3 {
			t.Errorf("of three who have played there are %d", n)
		}
	})
}

// looksAtBoth ends the look at the moves of both sides of a match: none count.
func (h *hall) looksAtBoth() {
	h.t.Helper()
	h.ok(h.store.Write(h.t.Context(), func(tx *store.Tx) error {
		for range match.Seats {
			side, err := tx.DueChoices(h.clock.now())
			if err != nil {
				return err
			}
			side.State, side.Body = store.ChoicesDone, "{}"
			if err := tx.SaveChoices(side.Done, side); err != nil {
				return err
			}
		}
		return nil
	}))
}
