package arbiter_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"chpok.org/chpok/arbiter/entries"
	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/rating"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/setting"
)

// standing is where a player's entry stands, after being read again.
func (h *hall) standing(id tournament.ID, handle string) tournament.EntryStatus {
	h.t.Helper()
	e, _ := h.tournament(id).EntryOf(h.player(handle).ID)
	return e.Status
}

func (h *hall) enter(id tournament.ID, handle string) error {
	_, err := h.Entries.Register(h.t.Context(), h.viewer(handle), id, entries.Application{})
	return err
}

// acts are what was done to a tournament.
func (h *hall) acts(id tournament.ID) (acts []tournament.Act) {
	for _, d := range h.deeds(id) {
		acts = append(acts, d.Act)
	}
	return acts
}

// hasTold reports whether a player was told something of that kind.
func (h *hall) hasTold(handle string, kind notice.Kind) bool {
	h.t.Helper()
	return slices.ContainsFunc(h.told(handle), func(n store.Told) bool { return n.Kind == kind })
}

func TestARequestIsAcceptedOntoTheWaitingListAndPromoted(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		id := h.create(tournament.Swiss, func(s *tournament.Settings) { s.Entry.Approval, s.Capacity = true, 1 }, "ana")
		for _, handle := range []string{"bob", "cyn"} {
			h.ok(h.enter(id, handle))
			if got := h.standing(id, handle); got != tournament.Requested {
				t.Errorf("%s: %v", handle, got)
			}
		}
		h.ok(h.Entries.Accept(t.Context(), h.host, id, 2, ""))
		if got := h.standing(id, "bob"); got != tournament.Waiting || !h.hasTold("bob", notice.Approved) {
			t.Errorf("bob: %v, told %+v", got, h.told("bob"))
		}
		h.ok(h.Entries.Refuse(t.Context(), h.host, id, 3, "no room"))
		if e, _ := h.tournament(id).Entry(3); e.Status != tournament.Refused || e.Reason != "no room" || !h.hasTold("cyn", notice.Refused) {
			t.Errorf("cyn: %+v, told %+v", e, h.told("cyn"))
		}
		h.ok(h.Entries.WithdrawPlayer(t.Context(), h.viewer("ana"), id, "ana"))
		if got := h.standing(id, "bob"); got != tournament.Active || !h.hasTold("bob", notice.Promoted) {
			t.Errorf("bob: %v, told %+v", got, h.told("bob"))
		}
		h.ok(h.Entries.Withdraw(t.Context(), h.host, id, 2))
		if e, _ := h.tournament(id).Entry(2); !e.Removed || !h.hasTold("bob", notice.Removed) {
			t.Errorf("bob: %+v", e)
		}
		if err := h.enter(id, "bob"); !errors.Is(err, tournament.ErrShutOut) {
			t.Errorf("who was removed comes back: %v", err)
		}
	})
}

// Whoever waits gets a place as if they entered now: an entry condition, absences and exclusions are asked anew, by the
// same function as when staff accept somebody. Who is passed over is told, and gets a place once they fit.
func TestAPlaceIsGivenToNobodyWhoNoLongerFits(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *hall) {
		ctx := t.Context()
		h.verify("ana", "bob", "cyn", "dan")
		past := h.verified(tournament.Swiss, nil)
		for _, x := range []struct {
			fall, fits func(tournament.ID)
			want       error
		}{
			{
				func(id tournament.ID) { h.gate(id, "ana", "cyn") }, func(id tournament.ID) { h.gate(id) }, setting.ErrUnmet,
			},
			{
				func(tournament.ID) { h.exclude("bob", past, day) }, func(tournament.ID) { h.clock.advance(2 * day) }, fairplay.ErrUnmet,
			},
			{
				func(tournament.ID) {
					h.clock.advance(time.Second) // staff may have overlooked what was before
					h.ok(h.store.Write(ctx, func(tx *store.Tx) error {
						return tx.AddNoShow(player.NoShow{ID: store.NewID(), Player: h.player("bob").ID, Tournament: string(past), Match: "m",
							At: h.clock.now()})
					}))
				}, func(tournament.ID) { h.clock.advance(2 * day) }, nil, // and may overlook it
			},
		} {
			// ana plays, bob and cyn wait
			id := h.verified(tournament.Swiss, func(s *tournament.Settings) { s.Capacity = 1 }, "ana", "bob", "cyn")
			leave := func(handle string) { h.ok(h.Entries.WithdrawPlayer(ctx, h.viewer(handle), id, handle)) }
			x.fall(id)
			leave("ana")
			if b, c := h.standing(id, "bob"), h.standing(id, "cyn"); b != tournament.Waiting || c != tournament.Active {
				t.Fatalf("bob %v, cyn %v, want bob passed over for cyn", b, c)
			}
			leave("cyn")
			told := 0
			for _, n := range h.told("bob") {
				if n.Kind == notice.PassedOver && n.URL == kernel.TournamentPath(id) {
					told++
				}
			}
			if told != 1 {
				t.Errorf("bob was told %d times", told)
			}
			e, _ := h.tournament(id).EntryOf(h.player("bob").ID)
			if err := h.Entries.Accept(ctx, h.host, id, e.ID, ""); !errors.Is(err, x.want) {
				t.Errorf("by hand: %v, want %v", err, x.want)
			}
			x.fits(id)
			h.ok(h.Rounds.CloseRegistration(ctx, h.host, id))
			if got := h.standing(id, "bob"); got != tournament.Active {
				t.Errorf("bob fits again: %v", got)
			}
		}
	})
}

