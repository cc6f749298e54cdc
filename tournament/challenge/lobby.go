package challenge

import (
	"cmp"
	"slices"
	"time"

	"chpok.org/chpok/player"
	"chpok.org/chpok/rating"
)

// LobbyLife is how long a challenge stays in the lobby.
const LobbyLife = MinLife

// Seek is what somebody looks for in the lobby.
type Seek uint8

const (
	SeekUnrated Seek = iota // an unrated match
	SeekRated               // a rated one
	SeekAny                 // either, as the opponent wants
)

// ForAnyone returns the settings of a challenge in the lobby by the name of a preset;
// false if there is no such preset.
func ForAnyone(preset string, seek Seek) (Settings, bool) {
	s := DefaultSettings()
	s.Lobby, s.Rated, s.Either, s.Life = preset, seek == SeekRated, seek == SeekAny, LobbyLife
	for _, p := range Presets() {
		if p.Name == preset {
			s.Envelope = p.Envelope
			return s, true
		}
	}
	return s, false
}

// fits reports whether a waiting challenge is what somebody looks for: one of the two may
// leave it to the other whether the match is rated.
func (s Settings) fits(waiting Settings) bool {
	return waiting.Lobby == s.Lobby && (waiting.Rated == s.Rated || waiting.Either || s.Either)
}

// Met returns the settings with which somebody accepts a waiting challenge: rated if one
// of the two wants that and the other left it open, or if both did.
func (s Settings) Met(waiting Settings) Settings {
	waiting.Rated = waiting.Rated || waiting.Either && (s.Rated || s.Either)
	return waiting
}

// Match returns the challenge in the lobby that somebody is paired with: the nearest by
// rating among those that fit, then the oldest; false if none fits.
func Match(lobby []Challenge, by player.ID, s Settings, ratings map[player.ID]rating.Rating) (Challenge, bool) {
	distance := func(c Challenge) rating.Rating {
		d := ratings[c.Challenger] - ratings[by]
		return max(d, -d)
	}
	fitting := slices.DeleteFunc(slices.Clone(lobby), func(c Challenge) bool { return c.Challenger == by || !s.fits(c.Settings) })
	if len(fitting) == 0 {
		return Challenge{}, false
	}
	return slices.MinFunc(fitting, func(a, b Challenge) int {
		return cmp.Or(cmp.Compare(distance(a), distance(b)), a.Created.Compare(b.Created))
	}), true
}

// Typical returns the median of waits, or 0.
func Typical(waits []time.Duration) time.Duration {
	if len(waits) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(waits))
	return sorted[len(sorted)/2]
}
