package challenge_test

import (
	"errors"
	"testing"
	"time"

	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/rating"
	"chpok.org/chpok/tournament/challenge"
)

func TestPairMeTakesTheNearestByRatingOfTheSameLength(t *testing.T) {
	t.Parallel()
	waits := func(id string, preset string, seek challenge.Seek, after time.Duration) challenge.Challenge {
		s, ok := challenge.ForAnyone(preset, seek)
		if !ok {
			t.Fatal(preset)
		}
		return challenge.Challenge{ID: challenge.ID(id), Challenger: player.ID(id), Settings: s, Created: began.Add(after)}
	}
	ratings := map[player.ID]rating.Rating{"me": 15000, "near": 15200, "far": 17000, "below": 14800, "rated": 15000, "long": 15000}
	lobby := []challenge.Challenge{
		waits("far", "quick", challenge.SeekUnrated, 0), waits("near", "quick", challenge.SeekUnrated, time.Minute), waits("rated", "quick", challenge.SeekRated, 0),
		waits("long", "long", challenge.SeekUnrated, 0), waits("me", "quick", challenge.SeekUnrated, 0), waits("below", "quick", challenge.SeekUnrated, 2*time.Minute),
	}
	quick, _ := challenge.ForAnyone("quick", challenge.SeekUnrated)
	if best, ok := challenge.Match(lobby, "me", quick, ratings); !ok || best.ID != "near" {
		t.Errorf("paired with %s: near and below are as far from me, near waits longer", best.ID)
	}
	evening, _ := challenge.ForAnyone("evening", challenge.SeekUnrated)
	if best, ok := challenge.Match(lobby, "me", evening, ratings); ok {
		t.Errorf("nobody looks for an evening, got %s", best.ID)
	}
	if _, ok := challenge.ForAnyone("a-week", challenge.SeekAny); ok {
		t.Error("there is no such preset")
	}
}

// Rated, unrated, or as the other one wants: two who can agree meet, and the
// match is rated unless one of them wants it otherwise.
func TestSeekersMeetWhoCanAgreeOnTheRating(t *testing.T) {
	t.Parallel()
	const unrated, rated, either = challenge.SeekUnrated, challenge.SeekRated, challenge.SeekAny
	for _, test := range []struct {
		waits, comes challenge.Seek
		meet, rated  bool
	}{
		{unrated, unrated, true, false}, {rated, rated, true, true}, {unrated, rated, false, false}, {rated, unrated, false, false},
		{either, rated, true, true}, {either, unrated, true, false}, {rated, either, true, true}, {unrated, either, true, false}, {either, either, true, true},
	} {
		waiting, _ := challenge.ForAnyone("quick", test.waits)
		coming, _ := challenge.ForAnyone("quick", test.comes)
		c, meet := challenge.Match([]challenge.Challenge{{ID: "c", Challenger: "other", Settings: waiting}}, "me", coming, nil)
		if meet != test.meet || meet && coming.Met(c.Settings).Rated != test.rated {
			t.Errorf("%v waits, %v comes: meet %v, rated %v", test.waits, test.comes, meet, coming.Met(c.Settings).Rated)
		}
	}
}

func TestTheTypicalWaitIsTheMiddleOne(t *testing.T) {
	t.Parallel()
	if got := challenge.Typical([]time.Duration{time.Hour, 10 * time.Second, 40 * time.Second}); got != 40*time.Second {
		t.Errorf("%v", got)
	}
	if got := challenge.Typical(nil); got != 0 {
		t.Errorf("%v of nothing", got)
	}
}

func TestGuestsPlayUnratedAndOnNoDemands(t *testing.T) {
	t.Parallel()
	guest := ana
	guest.Guest = true
	declared := settings(false)
	declared.Policy = fairplay.Preset(fairplay.Declared)
	handicap := settings(false)
	handicap.Handicap = true
	tests := []struct {
		name string
		s    challenge.Settings
		want error
	}{
		{"a casual match", settings(false), nil},
		{"a rated match", settings(true), challenge.ErrGuestRated},
		{"a handicap by rating", handicap, challenge.ErrGuestRated},
		{"a match above Open", declared, challenge.ErrGuestRated},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if _, err := challenge.New(challenge.Offer{ID: "c", By: as(guest), Settings: test.s}, bob, began); !errors.Is(err, test.want) {
				t.Errorf("offered by a guest: %v", err)
			}
			if _, err := challenge.New(challenge.Offer{ID: "c", By: as(bob), Settings: test.s}, guest, began); !errors.Is(err, test.want) {
				t.Errorf("offered to a guest: %v", err)
			}
			c, err := challenge.New(challenge.Offer{ID: "c", By: as(bob), Settings: test.s}, visitor, began)
			if err != nil {
				t.Fatal(err)
			}
			if err := c.MayAccept(as(guest), began); !errors.Is(err, test.want) {
				t.Errorf("accepted by a guest: %v", err)
			}
		})
	}
	if err := challenge.Practice().Validate(); err != nil {
		t.Error(err)
	}
}
