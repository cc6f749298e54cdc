package arbiter_test

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/bundle"
)

// TestATournamentMovesToAnotherSite: exported from SQLite in the middle of a
// round, imported into PostgreSQL (and the other way round), and played to its
// end there.
func TestATournamentMovesToAnotherSite(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, here *hall) {
		id := here.create(tournament.Swiss, func(s *tournament.Settings) { s.Rounds, s.Pace = 2, tournament.Manual }, "ana", "bob", "cyn", "dan")
		here.ok(here.Rounds.Start(t.Context(), here.host, id))
		here.ok(here.Rounds.Open(t.Context(), here.host, id))
		first := here.tournament(id).Rounds[0].Pairings[0]
		here.ok(here.resign(first.Match, match.Second))
		b, err := here.Events.Bundle(t.Context(), here.host, id, "https://here.example")
		here.ok(err)
		if _, err := here.Events.Bundle(t.Context(), here.viewer("ana"), id, "https://here.example"); !errors.Is(err, tournament.ErrNotAllowed) {
			t.Errorf("a player took the whole log away: %v", err)
		}
		var file bytes.Buffer
		here.ok(bundle.Write(&file, b, nil))
		b, err = bundle.Read(bytes.NewReader(file.Bytes()), int64(file.Len()))
		here.ok(err)
		if len(b.Records) != 1 || len(b.Records[bundle.Board{Round: 1, Board: 1}]) == 0 {
			t.Fatalf("records: %v", b.Records)
		}

		there := elsewhere(t, here.store.Dialect())
		if _, err := there.Events.ImportBundle(t.Context(), there.viewer("ana"), b, true); !errors.Is(err, tournament.ErrNotAllowed) {
			t.Errorf("a player made a tournament: %v", err)
		}
		v, err := there.Events.Preview(t.Context(), there.host, b, true)
		there.ok(err)
		if len(v.Linked) != 4 || v.Open != 1 {
			t.Errorf("linked %v, open %d", v.Linked, v.Open)
		}
		moved, err := there.Events.ImportBundle(t.Context(), there.host, b, true)
		there.ok(err)
		got := there.tournament(moved)
		if got.Rounds[0].Pairings[0].Result.Kind != tournament.FirstWins || got.Entries[0].Player != there.player(string(got.Entries[0].Name)).ID {
			t.Fatalf("%+v", got)
		}
		open, err := there.Events.OpenBoard(t.Context(), there.host, moved, 1, 2)
		there.ok(err)
		there.ok(there.resign(open, match.Second))
		there.ok(there.Rounds.Open(t.Context(), there.host, moved))
		for _, p := range there.tournament(moved).Rounds[1].Pairings {
			there.ok(there.resign(p.Match, match.Second))
		}
		if got := there.tournament(moved); got.Status != tournament.Finished {
			t.Errorf("it is %v", got.Status)
		}
		again, err := there.Events.Bundle(t.Context(), there.host, moved, "https://there.example")
		there.ok(err)
		if len(again.Records) != 4 || len(again.Inputs) != 2 {
			t.Errorf("the next bundle has %d records and %d inputs", len(again.Records), len(again.Inputs))
		}
	})
}

// TestABundleBringsNoClub: a file that names one holds nothing in its name, and
// gives its people no duty.
func TestABundleBringsNoClub(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, here *hall) {
		of := here.dragon()
		s := tournament.DefaultSettings(tournament.Swiss)
		s.Name, s.ClubID, s.MembersOnly = "Dragons", of, true
		id, err := here.Events.Create(t.Context(), here.viewer("bob"), s, true)
		here.ok(err)
		b, err := here.Events.Bundle(t.Context(), here.viewer("bob"), id, "https://here.example")
		here.ok(err)
		for name, site := range map[string]*hall{"where the club is": here, "where it is not": elsewhere(t, here.store.Dialect())} {
			moved, err := site.Events.ImportBundle(t.Context(), site.host, b, true)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if got := site.tournament(moved); got.ClubID != "" || got.MembersOnly || len(got.ClubStaff) != 0 {
				t.Errorf("%s: of the club %q, %+v", name, got.ClubID, got.ClubStaff)
			}
		}
	})
}

// elsewhere is a hall with a database of the other kind.
func elsewhere(t *testing.T, dialect string) *hall {
	if dialect == "sqlite" {
		return open(t, storetest.Postgres(t))
	}
	return open(t, storetest.SQLite(t))
}

func TestAGuestIsLinkedToHisAccount(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		id := h.create(tournament.Swiss, nil, "ana")
		guest, err := h.Entries.RegisterGuest(t.Context(), h.host, id, tournament.Candidate{Name: "Bohdan", Club: "", Rating: 1500})
		h.ok(err)
		for name, test := range map[string]struct {
			by     string
			entry  tournament.EntryID
			handle string
			want   error
		}{
			"by a player":             {"ana", guest.ID, "bob", tournament.ErrNotAllowed},
			"to nobody":               {"host", guest.ID, "nobody", store.ErrNotFound},
			"to one who has entered":  {"host", guest.ID, "ana", tournament.ErrEntered},
			"of one who has one":      {"host", 1, "bob", tournament.ErrLinked},
			"of an entry that is not": {"host", 9, "bob", tournament.ErrNoEntry},
		} {
			by := h.host
			if test.by != "host" {
				by = h.viewer(test.by)
			}
			if err := h.Events.Link(t.Context(), by, id, test.entry, test.handle); !errors.Is(err, test.want) {
				t.Errorf("%s: %v, want %v", name, err, test.want)
			}
		}
		h.ok(h.Events.Link(t.Context(), h.host, id, guest.ID, "bob"))
		if e, _ := h.tournament(id).Entry(guest.ID); e.Player != h.player("bob").ID || e.Name != "Bohdan" {
			t.Errorf("%+v", e)
		}
		h.clock.advance(time.Second)
		h.ok(h.Rounds.Start(t.Context(), h.host, id))
		if p := h.tournament(id).Rounds[0].Pairings[0]; p.Match == "" {
			t.Error("the two do not play on the server")
		}
	})
}

// resign ends a match by the resignation of a seat.
func (h *hall) resign(id match.ID, seat match.Seat) error {
	head := h.head(id)
	_, err := h.live.Do(h.t.Context(), id, head.Players[seat.Index()], live.Request{Command: match.Resign{Seat: seat}, Admit: admitted})
	return err
}

// admitted lets a player's command in by whichever way, where that is another test's
// matter.
func admitted(context.Context, match.State, store.Head) error { return nil }
