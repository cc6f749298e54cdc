package challenge

import (
	"slices"
	"time"

	"chpok.org/chpok/player"
	"chpok.org/chpok/rating"
)

// LobbyLife is how long a challenge to anyone stands in the lobby.
const LobbyLife = MinLife

// Seek is what somebody looks for who wants to be paired.
type Seek uint8

const (
	SeekUnrated Seek = iota // an unrated match
	SeekRated               // a rated one
	SeekAny                 // either: as the other one wants it
)

// ForAnyone is the settings of a challenge in the lobby, by the name of a preset;
// false: there is no such preset.
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

// fits tells whether what waits is what somebody looks for: of two one may leave
// it to the other whether the match is rated.
func (s Settings) fits(waiting Settings) bool {
	return waiting.Lobby == s.Lobby && (waiting.Rated == s.Rated || waiting.Either || s.Either)
}

// Met is the settings under which somebody takes what waits: rated as soon as
// one of the two wants that and the other one left it open.
func (s Settings) Met(waiting Settings) Settings {
	waiting.Rated = waiting.Rated || waiting.Either && s.Rated
	return waiting
}

// Match is whom of those in the lobby somebody is paired with, who looks for the
// same: the nearest by rating, of several the one who has
// waited longest. false: nobody fits.
func Match(lobby []Challenge, by player.ID, s Settings, ratings map[player.ID]rating.Rating) (best Challenge, ok bool) {
	distance := func(c Challenge) rating.Rating {
		d := ratings[c.Challenger] - ratings[by]
		return max(d, -d)
	}
	fitting := slices.DeleteFunc(slices.Clone(lobby), func(c Challenge) bool {
		return c.Challenger == by || !s.fits(c.Settings)
	})
	for i, c := range fitting {
		if i == 0 || distance(c) < distance(best) || distance(c) == distance(best) && c.Created.Before(best.Created) {
			best = c
		}
	}
	return best, len(fitting) > 0
}

// Typical is the middle of some waits, 0 without any.
func Typical(waits []time.Duration) time.Duration {
	if len(waits) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(waits))
	return sorted[len(sorted)/2]
}
