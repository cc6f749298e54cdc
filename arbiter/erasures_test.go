package arbiter_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"chpok.org/chpok/arbiter/persons"
	"chpok.org/chpok/arbiter/tables"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/format"
)

// printed is everything a tournament shows: table, report and the reports its
// rounds were paired from.
func (h *hall) printed(id tournament.ID) string {
	h.t.Helper()
	t := h.tournament(id)
	report, err := tables.Report(&t.Table, format.System(&t.Table), t.Field())
	h.ok(err)
	out := strings.Join(table(h.t, t), "\n") + "\n" + report
	h.ok(h.store.Read(h.t.Context(), func(tx *store.Tx) error {
		for _, r := range t.Rounds {
			input, err := tx.RoundInput(id, r.Number)
			if err != nil {
				return err
			}
			out += "\n" + input
		}
		return nil
	}))
	return out
}

func (h *hall) handleOf(id player.ID) player.Handle {
	h.t.Helper()
	var p player.Player
	h.ok(h.store.Read(h.t.Context(), func(tx *store.Tx) (err error) {
		p, err = tx.Player(id)
		return err
	}))
	return p.Handle
}

func TestAnErasedPlayerLeavesEveryTableWhole(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *hall) {
		id := friday(h)
		before, ratings := h.printed(id), h.ratings("ana", "bob", "cyn")
		dan := h.viewer("dan")
		rating := h.ratings("dan")["dan"]
		due, err := h.Persons.AskErasure(t.Context(), dan)
		h.ok(err)
		if want := h.clock.now().Add(7 * 24 * time.Hour); !due.Equal(want) {
			t.Errorf("due %v, want %v", due, want)
		}
		h.clock.advance(7*24*time.Hour - time.Second)
		h.ok(h.Persons.SweepErasures(t.Context()))
		if got := h.handleOf(dan.ID); got != "dan" {
			t.Fatalf("erased early: %s", got)
		}
		h.clock.advance(time.Second)
		h.ok(h.Persons.SweepErasures(t.Context()))
		h.ok(h.Persons.SweepErasures(t.Context()))
		if got := h.handleOf(dan.ID); got != "deleted-1" {
			t.Fatalf("%s", got)
		}
		after := h.printed(id)
		// A report gives a name 33 columns, so both are as wide.
		want := strings.ReplaceAll(before, "dan      ", "deleted-1")
		want = strings.ReplaceAll(want, " dan ", " deleted-1 ")
		if diff := cmp.Diff(want, after); diff != "" {
			t.Errorf("before, with the other name (-), after (+):\n%s", diff)
		}
		if strings.Contains(after, "dan") {
			t.Error("the name stands somewhere still")
		}
		if diff := cmp.Diff(ratings, h.ratings("ana", "bob", "cyn")); diff != "" {
			t.Errorf("ratings of others: %s", diff)
		}
		if got := h.ratings("deleted-1")["deleted-1"]; got != rating {
			t.Errorf("the ghost's rating is %d, was %d", got, rating)
		}
		h.ok(h.store.Read(t.Context(), func(tx *store.Tx) error {
			deeds, err := tx.Deeds(id)
			for _, d := range deeds {
				for _, c := range d.Changes {
					if strings.Contains(string(c.Before)+string(c.After), `"name":"dan"`) {
						t.Errorf("deed %d still names him: %s", d.Seq, c.Path)
					}
				}
			}
			return err
		}))
		if list := h.told("deleted-1"); len(list) != 0 {
			t.Errorf("%d notices are left", len(list))
		}
		if _, err := h.Challenges.Send(t.Context(), h.viewer("ana"), "deleted-1", friendly(false)); err == nil {
			t.Error("a ghost is challenged")
		}
	})
}

func TestWhoIsNeededIsNotErased(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *hall) {
		ladder := h.ladder(nil, "ana", "bob")
		id := h.create(tournament.Swiss, nil, "cyn", "dan")
		asks := func(handle string, want ...player.Obstacle) {
			t.Helper()
			var got []player.Obstacle
			h.ok(h.store.Read(t.Context(), func(tx *store.Tx) error {
				list, err := persons.Hindrances(tx, h.player(handle))
				for _, x := range list {
					got = append(got, x.Obstacle)
				}
				return err
			}))
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-want, +got):\n%s", handle, diff)
			}
			_, err := h.Persons.AskErasure(t.Context(), h.viewer(handle))
			if (len(want) > 0) != errors.Is(err, persons.ErrHindered) {
				t.Errorf("%s asks: %v", handle, err)
			}
		}
		asks("ana", player.StandsOnLadder)
		h.ok(h.Ladders.Leave(t.Context(), h.viewer("ana"), ladder, h.player("ana").ID))
		asks("ana")
		asks("cyn", player.PlaysEvent)
		asks("host", player.OwnsEvent)
		e, _ := h.tournament(id).EntryOf(h.player("cyn").ID)
		h.ok(h.Entries.Withdraw(t.Context(), h.viewer("cyn"), id, e.ID))
		asks("cyn")
		c := h.challenge("eve", "fay", friendly(false))
		_, err := h.Challenges.Accept(t.Context(), h.viewer("fay"), c.ID)
		h.ok(err)
		asks("eve", player.PlaysMatch)

		// What begins while the time to think runs defers it.
		c = h.challenge("gus", "ana", friendly(false))
		_, err = h.Challenges.Accept(t.Context(), h.viewer("ana"), c.ID)
		h.ok(err)
		ana := h.player("ana").ID
		h.clock.advance(8 * 24 * time.Hour)
		h.ok(h.Persons.SweepErasures(t.Context()))
		if got := h.handleOf(ana); got != "ana" {
			t.Fatalf("erased while she plays: %s", got)
		}
		due, err := store.Get(t.Context(), h.store, func(tx *store.Tx) ([]player.ID, error) { return tx.DueErasures(h.clock.now(), 1) })
		h.ok(err)
		if len(due) > 0 {
			t.Errorf("%v stands before others that are due", due)
		}
		h.ok(h.live.SweepDue(t.Context())) // whoever was to bid has lost on time
		h.clock.advance(time.Hour)
		h.ok(h.Persons.SweepErasures(t.Context()))
		if got := h.handleOf(ana); !strings.HasPrefix(string(got), "deleted-") {
			t.Errorf("%s", got)
		}
	})
}
