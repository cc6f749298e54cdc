package arbiter_test

import (
	"errors"
	"testing"
	"time"

	"chpok.org/chpok/arbiter/judges"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
)

// lost is a started round robin of four whose first round is over.
func (h *hall) lost() *tournament.Tournament {
	h.t.Helper()
	id := h.create(tournament.RoundRobin, nil, "ana", "bob", "cyn", "dan")
	h.clock.advance(time.Second)
	h.ok(h.Rounds.Start(h.t.Context(), h.host, id))
	for _, p := range h.tournament(id).Rounds[0].Pairings {
		h.ok(h.resign(p.Match, match.First))
	}
	return h.tournament(id)
}

// matchOf is the match of the first round in which somebody sits, and their seat.
func (h *hall) matchOf(t *tournament.Tournament, handle string) (match.ID, match.Seat) {
	h.t.Helper()
	e, _ := t.EntryOf(h.player(handle).ID)
	for _, p := range t.Rounds[0].Pairings {
		if seat := p.SeatOf(e.ID); seat.Valid() {
			return p.Match, seat
		}
	}
	h.t.Fatalf("%s does not play", handle)
	return "", 0
}

func (h *hall) report(t *tournament.Tournament, by, of string) error {
	h.t.Helper()
	id, seat := h.matchOf(t, of)
	return h.Judges.Report(h.t.Context(), h.viewer(by), id, seat, "so fast")
}

func (h *hall) reviewsOf(handle string) (list []store.Review) {
	h.t.Helper()
	h.ok(h.Sweep(h.t.Context()))
	h.ok(h.store.Read(h.t.Context(), func(tx *store.Tx) (err error) {
		list, err = tx.ReviewsOf(h.player(handle).ID)
		return err
	}))
	return list
}

func TestTheFourthReportOfAWeekWaits(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		tour := h.lost()
		start := h.clock.now()
		for _, of := range []string{"ana", "bob", "cyn"} {
			h.ok(h.report(tour, "fay", of))
			h.clock.advance(24 * time.Hour)
		}
		for _, wait := range []time.Duration{0, 4*24*time.Hour - time.Millisecond} {
			h.clock.advance(wait)
			var many *refusal.Error
			err := h.report(tour, "fay", "dan")
			if !errors.As(err, &many) || !errors.Is(err, judges.ErrReportMany) || !many.Next.Equal(start.Add(7*24*time.Hour)) {
				t.Fatalf("at %v: %v", h.clock.now(), err)
			}
		}
		h.clock.advance(time.Millisecond)
		h.ok(h.report(tour, "fay", "dan"))
	})
}

func TestWhoseReportsWereWrongCountsHalf(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		tour := h.lost()
		for _, of := range []string{"ana", "bob", "cyn"} {
			h.ok(h.report(tour, "fay", of))
			id, err := h.Judges.OpenReview(t.Context(), h.host, tour.ID.Place(), h.player(of).ID)
			h.ok(err)
			h.clock.advance(time.Minute)
			h.ok(h.Judges.Execute(t.Context(), h.host, id, judges.ReviewCommand{Seen: readAll, Kind: review.StepPropose, Proposal: review.Proposal{Decision: review.DecideNothing, Why: "nothing"}}))
		}
		h.clock.advance(review.ReportSpan)
		for _, by := range []string{"fay", "gus", "eve"} {
			h.ok(h.report(tour, by, "dan"))
			if list := h.reviewsOf("dan"); len(list) != 0 {
				t.Fatalf("after the report of %s: %+v", by, list)
			}
		}
		h.ok(h.report(tour, "ana", "dan"))
		if list := h.reviewsOf("dan"); len(list) != 1 || list[0].Steps[0].Word != string(review.OpenedByReports) {
			t.Errorf("after four reports: %+v", list)
		}
	})
}

func TestThePlayerReadsWhoLooked(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		tour, ana := h.lost(), h.viewer("ana")
		look := func(by player.Viewer) judges.Dossier {
			t.Helper()
			d, err := h.Judges.Dossier(t.Context(), by, tour.ID.Place(), ana.ID)
			h.ok(err)
			return d
		}
		first := h.clock.now()
		look(ana) // their own looks are not noted
		look(h.host)
		h.clock.advance(59 * time.Minute)
		look(h.host)
		h.clock.advance(time.Minute)
		look(h.host)
		d := look(ana)
		if len(d.Accesses) != 2 || d.Accesses[0].By != h.host.ID || !d.Accesses[0].At.Equal(first.Add(time.Hour)) || !d.Accesses[1].At.Equal(first) {
			t.Errorf("%+v", d.Accesses)
		}
		if d.Names[h.host.ID].Handle != h.host.Handle {
			t.Errorf("the player does not read who it was: %v", d.Names)
		}
		if _, err := h.Judges.Dossier(t.Context(), h.viewer("bob"), tour.ID.Place(), ana.ID); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("another player looks: %v", err)
		}
	})
}
