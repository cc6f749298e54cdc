package arbiter_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"chpok.org/chpok/arbiter/entries"
	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/arbiter/persons"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/fairplay/vouch"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/clubmatch"
)

// challenge is a match of the dragons (ana, bob, cyn) against the lions (dan, eve),
// to be named within a day.
func (h *hall) clubMatch() tournament.ID { return h.clubMatchOf(h.dragon()) }

func (h *hall) clubMatchOf(dragon club.ID) tournament.ID {
	h.t.Helper()
	s := tournament.DefaultSettings(tournament.ClubMatch)
	s.Name, s.ClubID, s.OpponentID, s.Boards, s.LineUpsBy, s.Numbering, s.Lateness = "Derby", dragon, "lion", 2, h.clock.now().Add(24*time.Hour), tournament.Given, 0
	h.ok(h.store.Write(h.t.Context(), func(tx *store.Tx) error {
		return tx.AddClub(club.New("lion", "Lions", "", h.player("dan").ID, h.clock.now()))
	}))
	_, err := h.Clubs.Join(h.t.Context(), h.viewer("eve"), "lion", "", "")
	h.ok(err)
	id, err := h.Events.Create(h.t.Context(), h.viewer("ana"), s, true)
	h.ok(err)
	return id
}

func names2(t *tournament.Tournament) (list []string) {
	for _, e := range t.Entries {
		list = append(list, e.Name)
	}
	return list
}

func TestAClubMatchFromLineUpsToItsResult(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		id := h.clubMatch()
		ctx := t.Context()
		if !h.hasTold("dan", notice.ClubMatch) || h.hasTold("eve", notice.ClubMatch) || h.hasTold("ana", notice.ClubMatch) {
			t.Error("who names the lions' line-up, and nobody else, is to hear of the match")
		}
		if _, err := h.Entries.Register(ctx, h.viewer("ana"), id, entries.Application{}); !errors.Is(err, tournament.ErrLineUp) {
			t.Errorf("entered past the line-ups: %v", err)
		}
		for name, c := range map[string]struct {
			by      string
			of      club.ID
			handles string
			want    error
		}{
			"a member names":             {"cyn", "dragon", "ana", club.ErrNotAllowed},
			"for the other club":         {"ana", "lion", "dan", club.ErrNotAllowed},
			"for a club of no part":      {"ana", "bear", "ana", club.ErrNotAllowed},
			"more than there are boards": {"ana", "dragon", "ana bob cyn", entries.ErrLineUpSize},
			"nobody":                     {"ana", "dragon", "", entries.ErrLineUpSize},
			"somebody twice":             {"ana", "dragon", "cyn cyn", entries.ErrLineUpTwice},
		} {
			if err := h.Entries.NameLineUp(ctx, h.viewer(c.by), id, c.of, strings.Fields(c.handles)); !errors.Is(err, c.want) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if err := h.Entries.NameLineUp(ctx, h.viewer("bob"), id, "dragon", []string{"cyn", "fay"}); !errors.Is(err, entries.ErrStrangers) || !strings.Contains(err.Error(), "fay") {
			t.Errorf("a stranger: %v", err)
		}
		h.ok(h.Entries.NameLineUp(ctx, h.viewer("bob"), id, "dragon", []string{"ana", "bob"}))
		h.ok(h.Entries.NameLineUp(ctx, h.viewer("bob"), id, "dragon", []string{"cyn", "ana"}))
		if m := h.tournament(id); len(m.Entries) != 0 || !m.LineUpsAt.IsZero() {
			t.Fatalf("laid open before both stand: %v", names2(m))
		}
		h.ok(h.Entries.NameLineUp(ctx, h.viewer("dan"), id, "lion", []string{"eve", "dan"}))
		if diff := cmp.Diff([]string{"cyn", "ana", "eve", "dan"}, names2(h.tournament(id))); diff != "" {
			t.Fatal(diff)
		}
		if err := h.Entries.NameLineUp(ctx, h.viewer("dan"), id, "lion", []string{"dan"}); !errors.Is(err, tournament.ErrLaidOpen) {
			t.Errorf("changed after that: %v", err)
		}
		h.ok(h.Rounds.Start(ctx, h.viewer("ana"), id))
		h.beats(id, "cyn", "eve")
		h.beats(id, "dan", "ana")
		m := h.tournament(id)
		s := clubmatch.Of(m)
		if m.Status != tournament.Finished || s.Points != [2]tournament.Score{10, 10} || s.Winner != tournament.HomeSide || s.By != clubmatch.Berlin {
			t.Errorf("%v: %+v", m.Status, s)
		}
		h.ok(h.store.Read(ctx, func(tx *store.Tx) error {
			for _, of := range []club.ID{"dragon", "lion"} { // it stands on both pages
				lines, _, err := tx.Tournaments(store.TournamentQuery{Club: of, Limit: 9})
				if err != nil || len(lines) != 1 {
					t.Errorf("%s: %d, %v", of, len(lines), err)
				}
			}
			return nil
		}))
	})
}

