package arbiter_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"chpok.org/chpok/arbiter/entries"
	"chpok.org/chpok/arbiter/judges"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
)

// acted notes from where both players of a match at Declared have acted.
func (h *hall) acted(first, second player.ID, where [2]store.Device) {
	h.t.Helper()
	id := h.opens(fairplay.Declared, first, second)
	h.ok(h.store.Write(h.t.Context(), func(tx *store.Tx) error {
		for i, d := range where {
			d.Seat, d.Session, d.At = match.Seat(i+1), "s", h.clock.now()
			if err := tx.AddDevice(id, d); err != nil {
				return err
			}
		}
		return nil
	}))
}

// paired starts a tournament of two; what was noted of each, in the order of names.
func (h *hall) paired(level fairplay.Assurance, venue, first, second string) []string {
	h.t.Helper()
	ctx := h.t.Context()
	id := h.create(tournament.Swiss, func(s *tournament.Settings) { s.Rounds, s.Policy = 1, fairplay.Preset(level) })
	for _, handle := range []string{first, second} {
		if level > fairplay.Open {
			h.ok(h.Persons.AcceptText(ctx, h.viewer(handle), "en", "…"))
		}
		_, err := h.Entries.Register(ctx, h.host, id, entries.Application{Handle: handle})
		h.ok(err)
	}
	if venue != "" {
		h.ok(h.Judges.NameVenue(ctx, h.host, id, venue))
	}
	h.ok(h.Rounds.Start(ctx, h.host, id))
	var out []string
	h.ok(h.store.Read(ctx, func(tx *store.Tx) error {
		list, err := tx.SignalsIn([]match.ID{h.tournament(id).Rounds[0].Pairings[0].Match})
		for _, s := range list {
			out = append(out, fmt.Sprint(s.Player, " ", s.Kind))
		}
		return err
	}))
	slices.Sort(out)
	return out
}

func TestArbitersHearOfNeighboursBeforeTheRound(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		h.acted("ana", "cyn", [2]store.Device{{Device: "tablet", Network: "flat"}, {Device: "c", Network: "hall"}})
		h.acted("dan", "bob", [2]store.Device{{Device: "d", Network: "hall"}, {Device: "tablet", Network: "b"}})
		wants := func(level fairplay.Assurance, venue, first, second string, want ...string) {
			t.Helper()
			if got := h.paired(level, venue, first, second); !slices.Equal(got, want) {
				t.Errorf("%v, %s and %s: %v, want %v", level, first, second, got, want)
			}
		}
		wants(fairplay.Open, "", "ana", "bob")
		wants(fairplay.Declared, "", "ana", "dan")
		wants(fairplay.Declared, "hall", "cyn", "dan")
		if h.hasTold("host", notice.Neighbours) {
			t.Fatal("the arbiter was told of nothing")
		}
		wants(fairplay.Declared, "", "cyn", "dan", "cyn paired-network", "dan paired-network")
		wants(fairplay.Declared, "hall", "ana", "bob", "ana paired-device", "bob paired-device")
		if !h.hasTold("host", notice.Neighbours) || h.hasTold("ana", notice.Neighbours) {
			t.Error("arbiters are told, players see it on their own page")
		}
		h.clock.advance(review.NeighboursWithin + time.Minute)
		wants(fairplay.Declared, "", "ana", "bob")
		h.ok(h.Sweep(t.Context()))
		var reviews []store.Concern
		h.ok(h.store.Read(t.Context(), func(tx *store.Tx) (err error) {
			reviews, err = tx.DueConcerns()
			return err
		}))
		if len(reviews) != 0 {
			t.Errorf("reviews are due: %v", reviews)
		}
	})
}

func TestNeighboursStandInTheDraft(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *hall) {
		ctx := t.Context()
		h.acted("ana", "bob", [2]store.Device{{Device: "x", Network: "n"}, {Device: "x", Network: "n"}})
		id := h.create(tournament.Swiss, func(s *tournament.Settings) {
			s.Rounds, s.Review, s.Policy = 1, true, fairplay.Preset(fairplay.Declared)
		})
		for _, handle := range []string{"ana", "bob"} {
			h.ok(h.Persons.AcceptText(ctx, h.viewer(handle), "en", "…"))
			_, err := h.Entries.Register(ctx, h.host, id, entries.Application{Handle: handle})
			h.ok(err)
		}
		gus := h.viewer("gus")
		h.giveDuty(id, gus)
		if err := h.Judges.NameVenue(ctx, h.viewer("ana"), id, "n"); !errors.Is(err, tournament.ErrNotAllowed) {
			t.Errorf("a player names the venue: %v", err)
		}
		if err := h.Judges.NameVenue(ctx, gus, id, ""); !errors.Is(err, judges.ErrNoNetwork) {
			t.Errorf("no network: %v", err)
		}
		h.ok(h.Rounds.Start(ctx, h.host, id))
		if h.tournament(id).Draft == nil {
			h.ok(h.Rounds.Draft(ctx, h.host, id))
		}
		h.ok(h.store.Read(ctx, func(tx *store.Tx) error {
			list, err := h.NeighboursInDraft(tx, h.tournament(id))
			if len(list) != 1 || list[0].Kind != review.SignalPairedDevice || list[0].Board != 1 {
				t.Errorf("%+v", list)
			}
			return err
		}))
		if !h.hasTold("gus", notice.Neighbours) {
			t.Error("gus was not told of the draft")
		}
		h.ok(h.Judges.NameVenue(ctx, gus, id, "n"))
		h.ok(h.Judges.ForgetVenues(ctx, gus, id))
		h.ok(h.store.Read(ctx, func(tx *store.Tx) error {
			venues, err := tx.Venues(id)
			if len(venues) != 0 {
				t.Errorf("%v", venues)
			}
			return err
		}))
		deeds := h.deeds(id)
		if last := deeds[len(deeds)-1]; last.Act != tournament.ActVenue || last.By != gus.ID {
			t.Errorf("the log ends with %+v", last)
		}
	})
}
