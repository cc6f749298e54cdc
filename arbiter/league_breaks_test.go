package arbiter_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/arbiter/persons"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/league"
)

// A division that was left by all, or all but one, before its start holds nobody back: the season begins at its time, the organizer
// hears of it once, the others play to their end, and whoever is left keeps the place.
func TestADivisionThatTooManyLeftHoldsNoSeasonBack(t *testing.T) {
	t.Parallel()
	for left := range 2 {
		one(t, func(t *testing.T, h *hall) {
			ctx, boss := t.Context(), h.viewer("ana")
			id, _ := h.season(func(s *league.Settings) { s.Usual, s.Least, s.Most = 3, 3, 4 }, 6)
			h.ok(h.Leagues.Propose(ctx, boss, id))
			h.ok(h.Leagues.Publish(ctx, boss, id))
			last := h.readLeague(id).Now().Divisions[1]
			for _, m := range last.Members[left:] {
				h.ok(h.Leagues.Leave(ctx, h.viewer(string(m)), id, ""))
			}
			h.clock.advance(h.readLeague(id).Now().Starts.Sub(h.clock.now()))
			h.jobs()
			h.jobs()
			x := h.readLeague(id).Now()
			if first := h.tournament(x.Divisions[0].Tournament); x.State != league.Running || first.Status != tournament.Running {
				t.Fatalf("the season is %s, its first division %s", x.State, first.Status)
			}
			told := 0
			for _, n := range h.told("ana") {
				if n.Kind == notice.LeaguePlace && n.Args["Case"] == "not-started" {
					told++
				}
			}
			if told != 1 {
				t.Errorf("told %d times", told)
			}
			if err := h.Leagues.Begin(ctx, boss, id); !errors.Is(err, tournament.ErrTooFew) {
				t.Errorf("pressed again: %v", err)
			}
			h.playSeason(id)
			h.ok(h.Leagues.Freeze(ctx, boss, id))
			x = h.readLeague(id).Now()
			if len(x.Tables[1]) != left || left > 0 && x.Tables[1][0].Member != last.Members[0] {
				t.Errorf("the table of who is left: %+v", x.Tables[1])
			}
			h.ok(h.Leagues.Archive(ctx, boss, id, h.clock.now().Add(20*24*time.Hour)))
			if now := h.readLeague(id).Now(); now.Number != 2 || now.State != league.Open {
				t.Errorf("the next season: %+v", now)
			}
		})
	}
}

// A red card and the withdrawal that follows from it are written together: whatever keeps somebody in their division, keeps the card away.
func TestARedCardIsGivenWholeOrNotAtAll(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		ctx, boss := t.Context(), h.viewer("ana")
		id, _ := h.season(func(s *league.Settings) { s.Usual, s.Least, s.Most = 4, 3, 4 }, 4)
		h.ok(h.Leagues.Propose(ctx, boss, id))
		h.ok(h.Leagues.Publish(ctx, boss, id))
		h.ok(h.Leagues.Begin(ctx, boss, id))
		in := h.readLeague(id).Now().Divisions[0]
		for range 2 {
			h.ok(h.Leagues.Warn(ctx, boss, id, string(in.Members[0]), "No answer"))
		}
		entry := func() tournament.Entry {
			e, _ := h.tournament(in.Tournament).EntryOf(player.ID(in.Members[0]))
			return e
		}
		_, err := h.Judges.OpenReview(ctx, boss, in.Tournament.Place(), player.ID(in.Members[0]))
		h.ok(err)
		err = h.Leagues.Warn(ctx, boss, id, string(in.Members[0]), "No answer")
		if given := len(h.readLeague(id).Sanctions); !errors.Is(err, assurance.ErrReviewRuns) || given != 2 || entry().Status != tournament.Active {
			t.Errorf("%v, with %d sanctions and an entry that is %s", err, given, entry().Status)
		}
		before := h.readLeague(id).Version
		h.ok(h.Leagues.Warn(ctx, boss, id, string(in.Members[1]), "No answer"))
		h.ok(h.Leagues.Warn(ctx, boss, id, string(in.Members[1]), "No answer"))
		h.ok(h.Leagues.Warn(ctx, boss, id, string(in.Members[1]), "No answer"))
		deeds := h.deeds(in.Tournament)
		if last := deeds[len(deeds)-1]; last.Act != tournament.ActWithdraw || last.By != boss.ID || h.readLeague(id).Version <= before {
			t.Errorf("the log ends with %+v", last)
		}
	})
}

// Whoever takes part in a season that has not begun is needed: no division plays against an account that is gone.
func TestNobodyIsErasedOutOfASeason(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		ctx, boss := t.Context(), h.viewer("ana")
		id, all := h.season(func(s *league.Settings) { s.Usual, s.Least, s.Most = 3, 3, 4 }, 6)
		who := h.viewer(all[0])
		hinders := func(stage string) {
			t.Helper()
			var list []persons.Hindrance
			h.ok(h.store.Read(ctx, func(tx *store.Tx) (err error) {
				list, err = persons.Hindrances(tx, who.Player)
				return err
			}))
			if !slices.ContainsFunc(list, func(x persons.Hindrance) bool { return x.Obstacle == player.PlaysLeague && x.Name == "Winter league" }) {
				t.Errorf("%s: hindered by %+v", stage, list)
			}
		}
		hinders("open")
		h.ok(h.Leagues.Propose(ctx, boss, id))
		h.ok(h.Leagues.Publish(ctx, boss, id))
		hinders("placed")
		h.ok(h.Leagues.Leave(ctx, who, id, ""))
		if _, err := h.Persons.AskErasure(ctx, who); err != nil {
			t.Errorf("after leaving: %v", err)
		}
	})
}
