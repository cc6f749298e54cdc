package arbiter_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/engine/notation"
	"chpok.org/chpok/engine/search"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/fairplay/screening"
	"chpok.org/chpok/live/analyst"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
)

// declared is a finished event of three at a level. In the first match each made eight moves, in the others nobody any.
func (h *hall) declared(level fairplay.Assurance, rated bool) tournament.ID {
	h.t.Helper()
	names := []string{"ana", "bob", "cyn"}
	for _, name := range names {
		h.ok(h.Persons.AcceptText(h.t.Context(), h.viewer(name), "en", "…"))
	}
	id := h.create(tournament.RoundRobin, func(s *tournament.Settings) { s.Rated, s.Policy = rated, fairplay.Preset(level) }, names...)
	h.clock.advance(time.Second)
	h.ok(h.Rounds.Start(h.t.Context(), h.host, id))
	for rounds := 0; !h.tournament(id).Status.IsOver(); rounds++ {
		if rounds > 9 {
			h.t.Fatal("the event does not end")
		}
		for n, p := range h.tournament(id).Rounds.Pending() {
			if n == 1 {
				h.bidAll(id, p)
				for _, ply := range strings.Fields("e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 d2d3 f8c5 c2c3 d7d6 b1d2 a7a6 h2h3 h7h6 a2a3 b7b6") {
					seat, _ := h.state(p.Match).ToAct()
					h.does(p.Match, seat, fmt.Sprintf(`{"act":%q}`, ply))
				}
			}
			h.ok(h.resign(p.Match, match.First))
			h.clock.advance(time.Second)
			h.ok(h.Sweep(h.t.Context()))
			// The analysis of the match is not what is tried here.
			h.ok(h.store.Write(h.t.Context(), func(tx *store.Tx) error {
				a, err := tx.Analysis(p.Match)
				if err != nil {
					return err
				}
				done := a.Done
				a.State = store.AnalysisMined
				return tx.SaveAnalysis(done, a)
			}))
		}
		h.clock.advance(time.Second)
		h.ok(h.Sweep(h.t.Context()))
	}
	return id
}

// choices are how many sides of matches have been looked at, and how many are left.
func (h *hall) choices() (looked, left int) {
	h.t.Helper()
	h.ok(h.store.Read(h.t.Context(), func(tx *store.Tx) (err error) {
		looked, left, err = tx.ChoicesLeft()
		return err
	}))
	return looked, left
}

// calibrated gives the site a calibration, and returns it.
func (h *hall) calibrated() screening.Calibration {
	h.t.Helper()
	const body = `{"model":{"shape":1,"log":-3.5,"perPoint":0,"strongest":0.01},"people":40,"strata":[{"moves":80,"mixture":[0,1],"steady":[0,1],
		"assisted":[0,1],"losing":{"mean":0,"deviation":1},"matching":{"mean":0,"deviation":1},"together":0}]}`
	k, err := screening.ReadCalibration([]byte(body))
	h.ok(err)
	h.ok(h.store.Write(h.t.Context(), func(tx *store.Tx) error {
		c := store.Calibration{ID: "k", Engine: search.Version, People: 40}
		if err := tx.LeaseCalibration(c, h.clock.now(), h.clock.now().Add(time.Minute)); err != nil {
			return err
		}
		c.At, c.Body = h.clock.now(), body
		return tx.SaveCalibration(c)
	}))
	return k
}