func TestLineUpsAreLaidOpenAtTheirTime(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		id := h.clubMatch()
		h.ok(h.Entries.NameLineUp(t.Context(), h.viewer("dan"), id, "lion", []string{"eve"}))
		h.clock.advance(24*time.Hour - time.Second)
		h.ok(h.Sweep(t.Context()))
		if m := h.tournament(id); len(m.Entries) != 0 {
			t.Fatalf("too early: %v", names2(m))
		}
		h.clock.advance(time.Second)
		h.ok(h.Sweep(t.Context()))
		h.ok(h.Sweep(t.Context()))
		if diff := cmp.Diff([]string{"—", "—", "eve", "—"}, names2(h.tournament(id))); diff != "" {
			t.Fatal(diff)
		}
		h.ok(h.Rounds.Start(t.Context(), h.viewer("ana"), id)) // and is over at once: nobody came for the dragons
		m := h.tournament(id)
		if s := clubmatch.Of(m); m.Status != tournament.Finished || s.Winner != tournament.GuestSide {
			t.Errorf("%v: %+v", m.Status, s)
		}
	})
}

// Two captains of one club name a line-up each from the same page: the second is told of the first. Who has left the club
// when it is laid open does not play for it.
func TestALineUpIsOfWhoIsStillInTheClubAndOverwritesNoOther(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *hall) {
		ctx := t.Context()
		id := h.clubMatch()
		name := func(who string, shown int64, handles ...string) error {
			by := h.viewer(who)
			by.Shown = shown
			return h.Entries.NameLineUp(ctx, by, id, "dragon", handles)
		}
		h.ok(name("bob", 1, "cyn", "bob"))
		first := h.clock.now().UnixMilli()
		var overtaken *kernel.Overtaken
		if err := name("ana", 1, "ana"); !errors.As(err, &overtaken) || overtaken.Name != "bob" || overtaken.Now != first {
			t.Errorf("%v: %+v", err, overtaken)
		}
		h.ok(name("ana", 1, "cyn", "bob")) // the same
		h.ok(name("ana", first, "bob", "cyn"))
		lessOf := func(who, how string) bool { // whether they were told that cyn cannot play for the dragons
			return slices.ContainsFunc(h.told(who), func(n store.Told) bool {
				return n.Kind == notice.LineUpLess && n.Args["Case"] == how && n.Args["Player"] == "cyn" && n.Args["Club"] != "Lions"
			})
		}
		h.ok(h.Clubs.Leave(ctx, h.viewer("cyn"), "dragon"))
		h.ok(h.Entries.NameLineUp(ctx, h.viewer("dan"), id, "lion", []string{"eve"}))
		for who, isCaptain := range map[string]bool{"ana": true, "bob": true, "cyn": false, "dan": false, "eve": false} {
			if lessOf(who, "left") != isCaptain || lessOf(who, "out") != isCaptain {
				t.Errorf("%s is told: %+v", who, h.told(who))
			}
		}
		if diff := cmp.Diff([]string{"bob", "—", "eve", "—"}, names2(h.tournament(id))); diff != "" {
			t.Error(diff)
		}
	})
}

