package arbiter_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"time"

	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/engine/search"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/fairplay/screening"
	"chpok.org/chpok/live/analyst"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
)

// A site that has learned from forty people beyond doubt notices among them the one who asks an engine about every move, and
// nobody else: from the choices in its matches to the review that opens. What it says is what follows from those choices and
// the calibration that it publishes.
func TestASiteLearnsFromItsPeopleAndNoticesWhoAsksAnEngine(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		ctx := t.Context()
		h.live.OnFinish(func(context.Context, match.ID) {}) // what a match achieved is said below
		const people = 40
		world := screening.NewWorld(400, sha256.Sum256([]byte("a site")))
		helps := map[string]screening.Help{}
		for _, help := range screening.Helps {
			helps[help.Name] = help
		}
		var names []string
		chosen := map[player.ID][][]screening.Choice{} // match by match
		for i := range people {
			name := fmt.Sprintf("person%02d", i)
			_, now := world.Person(screening.Bands[1], helps["honest"], 0, 0, 160)
			names, chosen[h.playerOf(name)] = append(names, name), now
		}
		storetest.Players(t, h.store, names...)
		_, chosen["bob"] = world.Person(screening.Bands[1], helps["A100"], 0, 0, 280)
		_, chosen["cyn"] = world.Person(screening.Bands[1], helps["honest"], 0, 0, 280)
		for _, name := range append(slices.Clone(names), "bob", "cyn") {
			h.ok(h.Persons.AcceptText(ctx, h.viewer(name), "en", "…"))
		}
		in := assurance.InChallenges(h.clock.now())
		terms := friendly(true)
		terms.Policy = fairplay.Preset(fairplay.Declared)
		play := func(a, b string, achieved fairplay.Assurance) {
			t.Helper()
			c, err := h.Challenges.Accept(ctx, h.viewer(b), h.challenge(a, b, terms).ID)
			h.ok(err)
			h.ok(h.resign(c.Match, match.First))
			head := h.head(c.Match)
			h.ok(h.store.Write(ctx, func(tx *store.Tx) error { // beyond doubt as if they had been verified
				s := fairplay.SignedStatement{Statement: fairplay.Statement{Achieved: fairplay.Achievement{Level: achieved}}}
				return errors.Join(tx.SetAchieved(head.ID, head.Seq, s), tx.AskChoices(head))
			}))
		}
		for range 4 {
			for i := 0; i < people; i += 2 {
				play(names[i], names[i+1], fairplay.Verified)
			}
			play("bob", "cyn", fairplay.Declared)
			h.clock.advance(time.Minute)
		}
		looked := map[player.ID][]review.Looked{}
		look := func(tx *store.Tx) error {
			for {
				side, err := tx.DueChoices(h.clock.now())
				if errors.Is(err, store.ErrNotFound) {
					return nil
				}
				if err != nil {
					return err
				}
				list := chosen[side.Player][len(looked[side.Player])]
				l := review.Looked{Done: len(list)}
				for i, c := range list {
					l.Counted = append(l.Counted, review.MoveLook{Move: i + 1, Loss: c.Losses[c.Played], Losses: c.Losses, Index: c.Played})
				}
				looked[side.Player] = append(looked[side.Player], l)
				body, err := json.Marshal(l)
				if err != nil {
					return err
				}
				side.State, side.Body = store.ChoicesDone, string(body)
				if err := tx.SaveChoices(side.Done, side); err != nil {
					return err
				}
			}
		}
		h.ok(h.store.Write(ctx, look))
		h.ok(analyst.New(h.store, h.live, analyst.NewShare(100*1000), h.clock.now, slog.New(slog.DiscardHandler)).Calibrate(ctx))
		var by store.Calibration
		h.ok(h.store.Read(ctx, func(tx *store.Tx) (err error) {
			by, err = tx.LastCalibration()
			return err
		}))
		k, err := screening.ReadCalibration([]byte(by.Body))
		h.ok(err)
		if by.People != people || k.People != people || k.Own != nil || by.Sides != 4*people || len(by.Power) != 6 { // of all, and of their one band
			t.Fatalf("%d people, %d sides, %+v", by.People, by.Sides, by.Power)
		}
		for _, p := range by.Power {
			if p.Honest[1] > 0.1 || p.Helped[1] < 0.4 {
				t.Errorf("%+v", p)
			}
		}

		h.ok(h.Judges.SweepDossiers(ctx))
		made := h.clock.now()
		dossier := func(name string) (d store.Dossier) {
			h.ok(h.store.Read(ctx, func(tx *store.Tx) (err error) {
				d, err = tx.Dossier(h.playerOf(name), in)
				return err
			}))
			return d
		}
		for _, name := range append(slices.Clone(names), "bob", "cyn") {
			d := dossier(name)
			if !d.IsTold || d.IsConcern != (name == "bob") {
				t.Errorf("%s: p %.4f, %.4f among all, a concern: %v", name, d.P, d.Adjusted, d.IsConcern)
			}
			anybody := review.Dossier{Player: name, Rating: h.started(), Engine: search.Version, Nodes: review.LookNodes}
			for _, l := range looked[h.playerOf(name)] {
				anybody.Add(l)
			}
			var was review.Dossier
			h.ok(json.Unmarshal([]byte(d.Body), &was))
			anybody.Rating = was.Rating // their results move it
			anybody.Weigh(k)
			var want bytes.Buffer
			h.ok(anybody.Write(&want))
			if d.Body != want.String() {
				t.Errorf("%s: the site says\n%s\nanybody\n%s", name, d.Body, want.String())
			}
		}
		if list := h.reviewsOf("bob"); len(list) != 1 || list[0].Place != in || list[0].Steps[0].Word != string(review.OpenedByMoves) {
			t.Errorf("%+v", list)
		}
		if list := h.reviewsOf("cyn"); len(list) != 0 {
			t.Errorf("the opponent: %+v", list)
		}

		// Whoever plays on is looked at again after a week, and what was said before still counts among all. What has opened a review
		// stays, and when that is over, the next begins after it.
		again := func(after time.Duration) {
			h.clock.advance(time.Minute)
			play("bob", "cyn", fairplay.Declared)
			h.ok(h.store.Write(ctx, look))
			h.clock.advance(after)
			h.ok(h.Judges.SweepDossiers(ctx))
		}
		first := dossier("cyn")
		again(time.Hour)
		if d := dossier("cyn"); !d.At.Equal(made) || len(d.Matches) != 4 {
			t.Errorf("within a week a dossier is of %v, of %d matches", d.At, len(d.Matches))
		}
		h.clock.advance(7 * 24 * time.Hour)
		h.ok(h.Judges.SweepDossiers(ctx))
		if d := dossier("cyn"); !d.At.After(made) || len(d.Matches) != 5 || !slices.Equal(d.Earlier, []float64{first.P}) {
			t.Errorf("after a week a dossier is of %v, of %d matches, after %v", d.At, len(d.Matches), d.Earlier)
		}
		if d := dossier("bob"); !d.At.Equal(made) || !d.IsConcern || len(d.Matches) != 4 {
			t.Errorf("in a review a dossier is of %v, of %d matches", d.At, len(d.Matches))
		}
		h.ok(h.store.Read(ctx, func(tx *store.Tx) error {
			all, err := tx.RaritiesSince(made)
			if len(all) != people+3 {
				t.Errorf("%d times something was said of somebody", len(all))
			}
			return err
		}))
		running := h.reviewsOf("bob")[0]
		h.ok(h.store.Write(ctx, func(tx *store.Tx) error {
			r := running
			r.Status, r.ClosedAt = review.StatusClosed, h.clock.now()
			return tx.SaveReview(r)
		}))
		again(8 * 24 * time.Hour)
		if d := dossier("bob"); len(d.Matches) != 2 || !d.Since.Equal(made) || len(d.Earlier) != 1 {
			t.Errorf("after the review: %d matches since %v, before it %v", len(d.Matches), d.Since, d.Earlier)
		}
		h.clock.advance(200 * 24 * time.Hour)
		last := dossier("cyn").At
		again(time.Hour) // a season that is long over is not gone through again; that of this match is
		if d := dossier("cyn"); !d.At.Equal(last) {
			t.Errorf("of a season long ago something is said: %v", d.At)
		}
	})
}