// The moves of a rated match above Open are looked at by whichever node has time, also after one was killed at it; and what
// comes of them is, to the byte, what anybody makes from the record of the match.
func TestTheSitesDossiersAreThoseOfAnybodyWithItsRecords(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		ctx := t.Context()
		id := h.declared(fairplay.Declared, true)
		if looked, left := h.choices(); looked != 0 || left != 6 {
			t.Fatalf("%d looked at, %d left", looked, left)
		}
		node := func() *analyst.Analyst {
			return analyst.New(h.store, h.live, analyst.NewShare(100*1000), h.clock.now, slog.New(slog.DiscardHandler))
		}
		h.ok(h.store.Write(ctx, func(tx *store.Tx) error { // another node took all and was killed
			for range 6 {
				c, err := tx.DueChoices(h.clock.now())
				if err != nil {
					return err
				}
				if err := tx.LeaseChoices(c, h.clock.now().Add(20*time.Second)); err != nil {
					return err
				}
			}
			return nil
		}))
		h.ok(node().Work(ctx))
		if looked, left := h.choices(); looked != 0 || left != 6 {
			t.Fatalf("while another node works on them: %d looked at, %d left", looked, left)
		}
		h.clock.advance(21 * time.Second)
		for _, left := h.choices(); left > 0; _, left = h.choices() { // a new node each time, as after a kill
			h.ok(node().Work(ctx))
		}
		h.ok(h.Judges.SweepDossiers(ctx))
		dossier := func(name string) (d store.Dossier, err error) {
			err = h.store.Read(ctx, func(tx *store.Tx) (err error) {
				d, err = tx.Dossier(h.player(name).ID, id.Place())
				return err
			})
			return d, err
		}
		if d, err := dossier("ana"); err == nil {
			t.Errorf("without a calibration there is %+v", d)
		}
		k := h.calibrated()
		for range 2 { // once is enough
			h.ok(h.Judges.SweepDossiers(ctx))
		}
		moves := 0
		for _, name := range []string{"ana", "bob", "cyn"} {
			got, err := dossier(name)
			h.ok(err)
			anybody := review.Dossier{Player: name, Rating: h.started(), Engine: search.Version, Nodes: review.LookNodes}
			for _, played := range got.Matches {
				state, head, err := h.live.State(ctx, played)
				h.ok(err)
				record, err := h.Assurance.Record(ctx, state, head, "https://chpok.example")
				h.ok(err)
				raw, err := json.Marshal(record)
				h.ok(err)
				read, err := notation.ParseRecord(raw)
				h.ok(err)
				looked, err := anybody.Look(ctx, search.NewEngine(review.LookTable), read)
				h.ok(err)
				anybody.Add(looked)
			}
			anybody.Weigh(k)
			var want bytes.Buffer
			h.ok(anybody.Write(&want))
			if got.Body != want.String() {
				t.Errorf("%s: the site says\n%s\nanybody\n%s", name, got.Body, want.String())
			}
			if len(got.Matches) != 2 || anybody.Silence != review.SilenceFewMoves || got.IsTold || got.IsConcern {
				t.Errorf("%s: %q, %+v", name, anybody.Silence, got)
			}
			moves += len(anybody.Moves)
		}
		if moves < 4 {
			t.Errorf("only %d moves count", moves)
		}
		if list := h.reviewsOf("ana"); len(list) != 0 {
			t.Errorf("of too few moves a review opens: %+v", list)
		}
	})
}

// started is the rating of a newcomer.
func (h *hall) started() (points int) {
	h.t.Helper()
	h.ok(h.store.Read(h.t.Context(), func(tx *store.Tx) error {
		pool, err := tx.RatingPool("main")
		points = pool.Rules.Start
		return err
	}))
	return points
}

func TestAtOpenAndWithoutRatingNobodysMovesAreLookedAt(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		h.declared(fairplay.Open, true)
		h.declared(fairplay.Declared, false)
		if looked, left := h.choices(); looked+left != 0 {
			t.Errorf("%d looked at, %d left", looked, left)
		}
	})
}

// A concern opens one review; after its end the same moves open no other.
func TestAConcernAboutMovesOpensOneReview(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *hall) {
		tour := h.lost()
		h.calibrated()
		h.ok(h.store.Write(t.Context(), func(tx *store.Tx) error {
			var failed []error
			for i, name := range []string{"ana", "bob"} {
				failed = append(failed, tx.SaveDossier(store.Dossier{Player: player.ID(name), Place: tour.ID.Place(), Calibration: "k", At: h.clock.now(),
					IsTold: true, P: 0.0001, Adjusted: 0.0002, IsConcern: i == 0, Body: "{}"}, time.Time{}))
			}
			return errors.Join(failed...)
		}))
		list := h.reviewsOf("ana")
		if len(list) != 1 || list[0].Steps[0].Word != string(review.OpenedByMoves) || list[0].Place != tour.ID.Place() {
			t.Fatalf("%+v", list)
		}
		if list := h.reviewsOf("bob"); len(list) != 0 {
			t.Errorf("without a concern: %+v", list)
		}
		h.clock.advance(time.Minute)
		h.ok(h.store.Write(t.Context(), func(tx *store.Tx) error {
			r := list[0]
			r.Status, r.ClosedAt = review.StatusClosed, h.clock.now()
			return tx.SaveReview(r)
		}))
		if list := h.reviewsOf("ana"); len(list) != 1 {
			t.Errorf("the same moves open %d reviews", len(list))
		}
		h.ok(h.store.Read(t.Context(), func(tx *store.Tx) error {
			for since, want := range map[time.Duration]int{-time.Hour: 2, time.Hour: 0} {
				if list, err := tx.RaritiesSince(h.clock.now().Add(since)); err != nil || len(list) != want {
					t.Errorf("since %v: %v %v", since, list, err)
				}
			}
			return nil
		}))
	})
}