func TestALineUpHasOnlyWhoIsAdmitted(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *hall) {
		ctx := t.Context()
		id := h.clubMatch()
		policy := fairplay.Preset(fairplay.Declared) // nobody has accepted its text
		h.ok(h.Events.SetPolicy(ctx, h.viewer("ana"), id, policy))
		var unfit *entries.UnfitError
		err := h.Entries.NameLineUp(ctx, h.viewer("bob"), id, "dragon", []string{"cyn", "bob"})
		if !errors.As(err, &unfit) || unfit.Handle != "cyn" || !errors.Is(err, fairplay.ErrUnmet) {
			t.Errorf("named all the same: %v", err)
		}
		h.ok(h.Events.SetPolicy(ctx, h.viewer("ana"), id, fairplay.Preset(fairplay.Open)))
		h.ok(h.Entries.NameLineUp(ctx, h.viewer("bob"), id, "dragon", []string{"cyn", "bob"}))
		// Who is admitted no longer when the line-ups are laid open is left out.
		h.ok(h.Events.SetPolicy(ctx, h.viewer("ana"), id, policy))
		h.clock.advance(25 * time.Hour)
		h.ok(h.Sweep(ctx))
		if !h.hasTold("bob", notice.LineUpLess) || h.hasTold("dan", notice.LineUpLess) {
			t.Error("nobody hears that the dragons play with less")
		}
		for _, e := range h.tournament(id).Entries {
			if e.Player != "" {
				t.Errorf("%s plays", e.Name)
			}
		}
	})
}

// The word of the other club's captain does not carry a player in a match against
// that club, neither when they are named nor when the boards open.
func TestTheOtherCaptainsWordDoesNotCount(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		ctx := t.Context()
		id := h.clubMatch()
		policy := fairplay.Preset(fairplay.Declared)
		policy.Attestations = 1
		h.ok(h.Events.SetPolicy(ctx, h.viewer("ana"), id, policy.WithAge()))
		say := func(by, of string) {
			t.Helper()
			v := h.viewer(by)
			v.Role = player.Operator
			_, err := h.Persons.Attest(ctx, v, persons.Word{Issuer: vouch.SiteIssuer, Handle: of, Says: identity(), Days: 365, Person: persons.Person{Name: of, Born: "1990-01-01"}})
			h.ok(err)
			h.ok(h.Persons.AcceptText(ctx, h.viewer(of), "en", "…"))
		}
		say("dan", "cyn") // the lions' owner about a dragon
		say("dan", "eve") // and about a lion
		say("gus", "bob")
		var unfit *entries.UnfitError
		err := h.Entries.NameLineUp(ctx, h.viewer("ana"), id, "dragon", []string{"bob", "cyn"})
		if !errors.As(err, &unfit) || unfit.Handle != "cyn" {
			t.Fatalf("cyn, known to the other captain alone, is named: %v", err)
		}
		h.ok(h.Entries.NameLineUp(ctx, h.viewer("ana"), id, "dragon", []string{"bob"}))
		h.ok(h.Entries.NameLineUp(ctx, h.viewer("dan"), id, "lion", []string{"eve"}))
		// bob's word is given again, by the other captain alone, before the start.
		h.clock.advance(time.Minute)
		say("dan", "bob")
		h.ok(h.Rounds.Start(ctx, h.viewer("ana"), id))
		board := h.tournament(id).Rounds[0].Pairings[0]
		counts := map[player.ID]int{}
		h.ok(h.store.Read(ctx, func(tx *store.Tx) error {
			facts, err := tx.Facts(board.Match)
			for _, f := range facts {
				if f.Kind == fairplay.Attested {
					counts[h.head(board.Match).Players[f.Seat.Index()]] = f.Count
				}
			}
			return err
		}))
		if counts["bob"] != 0 || counts["eve"] != 1 {
			t.Errorf("the match counts %v", counts)
		}
	})
}
