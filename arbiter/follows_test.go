package arbiter_test

import (
	"errors"
	"testing"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
)

// heard are the notices of a kind that somebody was shown, the latest first.
func (h *hall) heard(handle string, kind notice.Kind) (list []store.Told) {
	for _, n := range h.told(handle) {
		if n.Kind == kind {
			list = append(list, n)
		}
	}
	return list
}

// begin is a friendly match that has just begun.
func (h *hall) begin(first, second string) string {
	h.t.Helper()
	c := h.challenge(first, second, friendly(false))
	c, err := h.Challenges.Accept(h.t.Context(), h.viewer(second), c.ID)
	h.ok(err)
	h.ok(h.Persons.TellFollowers(h.t.Context()))
	return string(c.Match)
}

func (h *hall) admitsFollowers(handle string, who player.Audience) {
	h.t.Helper()
	privacy := player.DefaultPrivacy()
	privacy.Follow = who
	h.ok(h.store.Write(h.t.Context(), func(tx *store.Tx) error { return tx.SetProfile(h.player(handle).ID, player.Profile{Privacy: privacy}) }))
}

func TestFollowersHearOnceADayThatSomebodyPlays(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		h.ok(h.Persons.Follow(t.Context(), h.viewer("ana"), "bob"))
		h.ok(h.Persons.Follow(t.Context(), h.viewer("ana"), "BOB"))
		first := h.begin("cyn", "bob")
		list := h.heard("ana", notice.FollowedPlays)
		if len(list) != 1 || list[0].Args["Player"] != "bob" || list[0].Args["Opponent"] != "cyn" || list[0].URL != "/matches/"+first {
			t.Fatalf("%+v", list)
		}
		h.ok(h.Persons.TellFollowers(t.Context()))
		h.begin("dan", "bob")
		if n := len(h.heard("ana", notice.FollowedPlays)); n != 1 {
			t.Errorf("%d notices of one day", n)
		}
		h.clock.advance(24 * time.Hour)
		h.begin("eve", "bob")
		if n := len(h.heard("ana", notice.FollowedPlays)); n != 2 {
			t.Errorf("%d notices of two days", n)
		}
		h.clock.advance(24 * time.Hour)
		h.begin("ana", "bob")
		if n := len(h.heard("ana", notice.FollowedPlays)); n != 2 {
			t.Error("ana hears that bob plays her")
		}
		if n := len(h.heard("bob", notice.FollowedPlays)) + len(h.heard("cyn", notice.FollowedPlays)); n != 0 {
			t.Error("who follows nobody hears something")
		}
	})
}

func TestWhoDoesNotWantFollowersHasNone(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *hall) {
		for name, c := range map[string]struct {
			handle string
			before func()
			want   error
		}{
			"oneself":     {"ana", func() {}, player.ErrFollow},
			"switched of": {"bob", func() { h.admitsFollowers("bob", player.Nobody) }, player.ErrFollow},
			"club mates":  {"cyn", func() { h.admitsFollowers("cyn", player.Clubs) }, player.ErrFollow},
			"who blocks": {"dan", func() {
				h.ok(h.store.Write(t.Context(), func(tx *store.Tx) error { return tx.Block(h.player("dan").ID, h.player("ana").ID, h.clock.now()) }))
			}, player.ErrFollow},
			"members":    {"eve", func() { h.admitsFollowers("eve", player.Members) }, nil},
			"who is not": {"nobody", func() {}, store.ErrNotFound},
		} {
			c.before()
			if err := h.Persons.Follow(t.Context(), h.viewer("ana"), c.handle); !errors.Is(err, c.want) {
				t.Errorf("%s: %v, want %v", name, err, c.want)
			}
		}
	})
}

// Who is followed already and then blocks, or switches it off, is followed in vain.
func TestFollowersHearNothingMoreOfWhoHasHadEnough(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *hall) {
		for _, handle := range []string{"bob", "cyn", "dan"} {
			h.ok(h.Persons.Follow(t.Context(), h.viewer("ana"), handle))
		}
		h.admitsFollowers("bob", player.Nobody)
		h.ok(h.store.Write(t.Context(), func(tx *store.Tx) error { return tx.Block(h.player("cyn").ID, h.player("ana").ID, h.clock.now()) }))
		h.begin("bob", "cyn")
		if list := h.heard("ana", notice.FollowedPlays); len(list) != 0 {
			t.Errorf("%+v", list)
		}
		h.ok(h.store.Read(t.Context(), func(tx *store.Tx) error {
			people, _, err := tx.Followed(h.player("ana").ID)
			if len(people) != 2 { // a block ends it, a switch only silences
				t.Errorf("ana follows %v", people)
			}
			heads, err2 := tx.FriendsMatches(h.player("ana").ID, h.clock.now(), 9)
			if len(heads) != 0 {
				t.Errorf("ana sees %+v", heads)
			}
			return errors.Join(err, err2)
		}))
		h.begin("dan", "eve")
		if list := h.heard("ana", notice.FollowedPlays); len(list) != 1 {
			t.Errorf("of dan she hears: %+v", list)
		}
	})
}

// TestFollowersAreShownADelayedMatchUntilTheyMayKnowItsEnd: it does not vanish from
// their list at the moment at which it ends.
func TestFollowersAreShownADelayedMatchUntilTheyMayKnowItsEnd(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *hall) {
		h.ok(h.Persons.Follow(t.Context(), h.viewer("ana"), "cyn"))
		shown := func() (n int) {
			h.ok(h.store.Read(t.Context(), func(tx *store.Tx) error {
				heads, err := tx.FriendsMatches(h.player("ana").ID, h.clock.now(), 9)
				n = len(heads)
				return err
			}))
			return n
		}
		id := h.opens(fairplay.Verified, "cyn", "dan") // two minutes later for watchers
		h.moves(id, line...)
		h.does(id, match.First, `{"act":"resign"}`)
		h.clock.advance(2*time.Minute - time.Millisecond)
		if n := shown(); n != 1 {
			t.Errorf("%d matches before the end is seen", n)
		}
		h.clock.advance(time.Millisecond)
		if n := shown(); n != 0 {
			t.Errorf("%d matches after it", n)
		}
		h.does(h.opens(fairplay.Open, "cyn", "dan"), match.First, `{"act":"resign"}`)
		if n := shown(); n != 0 {
			t.Errorf("%d matches; one that nobody sees later is over at once", n)
		}
	})
}

func TestFollowersOfAClubHearOfItsEvents(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *hall) {
		dragon := h.dragon()
		h.ok(h.Persons.FollowClub(t.Context(), h.viewer("eve"), dragon))
		if err := h.Persons.FollowClub(t.Context(), h.viewer("eve"), club.ID("none")); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("no such club: %v", err)
		}
		s := tournament.DefaultSettings(tournament.Swiss)
		s.Name, s.ClubID = "Friday", dragon
		id, err := h.Events.Create(t.Context(), h.viewer("ana"), s, false)
		h.ok(err)
		if n := len(h.heard("eve", notice.FollowedClub)); n != 0 {
			t.Error("told of a draft")
		}
		h.ok(h.Rounds.OpenRegistration(t.Context(), h.viewer("ana"), id))
		list := h.heard("eve", notice.FollowedClub)
		if len(list) != 1 || list[0].Args["Club"] != "Dragon" || list[0].Args["Tournament"] != "Friday" || list[0].URL != "/tournaments/"+string(id) {
			t.Errorf("%+v", list)
		}
		if n := len(h.heard("dan", notice.FollowedClub)); n != 0 {
			t.Error("who does not follow hears of it")
		}
	})
}
