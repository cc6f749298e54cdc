package fairplay_test

import (
	"testing"

	"chpok.org/chpok/fairplay"
)

func TestPlacesAreTakenApartAsTheyWereMade(t *testing.T) {
	for place, want := range map[fairplay.Place][3]string{
		fairplay.TournamentPlace("t"):        {"tournaments", "t", ""},
		fairplay.LadderPlace("l", "2026-Q4"): {"ladders", "l", "2026-Q4"},
		fairplay.ChallengePlace("2026-Q4"):   {"challenges", "", "2026-Q4"},
		"tournaments/abc":                    {"tournaments", "abc", ""},
	} {
		kind, id, season, ok := place.Parts()
		if got := [3]string{string(kind), id, season}; !ok || got != want {
			t.Errorf("%s: %v, %v", place, got, ok)
		}
	}
	for _, no := range []fairplay.Place{"", "tournaments", "tournaments/", "tournaments/a/b", "ladders/l", "ladders//2026-Q4", "challenges", "clubs/x"} {
		if _, _, _, ok := no.Parts(); ok || no.Tournament() != "" {
			t.Errorf("%q is a place", no)
		}
	}
}