// Staff who accept somebody overlook their absences for good: also where they have to wait first.
func TestWhoIsAcceptedDespiteAbsencesGetsTheNextPlace(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		ctx := t.Context()
		past := h.create(tournament.Swiss, nil)
		id := h.create(tournament.Swiss, func(s *tournament.Settings) { s.Capacity, s.Entry.Approval = 1, true })
		for _, handle := range []string{"ana", "bob"} {
			h.ok(h.enter(id, handle))
		}
		h.ok(h.Entries.Accept(ctx, h.host, id, 1, ""))
		absent := func() {
			h.clock.advance(time.Second)
			h.ok(h.store.Write(ctx, func(tx *store.Tx) error {
				return tx.AddNoShow(player.NoShow{ID: store.NewID(), Player: h.player("bob").ID, Tournament: string(past), Match: "m", At: h.clock.now()})
			}))
		}
		leave := func() { h.ok(h.Entries.WithdrawPlayer(ctx, h.viewer("ana"), id, "ana")) }
		absent()
		h.clock.advance(time.Second)
		h.ok(h.Entries.Accept(ctx, h.host, id, 2, "")) // full
		if got := h.standing(id, "bob"); got != tournament.Waiting {
			t.Fatalf("bob is %v", got)
		}
		leave()
		if got := h.standing(id, "bob"); got != tournament.Active {
			t.Errorf("accepted despite an absence, bob is passed over for it: %v", got)
		}
	})
}

// gate lets only some players into a tournament; no names: everybody.
func (h *hall) gate(id tournament.ID, names ...player.Handle) {
	s := h.tournament(id).Settings
	s.Entry.Conditions.List = names
	h.ok(h.Events.Change(h.t.Context(), h.host, id, s))
}

func TestTheSweepOpensAndClosesRegistration(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *hall) {
		opens := h.clock.now().Add(time.Hour)
		id := h.create(tournament.Swiss, func(s *tournament.Settings) { s.Entry.Opens, s.Entry.Closes = opens, opens.Add(time.Hour) })
		deeds := func() []tournament.Act { return h.acts(id) }
		if err := h.enter(id, "ana"); !errors.Is(err, tournament.ErrNotOpen) {
			t.Errorf("before it opens: %v", err)
		}
		h.ok(h.Sweep(t.Context()))
		if acts := deeds(); len(acts) != 1 {
			t.Errorf("a sweep too early did %v", acts)
		}
		h.clock.advance(time.Hour)
		for range 2 { // another node does the same
			h.ok(h.Sweep(t.Context()))
		}
		h.ok(h.enter(id, "ana"))
		h.clock.advance(time.Hour)
		if err := h.enter(id, "bob"); !errors.Is(err, tournament.ErrClosed) {
			t.Errorf("after its end, before the sweep: %v", err)
		}
		for range 2 {
			h.ok(h.Sweep(t.Context()))
		}
		want := []tournament.Act{tournament.ActCreate, tournament.ActOpen, tournament.ActEnter, tournament.ActClose}
		if acts := deeds(); len(acts) != len(want) || acts[1] != want[1] || acts[3] != want[3] {
			t.Errorf("%v, want %v", acts, want)
		}
		h.ok(h.Rounds.OpenRegistration(t.Context(), h.host, id))
		h.ok(h.enter(id, "bob"))
		h.ok(h.Rounds.CloseRegistration(t.Context(), h.host, id))
		if err := h.enter(id, "cyn"); !errors.Is(err, tournament.ErrClosed) {
			t.Errorf("closed by hand: %v", err)
		}
	})
}

func TestTheRatingOfAConditionIsTheBestOfAWeek(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		best := func() (best int, after rating.Rating) {
			h.ok(h.store.Read(t.Context(), func(tx *store.Tx) error {
				c, err := entries.Candidates(tx, h.clock.now(), h.player("ana"))
				if err != nil {
					return err
				}
				history, err := tx.RatingHistory(c[0].Player)
				if len(history) > 0 {
					after = history[len(history)-1].After
				}
				best = c[0].Best
				return err
			}))
			return best, after
		}
		if got, _ := best(); got != 0 {
			t.Errorf("without a game: %d", got)
		}
		events := 0
		meet := func(winner, loser string) rating.Rating {
			events++
			h.played(events, [][2]string{{winner, loser}}, []tournament.ResultKind{tournament.FirstWins})
			_, after := best()
			return after
		}
		won := meet("ana", "bob")
		h.clock.advance(8 * 24 * time.Hour)
		lost := meet("bob", "ana")
		if got, _ := best(); got != won.Whole() || lost >= won {
			t.Errorf("what stood a week ago was %d; %d is found, and %d now", won.Whole(), got, lost.Whole())
		}
		h.clock.advance(8 * 24 * time.Hour)
		meet("bob", "ana")
		if got, _ := best(); got != lost.Whole() {
			t.Errorf("%d, not %d: what was before the week does not count", got, lost.Whole())
		}
	})
}

func TestAPlayerComesBack(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		id := h.create(tournament.Swiss, func(s *tournament.Settings) { s.Pace = tournament.Manual }, "ana", "bob", "cyn", "dan", "eve")
		h.ok(h.Rounds.Start(t.Context(), h.host, id))
		h.ok(h.Entries.WithdrawPlayer(t.Context(), h.viewer("ana"), id, "ana"))
		h.ok(h.Rounds.Open(t.Context(), h.host, id))
		h.ok(h.Entries.Return(t.Context(), h.viewer("ana"), id))
		e, _ := h.tournament(id).EntryOf(h.player("ana").ID)
		for _, p := range h.tournament(id).Field().Players {
			if p.Number == e.Number && (e.Status != tournament.Active || p.Rounds[0].Outcome != tournament.ZeroBye) {
				t.Errorf("%+v, %+v", e, p.Rounds)
			}
		}
	})
}
