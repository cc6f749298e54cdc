package arbiter_test

import (
	"errors"
	"sync"
	"testing"

	"chpok.org/chpok/arbiter/clubs"
	"chpok.org/chpok/arbiter/entries"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/setting"
)

// dragon is a club of ana's with bob, an organizer, and cyn, a member.
func (h *hall) dragon() club.ID {
	h.t.Helper()
	h.ok(h.store.Write(h.t.Context(), func(tx *store.Tx) error {
		return tx.AddClub(club.New("dragon", "Dragon", "", "ana", h.clock.now()))
	}))
	for _, handle := range []string{"bob", "cyn"} {
		_, err := h.Clubs.Join(h.t.Context(), h.viewer(handle), "dragon", "", "")
		h.ok(err)
	}
	h.ok(h.Clubs.SetRole(h.t.Context(), h.viewer("ana"), "dragon", "bob", club.Organizer))
	return "dragon"
}

func TestClubsTournament(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		s := tournament.DefaultSettings(tournament.RoundRobin)
		s.Name, s.ClubID, s.MembersOnly, s.Pace = "Dragons", h.dragon(), true, tournament.Manual
		for _, handle := range []string{"cyn", "host"} { // a member; an organizer of the site who is none
			if _, err := h.Events.Create(t.Context(), h.viewer(handle), s, true); !errors.Is(err, club.ErrNotAllowed) {
				t.Errorf("%s holds a tournament in the club's name: %v", handle, err)
			}
		}
		id, err := h.Events.Create(t.Context(), h.viewer("bob"), s, true)
		h.ok(err)
		if got := h.tournament(id); got.Club != "Dragon" || got.ClubID != "dragon" {
			t.Errorf("%q, %q", got.Club, got.ClubID)
		}
		_, err = h.Entries.Register(t.Context(), h.viewer("cyn"), id, entries.Application{})
		h.ok(err)
		if _, err := h.Entries.Register(t.Context(), h.viewer("dan"), id, entries.Application{}); !errors.Is(err, setting.ErrUnmet) {
			t.Errorf("a stranger enters: %v", err)
		}
		for _, handle := range []string{"ana", "bob"} { // the club's owner acts in it
			_, err := h.Entries.Register(t.Context(), h.viewer("ana"), id, entries.Application{Handle: handle})
			h.ok(err)
		}
		h.ok(h.Clubs.SetRole(t.Context(), h.viewer("ana"), "dragon", "cyn", club.Arbiter))
		h.ok(h.Rounds.Start(t.Context(), h.viewer("cyn"), id)) // as an arbiter of the club
		var lines []store.TournamentLine
		h.ok(h.store.Read(t.Context(), func(tx *store.Tx) (err error) {
			lines, _, err = tx.Tournaments(store.TournamentQuery{Club: "dragon", Limit: 9})
			return err
		}))
		if len(lines) != 1 || lines[0].ID != id {
			t.Errorf("the club's: %+v", lines)
		}
	})
}

func TestATournamentGoesToAClubByWhoMayHoldThere(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		h.dragon()
		id := h.create(tournament.Swiss, nil)
		s := h.tournament(id).Settings
		s.ClubID = "dragon"
		if err := h.Events.Change(t.Context(), h.host, id, s); !errors.Is(err, club.ErrNotAllowed) {
			t.Errorf("given to a club one is not in: %v", err)
		}
	})
}

// TestAllOwnersLeaveAtOnce: through the same door as the pages, until somebody
// is told to stay.
func TestAllOwnersLeaveAtOnce(t *testing.T) {
	t.Parallel()
	storetest.ManyAtOnce(t)
	each(t, func(t *testing.T, h *hall) {
		id := h.dragon()
		handles := []string{"ana", "bob", "cyn"}
		for _, handle := range handles[1:] {
			h.ok(h.Clubs.SetRole(t.Context(), h.viewer("ana"), id, h.player(handle).ID, club.Owner))
		}
		errs := make([]error, len(handles))
		var wg sync.WaitGroup
		for i, handle := range handles {
			v := h.viewer(handle)
			wg.Go(func() { errs[i] = h.Clubs.Leave(t.Context(), v, id) })
		}
		wg.Wait()
		stayed := 0
		for _, err := range errs {
			switch {
			case errors.Is(err, club.ErrLastOwner):
				stayed++
			case err != nil:
				t.Error(err)
			}
		}
		h.ok(h.store.Read(t.Context(), func(tx *store.Tx) error {
			r, err := tx.Roster(id)
			if stayed != 1 || len(r.Members) != 1 || r.Members[0].Role != club.Owner {
				t.Errorf("%d were told to stay; left: %+v", stayed, r.Members)
			}
			return err
		}))
	})
}

func TestRequestsAndAnswersAreTold(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		id := h.dragon()
		h.ok(h.Clubs.Change(t.Context(), h.viewer("ana"), id, clubs.Settings{Name: "Dragon", Text: "", Joining: club.ByRequest}))
		for _, handle := range []string{"dan", "host"} {
			if joined, err := h.Clubs.Join(t.Context(), h.viewer(handle), id, "", "hello"); joined || err != nil {
				t.Fatal(joined, err)
			}
		}
		h.ok(h.Clubs.AnswerRequest(t.Context(), h.viewer("bob"), id, h.player("dan").ID, true))
		h.ok(h.Clubs.AnswerRequest(t.Context(), h.viewer("ana"), id, h.player("host").ID, false))
		h.wasTold("ana", "club-request /clubs/dragon/people", "club-request /clubs/dragon/people")
		h.wasTold("bob", "club-request /clubs/dragon/people", "club-request /clubs/dragon/people")
		h.wasTold("cyn")
		h.wasTold("dan", "club-accepted /clubs/dragon")
		h.wasTold("host", "club-refused /clubs/dragon")
	})
}
