package arbiter_test

import (
	"testing"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/store/storetest"
	"chpok.org/chpok/tournament/challenge"
)

// newcomersOf are whom the match of a challenge takes for newcomers, by seat.
func (h *hall) newcomersOf(c challenge.Challenge) [2]bool {
	h.t.Helper()
	s, _, err := h.live.State(h.t.Context(), c.Match)
	h.ok(err)
	return s.Options().Newcomer
}

func (h *hall) accepts(by string, c challenge.Challenge) challenge.Challenge {
	h.t.Helper()
	c, err := h.Challenges.Accept(h.t.Context(), h.viewer(by), c.ID)
	h.ok(err)
	return c
}

func TestWhoHasNotPlayedYetIsANewcomer(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		storetest.Players(t, h.store, "bot-one")
		rated := h.accepts("bob", h.challenge("ana", "bob", friendly(true)))
		if got := h.newcomersOf(rated); got != [2]bool{} {
			t.Errorf("nobody is helped in a rated match: %v", got)
		}
		h.wins(rated, "ana")
		mixed := h.accepts("cyn", h.challenge("ana", "cyn", friendly(false)))
		if got := h.newcomersOf(mixed); got != [2]bool{false, true} {
			t.Errorf("ana has played, cyn has not: %v", got)
		}
		beside := h.accepts("cyn", h.challenge("bob", "cyn", friendly(false)))
		if got := h.newcomersOf(beside); got != [2]bool{} {
			t.Errorf("cyn plays another match already: %v", got)
		}
		if got := h.newcomersOf(h.challenge("dan", "bot-one", challenge.DefaultSettings())); got != [2]bool{true, false} {
			t.Errorf("against a bot, which is none: %v", got)
		}
	})
}

// A first match is not rated unless its player asks for that.
func TestPairMeLeavesTheFirstMatchUnrated(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name             string
		waits, newcomer  challenge.Seek
		isRated, isTaken bool
		want             [2]bool
	}{
		{"two who leave it open", challenge.SeekAny, challenge.SeekAny, false, true, [2]bool{false, true}},
		{"the newcomer asks for it", challenge.SeekAny, challenge.SeekRated, true, true, [2]bool{}},
		{"somebody who asks for it finds no newcomer who does not", challenge.SeekRated, challenge.SeekAny, false, false, [2]bool{}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			one(t, func(t *testing.T, h *hall) {
				h.plays("ana", "bob")
				settings := func(seek challenge.Seek) challenge.Settings {
					s, _ := challenge.ForAnyone("quick", seek)
					return s
				}
				_, err := h.Challenges.Pair(t.Context(), h.viewer("ana"), settings(test.waits))
				h.ok(err)
				c, err := h.Challenges.Pair(t.Context(), h.viewer("cyn"), settings(test.newcomer))
				h.ok(err)
				if c.Settings.Rated != test.isRated || (c.Status == challenge.Accepted) != test.isTaken {
					t.Fatalf("%v, rated %v", c.Status, c.Settings.Rated)
				}
				if !test.isTaken {
					return
				}
				if got := h.newcomersOf(c); got != test.want {
					t.Errorf("newcomers %v, want %v", got, test.want)
				}
				if head := h.head(c.Match); head.Status != match.Waiting {
					t.Errorf("%v", head.Status)
				}
			})
		})
	}
}
